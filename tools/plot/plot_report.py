#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""plot_report.py REPORT.json PICTURE: draws what `h3ou weights report --picture` measured, as PNG, SVG or PDF by PICTURE's suffix.

Three maps with their scales: a function on the source, on the target, and its misfit there; beside them the numbers. Coastlines are
those of GSHHG (P. Wessel and W. H. F. Smith 1996) where Debian's package python-cartopy-data is installed.
"""
import json
import pathlib
import sys

try:
    import matplotlib
    matplotlib.use("Agg")
    import numpy as np
    from matplotlib.cm import ScalarMappable
    from matplotlib.collections import LineCollection
    from matplotlib.colors import LogNorm, Normalize, to_rgb
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator
except ImportError as error:
    sys.exit(f"pictures are drawn by matplotlib, which {sys.executable} cannot load ({error}): apt install python3-matplotlib")

COASTS = pathlib.Path("/usr/share/cartopy/data/shapefiles/gshhs/c/GSHHS_c_L1.shp")
NO_COASTS = "without coastlines: apt install python-cartopy-data"
DPI = 100
WIDTH, HEIGHT = 1912, 1232  # pixels of the picture, and below of its parts: from the left and from the top
MAP_WIDTH, MAP_HEIGHT = 860, 430
PLACES = [(64, 120), (1022, 120), (64, 688)]
TEXT_LEFT, TEXT_TOP, LINE = 1022, 700, 24
COLUMNS = [0, 320, 440, 560, 680, 800]
# What a pixel shows that has no value: its colour, and the legend's words.
STATES = {"m": ("#b4b4b4", "masked"), "l": ("#e0102a", "left over by all methods"), "o": ("#f2f2f2", "outside the grid")}


def read_lines(file):
    """The parts of all lines or polygons of a shapefile (ESRI's technical description of 1998): arrays [points, 2]."""
    content, at, lines = file.read_bytes(), 100, []
    while at + 8 <= len(content):
        end = at + 8 + 2 * int.from_bytes(content[at + 4:at + 8], "big")
        if int.from_bytes(content[at + 8:at + 12], "little") in (3, 5):
            nparts, npoints = np.frombuffer(content, "<i4", 2, at + 44)
            first = np.frombuffer(content, "<i4", nparts, at + 52)
            points = np.frombuffer(content, "<f8", 2 * npoints, at + 52 + 4 * nparts).reshape(npoints, 2)
            lines += np.split(points, first[1:])
        at = end
    return lines


def read_coasts(file):
    """The coastlines of the file; [] where there is none. Edges that run to a pole only close a polygon of the map's plane."""
    if not file.is_file():
        return []
    pieces = (piece for line in read_lines(file) for piece in np.split(line, np.nonzero(np.abs(line[:, 1]) > 89.9)[0]))
    return [piece[np.abs(piece[:, 1]) <= 89.9] for piece in pieces]


def angle_text(angle, kind):
    """-75, "WE" -> 75W"""
    angle = (angle + 180) % 360 - 180 if kind == "WE" else angle
    size = f"{round(abs(angle), 2):g}"
    return size if size == "0" or (size == "180" and kind == "WE") else size + kind[int(angle > 0)]


def place_axes(figure, left, top, width, height):
    return figure.add_axes((left / WIDTH, 1 - (top + height) / HEIGHT, width / WIDTH, height / HEIGHT))


def write(figure, x, y, text, size, **how):
    """The '$' of a file's name begins no formula."""
    figure.text(x / WIDTH, 1 - y / HEIGHT, text.replace("$", r"\$"), fontsize=size * 72 / DPI, **how)


class Map:
    """A map of the JSON: what its pixels show, and their values (NaN: none)."""

    def __init__(self, of):
        self.title, self.scale = of["title"], of["scale"]
        self.shows = np.array(of["pixels"]).view("U1").reshape(len(of["pixels"]), -1)
        self.value = np.full(self.shows.shape, np.nan)
        self.value[self.shows == "v"] = of["values"]

    def image(self, norm, cmap):
        colours = matplotlib.colormaps[cmap](norm(np.ma.masked_invalid(self.value)))[..., :3]
        for state, (colour, _) in STATES.items():
            colours[self.shows == state] = to_rgb(colour)
        return colours


def value_norm(maps):
    """One scale for all that is seen on several maps."""
    values = np.concatenate([m.value[np.isfinite(m.value)] for m in maps])
    return Normalize(values.min(), values.max()) if values.size else Normalize(0, 1)


def misfit_norm(most):
    """Decades, five of them: what is smaller is pale in any case."""
    most = 10.0 ** np.ceil(np.log10(most) - 1e-9) if most and most > 0 else 1.0
    return LogNorm(1e-5 * most, most, clip=True)


def draw_scale(figure, left, top, title, norm, cmap):
    """The colour bar. All that is drawn has no dimension: its unit is 1."""
    width = 0.62 * MAP_WIDTH
    axes = place_axes(figure, left + (MAP_WIDTH - width) / 2, top, width, 15)
    is_decades = isinstance(norm, LogNorm)
    bar = figure.colorbar(ScalarMappable(norm, cmap), cax=axes, orientation="horizontal", ticks=LogLocator() if is_decades else MaxNLocator(7))
    bar.set_label(f"{title} [1]", fontsize=9.5)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.tick_params(labelsize=9)


def draw_map(figure, place, box, shown, norm, cmap, coasts):
    west, east, south, north = (box[side] for side in ("west", "east", "south", "north"))
    left, top = place
    write(figure, left, top - 11, shown.title, 16, fontweight="bold")
    axes = place_axes(figure, left, top, MAP_WIDTH, MAP_HEIGHT)
    axes.imshow(shown.image(norm, cmap), extent=(west, east, south, north), interpolation="none", aspect="auto")
    for shift in (-360, 0, 360):
        axes.add_collection(LineCollection([line + (shift, 0) for line in coasts], colors="#202020", linewidths=0.6), autolim=False)
    axes.set_xlim(west, east)
    axes.set_ylim(south, north)
    axes.xaxis.set_major_locator(MaxNLocator(7, steps=[1, 1.5, 2, 3, 5, 6, 10]))
    axes.yaxis.set_major_locator(MaxNLocator(7, steps=[1, 1.5, 2, 3, 5, 6, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: angle_text(v, "WE")))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: angle_text(v, "SN")))
    axes.grid(color="black", alpha=0.28, linewidth=0.5)
    axes.tick_params(labelsize=9)
    draw_scale(figure, left, top + MAP_HEIGHT + 32, shown.scale, norm, cmap)


