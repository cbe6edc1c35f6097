#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time of a step of two jobs that compute while long messages travel between them: by polling or with a thread, with fields that
leave at set_time or in put, beside the computation and the exchange alone. --docs writes the tables between <!-- progress: begin -->
and <!-- progress: end --> of a page.

    bench/steps/progress_ways.py [--build build/release] [--rounds 5] [--steps 2] [--docs docs/measured/progress.md]
"""
import argparse
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/lib"), str(ROOT / "bench")]
import jobs
import measured_page

CONFIG = """&h3ou_coupling progress='{progress}', second_put='{second_put}' /
&h3ou_var comp_put="A", comp_get="B", grid_put="Ag", grid_get="Bg", mapping_tag=1 /
&h3ou_var var_put="Av", var_get="Av", intvl=60, lag=-1, layer=1, flag='SNP' /
&h3ou_var comp_put="B", comp_get="A", grid_put="Bg", grid_get="Ag", mapping_tag=1 /
&h3ou_var var_put="Bv", var_get="Bv", intvl=60, lag=-1, layer=1, flag='SNP' /
"""
ROUTES = {
    "TCP": {"WAITIO_COMM_TYPE": "socket"},
    "WaitIO's shared memory": {"WAITIO_ROUTES": "shm", "H3OU_SHARED_MEMORY": 0},
    "memory of the exchange": {},
}
# What the model is: processes of each component, millions of numbers of each, work in millions, milliseconds of a device.
CASES = [
    ("1 + 1 processes, on a device", 1, 1000000, 0, 15),
    ("1 + 1 processes, on the cores", 1, 1000000, 10, 0),
    ("{0} + {0} processes, on the cores", None, 2000000, 20, 0),
]


def run(program, folder, processes, arguments, keys, env):
    config = pathlib.Path(folder, "progress.conf")
    config.write_text(CONFIG.format(**keys))
    port = jobs.free_port()
    started = [jobs.Job(mpi, [(processes, [f"{program}.{mpi}", name, config, *arguments])], jobs.waitio(port, pb, 2, **env))
               for pb, (mpi, name) in enumerate(zip((jobs.MPIS[0], jobs.MPIS[-1]), "AB"))]
    results = jobs.wait_all(started, 120)
    problems = jobs.problems_of(results)
    if problems:
        sys.exit(problems[0][:2000])
    return [float(x) for x in results[0].out.split()]


def spread(three):
    return "{:.1f} ({:.1f} to {:.1f})".format(*three)


def write(lines, text):
    print(text, flush=True)
    lines.append(text)


def measure(options, program, folder, case, lines):
    name, processes, cells, work, device = case
    processes = processes or 2 * len(os.sched_getaffinity(0))
    arguments = [cells // processes, max(work // processes, 1) if work else 0, device, options.steps, options.rounds]
    write(lines, f"\n{name.format(processes)}, {8e-6 * cells / processes:.1f} MB to and from each process in a step\n")
    write(lines, "| route | messages move | fields leave | exchange alone | computation alone | step | max | sum |\n|---|---|---|---|---|---|---|---|")
    for route, env in ROUTES.items():
        for progress in ["polling", "thread"] if env else ["polling"]:
            for second_put, leave in [("replace", "at set_time"), ("error", "in put")]:
                x = run(program, folder, processes, arguments, {"progress": progress, "second_put": second_put}, env)
                write(lines, f"| {route} | {'by ' + progress if progress == 'polling' else 'by the thread'} | {leave} | {spread(x[:3])} | "
                      f"{spread(x[3:6])} | {spread(x[6:])} | {max(x[0], x[3]):.1f} | {x[0] + x[3]:.1f} |")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    options.add_argument("--rounds", default=5, type=int)
    options.add_argument("--steps", default=2, type=int)
    options.add_argument("--docs", type=pathlib.Path)
    options = options.parse_args()
    program = options.build.resolve() / "bench/steps/progress_ways"
    lines = []
    write(lines, f"Milliseconds of a step, median (least to most) of {options.rounds} rounds of {options.steps} steps; "
          f"{len(os.sched_getaffinity(0))} cores.")
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            measure(options, program, folder, case, lines)
    if options.docs:
        measured_page.replace(options.docs, "progress", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
