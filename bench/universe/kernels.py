#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kernels after the NAS Parallel Benchmarks (kernels/) in one world over two jobs of different MPIs, beside one MPI with as many processes, in
turns. --docs writes the tables between <!-- kernels: begin --> and <!-- kernels: end --> of a page.

    bench/universe/kernels.py [--build build/release] [--rounds 5] [--docs docs/measured/universe.md] [--equal-shares]
"""
import statistics
import sys

import worlds
import measured_page

GOAL = 0.9


def kernels_run(build, parts, *words, **more):
    """The seconds and the checksum of each kernel."""
    return {name: (float(seconds), checksum) for name, checksum, seconds in worlds.run(build, parts, ["universe_kernels", "full", *words], **more)}


def same_bits(found):
    """Ends the program if a kernel's checksum is not the same in all runs."""
    sums = {}
    for name, (_, checksum) in (item for runs in found.values() for r in runs for item in r.items()):
        sums.setdefault(name, set()).add(checksum)
    wrong = [name for name, different in sums.items() if len(different) > 1]
    if wrong:
        sys.exit(f"results differ between the ways: {wrong}")


def table(found, each):
    lines = [f"{each} + {each} processes over MPICH and Open MPI beside one job of {2 * each}:", "",
             "| kernel | world, ms | MPICH, ms | Open MPI, ms | speed: of MPICH's | of Open MPI's |", "|---|---|---|---|---|---|"]
    shares = {}
    for name in found["world"][0]:
        times = {way: [1e3 * r[name][0] for r in runs] for way, runs in found.items()}
        shares[name] = {mpi: [t / w for w, t in zip(times["world"], times[mpi])] for mpi in worlds.MPIS}
        cells = [worlds.shown(times[way], 0) for way in found] + [worlds.shown(shares[name][mpi], 2) for mpi in worlds.MPIS]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    least = {name: min(map(statistics.median, of.values())) for name, of in shares.items()}
    reach = [name for name, share in least.items() if share >= GOAL]
    return [*lines, "", f"EP, which hardly communicates, has {least['EP']:.2f} of the speed of the faster MPI (goal: {GOAL}). "
            f"Kernels with at least {GOAL}: {', '.join(reach) or 'none'}."]


def main():
    options = worlds.options(__doc__, rounds=5)
    lines = [f"Medians of {options.rounds} runs in turns, in brackets the quartiles; {options.machine}. Speed: the time with one MPI over that of "
             "the world, by turns. All runs had the same bits as results."]
    for each in (1, 2):
        ways = {"world": (("mpich", each), ("openmpi", each)), **{mpi: ((mpi, 2 * each),) for mpi in worlds.MPIS}}
        found = worlds.in_turns([*ways], options.rounds, lambda way: kernels_run(options.build, ways[way]))
        same_bits(found)
        lines += ["", *table(found, each)]
    print("\n".join(lines))
    if options.docs:
        measured_page.replace(options.docs, "kernels", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
