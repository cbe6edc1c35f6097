# SPDX-License-Identifier: BSD-3-Clause
"""Maps of the fields that a run has kept (monitor/*.nc): first, last and their difference, as pictures inside the page. Coastlines are those of GSHHG
(P. Wessel and W. H. F. Smith 1996) where Debian's package python-cartopy-data is installed."""
import base64
import io
import math
import pathlib

try:
    import matplotlib
    matplotlib.use("Agg")
    import netCDF4
    import numpy as np
    from matplotlib.collections import LineCollection
    from matplotlib.colors import Normalize
    from matplotlib.figure import Figure
    MISSING = ""
except ImportError as error:
    MISSING = f"maps are drawn by matplotlib from files that netCDF4 reads, and one of them cannot be loaded ({error}): apt install python3-matplotlib python3-netcdf4"

COASTS = pathlib.Path("/usr/share/cartopy/data/shapefiles/gshhs/c/GSHHS_c_L1.shp")
MOST = 8  # fields


class MapError(Exception):
    """One sentence for the user."""


def read_coasts():
    """The parts of all lines or polygons of the shapefile (ESRI's technical description of 1998), without edges that run to a pole."""
    content, at, lines = COASTS.read_bytes() if COASTS.is_file() else b"", 100, []
    while at + 8 <= len(content):
        end = at + 8 + 2 * int.from_bytes(content[at + 4:at + 8], "big")
        if int.from_bytes(content[at + 8:at + 12], "little") in (3, 5):
            nparts, npoints = np.frombuffer(content, "<i4", 2, at + 44)
            first = np.frombuffer(content, "<i4", nparts, at + 52)
            points = np.frombuffer(content, "<f8", 2 * npoints, at + 52 + 4 * nparts).reshape(npoints, 2)
            lines += [piece for piece in np.split(points, first[1:]) if np.abs(piece[:, 1]).max() < 89.9]
        at = end
    return lines


class KeptField:
    """A file: what it is of, its first and its last values, and where they are."""

    def __init__(self, path):
        try:
            with netCDF4.Dataset(path) as f:
                self.read(f)
        except (OSError, RuntimeError, ValueError, KeyError, IndexError, AttributeError) as e:
            raise MapError(f"{path}: {e}") from None

    def read(self, f):
        self.component, self.field, self.side, self.partner = (str(getattr(f, f"h3ou_{k}", "")) for k in ("component", "field", "side", "partner"))
        names = [n for n, v in f.variables.items() if v.dimensions and v.dimensions[0] == "time" and n != "time"]
        if not names or not len(f.dimensions["time"]):
            raise ValueError("no values are in it")
        v = f.variables[names[0]]
        self.more = len(names) - 1
        self.layers = len(f.dimensions["layer"]) if "layer" in v.dimensions else 1
        self.times = [float(t) for t in f["time"][[0, -1]]] if len(f["time"]) > 1 else [float(f["time"][0])] * 2
        self.units = str(getattr(f["time"], "units", "s"))
        self.value_units = str(getattr(v, "units", ""))
        where = (0,) if self.layers > 1 else ()
        self.values = [np.ma.filled(np.ma.asarray(v[(i, *where)], float), math.nan) for i in (0, len(f["time"]) - 1)]
        if "lon" not in f.variables:
            raise ValueError("its cells have no coordinates, so that no map can be drawn")
        lon, lat = np.asarray(f["lon"][:], float), np.asarray(f["lat"][:], float)
        if f["lon"].dimensions != f["lat"].dimensions:  # a regular grid
            lon, lat = np.meshgrid(lon, lat)
        self.lon, self.lat = (lon.ravel() + 180.0) % 360.0 - 180.0, lat.ravel()
        self.values = [value.ravel() for value in self.values]
        if not self.lon.size == self.lat.size == self.values[0].size:
            raise ValueError("values and coordinates differ in number")

    def title(self):
        more = f", layer 1 of {self.layers}" if self.layers > 1 else ""
        more += f", component 1 of {self.more + 1}" if self.more else ""
        where = f"for {self.partner}" if self.side in ("put", "sent") else f"from {self.partner}"
        units = f" in {self.value_units}" if self.value_units else ""
        return f"{self.field}{units} ({self.side} by {self.component} {where if self.partner else ''}".rstrip() + f"{more})"


