#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""One picture of a coupled run: fields on both grids, first and last day, and the difference.

    plot.py ATMOS.nc OCEAN.nc PICTURE.png
"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import netCDF4
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

LAND = "0.82"


def field(file, name, record):
    return np.ma.filled(np.ma.masked_invalid(file[name][record]).astype(float), np.nan)


def axes_of(ax, title):
    ax.set_title(title, fontsize=9)
    ax.set_xlim(0, 360)
    ax.set_ylim(-90, 90)
    ax.set_xticks(range(0, 361, 60))
    ax.set_yticks(range(-90, 91, 30))
    ax.tick_params(labelsize=7)
    ax.set_facecolor(LAND)


class Coast:
    """Lines between sea and land cells of the ocean's grid, to show on fields that cover both."""

    def __init__(self, file):
        lon, lat = file["lon"][:] % 360, file["lat"][:]
        order = np.argsort(lon)
        sea = np.isfinite(field(file, "sst", 0))[:, order]
        west, south = lon[order] - 1, lat - 1
        j, i = np.nonzero(sea != np.roll(sea, 1, axis=1))
        across = [[(west[b], south[a]), (west[b], south[a] + 2)] for a, b in zip(j, i)]
        j, i = np.nonzero(sea[1:] != sea[:-1])
        along = [[(west[b], south[a] + 2), (west[b] + 2, south[a] + 2)] for a, b in zip(j, i)]
        self.lines = across + along

    def draw(self, ax):
        ax.add_collection(LineCollection(self.lines, colors="0.25", linewidths=0.4))


class Hexagons:
    """Cells of the atmosphere as polygons; those that cross the map's edge are drawn on both sides."""

    def __init__(self, file):
        lon, lat = file["lon"][:], file["lat_bnds"][:]
        bounds = file["lon_bnds"][:] - lon[:, None]
        lon = lon % 360
        x = lon[:, None] + bounds
        polygons, self.cell = [], []
        for shift in (-360, 0, 360):
            inside = ((x + shift).max(axis=1) > 0) & ((x + shift).min(axis=1) < 360) & (np.ptp(x, axis=1) < 180)
            polygons.append(np.stack([x[inside] + shift, lat[inside]], axis=-1))
            self.cell.append(np.nonzero(inside)[0])
        self.polygons, self.cell = np.concatenate(polygons), np.concatenate(self.cell)

    def draw(self, ax, value, cmap, low, high):
        value = value[self.cell]
        good = np.isfinite(value)
        patch = PolyCollection(self.polygons[good], array=value[good], cmap=cmap, edgecolors="face", linewidths=0.15)
        patch.set_clim(low, high)
        return ax.add_collection(patch)


def draw_sea(ax, file, value, cmap, low, high):
    lon, lat = file["lon"][:] % 360, file["lat"][:]
    order = np.argsort(lon)
    return ax.pcolormesh(lon[order], lat, np.ma.masked_invalid(value[:, order]), cmap=cmap, vmin=low, vmax=high, shading="nearest")


def draw_arrows(ax, u, v, lon, lat, full):
    """Arrows of one scale, with a key: `full` N m-2 are fifteen degrees long."""
    lon, lat = np.meshgrid(lon % 360, lat)
    some = (slice(2, None, 5), slice(2, None, 5))
    q = ax.quiver(lon[some], lat[some], u[some], v[some], width=0.0016, color="0.1", units="width", angles="xy",
                  scale_units="xy", scale=full / 15)
    ax.quiverkey(q, 0.92, 0.05, full, f"{full:g} N m-2", labelpos="W", fontproperties={"size": 7})


def limits(values, is_signed):
    both = np.concatenate([v.ravel() for v in values])
    low, high = np.nanpercentile(both, [1, 99])
    if is_signed:
        high = max(abs(low), abs(high), 1e-12)
        low = -high
    return low, high


def main(atmos_name, ocean_name, picture):
    atmos, ocean = netCDF4.Dataset(atmos_name), netCDF4.Dataset(ocean_name)
    days = atmos["time"][:]
    hexagons, coast = Hexagons(atmos), Coast(ocean)
    # A mean that the ocean received is a mean from the first interval on; at the start there is the initial value only.
    mean = min(1, days.size - 1)
    rows = [
        ("air temperature", "t_air", atmos, "degC", "RdYlBu_r", 0),
        ("SST as the atmosphere received it", "sst", atmos, "degC", "RdYlBu_r", 0),
        ("SST of the ocean", "sst", ocean, "degC", "RdYlBu_r", 0),
        ("heat flux into the sea, as the atmosphere gives it", "heat_flux", atmos, "W m-2", "RdBu_r", 0),
        ("heat flux into the sea, as the ocean received it", "heat_flux", ocean, "W m-2", "RdBu_r", mean),
        ("wind stress as the ocean received it", "taux", ocean, "N m-2", "PuOr_r", mean),
    ]
    pairs = {(name, file): (field(file, name, start), field(file, name, -1)) for _, name, file, _, _, start in rows}
    figure, panels = plt.subplots(len(rows), 3, figsize=(16, 2.9 * len(rows)), constrained_layout=True)
    for line, (title, name, file, units, cmap, start) in zip(panels, rows):
        first, end = pairs[name, file]
        # What both models show of a field has one scale.
        alike = [pair for (other, _), pair in pairs.items() if other == name]
        low, high = limits([v for pair in alike for v in pair], cmap != "RdYlBu_r")
        change = limits([pair[1] - pair[0] for pair in alike], True)
        for ax, record, value, text, c, (a, b) in (
                (line[0], start, first, f"day {days[start]:.0f}", cmap, (low, high)),
                (line[1], -1, end, f"day {days[-1]:.0f}", cmap, (low, high)),
                (line[2], None, end - first, f"day {days[-1]:.0f} - day {days[start]:.0f}", "RdBu_r", change)):
            axes_of(ax, f"{title}, {text}")
            drawn = hexagons.draw(ax, value, c, a, b) if file is atmos else draw_sea(ax, ocean, value, c, a, b)
            bar = figure.colorbar(drawn, ax=ax, pad=0.01, extend="both")
            bar.set_label(("zonal, " if name == "taux" else "") + units, fontsize=8)
            bar.ax.tick_params(labelsize=7)
            if name == "t_air":
                coast.draw(ax)
            if name == "taux":
                v = [field(ocean, "tauy", r) for r in (start, -1)]
                v = v[1] - v[0] if record is None else v[0 if record == start else 1]
                draw_arrows(ax, value, v, ocean["lon"][:], ocean["lat"][:], 0.05)
    figure.suptitle(f"h3ou: atmosphere on {atmos['lon'].size} hexagons and pentagons, ocean on 180 x 90 cells, coupled every three "
                    f"hours for {days[-1] - days[0]:.0f} days; grey: land, or no value", fontsize=12)
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:4])
