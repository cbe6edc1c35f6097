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
from matplotlib.collections import PolyCollection

LAND = "0.82"


def last(file, name, record):
    return np.ma.filled(np.ma.masked_invalid(file[name][record]).astype(float), np.nan)


def axes_of(ax, title):
    ax.set_title(title, fontsize=9)
    ax.set_xlim(0, 360)
    ax.set_ylim(-90, 90)
    ax.set_xticks(range(0, 361, 60))
    ax.set_yticks(range(-90, 91, 30))
    ax.tick_params(labelsize=6)
    ax.set_facecolor(LAND)


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


def main(atmos_name, ocean_name, picture):
    atmos, ocean = netCDF4.Dataset(atmos_name), netCDF4.Dataset(ocean_name)
    days = atmos["time"][:]
    hexagons = Hexagons(atmos)
    rows = [
        ("air temperature on the icosahedral grid", "t_air", atmos, "degC", "RdYlBu_r", "RdBu_r"),
        ("SST as the atmosphere received it", "sst", atmos, "degC", "RdYlBu_r", "RdBu_r"),
        ("SST of the ocean, 2-degree grid", "sst", ocean, "degC", "RdYlBu_r", "RdBu_r"),
        ("heat flux into the sea, as the ocean received it", "heat_flux", ocean, "W m-2", "RdBu_r", "RdBu_r"),
        ("zonal wind stress and direction, as the ocean received them", "taux", ocean, "N m-2", "PuOr_r", "PuOr_r"),
    ]
    figure, panels = plt.subplots(len(rows), 3, figsize=(16, 2.9 * len(rows)), constrained_layout=True)
    for line, (title, name, file, units, cmap, cmap_change) in zip(panels, rows):
        first, end = last(file, name, 0), last(file, name, -1)
        both = np.concatenate([first.ravel(), end.ravel()])
        low, high = np.nanpercentile(both, [1, 99])
        if cmap in ("RdBu_r", "PuOr_r"):
            high = max(abs(low), abs(high))
            low = -high
        change = end - first
        most = max(np.nanpercentile(np.abs(change), 99), 1e-12)
        for ax, value, text, c, a, b in (
                (line[0], first, f"day {days[0]:.0f}", cmap, low, high), (line[1], end, f"day {days[-1]:.0f}", cmap, low, high),
                (line[2], change, f"day {days[-1]:.0f} - day {days[0]:.0f}", cmap_change, -most, most)):
            axes_of(ax, f"{title}, {text}")
            drawn = hexagons.draw(ax, value, c, a, b) if file is atmos else draw_sea(ax, ocean, value, c, a, b)
            figure.colorbar(drawn, ax=ax, pad=0.01).set_label(units, fontsize=7)
            if name == "taux":
                record = 0 if ax is line[0] else -1
                u, v = last(ocean, "taux", record), last(ocean, "tauy", record)
                if ax is line[2]:
                    u, v = u - last(ocean, "taux", 0), v - last(ocean, "tauy", 0)
                lon, lat = np.meshgrid(ocean["lon"][:] % 360, ocean["lat"][:])
                some = (slice(2, None, 5), slice(2, None, 5))
                ax.quiver(lon[some], lat[some], u[some], v[some], width=0.0015, color="0.1")
    figure.suptitle(f"h3ou: atmosphere ({atmos['lon'].size} cells) and ocean (180 x 90), coupled every three hours for "
                    f"{days[-1] - days[0]:.0f} days; land is grey", fontsize=12)
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:4])
