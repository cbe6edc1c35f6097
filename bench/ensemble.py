#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Step time of an ensemble whose mean goes to one component and back, beside plain messages along the same tree, and the
memory of the one by the number of members.

    bench/ensemble.py [--build build/release] [--rounds 15] [--members 8]
"""
import argparse
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/lib"))
import jobs

CASES = [(10242, 16200, 1, 60), (10242, 16200, 10, 10), (40962, 64800, 1, 20)]
CONFIG = """&h3ou_coupling log_level="SILENT" /
&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=1 /
&h3ou_var var_put="A_v", var_get="A_v", intvl=60, lag=-1, layer={0}, flag='SNP' /
&h3ou_var comp_put="B", comp_get="A", grid_put="B_g", grid_get="A_g", mapping_tag=1 /
&h3ou_var var_put="B_v", var_get="B_v", intvl=60, lag=-1, layer={0}, flag='SNP' /
"""


def ways(members):
    """Name, and the jobs: (MPI, [(component, processes)])."""
    for mpi in jobs.MPIS:
        yield f"one job, {mpi}", [(mpi, [("A", members), ("B", 1)])]
    a, b = jobs.MPIS[0], jobs.MPIS[-1]
    yield f"two jobs, {a} and {b}", [(a, [("A", members)]), (b, [("B", 1)])]
    yield "a job for each", [(jobs.MPIS[i % len(jobs.MPIS)], [("AB"[i == members], 1)]) for i in range(members + 1)]


def run(program, launch, arguments):
    port, running = jobs.free_port(), []
    for i, (mpi, parts) in enumerate(launch):
        env = jobs.waitio(port, i, len(launch)) if len(launch) > 1 else {}
        running.append(jobs.Job(mpi, [(n, [f"{program}.{mpi}", me, *arguments]) for me, n in parts], env))
    results = jobs.wait_all(running, 300)
    return jobs.problems_of(results), [float(x) for r in results for x in r.out.split()]


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    options.add_argument("--rounds", default=15, type=int)
    options.add_argument("--members", default=8, type=int)
    options.add_argument("--way", default="", help="only ways whose names contain this")
    options = options.parse_args()
    program = options.build.resolve() / "bench/ensemble_exchange"
    print("raw: the same bytes and additions by plain messages along the same tree, and the products of the same tables")
    print(f"{'way':28} {'members':>7} {'cells':>14} {'layers':>6} {'ours ms/step (least-most)':>27} {'raw ms/step (least-most)':>27} "
          f"{'ours/raw (least-most)':>23} {'MB of B':>8}")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for a, b, layers, steps in CASES:
            config = pathlib.Path(folder, "bench.conf")
            config.write_text(CONFIG.format(layers))
            for way, members in [(w, options.members) for w in ways(options.members)] + [(next(ways(2)), 2)]:
                if options.way not in way[0]:
                    continue
                problems, v = run(program, way[1], [config, members, a, b, layers, options.rounds, steps])
                if problems:
                    failed = True
                    print(f"{way[0]:28} {members:>7} {a:>6} ->{b:>6} {layers:>6} failed: {problems[0][:300]}")
                    continue
                spread = [f"{v[i]:.3g} ({v[i + 1]:.3g}-{v[i + 2]:.3g})" for i in (0, 3, 6)]
                print(f"{way[0]:28} {members:>7} {a:>6} ->{b:>6} {layers:>6} {spread[0]:>27} {spread[1]:>27} {spread[2]:>23} {v[9]:>8.1f}",
                      flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