def raster_of(lon, lat, value):
    """The values on pixels: the mean of the cells that are in one, and near cells where there is none."""
    ny = int(min(180, max(18, math.sqrt(lon.size / 2) / 1.2)))
    nx = 2 * ny
    x = np.clip(((lon + 180) / 360 * nx).astype(int), 0, nx - 1)
    y = np.clip(((lat + 90) / 180 * ny).astype(int), 0, ny - 1)
    good = np.isfinite(value)
    total, count = np.zeros((ny, nx)), np.zeros((ny, nx))
    np.add.at(total, (y[good], x[good]), value[good])
    np.add.at(count, (y[good], x[good]), 1)
    some = np.zeros((ny, nx), bool)
    some[y, x] = True  # cells without a value stay empty
    for _ in range(3):
        near_total, near_count = np.zeros_like(total), np.zeros_like(count)
        for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            near_total += shifted(total, dy, dx)
            near_count += shifted(count, dy, dx)
        empty = (count == 0) & ~some & (near_count > 0)
        total[empty], count[empty] = near_total[empty], near_count[empty]
        some |= empty
    with np.errstate(invalid="ignore"):
        return total / np.where(count > 0, count, math.nan)


def shifted(a, dy, dx):
    """Round the earth, but not over the poles."""
    moved = np.roll(a, (dy, dx), (0, 1))
    if dy:
        moved[0 if dy > 0 else -1] = 0
    return moved


def picture(raster, norm, cmap, coasts):
    """A PNG as text for the page."""
    figure = Figure(figsize=(4.2, 2.6), dpi=110)
    axes = figure.add_axes((0.01, 0.2, 0.98, 0.79))
    axes.set_facecolor("#d9d9d9")
    shown = axes.imshow(raster, origin="lower", extent=(-180, 180, -90, 90), aspect="auto", interpolation="none", norm=norm, cmap=cmap)
    axes.add_collection(LineCollection(coasts, colors="#202020", linewidths=0.5), autolim=False)
    axes.set_xlim(-180, 180)
    axes.set_ylim(-90, 90)
    axes.set_xticks([])
    axes.set_yticks([])
    bar = figure.colorbar(shown, cax=figure.add_axes((0.08, 0.12, 0.84, 0.05)), orientation="horizontal")
    bar.ax.tick_params(labelsize=7)
    out = io.BytesIO()
    figure.savefig(out, format="png")
    return base64.b64encode(out.getvalue()).decode()


def value_norm(rasters):
    values = np.concatenate([r[np.isfinite(r)] for r in rasters])
    return Normalize(values.min(), values.max()) if values.size else Normalize(0, 1)


def maps_of(field, coasts):
    """[(what, picture, words)]: the last two are the same where only one time was kept."""
    first, last = (raster_of(field.lon, field.lat, v) for v in field.values)
    norm, change = value_norm([first, last]), last - first
    most = float(np.nanmax(np.abs(change))) if np.isfinite(change).any() else 1.0
    found = [("first", first, norm, "viridis"), ("last", last, norm, "viridis"), ("last minus first", change, Normalize(-most or -1, most or 1), "RdBu_r")]
    if field.times[0] == field.times[1]:
        found = found[:1]
    times = {"first": field.times[0], "last": field.times[1]}
    return [(f"{what} ({times[what]:.10g} {field.units})" if what in times else what, picture(r, n, c, coasts)) for what, r, n, c in found]


def all_maps(paths, wanted, problems):
    """[(title, [(what, picture)])] of the files, of the fields whose names are wanted (none: of all)."""
    if MISSING and paths:
        problems.append(MISSING)
        return []
    found, coasts, names, are_all = [], read_coasts() if paths else [], set(), True
    for path in paths:
        try:
            field = KeptField(path)
            names.add(field.field)
            if wanted and field.field not in wanted:
                continue
            if len(found) == MOST:
                problems.append(f"maps of the first {MOST} files are shown; --maps FIELD,... chooses others")
                are_all = False
                break
            found.append((field.title(), maps_of(field, coasts)))
        except MapError as e:
            problems.append(str(e))
            are_all = False
    for name in sorted(set(wanted) - names if are_all else ()):
        problems.append(f"--maps {name}: the run has kept no such field: it has {', '.join(sorted(names)) or 'none'}")
    return found
