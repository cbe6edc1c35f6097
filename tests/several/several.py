#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Components of one process: the same bits as the same components alone in their processes, and what is refused.

several.py PROGRAM ALONE NAMED [PACKAGES]: several.c with MPI and without; named.f90; where the Python package is, if it can be used"""
import pathlib
import struct
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

PAIR = '&h3ou_var comp_put="{0}", comp_get="{1}", grid_put="{0}_g", grid_get="{1}_g", mapping_tag=1 /\n'
FIELD = "&h3ou_var var_put='{0}{2}', var_get='{0}{2}_{1}', intvl={3}, lag={4}, layer=1, flag='{5}' /\n"
LATER, SUM = (600, -1, "SNP"), (1200, -1, "AVR")
TWO = {"AB": [LATER, SUM], "BA": [LATER, SUM, (1200, -2, "SNP")]}
AT_ONCE = {"AB": [(600, 0, "SNP"), SUM], "BA": [LATER]}
FOUR = {"AB": [LATER], "BA": [LATER], "AC": [SUM], "CB": [LATER], "BD": [(600, 0, "SNP")], "DC": [LATER], "CA": [SUM], "BC": [LATER],
        "BB": [LATER, SUM]}
CHAIN = {"AB": [LATER], "BA": [LATER], "CA": [(600, 0, "SNP")], "BC": [LATER, SUM]}
# The members of each job.
PLACES = {
    "TWO": [["A:0,B:0"], ["A:0-2,B:1-3"], ["A:0-3,B:0-1"]],
    "CHAIN": [["A:0,B:0,C:1"], ["A:0-1,B:0-1", "C:0"]],
    "AT_ONCE": [["A:0-3,B:1-2"]],
    "FOUR": [["A:0-1,B:0-1,C:0-1,D:0-1"], ["A:0-1,B:0-1", "C:0-2,D:1-2"], ["A:0,C:0", "B:0-1,D:1"]],
}
REFUSED = [  # members, order, what the sentence says
    (TWO, "B:0,A:0", "turns", "h3ou_recv: component A rank 0, which this process opened, too, has not sent it"),
    (TWO, "A:0,B:0", "years", "which this process opened, too, has not sent it"),
    (AT_ONCE, "B:0-1,A:0-1", "silent", "field nowa0_B of A: component A rank 0, which this process opened, too, has not sent it"),
    (TWO, "A:0-1,B:0-1", "late", "field b0: the exchange of 2000-01-01 00:00:00 for A was sent when another component of this process got a field"),
    (TWO, "A:0,B:0", "alone", "is to be named to h3ou_announce before"),
    (TWO, "A:0,B:0", "early", "h3ou_time_set of component A comes before h3ou_time_init of component B"),
    (TWO, "A:0,B:0", "missing", "h3ou_time_set of component A comes before h3ou_time_init of component B"),
    (TWO, "A:0,B:0", "method", ": no interpolation table: neither A nor B passed send_index"),
    (TWO, "A:0-1,B:0-1", "exit", "component B rank 0: the program exited without h3ou_close"),
    (TWO, "A:0,B:0", "ensemble", "members of an ensemble in a process that opens several components are not part of this version"),
]


def write_config(folder, name, pairs):
    config = pathlib.Path(folder, f"{name}.conf")
    text = '&h3ou_coupling log_level="SILENT" /\n'
    for pair, fields in pairs.items():
        text += PAIR.format(*pair)
        for k, (interval, lag, flag) in enumerate(fields):
            text += FIELD.format(("" if lag else "now") + pair[0].lower(), pair[1], k, interval, lag, flag)
    config.write_text(text)
    return config


def processes(members):
    return 1 + max(int(part.split(":")[1].split("-")[-1]) for part in members.split(","))


def run(mpis, programs, members, config, pairs, order="turns", env=None):
    """Runs one job for each entry of members, the job k with mpis[k]; None: without MPI. Returns the results."""
    port, started = jobs.free_port(), []
    for k, here in enumerate(members):
        mpi = mpis[k % len(mpis)]
        own = jobs.waitio(port, k, len(members)) if len(members) > 1 else {"H3OU_PATIENCE": 60}
        program = f"{programs[0]}.{mpi}" if mpi else programs[1]
        started.append(jobs.Job(mpi, [(processes(here), [program, here, config, ",".join(pairs), order])], {**own, **(env or {})}))
    return jobs.wait_all(started)


def value(text):
    """of %a, or of 16 hexadecimal digits."""
    return struct.unpack(">d", bytes.fromhex(text))[0] if len(text) == 16 and "x" not in text else float.fromhex(text)


def values(results):
    lines = [line.split() for r in results for line in r.out.splitlines()]
    return sorted((name, int(cell), value(bits)) for name, cell, bits in lines)


def compare(results, truth):
    problems = jobs.problems_of(results)
    if not problems and values(results) != truth:
        problems.append(f"other values: {[pair for pair in zip(values(results), truth) if pair[0] != pair[1]][:4]}")
    return problems


def check_places(tally, programs, folder, name, pairs):
    config = write_config(folder, name, pairs)
    apart = ",".join(f"{c}:{2 * k}-{2 * k + 1}" for k, c in enumerate(sorted(set("".join(pairs)))))
    results = run(jobs.MPIS, programs, [apart], config, pairs)
    truth = values(results)
    cells = sum(60 + ord(c) - ord("A") for c in set("".join(pairs)))
    tally.check(f"{name} {apart}", jobs.problems_of(results) or ([] if len(truth) == cells else [f"{len(truth)} values"]))
    for k, members in enumerate(PLACES[name]):
        mpis = jobs.MPIS[k % len(jobs.MPIS):] + jobs.MPIS
        tally.check(f"{name} {members} {mpis[:len(members)]}", compare(run(mpis, programs, members, config, pairs), truth))
    if name == "TWO":
        together = run(jobs.MPIS[-1:], programs, ["A:0-2,B:0-2"], config, pairs, "together")
        tally.check("all get, then all put", compare(together, truth))
        tally.check("without MPI", compare(run([None], programs, ["A:0,B:0"], config, pairs), truth))


def check_weights(tally, programs, folder):
    """The library makes the weights, or takes them from its cache."""
    cache = pathlib.Path(folder, "cache")
    cache.mkdir()
    config = write_config(folder, "made", TWO)
    text = config.read_text().replace("mapping_tag=1", "mapping_tag=1, method='nearest'")
    config.write_text(text.replace('"SILENT"', f'"SILENT", weights_cache="{cache}"'))
    for members in (["A:0-1,B:0-1"], ["A:0-3,B:1-2"]):
        results = run(jobs.MPIS[-1:], programs, members, config, TWO, "method")
        if members == ["A:0-1,B:0-1"]:
            files = len(list(cache.iterdir()))
            for file in cache.iterdir():
                file.unlink()
            truth = values(run(jobs.MPIS, programs, ["A:0-1,B:2-3"], config, TWO, "method"))
        tally.check(f"weights of the library {members}", compare(results, truth) + ([] if files == 2 else [f"{files} files"]))


def check_stopped(tally, programs, folder):
    """With stop_step no process goes on to the steps, and all end well."""
    config = write_config(folder, "stopped", TWO)
    text = config.read_text()
    for step in (2, 4, 10):
        config.write_text(text.replace('"SILENT"', f'"SILENT", stop_step={step}'))
        results = run(jobs.MPIS[step // 4 % len(jobs.MPIS):], programs, ["A:0-2,B:1-3"], config, TWO)
        tally.check(f"stop_step={step}", jobs.problems_of(results) + [line for r in results for line in r.out.splitlines()])


def check_faces(tally, program, named, packages, folder):
    """Drivers in Fortran and in Python, alone and as jobs of one run."""
    config = {name: write_config(folder, f"faces{name}", pairs) for name, pairs in (("AB", TWO), ("ABCD", FOUR))}
    pairs = {"AB": ",".join(TWO), "ABCD": ",".join(FOUR)}
    truth = {}
    for names in config:
        apart = ",".join(f"{c}:{k}" for k, c in enumerate(names))
        truth[names] = values(run(jobs.MPIS, (program, None), [apart], config[names], pairs[names].split(","), "quiet"))
    script = [sys.executable, "-B", pathlib.Path(__file__).with_name("objects.py")]
    env = {"H3OU_PATIENCE": 60, "PYTHONPATH": packages}
    for mpi in jobs.MPIS:
        fortran = jobs.Job(mpi, [(2, [f"{named}.{mpi}", "AB", config["AB"], pairs["AB"]])], env)
        tally.check(f"Fortran {mpi}", compare(jobs.wait_all([fortran]), truth["AB"]))
        if not packages:
            continue
        python = jobs.Job(mpi, [(2, [*script, "AB", config["AB"], pairs["AB"]])], env)
        tally.check(f"Python {mpi}", compare(jobs.wait_all([python]), truth["AB"]))
        port = jobs.free_port()
        both = [jobs.Job(None, [(1, [*script, "AB", config["ABCD"], pairs["ABCD"]])], {**jobs.waitio(port, 0, 2), **env}),
                jobs.Job(mpi, [(2, [f"{named}.{mpi}", "CD", config["ABCD"], pairs["ABCD"]])], {**jobs.waitio(port, 1, 2), **env})]
        tally.check(f"Python without MPI and Fortran {mpi}", compare(jobs.wait_all(both), truth["ABCD"]))


def check_refused(tally, programs, folder):
    for k, (pairs, members, order, said) in enumerate(REFUSED):
        config = write_config(folder, f"refused{k}", pairs)
        mpi = jobs.MPIS[k % len(jobs.MPIS)] if processes(members) > 1 else None
        results = run([mpi], programs, [members], config, pairs, order, jobs.PATIENT)
        problems = [] if said in results[0].err else [results[0].err[-1500:] or "no error"]
        if results[0].timed_out or results[0].code == 0:
            problems.append(f"code {results[0].code} after {results[0].seconds:.1f} s")
        tally.check(f"refused: {order} {members}", problems)


def main(program, alone, named, packages=""):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        for name, pairs in (("TWO", TWO), ("CHAIN", CHAIN), ("AT_ONCE", AT_ONCE), ("FOUR", FOUR)):
            check_places(tally, (program, alone), folder, name, pairs)
        check_weights(tally, (program, alone), folder)
        check_stopped(tally, (program, alone), folder)
        check_faces(tally, program, named, packages, folder)
        check_refused(tally, (program, alone), folder)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