def share_text(share):
    return "all" if abs(share - 1) < 1e-9 else f"{100 * share:.4f} %"


def table_of(report):
    """The rows beside the maps: lists of words; (words, True) where they are bold."""
    yield ["misfit", "mean", "RMS", "maximum", "integral"], True
    for name, f in report["functions"].items():
        yield [name, *("-" if f[k] is None else f"{f[k]:.2e}" for k in ("mean", "rms", "max", "conservation"))], False
    yield [], False
    yield ["target cells", f"{report['target']['cells']}"], True
    for by in report["served_by"][:3]:
        yield [f"by {by['method'][:24]}", f"{by['cells']}"], False
    yield ["masked", f"{report['target']['masked']}"], False
    yield ["left over", f"{report['left_over']['cells']}"], False
    yield [], False
    total = "share" if report["normalisation"] == "destarea" else "1"
    for what, value, text in ((f"rows sum to {total} within", report["row_sum_misfit"], "{:.1e}".format),
                              ("source cells kept within", report["source_cell_conservation"], "{:.1e}".format),
                              ("target area covered", report["target"]["covered_share"], share_text),
                              ("source area given", report["source"]["given_share"], share_text)):
        if value is not None:
            yield [what, text(value)], False


def draw_table(figure, report, has_coasts):
    y = TEXT_TOP + LINE
    for words, is_bold in table_of(report):
        for x, word in zip(COLUMNS, words):
            write(figure, TEXT_LEFT + x, y, word, 15, ha="right" if x else "left", fontweight="bold" if is_bold else "normal")
        y += LINE if words else LINE / 2
    handles = [Patch(facecolor=colour, edgecolor="#404040", label=text) for colour, text in STATES.values()]
    figure.legend(handles=handles, loc="upper left", bbox_to_anchor=(TEXT_LEFT / WIDTH, 1 - y / HEIGHT), ncol=3, frameon=False, fontsize=10,
                  borderpad=0, borderaxespad=0)
    if not has_coasts:
        write(figure, TEXT_LEFT, y + 2 * LINE, NO_COASTS, 13, color="#555555")


def draw(data, coasts):
    report, maps = data["report"], [Map(m) for m in data["maps"]]
    figure = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI)
    write(figure, PLACES[0][0], 38, f"{data['name'][:120]}: {report['method'][:200] or 'unknown method'}", 23, fontweight="bold")
    write(figure, PLACES[0][0], 64, f"{data['source'][:60]} ({report['source']['cells']} cells)  to  {data['target'][:60]} "
          f"({report['target']['cells']} cells), {report['normalisation']}", 15)
    values, misfits = value_norm(maps[:2]), misfit_norm(report["functions"][data["function"]]["max"])
    for place, shown, norm, cmap in zip(PLACES, maps, (values, values, misfits), ("viridis", "viridis", "YlGnBu")):
        draw_map(figure, place, data["box"], shown, norm, cmap, coasts)
    draw_table(figure, report, bool(coasts))
    return figure


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    with open(arguments[0], encoding="utf-8") as f:
        data = json.load(f)
    try:
        draw(data, read_coasts(COASTS)).savefig(arguments[1], dpi=DPI)
    except OSError as error:
        sys.exit(f"{arguments[1]}: {error.strerror}")


if __name__ == "__main__":
    main(sys.argv[1:])
