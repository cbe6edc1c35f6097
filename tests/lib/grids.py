# SPDX-License-Identifier: BSD-3-Clause
"""Real grids as CF NetCDF files, for tests and measurements: by CDO (regular, Gaussian, icosahedral) and by formula (all others),
with CDO's topography as the field, or its sea only (land is missing). make("gme64", folder) answers the file."""
import pathlib
import re
import shutil
import subprocess

import netCDF4
import numpy as np

DEGREE = np.pi / 180
COADS = pathlib.Path(__file__).resolve().parents[2] / "samples/atmos_ocean/data/coads_2deg.nc"


def cdo(*arguments):
    done = subprocess.run(["cdo", "-s", "-O", *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"cdo {' '.join(map(str, arguments))}: {done.stderr}")


def make(name, folder):
    """rNxM, nN (Gaussian), gmeN (10 N^2 + 2 hexagons), tripNxM, hpN (12 N^2 cells, N a power of 2), orcaNxM (a tripolar one with two
    overlap columns and a fold row, as ORCA has), redN (reduced Gaussian), lmdzNxM (rows at the poles, of coincident points), rotNxM
    (regional, with a rotated pole). Behind it: "-sea", land is missing by that topography; "-coads", cells are missing where the sample's observed sea has no value."""
    file, base = pathlib.Path(folder, f"{name}.nc"), name.removesuffix("-sea").removesuffix("-coads")
    if file.exists():
        return file
    if name.endswith("-coads"):
        shutil.copy(make(base, folder), file)
        lose_land(file)
        return file
    sea = ["-setrtomiss,0,20000"] if name.endswith("-sea") else []
    kind = re.match("[a-z]+", base)[0]
    if kind in WRITERS:
        bare = file.with_suffix(".bare.nc")
        WRITERS[kind](bare, *map(int, re.findall(r"\d+", base)))
        cdo("-f", "nc", *sea, f"-remapnn,{bare}", "-topo,r720x360", file)
        bare.unlink()
    else:
        cdo("-f", "nc", *(["-setgridtype,unstructured"] if base.startswith("gme") else []), *sea, f"-topo,{base}", file)
    return file


def lose_land(file):
    """Cells get a missing value whose centres lie in cells of the sample's data without a sea-surface temperature in January."""
    with netCDF4.Dataset(COADS) as d:
        lon, lat, sea = d["lon"][:], d["lat"][:], ~np.ma.getmaskarray(d["SST"][0])
    grid = Grid(file)
    x = np.floor(np.mod(grid.lon / DEGREE - lon[0] + 1, 360) / 2).astype(int) % lon.size
    y = np.clip(np.floor((grid.lat / DEGREE - lat[0] + 1) / 2).astype(int), 0, lat.size - 1)
    with netCDF4.Dataset(file, "a") as d:
        field = field_of(d)
        field.missing_value = np.array(-9e33, field.dtype)
        field[:] = np.where(sea[y, x].reshape(field.shape), np.ma.filled(field[:], 0), field.missing_value)


def field_of(d):
    return next(v for n, v in d.variables.items() if not n.startswith(("lon", "lat", "time", "x", "y")) and v.ndim > 0)


def place(lon, lat):
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], -1)


def angles(x):
    return np.arctan2(x[..., 1], x[..., 0]), np.arctan2(x[..., 2], np.hypot(x[..., 0], x[..., 1]))


def centroid(corner):
    """Of cells given by their corners [n, k, 3]: the direction of the triangles' area-weighted mean."""
    mean = np.zeros(corner.shape[::2])
    for i in range(1, corner.shape[1] - 1):
        a, b, c = corner[:, 0], corner[:, i], corner[:, i + 1]
        middle = a + b + c
        area = np.einsum("ij,ij->i", a, np.cross(b - a, c - a))
        mean += (area / np.linalg.norm(middle, axis=1))[:, None] * middle
    return angles(mean)


