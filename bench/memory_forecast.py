#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Memory of a component's processes as h3ou check predicts it without a record, beside what a run of the same configuration has used. --docs
writes the table between <!-- forecast: begin --> and <!-- forecast: end --> of a page.

    bench/memory_forecast.py [--build build/release] [--docs docs/memory.md]
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/lib"), str(ROOT / "bench")]
import jobs
import measured_page

PARTS = ("fields", "plan", "weights", "rings", "transport")
# Grids of A and B, layers, fields each way, further keys, processes of A and B.
CASES = [((720, 360), (640, 320), 1, 1, "method='conservative'", (1, 1)), ((720, 360), (640, 320), 1, 1, "method='conservative'", (2, 1)),
         ((720, 360), (640, 320), 1, 1, "method='conservative2'", (1, 1)), ((720, 360), (640, 320), 1, 1, "method='bilinear'", (1, 1)),
         ((720, 360), (640, 320), 1, 1, "method='bicubic'", (1, 1)),
         ((720, 360), (640, 320), 1, 1, "method='nearest'", (1, 1)), ((720, 360), (640, 320), 1, 1, "method='distance(n=8)'", (1, 1)),
         ((1440, 720), (360, 180), 1, 1, "method='conservative'", (2, 2)), ((360, 180), (320, 160), 40, 2, "method='bilinear'", (1, 1)),
         ((360, 180), (320, 160), 40, 2, "method='bilinear'", (2, 1)),
         ((360, 180), (320, 160), 10, 4, "method='nearest'", (2, 2)), ((720, 360), (640, 320), 1, 1, "method='file(file={}.nc)'", (2, 2)), ((36, 18), (32, 16), 1, 1, "method='nearest'", (1, 1))]


def measure(build, folder, case):
    """[(component, {part: bytes}, bytes used)]"""
    *grids, layers, fields, keys, processes = case
    if "file" in keys:
        for a, b, name in (*zip(grids, grids[::-1], "AB"),):
            subprocess.run([build / "bin/h3ou", "weights", "make", *("r{}x{}".format(*g) for g in (a, b)), "-m", "conservative", "-o", folder / f"{name}.nc"],
                           check=True, capture_output=True, timeout=120)
    text, jobs_text, names = "", "[run]\nconfiguration = 'run.conf'\ndirectory = 'out'\nreport = false\ngrids = {", "AB"
    jobs_text += ", ".join(f"'{n}/{n}_g' = 'r{x}x{y}'" for n, (x, y) in zip(names, grids)) + "}\n"
    for a, b in (names, names[::-1]):
        text += f"&h3ou_var comp_put='{a}', comp_get='{b}', grid_put='{a}_g', grid_get='{b}_g', mapping_tag=1, {keys.format(a)} /\n"
        text += "".join(f"&h3ou_var var_put='{a}_v{k}', var_get='{a}_v{k}', intvl=600, lag=-1, layer={layers}, flag='SNP' /\n" for k in range(fields))
    for (name, other), (x, y), n in zip((names, names[::-1]), grids, processes):
        mpi = jobs.MPIS[0 if name == "A" else -1]
        words = [name, other, "run.conf", x, y, layers, fields, *(["bare"] if "file" in keys else [])]
        jobs_text += (f"[[job]]\nname = '{name}'\ncomponent = '{name}'\nexecutable = '{build}/tests/run/sized_model.{mpi}'\nprocesses = {n}\n"
                      f"arguments = [{', '.join(repr(str(w)) for w in words)}]\n")
    (folder / "run.conf").write_text(text)
    (folder / "run.toml").write_text(jobs_text)
    said = subprocess.run([build / "bin/h3ou", "check", "run.toml"], cwd=folder, capture_output=True, text=True, timeout=60, check=True).stdout
    done = subprocess.run([build / "bin/h3ou", "run", "run.toml", "-q"], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    found = []
    for name in names:
        line = re.search(rf"^memory of h3ou in a process of {name}: .*\((.*)\)", said, re.M)
        if not line:
            sys.exit(said)
        parts = {part: float(re.search(rf"{part} ([\d.]+)", line[1])[1]) for part in PARTS}
        before, peak = re.search(r"before=(\d+).*\tpeak=(\d+)", (folder / f"out/setup/{name}").read_text()).groups()
        found.append((name, parts, (int(peak) - int(before)) / 2**20))
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    options.add_argument("--docs", type=pathlib.Path)
    options = options.parse_args()
    lines = ["| grids | layers | fields | method | processes | of | " + " | ".join(PARTS) + " | predicted | used | predicted / used |",
             "|---" * (9 + len(PARTS)) + "|"]
    print("\n".join(lines), flush=True)
    for case in CASES:
        with tempfile.TemporaryDirectory() as folder:
            (ax, ay), (bx, by), layers, fields, keys, processes = case
            for name, parts, used in measure(options.build.resolve(), pathlib.Path(folder), case):
                total = sum(parts.values())
                cells = [f"{ax}x{ay}, {bx}x{by}", layers, fields, keys.split("'")[1].replace("(file={}.nc)", ""), "+".join(map(str, processes)), name,
                         *(f"{parts[p]:.1f}" for p in PARTS), f"{total:.1f}", f"{used:.1f}", f"{total / used:.2f}"]
                lines.append("| " + " | ".join(map(str, cells)) + " |")
                print(lines[-1], flush=True)
    if options.docs:
        measured_page.replace(options.docs, "forecast", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
