#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time of a step whose fields are monitored, have a ledger, are recorded, or nothing of it, side by side in one run: each is a coupled pair of processes, and the pairs make their steps
in turns, while the others sleep. --docs writes the table between <!-- monitor: begin --> and <!-- monitor: end --> of a page.

    bench/steps/monitor_cost.py [--build build/release] [--rounds 60] [--docs docs/measured/monitor.md]
"""
import argparse
import os
import pathlib
import select
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/lib"), str(ROOT / "bench")]
import coupled_pair
import jobs
import measured_page

# What is kept of the fields: the name in the table, keys of the namelist, and whether the run is recorded.
WAYS = [("nothing", "", False), ("`monitor=\"got\"`", "monitor='got'", False), ("`monitor=\"all\"`", "monitor='all'", False),
        ("`monitor=\"all\"`, `monitor_every=10`", "monitor='all', monitor_every=10", False), ("`ledger`", "ledger=.true.", False), ("`record`", "", True),
        ("all of it", "monitor='all', ledger=.true.", True)]
# Columns and rows of the grid, fields each way, steps of a round.
CASES = [(40, 25, 1, 20), (40, 25, 10, 10), (200, 100, 1, 10), (200, 100, 5, 4)]


class Pair:
    """Two processes that make steps when they are told to."""

    def __init__(self, program, folder, case, keys, is_recorded):
        nx, ny, fields, steps = case
        folder.mkdir()
        config = folder / "bench.conf"
        record = f", record='{folder}/record'" if is_recorded else ""
        config.write_text(f"&h3ou_coupling log_level='WARNING' {keys and ', ' + keys}{record} /\n"
                          + coupled_pair.config_text(fields, "method='conservative'"))
        self.pipes = {}
        for name in ("A", "B", "done"):
            os.mkfifo(folder / name)
            self.pipes[name] = os.open(folder / name, os.O_RDWR)
        port, mpi, self.jobs = jobs.free_port(), jobs.MPIS[0], []
        for number, me in enumerate("AB"):
            words = [f"{program}.{mpi}", me, config, nx, ny, fields, steps, folder / me, folder / "done"]
            self.jobs.append(jobs.Job(mpi, [(1, words)], {**jobs.waitio(port, number, 2), "H3OU_RUN_DIRECTORY": folder}))

    def round(self):
        """Microseconds of a step."""
        for me in "AB":
            os.write(self.pipes[me], b"1")
        end, text = time.monotonic() + 120, b""
        while not text.endswith(b"\n"):
            if select.select([self.pipes["done"]], [], [], 0.2)[0]:
                text += os.read(self.pipes["done"], 100)
            elif time.monotonic() > end or any(job.poll() is not None for job in self.jobs):
                sys.exit("\n".join(job.read()[1] for job in self.jobs)[-2000:] or "a process did not answer")
        return float(text)

    def end(self):
        for pipe in self.pipes.values():
            os.close(pipe)
        problems = jobs.problems_of(jobs.wait_all(self.jobs, 120))
        if problems:
            sys.exit(problems[0][:2000])


def spread(values):
    return f"{statistics.median(values):.4g} ({min(values):.4g} to {max(values):.4g})"


def measure(program, folder, case, rounds):
    """{way: [microseconds of a step in each round]}."""
    folder.mkdir()
    pairs = {name: Pair(program, folder / str(i), case, keys, is_recorded) for i, (name, keys, is_recorded) in enumerate(WAYS)}
    found, names = {name: [] for name in pairs}, list(pairs)
    for number in range(-2, rounds):  # two rounds open files and connections
        for name in names[number % len(names):] + names[:number % len(names)]:
            took = pairs[name].round()
            if number >= 0:
                found[name].append(took)
    for pair in pairs.values():
        pair.end()
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    options.add_argument("--rounds", default=60, type=int)
    options.add_argument("--docs", type=pathlib.Path)
    options = options.parse_args()
    lines = [f"Median (least to most) of {options.rounds} rounds, in turns; two jobs of a process each; {len(os.sched_getaffinity(0))} cores. The ratio is that of "
             "each round to the round of `nothing` before or after it.\n",
             "| cells | fields each way | kept | microseconds of a step | ratio in % | more for each field, microseconds |", "|---|---|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    with tempfile.TemporaryDirectory() as top:
        for number, case in enumerate(CASES):
            found = measure(options.build.resolve() / "bench/steps/monitor_cost", pathlib.Path(top, f"case{number}"), case, options.rounds)
            plain = found["nothing"]
            for name, took in found.items():
                ratio = [100.0 * t / p for t, p in zip(took, plain)]
                more = statistics.median(t - p for t, p in zip(took, plain)) / (2 * case[2])
                lines.append(f"| {case[0] * case[1]} | {case[2]} | {name} | {spread(took)} | {spread(ratio)} | {more:.3g} |")
                print(lines[-1], flush=True)
    if options.docs:
        measured_page.replace(options.docs, "monitor", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
