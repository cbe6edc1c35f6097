#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""plot_simulate.py SERIES.csv PICTURE: draws what `h3ou simulate collective` wrote, as PNG, SVG or PDF by PICTURE's suffix.

The time over the size of the message, a line for each way; where a way has several segments of one size, over the segment, a line
for each way and size.
"""
import csv
import sys

try:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, LogLocator
except ImportError as error:
    sys.exit(f"pictures are drawn by matplotlib, which {sys.executable} cannot load ({error}): apt install python3-matplotlib")

# Colours that stay apart for most colour-blind readers (Okabe and Ito 2008).
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6e6e6e", "#7a5195"]
MARKERS = "os^vDPX*"


def size_text(size, _=None):
    """4096 -> 4 KB; as the tables have it."""
    for unit, name in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")):
        if size >= unit:
            return f"{size / unit:g} {name}"
    return f"{size:g} B"


def lines_of(rows):
    """Label of the x axis, and {label of a line: [(x, microseconds)]}."""
    segments = {}
    for row in rows:
        segments.setdefault((row["way"], row["bytes"]), set()).add(row["segment"])
    is_scan, lines = any(len(s) > 1 for s in segments.values()), {}
    for row in rows:
        label = f"{row['way']}, {size_text(int(row['bytes']))}" if is_scan else row["way"]
        x = int(row["segment"] if is_scan else row["bytes"]) or int(row["bytes"])  # segment 0: the whole message
        lines.setdefault(label, []).append((x, 1e6 * float(row["seconds"])))
    return "segment" if is_scan else "size of the message", lines


def draw(rows):
    figure = Figure(figsize=(7.2, 4.8))
    axes = figure.subplots()
    name, lines = lines_of(rows)
    for i, (label, points) in enumerate(lines.items()):
        axes.plot(*zip(*sorted(points)), color=COLOURS[i % len(COLOURS)], marker=MARKERS[i % len(MARKERS)], markersize=4.5, label=label)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(LogLocator(base=2, numticks=8))
    axes.xaxis.set_major_formatter(FuncFormatter(size_text))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
    axes.set_xlabel(name)
    axes.set_ylabel("time of the last member [µs]")
    jobs, processes = int(rows[0]["jobs"]), int(rows[0]["processes"])
    axes.set_title(f"{rows[0]['call']}, {processes} processes in {jobs} job{'s' * (jobs > 1)}: modelled", loc="left", fontsize=11)
    axes.grid(which="major", color="#dddddd", linewidth=0.8)
    axes.legend(frameon=False, fontsize=8.5)
    figure.tight_layout()
    return figure


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    with open(arguments[0], encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f))
    try:
        draw(rows).savefig(arguments[1], dpi=90)
    except OSError as error:
        sys.exit(f"{arguments[1]}: {error.strerror}")


if __name__ == "__main__":
    main(sys.argv[1:])
