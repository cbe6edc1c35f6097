#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time of a step with the time line recorded beside the same step without, in turns in one run. --docs writes the table between
<!-- timeline: begin --> and <!-- timeline: end --> of a page.

    bench/timeline_cost.py [--build build/release] [--rounds 400] [--docs docs/measured/timeline.md]
"""
import argparse
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/lib"), str(ROOT / "tools/run")]
import jobs
import timeline_file

PAIR = """&h3ou_var comp_put="{0}", comp_get="{1}", grid_put="{0}g", grid_get="{1}g", mapping_tag=1 /
"""
FIELD = """&h3ou_var var_put="{0}_v{1}", var_get="{0}_v{1}", intvl=60, lag=-1, layer=1, flag='SNP' /
"""
# Cells, fields each way, thousands of multiplications in a step, steps of a round.
CASES = [(1, 1, 0, 40), (10000, 1, 0, 30), (10000, 10, 0, 8), (10000, 10, 500, 4), (100000, 1, 0, 8), (1000, 1, 2000, 2)]


def run(program, folder, case, rounds):
    cells, fields, work, steps = case
    out = folder / "x".join(map(str, case))
    (out / "timeline").mkdir(parents=True)
    config = out / "bench.conf"
    config.write_text("".join(PAIR.format(a, b) + "".join(FIELD.format(a, k) for k in range(fields)) for a, b in ("AB", "BA")))
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
    return [float(x) for x in results[0].out.split()], events, size


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    options.add_argument("--rounds", default=400, type=int)
    options.add_argument("--docs", type=pathlib.Path)
    options = options.parse_args()
    program = options.build.resolve() / "bench/timeline_cost"
    lines = [f"Microseconds of a step, median (least to most) of {options.rounds} rounds of each, in turns; two jobs of a process each; "
             f"{len(os.sched_getaffinity(0))} cores.\n",
             "| cells | fields each way | multiplications | recorded | not recorded | ratio in % | events | bytes | by the events, in % |\n"
             "|---|---|---|---|---|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    each = None  # microseconds of an event, by the first case, which does nothing else
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            x, events, size = run(program, pathlib.Path(folder), case, options.rounds)
            three = ["{:.4g} ({:.4g} to {:.4g})".format(*x[i:i + 3]) for i in (0, 3, 6)]
            each = each or (x[0] - x[3]) / events
            work = f"{case[2]},000" if case[2] else "0"
            lines.append(f"| {case[0]} | {case[1]} | {work} | {' | '.join(three)} | {events:.0f} | {size:.0f} | "
                         f"{100 * each * events / x[3]:.2g} |")
            print(lines[-1], flush=True)
    if options.docs:
        head, rest = options.docs.read_text().split("<!-- timeline: begin -->")
        tail = rest.split("<!-- timeline: end -->")[1]
        options.docs.write_text(f"{head}<!-- timeline: begin -->\n" + "\n".join(lines) + f"\n<!-- timeline: end -->{tail}")


if __name__ == "__main__":
    main()
