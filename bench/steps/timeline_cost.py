#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time of a step with the time line recorded beside the same step without, in turns in one run: the median of the differences of both
in each round, and in which range it lies with 95 percent by the bootstrap. --docs writes the table between <!-- timeline: begin --> and
<!-- timeline: end --> of a page.

    bench/steps/timeline_cost.py [--build build/release] [--rounds 2000] [--docs docs/measured/timeline.md]
"""
import argparse
import os
import pathlib
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/lib"), str(ROOT / "bench"), str(ROOT / "tools/run/report")]
import coupled_pair
import jobs
import measured_page
import timeline_file

# Cells, fields each way, thousands of multiplications in a step, steps of a round: few, so that what else the machine does meets both.
CASES = [(1, 1, 0, 40), (10000, 1, 0, 20), (10000, 10, 0, 4), (10000, 10, 500, 1), (100000, 1, 0, 4), (1000, 1, 2000, 1)]
RESAMPLES = 1000


def run(program, folder, case, rounds):
    cells, fields, work, steps = case
    out = folder / "x".join(map(str, case))
    (out / "timeline").mkdir(parents=True)
    config = out / "bench.conf"
    config.write_text(coupled_pair.config_text(fields))
    results = jobs.run(jobs.ways()[-1], *[(1, program, [me, config, cells, fields, work, steps, rounds]) for me in "AB"], timeout=200,
                       env={"H3OU_RUN_DIRECTORY": out})
    problems = jobs.problems_of(results)
    if problems:
        sys.exit(problems[0][:2000])
    t, said = timeline_file.read(out)
    events = len(t[0].spans) / len(t[0].steps)
    size = (out / "timeline/A.0").stat().st_size / len(t[0].steps)
    if said or t[0].left_out:
        sys.exit(f"{said} {t[0].left_out} events were left out")
    return np.array([line.split() for line in results[0].out.splitlines()], "f8"), events, size


def interval(differences):
    """In which range the median lies, with 95 percent: medians of rounds that are drawn with repetition."""
    draw = np.random.default_rng(17)
    medians = [np.median(draw.choice(differences, len(differences))) for _ in range(RESAMPLES)]
    return np.quantile(medians, (0.025, 0.975))


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    options.add_argument("--rounds", default=2000, type=int)
    options.add_argument("--docs", type=pathlib.Path)
    options = options.parse_args()
    program = options.build.resolve() / "bench/steps/timeline_cost"
    lines = [f"Microseconds of a step, medians of {options.rounds} rounds of each, in turns; the difference is the median of those of the rounds, with its "
             f"95 % interval; two jobs of a process each; {len(os.sched_getaffinity(0))} cores.\n",
             "| cells | fields each way | multiplications | recorded | not recorded | difference | cost in % | events | bytes |\n"
             "|---|---|---|---|---|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            x, events, size = run(program, pathlib.Path(folder), case, options.rounds)
            recorded, without = np.median(x, axis=0)
            difference, (least, most) = np.median(x[:, 0] - x[:, 1]), interval(x[:, 0] - x[:, 1])
            work = f"{case[2]},000" if case[2] else "0"
            lines.append(f"| {case[0]} | {case[1]} | {work} | {recorded:.4g} | {without:.4g} | {difference:.3g} ({least:.3g} to {most:.3g}) | "
                         f"{100 * difference / without:.2g} ({100 * least / without:.2g} to {100 * most / without:.2g}) | {events:.0f} | {size:.0f} |")
            print(lines[-1], flush=True)
    if options.docs:
        measured_page.replace(options.docs, "timeline", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
