#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Ways of waiting for the job's MPI and for other jobs (H3OU_UNIVERSE_WAIT): messages between two jobs and kernels, while the MPI of each job spins
on all cores and while it does not. --docs writes the table between <!-- waiting: begin --> and <!-- waiting: end --> of a page.

    bench/universe/waiting.py [--build build/release] [--rounds 3] [--docs docs/measured/universe.md] [--equal-shares]
"""
import statistics

import worlds
import measured_page

WAYS = ["adaptive", "poll", "thread"]
KERNELS = ["CG", "LU"]
NEAR = 1.05  # of the better of the two: medians of that many runs differ by as much
ROUNDS_OF_MESSAGES = 3
BESIDE = max(worlds.CORES // 2, 1)  # processes of each job that are as many as cores with those of the other; beside the one that exchanges, or with it


def environment(way):
    """Polling and the thread know the job's MPI alone inside a job, as in the paper; the adaptive way chooses. Open MPI spins, as MPICH does."""
    inside = {} if way == "adaptive" else {"H3OU_UNIVERSE_INSIDE": "mpi"}
    return {"H3OU_UNIVERSE_WAIT": way, "OMPI_MCA_mpi_yield_when_idle": 0, **inside}


def messages(build, way, what):
    found = {}
    each = BESIDE if what == "test" else 1 + BESIDE
    parts = [(mpi, each) for mpi in worlds.MPIS]
    for length, *times in worlds.run(build, parts, ["universe_waiting", what, ROUNDS_OF_MESSAGES], **environment(way)):
        name = f"half round trip of {'8 B' if length == '8' else '1 MiB'}{', by MPI_Test' if what == 'test' else ''}, {each} + {each} processes, us"
        found[name, what != "sleep"] = statistics.median(map(float, times))
    return found


def kernels(build, way, each):
    found = {}
    parts = [(mpi, each) for mpi in worlds.MPIS]
    for name, _, seconds in worlds.run(build, parts, ["universe_kernels", "full", *KERNELS], **environment(way)):
        found[f"{name}, {each} + {each} processes, ms", each > 1] = 1e3 * float(seconds)
    return found


def measured(build, rounds):
    """Every figure of every way, a list by rounds: by what was measured, and whether the job's MPI spun on all cores. Each figure is measured for all ways before
    the next one: the machine may be fast for some seconds and then slow."""
    steps = [lambda way, what=what: messages(build, way, what) for what in ("sleep", "test", "spin")]
    steps += [lambda way, each=each: kernels(build, way, each) for each in (1, 1 + BESIDE)]
    found = {}
    for step in steps:
        for way, of_rounds in worlds.in_turns(WAYS, rounds, step).items():
            for key in of_rounds[0]:
                found.setdefault(key, {})[way] = [figures[key] for figures in of_rounds]
    return found


def adaptive_of_better(of):
    """The time by the adaptive way over that of the better of the two, by rounds."""
    better = min(("poll", "thread"), key=lambda way: statistics.median(of[way]))
    return [ours / other for ours, other in zip(of["adaptive"], of[better])]


def finding(medians):
    """The paper's: where the job's MPI spins on all cores, one process on each, the thread is slower than polling."""
    each = f"{BESIDE} + {BESIDE} processes"
    papers, crowded = [{name: of["thread"] / of["poll"] for (name, spins), of in medians.items() if spins and (each in name) == alone} for alone in (True, False)]
    said = ["; ".join(f"{name}: {ratio:.2f}" for name, ratio in of.items()) for of in (papers, crowded)]
    return (f"The thread's time over that of polling, where the job's MPI spins on all cores with a process on each, as in the paper: {said[0]}. The paper's finding, that "
            f"the thread suffers and polling does not, is seen in {sum(ratio > NEAR for ratio in papers.values())} of {len(papers)}. Where processes outnumber cores besides, which the paper "
            f"does not have, polling has no core to itself either: {said[1]}.")


def ahead(ratios):
    middle = {key: statistics.median(values) for key, values in ratios.items()}
    rest = [f"{name}{' (spins)' if spins else ''}: {ratio:.2f}" for (name, spins), ratio in middle.items() if ratio > NEAR]
    return (f"The adaptive way is at or ahead of the better of the two (within {NEAR - 1:.0%}) in {len(middle) - len(rest)} of {len(middle)} cases"
            + (f"; of the better's time it takes elsewhere: {'; '.join(rest)}." if rest else "."))


def main():
    options = worlds.options(__doc__, rounds=3)
    found = measured(options.build, options.rounds)
    medians = {key: {way: statistics.median(values) for way, values in of.items()} for key, of in found.items()}
    ratios = {key: adaptive_of_better(of) for key, of in found.items()}
    lines = [f"Medians of {options.rounds} runs in turns, in brackets the quartiles; of the ratios, those of the rounds; {options.machine}. The messages go between "
             "one process of each job.", "",
             "| what | the job's MPI spins on all cores | adaptive | polling | thread | adaptive / better |", "|---|---|---|---|---|---|"]
    for (name, spins), of in found.items():
        cells = [worlds.shown(of[way], 1) for way in WAYS]
        lines.append(f"| {name} | {'yes' if spins else 'no'} | {' | '.join(cells)} | {worlds.shown(ratios[name, spins], 2)} |")
    lines += ["", finding(medians), "", ahead(ratios)]
    print("\n".join(lines))
    if options.docs:
        measured_page.replace(options.docs, "waiting", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
