#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""One picture of two members over one ocean: the members' depth and wind at the end, and what the ocean and who watches it got.

    plot.py FOLDER CLIMATOLOGY.nc PICTURE.png
"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import matplotlib.tri
import numpy as np
from sea import Grid
from state import State

LAND = "0.82"


def finish_map(figure, ax, drawn, title):
    ax.set_title(title, fontsize=9)
    ax.set(xlim=(0, 360), ylim=(-90, 90), xticks=range(0, 361, 60), yticks=range(-90, 91, 30), facecolor=LAND)
    ax.tick_params(labelsize=7)
    figure.colorbar(drawn, ax=ax, pad=0.01, extend="both").ax.tick_params(labelsize=7)


def draw_member(figure, ax, state, number, limits):
    lon, lat = np.degrees(np.arctan2(state.x[:, 1], state.x[:, 0])) % 360, np.degrees(np.arcsin(np.clip(state.x[:, 2], -1, 1)))
    depth = state.prg[:, 0, 0]
    around = np.concatenate([lon - 360, lon, lon + 360])
    keep = (around > -20) & (around < 380)
    mesh = matplotlib.tri.Triangulation(around[keep], np.tile(lat, 3)[keep])
    drawn = ax.tripcolor(mesh, np.tile(depth, 3)[keep], cmap="viridis", shading="gouraud", vmin=limits[0], vmax=limits[1])
    east, north = state.east_north()
    at_lon, at_lat = np.radians(np.meshgrid(np.arange(4, 360, 8), np.arange(-76, 77, 8)))
    at = np.stack([np.cos(at_lat) * np.cos(at_lon), np.cos(at_lat) * np.sin(at_lon), np.sin(at_lat)], axis=-1).reshape(-1, 3)
    some = np.argmax(at @ state.x.T, axis=1)
    ax.quiver(lon[some], lat[some], east[some], north[some], scale=900, width=0.0012, color="k")
    speed = np.hypot(east, north).max()
    finish_map(figure, ax, drawn, f"member {number}: depth of the lower layer, m, and wind, at most {speed:.0f} m/s")


def draw_sea(figure, ax, grid, values, title, cmap, limits):
    order = np.argsort(grid.lons % 360)
    drawn = ax.pcolormesh((grid.lons % 360)[order], grid.lats, np.ma.masked_invalid(grid.map_of(values)[:, order]), cmap=cmap,
                          vmin=limits[0], vmax=limits[1], shading="nearest")
    finish_map(figure, ax, drawn, title)


def main(folder, climatology, picture):
    grid, members = Grid(climatology), [State(f"{folder}/member{m}") for m in (0, 1)]
    with np.load(f"{folder}/ocean.npz") as file:
        kept, step = file["kept"].astype(float), int(file["step"])
    day = (len(kept) - 1) * step / 86400
    figure, panels = plt.subplots(3, 2, figsize=(15, 11.5), constrained_layout=True)
    limits = np.percentile([m.prg[:, 0, 0] for m in members], [1, 99])
    for number, state in enumerate(members):
        draw_member(figure, panels[0, number], state, number, limits)
    for ax, row, name, cmap in ((panels[1, 0], 0, "air temperature, degC", "RdYlBu_r"), (panels[1, 1], 1, "wind speed, m/s", "magma")):
        draw_sea(figure, ax, grid, kept[-1, row], f"what the ocean got, the members' mean, day {day:.1f}: {name}", cmap,
                 np.percentile(kept[-1, row], [1, 99]))
    draw_sea(figure, panels[2, 1], grid, kept[-1, 3], f"spread of the members' wind speed, m/s, day {day:.1f}", "magma",
             (0, np.percentile(kept[-1, 3], 99)))
    change = kept[-1, 4] - kept[0, 4]
    high = np.percentile(np.abs(change), 99)
    draw_sea(figure, panels[2, 0], grid, change, f"change of the ocean's temperature in {day:.1f} days, degC", "RdBu_r", (-high, high))
    figure.suptitle("h3ou: two members of a NICAM-like model, each a job of its own, over one ocean, which gets their mean; grey: land",
                    fontsize=11)
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:4])
