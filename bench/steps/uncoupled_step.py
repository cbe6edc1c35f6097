#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time of the calls of a step in which nothing is exchanged, for several numbers of cells and fields.

    bench/steps/uncoupled_step.py [--build build/release] [--steps 1000000]
"""
import argparse
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/lib"))
import jobs

CASES = [(1, 1), (1, 30), (1000, 1), (40962, 1)]
PAIR = """&h3ou_var comp_put="{0}", comp_get="{1}", grid_put="{0}_g", grid_get="{1}_g", mapping_tag=1 /
"""
FIELD = """&h3ou_var var_put="{0}_v{1}", var_get="{0}_v{1}", intvl={2}, lag=-1, layer=1, flag='SNP' /
"""


def config_text(fields, steps):
    return "".join(PAIR.format(a, b) + "".join(FIELD.format(a, k, steps) for k in range(fields)) for a, b in ("AB", "BA"))


def run(way, program, config, case, steps, libraries):
    """The numbers that A prints, in a run with the libraries of a folder (None: the program's own)."""
    cells, fields = case
    names = ["names"] if libraries else []
    environment = {"LD_LIBRARY_PATH": str(libraries)} if libraries else {}
    results = jobs.run(way, *[(1, program, [me, config, cells, fields, steps, *names]) for me in "AB"], timeout=400, env=environment)
    problems = jobs.problems_of(results)
    return [float(x) for x in results[0].out.split()] if not problems else problems[0][:300]


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    options.add_argument("--beside", type=pathlib.Path, help="another build, whose libraries run in turn with these, by names only")
    options.add_argument("--steps", default=1000000, type=int)
    options.add_argument("--ways", default=len(jobs.ways()), type=int)
    options = options.parse_args()
    program = options.build.resolve() / "bench/steps/uncoupled_step"
    others = [options.beside.resolve() / "lib"] if options.beside else []
    print("ns per call, medians of rounds of steps, less the rounds without the call; step: set_time, gets and puts (by handle where there "
          "are handles), without the model's h3ou_time_inc; copy: the fields' bytes")
    print(f"{'way':20} {'build':6} {'cells':>6} {'fields':>6} " + " ".join(f"{x:>9}" for x in (
        "time_inc", "set_time", "get", "by handle", "put", "by handle", "step", "copy")))
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for cells, fields in CASES:
            steps = max(1000, options.steps // (fields * (1 + cells // 1000)))
            config = pathlib.Path(folder, "bench.conf")
            config.write_text(config_text(fields, steps))
            for way in jobs.ways()[:options.ways]:
                for libraries in [*others, None]:
                    found = run(way, program, config, (cells, fields), steps, libraries)
                    failed = failed or isinstance(found, str)
                    text = found if isinstance(found, str) else " ".join(f"{x:>9.1f}" for x in found)
                    print(f"{' '.join(way):20} {'beside' if libraries else 'this':6} {cells:>6} {fields:>6} {text}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
