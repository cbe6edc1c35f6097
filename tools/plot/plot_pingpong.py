#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""plot_pingpong.py PINGPONG.json PICTURE: draws what `h3ou bench pingpong` measured, as PNG, SVG or PDF by PICTURE's suffix.

On the left half a round trip over the size of a message, on the right the bandwidth of all pairs together: a colour for each way,
a line style and a marker for each number of pairs.
"""
import json
import sys

try:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.ticker import FuncFormatter, LogLocator
except ImportError as error:
    sys.exit(f"pictures are drawn by matplotlib, which {sys.executable} cannot load ({error}): apt install python3-matplotlib")

# Colours that stay apart for most colour-blind readers (Okabe and Ito 2008).
COLOURS = {"waitio": ["#0072b2", "#56b4e9", "#009e73", "#cc79a7", "#7a5195"], "mpi": ["#d55e00", "#e69f00", "#8c510a"], "raw": ["#6e6e6e"]}
STYLES = [("-", "o"), ((0, (4, 2)), "s"), ((0, (1, 1.5)), "^"), ((0, (5, 2, 1, 2)), "v"), ("-", "D"), ((0, (4, 2)), "P")]
ABOVE = {"raw": 1, "mpi": 2, "waitio": 3}  # drawn later: above the others


def size_text(size, _=None):
    """4096 -> 4 KB; as the table has it."""
    for unit, name in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")):
        if size >= unit:
            return f"{size / unit:g} {name}"
    return f"{size:g} B"


def colours_of(series):
    """{name: colour}, in the table's order."""
    chosen, used = {}, dict.fromkeys(COLOURS, 0)
    for s in series:
        if s["name"] not in chosen:
            ramp = COLOURS[s["kind"]]
            chosen[s["name"]] = ramp[used[s["kind"]] % len(ramp)]
            used[s["kind"]] += 1
    return chosen


def styles_of(series):
    """{number of pairs: (line style, marker)}"""
    return {n: STYLES[i % len(STYLES)] for i, n in enumerate(sorted({s["pairs"] for s in series}))}


def draw_panel(axes, series, key, title, colours, styles):
    for s in series:
        line, marker = styles[s["pairs"]]
        is_ours = s["kind"] == "waitio"
        axes.plot([p["bytes"] for p in s["points"]], [p[key] for p in s["points"]], color=colours[s["name"]], linestyle=line, marker=marker,
                  markersize=4.5, linewidth=2.2 if is_ours else 1.4, zorder=ABOVE[s["kind"]] + 2)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(LogLocator(base=2, numticks=10))
    axes.xaxis.set_major_formatter(FuncFormatter(size_text))
    axes.set_xlabel("size of a message")
    axes.set_title(title, loc="left", fontweight="bold", fontsize=11)
    axes.grid(which="major", color="#dddddd", linewidth=0.8)
    axes.grid(which="minor", axis="y", color="#efefef", linewidth=0.6)
    axes.set_axisbelow(True)


def draw_legends(figure, y, colours, styles):
    ways = [Line2D([], [], color=c, linewidth=4, label=name) for name, c in colours.items()]
    pairs = [Line2D([], [], color="#222222", linestyle=line, marker=marker, markersize=5, label=f"{n} pair{'s' * (n > 1)}")
             for n, (line, marker) in styles.items()]
    for handles, x in ((ways, 0.055), (pairs, 0.555)):
        figure.legend(handles=handles, loc="upper left", bbox_to_anchor=(x, y), ncol=min(3, len(handles)), frameon=False, fontsize=9.5)


def draw(report):
    series = [s for s in report["series"] if s["points"]]
    colours, styles = colours_of(series), styles_of(series)
    foot = 1.5 + 0.17 * len(report["notes"]) + 0.2 * (max(len(colours), len(styles)) > 3) + 0.2 * (max(len(colours), len(styles)) > 6)
    height = 5.0 + foot + 1.05  # inches: panels, what is below them, the title
    figure = Figure(figsize=(15.6, height))
    figure.subplots_adjust(left=0.06, right=0.985, top=1 - 1.05 / height, bottom=foot / height, wspace=0.14)
    half, bandwidth = figure.subplots(1, 2)
    draw_panel(half, series, "half_rtt_us", "half a round trip, slowest pair [µs]", colours, styles)
    half.set_yscale("log")
    half.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}" if v < 1e6 else f"{v:.0e}"))
    draw_panel(bandwidth, series, "bandwidth_gbs", "bandwidth one way, all pairs together [GB/s]", colours, styles)
    bandwidth.set_ylim(bottom=0)
    figure.text(0.06, 1 - 0.38 / height, "Multi-stream ping-pong", fontsize=16, fontweight="bold")
    figure.text(0.06, 1 - 0.62 / height, f"{report['where']}, {report['when']}; median of the rounds", fontsize=10)
    draw_legends(figure, (foot - 0.6) / height, colours, styles)
    for i, note in enumerate(reversed(report["notes"])):
        figure.text(0.06, (0.15 + 0.17 * i) / height, note[:190], fontsize=8.5, color="#555555")
    return figure


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    with open(arguments[0], encoding="utf-8") as f:
        report = json.load(f)
    try:
        draw(report).savefig(arguments[1], dpi=110)
    except OSError as error:
        sys.exit(f"{arguments[1]}: {error.strerror}")


if __name__ == "__main__":
    main(sys.argv[1:])
