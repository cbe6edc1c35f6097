# SPDX-License-Identifier: BSD-3-Clause
"""How far the emulated heat flux is from the true one, in the days that the network did not learn from; and how far the predictors are
that need no network: what was last seen in learning persists, or the mean of the days of learning, in each cell.

    score.py OUT_DIR CLIMATOLOGY.nc
"""
import pathlib
import sys

import numpy as np
from sea import Grid


class Score:
    """Root mean square errors, by area: of all days (`all`), and step by step (`steps`), in W/m2."""

    def __init__(self, out, grid):
        out = pathlib.Path(out)
        with np.load(out / "truth.npz") as truth, np.load(out / "emulation.npz") as emulation:
            self.truth, self.emulation = truth["flux"].astype(float), emulation["flux"].astype(float)
            self.first_step, self.losses = int(truth["first_step"]), truth["losses"]
            self.persistence, self.climatology = truth["persistence"], truth["climatology"]
            self.learner, self.emulator = str(truth["learner"]), str(emulation["learner"])
        if self.truth.shape != self.emulation.shape:
            raise SystemExit(f"score.py: the runs differ: {self.truth.shape}, {self.emulation.shape} (steps, cells)")
        area = np.cos(np.radians(grid.lat))
        squares = {"emulation": (self.emulation - self.truth)**2, "persistence": (self.persistence - self.truth)**2,
                   "climatology": (self.climatology - self.truth)**2}
        self.steps = {name: np.sqrt(square @ area / area.sum()) for name, square in squares.items()}
        self.all = {name: float(np.sqrt(np.mean(steps**2))) for name, steps in self.steps.items()}


if __name__ == "__main__":
    for name, error in Score(sys.argv[1], Grid(sys.argv[2])).all.items():
        print(f"score: {name}: RMS error {error:.2f} W/m2")
