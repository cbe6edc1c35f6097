#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""One picture of the two runs: the heat flux of the ocean and of the network that took its place, and how far they are apart.

    plot.py OUT_DIR CLIMATOLOGY.nc PICTURE.png
"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from maps import draw_map
from score import Score
from sea import Grid, STEP

COLOUR = {"truth": "black", "emulation": "tab:red", "persistence": "tab:blue", "climatology": "tab:green"}
PLACE = 40, 330  # degrees north and east: storms over the Atlantic


def draw_lines(ax, days, lines, title, label, scale="linear"):
    for name, values in lines.items():
        ax.plot(days, np.broadcast_to(values, days.shape), color=COLOUR.get(name, "0.3"), linewidth=1.2, label=name,
                linestyle="--" if name == "emulation" and "truth" in lines else "-")
    ax.set_yscale(scale)
    ax.set_title(title, fontsize=9)
    ax.set_xlabel("days since the start", fontsize=8)
    ax.set_ylabel(label, fontsize=8)
    ax.tick_params(labelsize=7)
    ax.grid(alpha=0.3)
    if len(lines) > 1:
        ax.legend(fontsize=7)


def main(out, climatology, picture):
    grid = Grid(climatology)
    score = Score(out, grid)
    days = (score.first_step + 1 + np.arange(len(score.truth))) * STEP / 86400
    figure, panels = plt.subplots(2, 3, figsize=(17, 6.6), constrained_layout=True)
    high = np.percentile(np.abs(score.truth[-1]), 99)
    error = score.emulation[-1] - score.truth[-1]
    draw_map(figure, panels[0, 0], grid, score.truth[-1], f"truth: heat flux into the sea of the ocean model, day {days[-1]:.1f}",
             "RdBu_r", (-high, high), "W m-2")
    draw_map(figure, panels[0, 1], grid, score.emulation[-1], "emulation: of the network, in a run without the ocean",
             "RdBu_r", (-high, high), "W m-2")
    draw_map(figure, panels[0, 2], grid, error, f"error: emulation - truth (scale: {high / 5:.0f}, not {high:.0f})",
             "RdBu_r", (-high / 5, high / 5), "W m-2")
    cell = np.argmin((grid.lat - PLACE[0])**2 + ((grid.lon - PLACE[1] + 180) % 360 - 180)**2)
    draw_lines(panels[1, 0], days, {"truth": score.truth[:, cell], "emulation": score.emulation[:, cell],
                                    "persistence": score.persistence[cell], "climatology": score.climatology[cell]},
               f"heat flux at {grid.lat[cell]:.0f} N, {grid.lon[cell] % 360:.0f} E", "W m-2")
    draw_lines(panels[1, 1], days, score.steps, "RMS error over the sea: " + ", ".join(
        f"{name} {error:.0f}" for name, error in score.all.items()), "W m-2")
    panels[1, 1].set_ylim(bottom=0)
    learned = (score.first_step + 1 - np.arange(len(score.losses), 0, -1)) * STEP / 86400
    draw_lines(panels[1, 2], learned, {"squared error": score.losses}, "while learning: squared error of the batches, scaled", "",
               "log")
    figure.suptitle(f"h3ou: a network ({score.learner}) learned the ocean's heat flux online for {days[0]:.0f} days, then took the "
                    f"ocean's place ({score.emulator}); shown are days that it did not learn from; grey: land", fontsize=11)
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:4])
