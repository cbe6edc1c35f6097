#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""How far the mean of the members is from the truth, and how far the members are from each other, with the filter and without.

    score.py OUT_DIR
"""
import json
import pathlib
import sys

import numpy as np

SPIN_UP = 100  # steps in which the filter finds the truth: they do not count


class Run:
    """One run: error and spread by step (root mean square over the cells), and their means after the spin-up."""

    def __init__(self, file):
        with np.load(file) as kept:
            self.analysis, self.truth, self.step = kept["analysis"], kept["truth"], int(kept["step"])
            self.sigma = float(kept["sigma"])
        self.error = np.sqrt(np.mean((self.analysis.mean(axis=2) - self.truth)**2, axis=1))
        self.spread = np.sqrt(np.mean(self.analysis.var(axis=2, ddof=1), axis=1))
        late = slice(min(SPIN_UP, len(self.error) // 2), None)
        self.mean_error, self.mean_spread = self.error[late].mean(), self.spread[late].mean()
        self.days = np.arange(1, len(self.error) + 1) * self.step / 86400


def runs(out):
    return {name: Run(pathlib.Path(out, f"{name}.npz")) for name in ("letkf", "none")}


def main(out):
    scores = {name: {"error": round(float(run.mean_error), 4), "spread": round(float(run.mean_spread), 4)} for name, run in runs(out).items()}
    pathlib.Path(out, "score.json").write_text(json.dumps(scores, indent=1) + "\n")
    for name, score in scores.items():
        text = "corrected by the filter" if name == "letkf" else "free run"
        print(f"score: {text}: error {score['error']:.2f}, spread {score['spread']:.2f}; an observation's error is 1")


if __name__ == "__main__":
    main(sys.argv[1])
