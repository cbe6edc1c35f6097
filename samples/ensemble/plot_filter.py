#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""One picture of the members that a filter corrects, beside a free run: truth, means and errors by cell and time, errors and spread.

    plot_filter.py OUT_DIR PICTURE.png
"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from score import runs


def draw_waves(figure, ax, run, values, title, high, cmap):
    drawn = ax.pcolormesh(range(values.shape[1]), run.days, values, cmap=cmap, vmin=-high, vmax=high, shading="nearest")
    ax.set_title(title, fontsize=9)
    ax.set_xlabel("cell", fontsize=8)
    ax.set_ylabel("days", fontsize=8)
    ax.tick_params(labelsize=7)
    figure.colorbar(drawn, ax=ax, pad=0.01, extend="both").ax.tick_params(labelsize=7)


def draw_errors(ax, all_runs):
    for (name, run), colour, text in zip(all_runs.items(), ("tab:red", "tab:blue"), ("corrected", "free run")):
        ax.plot(run.days, run.error, color=colour, linewidth=1.2, label=f"{text}: error of the mean ({run.mean_error:.2f})")
        ax.plot(run.days, run.spread, color=colour, linewidth=0.9, linestyle="--", label=f"{text}: spread ({run.mean_spread:.2f})")
    ax.axhline(all_runs["letkf"].sigma, color="0.4", linewidth=0.8, linestyle=":", label="error of an observation")
    ax.set_title("root mean square over the cells; in brackets: mean after the first 25 days", fontsize=9)
    ax.set_xlabel("days", fontsize=8)
    ax.set_yscale("log")
    ax.grid(alpha=0.3)
    ax.tick_params(labelsize=7)
    ax.legend(fontsize=7, loc="center right")


def main(out, picture):
    all_runs = runs(out)
    corrected, free = all_runs["letkf"], all_runs["none"]
    figure = plt.figure(figsize=(16, 9), constrained_layout=True)
    grid = figure.add_gridspec(2, 4, height_ratios=(3, 2))
    panels = [figure.add_subplot(grid[0, k]) for k in range(4)]
    mean = corrected.analysis.mean(axis=2)
    draw_waves(figure, panels[0], corrected, corrected.truth, "truth", 12, "RdYlBu_r")
    draw_waves(figure, panels[1], corrected, mean, "mean of the corrected members", 12, "RdYlBu_r")
    draw_waves(figure, panels[2], corrected, mean - corrected.truth, "error of the corrected mean", 4, "RdBu_r")
    draw_waves(figure, panels[3], free, free.analysis.mean(axis=2) - free.truth, "error of the mean of the free run", 4, "RdBu_r")
    draw_errors(figure.add_subplot(grid[1, :]), all_runs)
    members = corrected.analysis.shape[2]
    figure.suptitle(f"h3ou: {members} members of the model of Lorenz (1996), in four jobs under two MPIs, corrected every six hours by "
                    "an ensemble Kalman filter in Python, which observes every second cell", fontsize=11)
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:3])
