#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rows.py MODEL H3OU: grids whose rows are recognised by their centres (tripolar ones with either pivot, with rows and columns
that are there again; lists with rows of unlike length) give the values in a coupled run that they give by the command h3ou, to the last bit."""
import pathlib
import subprocess
import sys
import tempfile

import netCDF4
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import grids
import jobs

CONFIG = """&h3ou_coupling log_level="WHISPER" /
&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=1, method='{}', missing=-7.0 /
&h3ou_var var_put='f', var_get='f', intvl=600, lag=-1, flag='SNP' /
"""


def folded(nx, ny, pivot, again, west, overlap):
    """Centres [ny, nx], corners [ny, nx, 4, 3] and mask from lines twice as dense; `again`: a row beyond the fold is one before it again;
    west: columns that are there before the first, overlap: columns more than the grid has."""
    dense = grids.tripolar_corners(2 * nx, 2 * ny)[:, :, 0]
    dense = np.concatenate([dense, grids.tripolar_corners(2 * nx, 2 * ny)[-1:, :, 3]])

    def at(v, u):
        beyond = v > 2 * ny
        return dense[np.where(beyond, 4 * ny - v, v), np.where(beyond, -u, u) % (2 * nx)]

    column, row = np.arange(nx + overlap) - west, np.arange(ny + again)
    v, u = np.meshgrid(2 * row + (2 if pivot == "T" else 1), 2 * column + (0 if pivot == "T" else 1), indexing="ij")
    corner = np.stack([at(v + dv, u + du) for dv, du in ((-1, -1), (-1, 1), (1, 1), (1, -1))], 2)
    at_pole = (pivot == "T") & (row[:, None] >= ny - 2) & (u % nx == 0)  # of no area, or beside it
    return grids.angles(at(v, u)), corner, ~at_pole


def write(folder, name, centre, corner, sea):
    """For the command and for the model."""
    lon, lat = centre
    grids.write_cells(folder / f"{name}.nc", lon, lat, corner)
    with netCDF4.Dataset(folder / f"{name}.nc", "a") as d:
        d["one"].missing_value = -1.0
        d["one"][:] = np.where(sea, 1.0, -1.0)
        parts = [np.array(v).ravel() for v in (d["lon"][:], d["lat"][:], sea, d["lon_bnds"][:], d["lat_bnds"][:])]
    shape = lon.shape[::-1] if lon.ndim == 2 else (0, 0)
    np.concatenate([[*shape, lon.size, corner.shape[-2], 1, lon.ndim == 2], *parts]).tofile(folder / f"{name}.bin")


def by_command(h3ou, folder, source, target, method):
    """What the weights make of the field that the model puts (values_at of remap_model.c)."""
    subprocess.run([h3ou, "weights", "make", folder / f"{source}.nc", folder / f"{target}.nc", "-m", method, "-o", folder / "W.nc"],
                   check=True, capture_output=True)
    place = grids.Grid(folder / f"{source}.nc")
    field = np.array([2 + np.cos(b) * np.cos(a) * (np.cos(b) * np.sin(a)) + 0.5 * np.sin(b) for a, b in zip(place.lon, place.lat)])
    exact = grids.Grid(folder / f"{target}.nc")
    with netCDF4.Dataset(folder / "W.nc") as d:
        to, of, coef = d["dst_address"][:] - 1, d["src_address"][:] - 1, np.array(d["remap_matrix"][:, 0])
    value = np.full(exact.lon.size, -7.0)
    served = np.unique(to)
    value[served] = 0
    np.add.at(value, to, coef * field[of])
    return value, served, 2 + np.cos(exact.lat)**2 * np.cos(exact.lon) * np.sin(exact.lon) + 0.5 * np.sin(exact.lat)


def compare(tally, model, h3ou, folder, source, target, method, limit, way, north):
    """north: the sine of the latitude from which on all cells are served."""
    wanted, served, exact = by_command(h3ou, folder, source, target, method)
    config = folder / "run.conf"
    config.write_text(CONFIG.format(method))
    results = jobs.run(way, (2, model, ["A", config, f"grid:{folder}/{source}.bin", "cyclic", folder / "got"]),
                       (3, model, ["B", config, f"grid:{folder}/{target}.bin", "mixed", folder / "got"]))
    found = jobs.problems_of(results)
    if not found:
        rows = np.concatenate([np.fromfile(folder / f"got.{r}", "f8").reshape(-1, 5) for r in range(3)])
        got = rows[np.argsort(rows[:, 0])][:, 1]
        lat = grids.Grid(folder / f"{target}.nc").lat
        missed = np.setdiff1d(np.flatnonzero(np.sin(lat) > north), served).size
        error = np.abs(wanted - exact)[served].max()
        if missed or error > limit:
            found.append(f"{missed} cells north are not served, the largest error is {error:.3g} of {limit}")
        if np.abs(got - wanted).max() > 1e-14:
            found.append(f"{(np.abs(got - wanted) > 1e-14).sum()} cells differ from the command, by up to {np.abs(got - wanted).max():.3g}")
    tally.check(f"{method} {source} -> {target} {' '.join(way)}", found)


def main(model, h3ou):
    tally, ways = jobs.Tally(), jobs.ways()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        write(folder, "T", *folded(36, 24, "T", 1, 1, 2))
        write(folder, "F", *folded(36, 24, "F", 1, 1, 2))
        write(folder, "turned", *turned(30, 16))
        write(folder, "reduced", *reduced(16))
        cases = [("T", "bilinear", 0.009), ("T", "bicubic,bilinear", 3e-4), ("F", "bicubic,bilinear", 4e-4), ("F", "conservative2", 0.033),
                 ("reduced", "bilinear", 0.02)]
        for k, (source, method, limit) in enumerate(cases):
            compare(tally, model, h3ou, folder, source, "turned", method, limit, ways[k % len(ways)], -1 if source == "reduced" else 0.3)
    return tally.end()


def reduced(n):
    """An octahedral reduced Gaussian grid, in no order."""
    with tempfile.TemporaryDirectory() as temporary:
        grids.write_reduced(pathlib.Path(temporary, "reduced.nc"), n)
        grid = grids.Grid(pathlib.Path(temporary, "reduced.nc"))
    order = np.random.default_rng(1).permutation(grid.lon.size)
    return (grid.lon[order], grid.lat[order]), grid.corner[order], np.ones(grid.lon.size)


def turned(nx, ny):
    """Boxes of another pole."""
    edge = [np.linspace(-np.pi, np.pi, nx + 1), np.linspace(-np.pi / 2, np.pi / 2, ny + 1)]
    (x0, y0), (x1, y1) = np.meshgrid(edge[0][:-1], edge[1][:-1]), np.meshgrid(edge[0][1:], edge[1][1:])
    axes = np.stack([grids.place(0.3, -0.9), grids.place(0.3 + np.pi / 2, 0.0), grids.place(0.3, np.pi / 2 - 0.9)])
    corner = grids.box_corners(*(a.ravel() for a in (x0, x1, y0, y1))) @ axes
    return grids.angles(grids.place((x0 + x1) / 2, (y0 + y1) / 2).reshape(-1, 3) @ axes), corner, np.ones(nx * ny)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