def tripolar_corners(nx, ny):
    """Corners [ny, nx, 4, 3] of a grid with two poles in the north (R. J. Murray, 1996): regular rows from 78 S to 65 N, and
    above them the bipolar coordinates of the cap's stereographic disc, whose last row is folded on itself."""
    south, join, turn = -78 * DEGREE, 65 * DEGREE, 80 * DEGREE
    cap = max(2, round(ny * 25 / 168))
    theta = 2 * np.pi * np.arange(nx + 1) / nx
    rows = [place(theta + turn, np.full(nx + 1, lat)) for lat in np.linspace(south, join, ny - cap + 1)]
    radius = np.tan((np.pi / 2 - join) / 2)
    with np.errstate(divide="ignore"):
        tau = np.log(np.abs(np.cos(theta / 2)) / np.abs(np.sin(theta / 2)))
    for lat in np.linspace(join, np.pi / 2, cap + 1)[1:]:
        y = np.tan((np.pi / 2 - lat) / 2) / radius
        sigma = 2 * np.arctan2(1, y) if y > 1e-12 else np.pi
        far = np.abs(tau) > 20
        t = np.where(far, 0, tau)
        u = np.where(far, np.sign(tau), np.sinh(t) / (np.cosh(t) - np.cos(sigma)))
        v = np.where(far, 0, np.sin(sigma) / (np.cosh(t) - np.cos(sigma))) * np.where(theta <= np.pi, 1, -1)
        lon, r = np.arctan2(v, u), np.hypot(u, v) * radius
        rows.append(place(lon + turn, np.pi / 2 - 2 * np.arctan(r)))
    p = np.array(rows)
    p[:, -1] = p[:, 0]
    return np.stack([p[:-1, :-1], p[:-1, 1:], p[1:, 1:], p[1:, :-1]], 2)


def write_tripolar(file, nx, ny):
    corner = tripolar_corners(nx, ny)
    lon, lat = centroid(corner.reshape(-1, 4, 3))
    write_cells(file, lon.reshape(ny, nx), lat.reshape(ny, nx), corner)


def healpix_corners(nside):
    """Corners [12 nside^2, 4, 3], nested faces (K. M. Gorski et al., 2005)."""
    row, column = np.repeat([2, 3, 4], 4), np.array([1, 3, 5, 7, 0, 2, 4, 6, 1, 3, 5, 7])
    face, ix, iy = (a.ravel() for a in np.meshgrid(range(12), range(nside), range(nside), indexing="ij"))
    corner = []
    for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1)):
        x, y = (ix + dx) / nside, (iy + dy) / nside
        jr = row[face] - x - y
        nr = np.where(jr < 1, jr, np.where(jr > 3, 4 - jr, 1))
        z = np.where(jr < 1, 1 - nr**2 / 3, np.where(jr > 3, nr**2 / 3 - 1, (2 - jr) * 2 / 3))
        around = np.mod(column[face] * nr + x - y, 8)
        phi = np.where(nr < 1e-12, 0, np.pi / 4 * around / np.where(nr < 1e-12, 1, nr))
        corner.append(np.stack([np.sqrt(np.maximum(0, 1 - z * z)) * np.cos(phi), np.sqrt(np.maximum(0, 1 - z * z)) * np.sin(phi), z], -1))
    return np.stack(corner, 1)


def write_healpix(file, nside):
    corner = healpix_corners(nside)
    write_cells(file, *centroid(corner), corner)


def write_orca(file, nx, ny):
    """Column 0 is the last but one of the tripolar grid again, and the last column its second; the top row is the one below, mirrored."""
    corner = tripolar_corners(nx, ny)
    around = np.concatenate([corner[:, -1:], corner, corner[:, :1]], 1)
    folded = np.concatenate([around, np.roll(around[-1:, ::-1], 2, 2)], 0)
    lon, lat = centroid(folded.reshape(-1, 4, 3))
    write_cells(file, lon.reshape(folded.shape[:2]), lat.reshape(folded.shape[:2]), folded)


def box_corners(west, east, south, north):
    """Corners [n, 4, 3] of longitude-latitude boxes."""
    return np.stack([place(west, south), place(east, south), place(east, north), place(west, north)], 1)


