#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A process that does not come to a collective call is named by the others, with the call and the communicator; one that gives another
number of elements, too."""
import concurrent.futures
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs


def run_case(program, run, call, who, text, hosts=None):
    """The name of a case, and what was wrong. hosts: of the processes of one job, as for communicators.c."""
    port, started = jobs.free_port(), []
    for pb, (mpi, parts) in enumerate(run):
        env = (jobs.waitio(port, pb, len(run)) if len(run) > 1 else {}) | {"H3OU_PATIENCE": 1} | (
            {"TEST_HOSTS": hosts} if hosts else {})
        started.append(jobs.Job(mpi, [(n, [f"{program}.{mpi}", name, call, who]) for n, name in parts], env))
    results = jobs.wait_all(started)  # whoever has no error ends after 30 s of sleep
    said = "".join(r.err for r in results)
    members = [f"component {name} rank {rank}" for _, parts in run for n, name in parts for rank in range(n)]
    wrong = [f"neither '{text}' nor '{members[who]}'\n{said[:1500]}"] if text not in said or members[who] not in said and "v" not in call else []
    # The others are not named as those who did not come.
    listed = [line.split("(H3OU_PATIENCE): ")[1] for line in said.splitlines() if "(H3OU_PATIENCE): " in line]
    wrong += [f"'{members[i]}' is named, who came\n{said[:1500]}" for i in range(len(members)) if i != who and len(run) == 1
              if any(members[i] in part for part in listed)]
    wrong += [f"job {i} ended with 0, or not at all" for i, r in enumerate(results) if r.code == 0 or r.timed_out or r.left]
    return f"{call} without {members[who]}, {' and '.join(mpi for mpi, _ in run)}{' on hosts ' + hosts if hosts else ''}", wrong


def main(folder):
    tally, program = jobs.Tally(), pathlib.Path(folder, "absent")
    first, last = jobs.MPIS[0], jobs.MPIS[-1]
    one = [([(mpi, [(2, "a"), (1, "b")])], call, who, text) for mpi in jobs.MPIS for call, who, text in [
        ("bcast", 0, "broadcast on Global (3 processes): did not come within 1 s"), ("local", 1, "reduction on Local of a (2 processes)"),
        ("gather", 2, "gather on Global (3 processes): did not come within 1 s")]]
    one += [([(mpi, [(3, "a"), (1, "b")])], call, 1, f"{text} (%d processes): did not come within 1 s" % n) for mpi, call, text, n in [
        (first, "exchange", "exchange inside a component on Local of a", 3), (last, "scatter", "scatter on Global", 4)]]
    two = [([(first, [(2, "a")]), (last, [(2, "b")])], "allreduce", who, "reduction on Global (4 processes)") for who in (3, 2, 1)]
    two += [(two[0][0], "gather", 3, "gather on Global (4 processes): did not come within 1 s"),
            (two[0][0], "leaders", 2, "gather on Leader (2 processes): did not come within 1 s"),
            (two[0][0], "scan", 2, "scan on Global (4 processes): did not come within 1 s"),
            (two[0][0], "gatherv", 3, "gather: component b rank 1 sends 2 elements, but the root awaits 1 of it"),
            (two[0][0], "scatterv", 2, "scatter: the root sends 1 elements to this process, which awaits 2")]
    # Of a job on two hosts, a process that is alone on its host, the first one of a host, and others.
    reduction, local = "reduction on Global (4 processes): did not come within 1 s", "reduction on Local of a (3 processes)"
    spread = [([(mpi, [(3, "a"), (1, "b")])], call, who, text, hosts) for mpi, call, who, text, hosts in [
        (first, "allreduce", 3, reduction, "0001"), (last, "allreduce", 1, reduction, "0101"), (first, "local", 2, local, "0100"),
        (last, "bcast", 0, "broadcast on Global (4 processes)", "0011")]]
    if not jobs.has_name_spaces():
        print("left out: no network name space can be made here")
        spread = []
    # They mostly wait: several at a time.
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        for name, wrong in pool.map(lambda case: run_case(program, *case), one + two + spread):
            tally.check(name, wrong)
    # One that is killed in the middle of calls ends both jobs, though the others of its host share memory with it.
    port = jobs.free_port()
    started = [jobs.Job(mpi, [(2, [f"{program}.{mpi}", name, "killed", 3])], jobs.waitio(port, pb, 2) | {"H3OU_PATIENCE": 3600})
               for pb, (mpi, name) in enumerate([(first, "a"), (last, "b")])]
    results = jobs.wait_all(started)
    wrong = [f"job {i} ended with 0, or not at all" for i, r in enumerate(results) if r.code == 0 or r.timed_out or r.left]
    # The killed one has taken part in 200 calls; in the next one the others of the other job learn of its end.
    if not re.search(r"^rank [01] made 200 calls$", results[0].err, re.M):
        wrong.append(f"nobody of the other job made 200 calls\n{results[0].err[:1500]}")
    wrong += [] if "component b" in results[0].err else [f"component b is not named\n{results[0].err[:1500]}"]
    tally.check("killed in the middle of calls", wrong)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
