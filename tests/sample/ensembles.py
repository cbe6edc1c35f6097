#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""ensembles.py SOURCE BUILD: of samples/ensemble the members that a filter corrects stay nearer to the truth than an observation and
tell how near they are, which free members do not; and atmospheres over one ocean depart from each other."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

BOUND = 0.7  # of the mean's error; an observation's is 1


def check_filter(out):
    score = json.loads((out / "score.json").read_text())
    corrected, free = score["letkf"], score["none"]
    print(f"error {corrected['error']} (bound {BOUND}), spread {corrected['spread']}; free: {free['error']}, {free['spread']}")
    problems = [] if corrected["error"] < BOUND else ["the filter does not find the truth"]
    if not 0.5 < corrected["spread"] / corrected["error"] < 2:
        problems.append("the spread does not tell how large the error is")
    return problems + ([] if free["error"] > 2 else ["the free run is near the truth: there is nothing to correct"])


def check_one_ocean(out):
    with np.load(out / "one_ocean.npz") as file:
        kept = file["kept"].astype(float)
    spread = np.sqrt(np.mean(kept[:, 2]**2, axis=1))
    print("spread of the air's temperature by exchange:", np.round(spread, 4))
    problems = [] if np.isfinite(kept).all() else ["not all values are finite"]
    if spread[0] > 1e-12:
        problems.append("the members do not begin alike")
    return problems + ([] if (np.diff(spread[1:]) > 0).all() and spread[-1] > 0.01 else ["the members do not depart from each other"])


def main(source, build):
    source, tally = pathlib.Path(source), jobs.Tally()
    with tempfile.TemporaryDirectory() as out:
        done = subprocess.run(
            [source / "samples/ensemble/run", "--build", build, "--out", out, "--steps", "160", "--days", "2", "--mpi-a", jobs.MPIS[0],
             "--mpi-b", jobs.MPIS[-1]], capture_output=True, text=True, timeout=200, env={**os.environ, **jobs.ENVIRONMENT})
        out = pathlib.Path(out)
        tally.check("both runs", [f"code {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}"] if done.returncode else [])
        if not done.returncode:
            tally.check("members that a filter corrects", check_filter(out))
            tally.check("members over one ocean", check_one_ocean(out))
            tally.check("pictures", [f"no {name}" for name in ("filter.png", "one_ocean.png")
                                     if not (out / name).exists() or (out / name).read_bytes()[:4] != b"\x89PNG"])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
