# SPDX-License-Identifier: BSD-3-Clause
"""What the benches of one world over several jobs share: their options, starting programs as a world or natively, and figures."""
import argparse
import os
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/lib"), str(ROOT / "bench")]
import core_shares
import jobs

MPIS = {"mpich": "MPICH", "openmpi": "Open MPI"}
CORES = len(os.sched_getaffinity(0))
BUSY = f"others wanted {os.getloadavg()[0]:.1f} cores in the minute before"


def options(description, rounds):
    """The options of the command line, with this many rounds by default."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--build", default=ROOT / "build/release", type=lambda folder: pathlib.Path(folder).resolve())
    parser.add_argument("--rounds", default=rounds, type=int)
    parser.add_argument("--docs", type=pathlib.Path)
    core_shares.add_option(parser)
    given = parser.parse_args()
    given.machine = f"{CORES} cores; {core_shares.prepare(given.equal_shares)}; {BUSY}"
    return given


def started(build, mpi, processes, line, preload, env):
    before = ["env", f"LD_PRELOAD={build}/lib/libh3ou_universe_{mpi}.so"] if preload else []
    return jobs.Job(mpi, [(processes, [*before, f"{build}/bench/universe/{line[0]}.{mpi}", *line[1:]])], env)


def run(build, parts, line, **more):
    """Starts a program, line, as a job for each (MPI, processes) of parts, one world if they are several; the words of each line of the output."""
    env = {"OMPI_MCA_mpi_yield_when_idle": int(sum(n for _, n in parts) > CORES), "OMPI_MCA_hwloc_base_binding_policy": "none", **more}
    port = jobs.free_port()
    worlds = [{**jobs.waitio(port, pb, len(parts)), **env} for pb in range(len(parts))] if len(parts) > 1 else [env]
    results = jobs.wait_all([started(build, mpi, n, line, len(parts) > 1, e) for (mpi, n), e in zip(parts, worlds)], 120)
    problems = jobs.problems_of(results)
    if problems:
        sys.exit(problems[0])
    return [words.split() for words in results[0].out.splitlines()]


def in_turns(ways, rounds, start):
    """start(way) for each way in each round, each time another one first; lists of what it returned, by way."""
    found = {way: [] for way in ways}
    for turn in range(rounds):
        for way in ways[turn % len(ways):] + ways[:turn % len(ways)]:
            found[way].append(start(way))
    return found


def shown(values, digits):
    """The median, and in brackets the quartiles."""
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else 3 * values
    return f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"