def write_rows(file, lat, edge, number):
    """Rows of number[i] boxes each at latitude lat[i], between edge[i] and edge[i + 1], as a list of cells."""
    x = [2 * np.pi / n * np.arange(n) for n in number]
    width = np.repeat(2 * np.pi / np.array(number), number)
    lon, row = np.concatenate(x), np.repeat(np.arange(len(lat)), number)
    write_cells(file, lon, lat[row], box_corners(lon - width / 2, lon + width / 2, edge[row], edge[row + 1]))


def write_reduced(file, n):
    """Octahedral: 20 + 4 i cells in row i from either pole; rows at the roots of the Legendre polynomial of degree 2 n."""
    root, weight = np.polynomial.legendre.leggauss(2 * n)
    edge = np.arcsin(np.clip(np.concatenate([[-1.0], -1 + np.cumsum(weight)]), -1, 1))
    write_rows(file, np.arcsin(root), edge, [20 + 4 * min(i, 2 * n - 1 - i) for i in range(2 * n)])


def write_lmdz(file, nx, ny):
    """The first and the last row have their centres at the poles, and half the height."""
    lat = np.linspace(-np.pi / 2, np.pi / 2, ny)
    write_rows(file, lat, np.concatenate([lat[:1], (lat[1:] + lat[:-1]) / 2, lat[-1:]]), [nx] * ny)


def write_rotated(file, nx, ny):
    """40 by 40 degrees around 10 E, 50 N, in the coordinates of a pole that makes its middle the equator."""
    edge = [np.linspace(-20, 20, n + 1) * DEGREE for n in (nx, ny)]
    (x0, y0), (x1, y1) = np.meshgrid(edge[0][:-1], edge[1][:-1]), np.meshgrid(edge[0][1:], edge[1][1:])
    lon0, lat0 = 10 * DEGREE, 50 * DEGREE
    east, north = place(lon0 + np.pi / 2, 0.0), place(lon0 + np.pi, np.pi / 2 - lat0)
    axes = np.stack([place(lon0, lat0), east, north])
    corner = box_corners(*(a.ravel() for a in (x0, x1, y0, y1))).reshape(ny, nx, 4, 3) @ axes
    middle = place((x0 + x1) / 2, (y0 + y1) / 2) @ axes
    write_cells(file, *angles(middle), corner)


WRITERS = {"trip": write_tripolar, "hp": write_healpix, "orca": write_orca, "red": write_reduced, "lmdz": write_lmdz, "rot": write_rotated}


def write_cells(file, lon, lat, corner):
    """Centres [n] or [ny, nx] in radians, corners [..., k, 3], and a field, as CF."""
    x, y = angles(corner)
    x = lon[..., None] + np.mod(x - lon[..., None] + np.pi, 2 * np.pi) - np.pi  # no jump inside a cell
    with netCDF4.Dataset(file, "w", format="NETCDF3_64BIT_OFFSET") as d:
        dims = ("y", "x")[-lon.ndim:]
        for name, size in zip(dims + ("nv",), corner.shape[:-1]):
            d.createDimension(name, size)
        for name, value, bounds in (("lon", lon, x), ("lat", lat, y)):
            v = d.createVariable(name, "f8", dims)
            v.standard_name, v.units, v.bounds = {"lon": "longitude", "lat": "latitude"}[name], f"degrees_{'east' if name == 'lon' else 'north'}", name + "_bnds"
            v[:] = value / DEGREE
            d.createVariable(name + "_bnds", "f8", dims + ("nv",))[:] = bounds / DEGREE
        v = d.createVariable("one", "f8", dims)
        v.coordinates = "lon lat"
        v[:] = np.ones_like(lon)


