#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Set-up and step time of one exchange beside its raw cost, for several sizes and every way to launch.

    bench/exchange.py [--build build/release] [--rounds 15]
"""
import argparse
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/lib"))
import jobs

CASES = [(10242, 16200, 1, 200), (10242, 16200, 40, 10), (40962, 64800, 1, 60), (40962, 64800, 40, 4)]
CONFIG = """&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=1 /
&h3ou_var var_put="A_v", var_get="A_v", intvl=60, lag=-1, layer={0}, flag='SNP' /
&h3ou_var comp_put="B", comp_get="A", grid_put="B_g", grid_get="A_g", mapping_tag=1 /
&h3ou_var var_put="B_v", var_get="B_v", intvl=60, lag=-1, layer={0}, flag='SNP' /
"""


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    options.add_argument("--rounds", default=15, type=int)
    options = options.parse_args()
    program = options.build.resolve() / "bench/exchange"
    print("raw: the same bytes by MPI_Sendrecv (one job) or a TCP connection (two jobs), and the product of the same table")
    print(f"{'way':22} {'cells':>14} {'layers':>6} {'set-up s':>9} {'ours ms/step (least-most)':>28} {'raw ms/step (least-most)':>28} "
          f"{'ours/raw (least-most)':>24}")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for a, b, layers, steps in CASES:
            config = pathlib.Path(folder, "bench.conf")
            config.write_text(CONFIG.format(layers))
            for way in jobs.ways():
                parts = [(1, program, [me, config, a, b, layers, options.rounds, steps]) for me in "AB"]
                results = jobs.run(way, *parts, timeout=200)
                problems = jobs.problems_of(results)
                if problems:
                    failed = True
                    print(f"{' '.join(way):22} {a:>6} ->{b:>6} {layers:>6} failed: {problems[0][:300]}")
                    continue
                v = [float(x) for x in results[0].out.split()]
                spread = [f"{v[i]:.3g} ({v[i + 1]:.3g}-{v[i + 2]:.3g})" for i in (1, 4, 7)]
                print(f"{' '.join(way):22} {a:>6} ->{b:>6} {layers:>6} {v[0]:>9.3f} {spread[0]:>28} {spread[1]:>28} {spread[2]:>24}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
