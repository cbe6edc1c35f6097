#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time of a step in which many processes exchange many fields both ways, beside the same messages in plain MPI; and how the time of
set-up grows with the number of fields and of pairs of grids.

    bench/steps/many_fields.py [--build build/release] [--processes 64] [--fields 30] [--cells 100]
    bench/steps/many_fields.py --bundles [--turns 5] [--memory 0] [--processes 2] [--fields 30] [--cells 100]
    bench/steps/many_fields.py --setup [--build build/release]

--bundles compares bundle="never" and "always"; --memory 0 keeps messages out of shared memory (H3OU_SHARED_MEMORY), so that they go
by MPI, as between hosts.
"""
import argparse
import pathlib
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/lib"))
import coupled_pair
import jobs


def run(mpi, program, config, processes, *arguments, env=None):
    part = [(processes, [f"{program}.{mpi}", name, config, processes, *arguments]) for name in "AB"]
    yielding = {"MPIR_CVAR_POLLS_BEFORE_YIELD": "1", "OMPI_MCA_mpi_yield_when_idle": "1", **(env or {})}
    results = jobs.wait_all([jobs.Job(mpi, part, yielding)], 500)
    problems = jobs.problems_of(results)
    if problems:
        sys.exit(problems[0][:2000])
    return [float(x) for r in results for x in r.out.split()]


def measure_steps(options, program, folder):
    config = pathlib.Path(folder, "bench.conf")
    config.write_text(coupled_pair.config_text(options.fields))
    print("microseconds of a step: median, least, most of the rounds")
    print(f"{'mpi':10} {'processes':>9} {'fields':>6} {'cells':>6} {'set-up s':>9}  {'library':>30}  {'plain MPI':>30} {'ratio':>6}")
    for mpi in jobs.MPIS:
        x = run(mpi, program, config, options.processes, options.fields, options.cells, options.steps, options.rounds, 1)
        spreads = ["".join(f"{v:>10.0f}" for v in x[i:i + 3]) for i in (1, 4)]
        print(f"{mpi:10} {options.processes:>4}+{options.processes:<4} {options.fields:>6} {options.cells:>6} {x[0]:>9.3f}  "
              f"{spreads[0]}  {spreads[1]} {x[1] / x[4]:>6.2f}", flush=True)


def compare_bundles(options, program, folder):
    """Paired ratios: each turn runs both after one another."""
    configs = {word: pathlib.Path(folder, f"{word}.conf") for word in ("never", "always")}
    for word, config in configs.items():
        config.write_text(f"&h3ou_coupling bundle='{word}' /\n" + coupled_pair.config_text(options.fields))
    print("microseconds of a step, medians of the turns; bundled / not: median, least, most of the turns")
    print(f"{'mpi':10} {'memory':>6} {'processes':>9} {'fields':>6} {'cells':>6} {'not':>9} {'bundled':>9} {'plain MPI':>9}  ratio")
    for mpi in jobs.MPIS:
        took = []
        for _ in range(options.turns):
            x = {word: run(mpi, program, config, options.processes, options.fields, options.cells, options.steps, options.rounds, 1,
                           env={"H3OU_SHARED_MEMORY": str(options.memory)}) for word, config in configs.items()}
            took.append((x["never"][1], x["always"][1], x["never"][4]))
        ratios = sorted(b / a for a, b, _ in took)
        medians = "".join(f"{statistics.median(column):>10.0f}" for column in zip(*took))
        print(f"{mpi:10} {options.memory:>6} {options.processes:>4}+{options.processes:<4} {options.fields:>6} {options.cells:>6}{medians}  "
              f"{statistics.median(ratios):.2f} ({ratios[0]:.2f}-{ratios[-1]:.2f})", flush=True)


def measure_setup(program, folder):
    config = pathlib.Path(folder, "bench.conf")
    print("seconds of set-up, 1 + 1 processes of 4 cells, fields and pairs of grids in each direction; microseconds of a step")
    for fields, pairs in ((500, 1), (1000, 1), (2000, 1), (4000, 1), (8000, 1), (100, 100), (200, 200), (400, 400), (800, 800)):
        config.write_text(coupled_pair.config_text(fields, pairs=pairs))
        x = [run(mpi, program, config, 1, fields, 4, 1, 3, pairs) for mpi in jobs.MPIS]
        print(f"{fields:>6} fields, {pairs:>4} pairs: " +
              ", ".join(f"{mpi} {t[0]:.3f} s, {t[1]:.0f} us" for mpi, t in zip(jobs.MPIS, x)), flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    options.add_argument("--processes", default=64, type=int)
    options.add_argument("--fields", default=30, type=int)
    options.add_argument("--cells", default=100, type=int)
    options.add_argument("--steps", default=20, type=int)
    options.add_argument("--rounds", default=7, type=int)
    options.add_argument("--setup", action="store_true")
    options.add_argument("--bundles", action="store_true")
    options.add_argument("--turns", default=5, type=int)
    options.add_argument("--memory", default=1, type=int)
    options = options.parse_args()
    program = options.build.resolve() / "bench/steps/many_fields"
    with tempfile.TemporaryDirectory() as folder:
        if options.setup:
            measure_setup(program, folder)
        elif options.bundles:
            compare_bundles(options, program, folder)
        else:
            measure_steps(options, program, folder)


if __name__ == "__main__":
    main()
