#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time of the calls of a step in which nothing is exchanged, for several numbers of cells and fields.

    bench/uncoupled_step.py [--build build/release] [--steps 1000000]
"""
import argparse
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/lib"))
import jobs

CASES = [(1, 1), (1, 30), (1000, 1), (40962, 1)]
PAIR = """&h3ou_var comp_put="{0}", comp_get="{1}", grid_put="{0}_g", grid_get="{1}_g", mapping_tag=1 /
"""
FIELD = """&h3ou_var var_put="{0}_v{1}", var_get="{0}_v{1}", intvl={2}, lag=-1, layer=1, flag='SNP' /
"""


def config_text(fields, steps):
    return "".join(PAIR.format(a, b) + "".join(FIELD.format(a, k, steps) for k in range(fields)) for a, b in ("AB", "BA"))


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    options.add_argument("--steps", default=1000000, type=int)
    options = options.parse_args()
    program = options.build.resolve() / "bench/uncoupled_step"
    print("ns per call; a copy of the field's bytes beside; a clock is read once for each kind of call and step")
    print(f"{'way':22} {'cells':>6} {'fields':>6} {'set_time':>9} {'get':>9} {'put':>9} {'copy':>9}")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for cells, fields in CASES:
            steps = max(1000, options.steps // (fields * (1 + cells // 1000)))
            config = pathlib.Path(folder, "bench.conf")
            config.write_text(config_text(fields, steps))
            for way in jobs.ways():
                results = jobs.run(way, *[(1, program, [me, config, cells, fields, steps]) for me in "AB"], timeout=200)
                problems = jobs.problems_of(results)
                failed = failed or bool(problems)
                text = " ".join(f"{float(x):>9.1f}" for x in results[0].out.split()) if not problems else problems[0][:300]
                print(f"{' '.join(way):22} {cells:>6} {fields:>6} {text}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