class Grid:
    """What a file says: centres, centroids and mask, flat, radians; corners [n, k, 3], or boxes [n, 4] west, east, south, north."""

    def __init__(self, file):
        with netCDF4.Dataset(file) as d:
            field = field_of(d)
            names = getattr(field, "coordinates", "").split() or list(field.dimensions[:-3:-1])
            lon, lat = sorted((d[n] for n in names if getattr(d[n], "standard_name", "") in ("longitude", "latitude")),
                              key=lambda v: v.standard_name == "latitude")
            self.mask = ~np.ma.getmaskarray(field[:]).ravel()
            self.regular = lon.ndim == 1 and lon.dimensions != lat.dimensions
            self.box = self.corner = None
            a, b = np.array(lon[:], "f8") * DEGREE, np.array(lat[:], "f8") * DEGREE
            if self.regular:
                self.lon, self.lat = np.tile(a, b.size), np.repeat(b, a.size)
                self.boxes(d, lon, lat, a, b)
            else:
                self.lon, self.lat = a.ravel(), b.ravel()
                x, y = (np.array(d[v.bounds][:], "f8") * DEGREE for v in (lon, lat))
                self.corner = place(x, y).reshape(a.size, -1, 3)
                self.mean_lon, self.mean_lat = centroid(self.corner)

    def boxes(self, d, lon, lat, a, b):
        if hasattr(lat, "bounds"):
            edge = np.sort(np.array(d[lat.bounds][:], "f8") * DEGREE, axis=1)
        else:
            middle = (b[1:] + b[:-1]) / 2
            ends = [2 * b[0] - middle[0], 2 * b[-1] - middle[-1]]
            ends = [np.sign(e) * np.pi / 2 if abs(e) > 88 * DEGREE else e for e in ends]  # as CDO and h3ou have it
            ends = np.concatenate([ends[:1], middle, ends[1:]])
            edge = np.sort(np.stack([ends[:-1], ends[1:]], 1), axis=1)
        s, t = edge[:, 0], edge[:, 1]
        level = (t - s) / 2 + np.cos(s + t) * np.sin(t - s) / 2  # integral of cos^2, against that of sin cos
        width = 2 * np.pi / a.size
        up = np.arctan2(width * np.sin(s + t) * np.sin(t - s) / 2, level * 2 * np.sin(width / 2))
        self.mean_lon, self.mean_lat = np.tile(a, b.size), np.repeat(up, a.size)
        self.box = np.stack([self.lon - width / 2, self.lon + width / 2, np.repeat(s, a.size), np.repeat(t, a.size)], 1)


# The functions that fields are made of; radians.
def sinusoid(lon, lat):
    return 2 - np.cos(np.pi * np.arccos(np.clip(np.cos(lon) * np.cos(lat), -1, 1)) / (1.2 * np.pi))


def harmonic(lon, lat):
    return 2 + np.sin(2 * lat)**16 * np.cos(16 * lon)


def vortex(lon, lat):
    lon0, lat0, r0, d, t = 5.5, 0.2, 3.0, 5.0, 6.0
    a = np.arctan2(np.cos(lat) * np.sin(lon - lon0), np.cos(lat) * np.sin(lat0) * np.cos(lon - lon0) - np.cos(lat0) * np.sin(lat))
    b = np.arcsin(np.clip(np.sin(lat) * np.sin(lat0) + np.cos(lat) * np.cos(lat0) * np.cos(lon - lon0), -1, 1))
    rho = r0 * np.cos(b)
    speed = 3 * np.sqrt(3) / 2 / np.cosh(rho)**2 * np.tanh(rho)
    omega = np.where(rho == 0, 0, speed / np.where(rho == 0, 1, rho))
    return 2 * (1 + np.tanh(rho / d * np.sin(a - omega * t)))


def gulfstream(lon, lat):
    """The sinusoid and a meandering jet, as the command h3ou has it (tools/weights/analytic_fields.c)."""
    lon0, lat0 = -80 * DEGREE, 25 * DEGREE
    end, fade = np.hypot(78.2 * DEGREE, 25 * DEGREE), np.hypot(54.5 * DEGREE, 30.5 * DEGREE)
    dx, dy = np.mod(lon + np.pi, 2 * np.pi) - np.pi - lon0, lat - lat0
    r, angle = np.hypot(dx, dy), np.arctan2(dy, dx)
    strength = np.where(r > end, 0, 1.3) * np.where(r > fade, np.cos(np.pi / 2 * np.clip((r - fade) / (end - fade), 0, 1)), 1)
    wave = 1000 * np.sin(0.4 * (0.5 * r + angle) + 0.007 * np.cos(50 * angle) + 0.37 * np.pi)
    return sinusoid(lon, lat) + np.maximum(0, wave - 999) * strength
