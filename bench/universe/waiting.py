#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Ways of waiting for the job's MPI and for other jobs (H3OU_UNIVERSE_WAIT): messages between two jobs and kernels, while the MPI of each job spins
on all cores and while it does not. --docs writes the table between <!-- waiting: begin --> and <!-- waiting: end --> of a page.

    bench/universe/waiting.py [--build build/release] [--rounds 3] [--docs docs/measured/universe.md]
"""
import statistics

import worlds
import measured_page

WAYS = ["adaptive", "poll", "thread"]
KERNELS = ["CG", "LU"]
NEAR = 1.05  # of the better of the two: medians of that many runs differ by as much
ROUNDS_OF_MESSAGES = 3
BESIDE = max(worlds.CORES // 2, 1)  # processes of each job beside that which exchanges: with those of the other as many as cores


def environment(way):
    """Polling and the thread know the job's MPI alone inside a job, as in the paper; the adaptive way chooses. Open MPI spins, as MPICH does."""
    inside = {} if way == "adaptive" else {"H3OU_UNIVERSE_INSIDE": "mpi"}
    return {"H3OU_UNIVERSE_WAIT": way, "OMPI_MCA_mpi_yield_when_idle": 0, **inside}


def messages(build, way, what):
    found = {}
    parts = [(mpi, 1 + BESIDE) for mpi in worlds.MPIS]
    for length, *times in worlds.run(build, parts, ["universe_waiting", what, ROUNDS_OF_MESSAGES], **environment(way)):
        name = "half round trip of 8 B, us" if length == "8" else "half round trip of 1 MiB, us"
        found[name, what == "spin"] = statistics.median(map(float, times))
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
    steps = [lambda way, what=what: messages(build, way, what) for what in ("sleep", "spin")]
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
    """The paper's: the thread is slower than polling where the job's MPI spins on all cores, and like it where it does not."""
    spinning, other = [[of["thread"] / of["poll"] for (_, spins), of in medians.items() if spins == wanted] for wanted in (True, False)]
    suffers = [ratio for ratio in spinning if ratio > NEAR]
    ratios = "; ".join(f"{name}: {of['thread'] / of['poll']:.2f}" for (name, spins), of in medians.items() if spins)
    return (f"The thread's time over that of polling, where the job's MPI spins on all cores: {ratios}. It is slower in {len(suffers)} of {len(spinning)} cases; "
            f"where the MPI does not spin in {sum(ratio > NEAR for ratio in other)} of {len(other)}. The paper's finding, that the thread suffers from a "
            f"spinning MPI, is {'seen' if 2 * len(suffers) > len(spinning) else 'not seen'} in most cases.")


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
    lines = [f"Medians of {options.rounds} runs in turns, in brackets the quartiles; of the ratios, those of the rounds; {worlds.MACHINE}. The messages go between two "
             f"jobs of {1 + BESIDE} processes, of which one exchanges them.", "",
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
