#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Backends under their MPIs, and the four communicators: in one job, in two and three jobs of different MPIs, with components that
are a job, share one, and lie scattered in one. With the word "kings" behind the folder only the runs in which several Kings of each job pass long
messages on."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs


def backends(tally, program):
    for mpi in jobs.MPIS:
        for procs in (1, 5):
            results = jobs.wait_all([jobs.Job(mpi, [(procs, [f"{program}.{mpi}", mpi])])])
            tally.check(f"operations of {mpi}, {procs} processes", jobs.problems_of(results))
        with tempfile.TemporaryDirectory() as empty:
            results = jobs.wait_all([jobs.Job(mpi, [(1, [f"{program}.{mpi}", mpi, "none"])], {"H3OU_MPI_BACKEND_DIR": empty})])
        said = f"{empty} has no libh3ou_mpi_{mpi}.so"
        tally.check(f"no backend for {mpi}", [] if said in results[0].out and results[0].code else [results[0].out + results[0].err])


def public_calls(tally, program, parts):
    """The calls of h3ou_collectives.h: parts: of each job, its MPI and its components as (processes, name)."""
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "config")
        config.write_text("&h3ou_coupling /\n")
        port, started = jobs.free_port(), []
        for pb, (mpi, components) in enumerate(parts):
            started.append(jobs.Job(mpi, [(n, [f"{program}.{mpi}", name, config]) for n, name in components],
                                    jobs.waitio(port, pb, len(parts))))
        results = jobs.wait_all(started)
    n = {name: k for _, components in parts for k, name in components}
    total = sum(n.values())
    tried = sorted(line for r in results for line in r.out.splitlines())
    wanted = [f"{name}: {i} of {size}" for name, size in [("Global", total), ("Leader", 3), *(("Local", n[c]) for c in n),
                                                         *((f"Model of a and {c}", n["a"] + n[c]) for c in "bc")] for i in range(size)]
    tally.check("the public calls in C", jobs.problems_of(results) + ([] if tried == sorted(wanted) else ["\n".join(tried)]))


def check_runs(tally, program, runs):
    """runs: the jobs of each, as (MPI, components), and its settings; of a tuple each job has one."""
    for run, settings in runs:
        port, started = jobs.free_port(), []
        for pb, (mpi, parts) in enumerate(run):
            own = {name: value[pb] if isinstance(value, tuple) else value for name, value in settings.items()}
            env = (jobs.waitio(port, pb, len(run)) if len(run) > 1 else {"H3OU_PATIENCE": 60}) | own
            started.append(jobs.Job(mpi, [(n, [f"{program}.{mpi}", name]) for n, name in parts], env))
        tally.check(" | ".join(f"{mpi}: {' '.join(f'{n}{name}' for n, name in parts)}" for mpi, parts in run),
                    jobs.problems_of(jobs.wait_all(started)))


def kings(folder):
    """Also where the jobs have unlike numbers of processes or are on several hosts, and where their MPIs make the calls inside."""
    tally, first, last = jobs.Tally(), jobs.MPIS[0], jobs.MPIS[-1]
    two, three = [(first, [(3, "a")]), (last, [(2, "b")])], [(first, [(2, "a"), (2, "b")]), (last, [(2, "c"), (1, "d")]), (first, [(4, "e")])]
    runs = [(three, {"TEST_KINGS": 3}), (two, {"TEST_KINGS": 2, "H3OU_SHARED_MEMORY": 0}), (two, {"TEST_KINGS": 8})]
    if jobs.has_name_spaces():
        runs += [([(first, [(4, "a")]), (last, [(3, "b")])], {"TEST_HOSTS": ("0101", "001"), "TEST_KINGS": 2})]
    check_runs(tally, pathlib.Path(folder, "communicators"), runs)
    return tally.end()


def main(folder):
    tally = jobs.Tally()
    backends(tally, pathlib.Path(folder, "operations"))
    program = pathlib.Path(folder, "communicators")
    first, last = jobs.MPIS[0], jobs.MPIS[-1]
    # Each job: its MPI, and its components as (processes, name).
    runs = [[(mpi, parts)] for mpi in jobs.MPIS for parts in ([(1, "a")], [(3, "a"), (2, "b")], [(1, "a"), (2, "b"), (1, "a"), (2, "c")])]
    runs += [
        [(first, [(1, "a")]), (last, [(1, "b")])],
        [(first, [(3, "a")]), (last, [(2, "b")])],
        [(last, [(2, "a"), (1, "b"), (1, "a")]), (first, [(2, "c")])],
        [(first, [(2, "a")]), (last, [(1, "b"), (2, "c")]), (first, [(2, "d")])],
    ]
    # In the first of these a thread moves what goes between jobs. In the second each leader but the root gets two messages of the root
    # in a round.
    chosen = [(runs[-1], {"H3OU_COLL_BCAST": "split_binary:16000", "H3OU_COLL_REDUCE": "pipeline:8", "WAITIO_PROGRESS": "thread"}),
              (runs[1], {"H3OU_COLL_BCAST": "trinary_x6:64"})]
    # Inside a job by its MPI.
    chosen += [(runs[7], {"H3OU_SHARED_MEMORY": 0})]
    # Jobs on several hosts: three processes on one and one on the other, and ranks by turns.
    if jobs.has_name_spaces():
        chosen += [([(mpi, [(4, "a"), (1, "b")])], {"TEST_HOSTS": hosts}) for mpi, hosts in ((first, "00010"), (last, "01012"))]
        chosen += [([(first, [(4, "a")]), (last, [(3, "b")])], {"TEST_HOSTS": ("0101", "001")})]
    else:
        print("left out: no network name space can be made here")
    check_runs(tally, program, [(run, {}) for run in runs] + chosen)
    public_calls(tally, pathlib.Path(folder, "public_calls"), [(first, [(3, "a")]), (last, [(1, "b"), (2, "c")])])
    # A component in two jobs is refused, everywhere.
    port = jobs.free_port()
    started = [jobs.Job(mpi, [(2, [f"{program}.{mpi}", "a"])], jobs.waitio(port, pb, 2)) for pb, mpi in enumerate((first, last))]
    results = jobs.wait_all(started)
    said = "component 'a' is started in two jobs, WAITIO_PBID 0 and 1"
    tally.check("one component in two jobs", [r.err for r in results if said not in r.err or r.code == 0])
    return tally.end()


if __name__ == "__main__":
    sys.exit(kings(sys.argv[1]) if sys.argv[2:] == ["kings"] else main(sys.argv[1]))
