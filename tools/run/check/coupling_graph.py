# SPDX-License-Identifier: BSD-3-Clause
"""The coupling graph: which component sends which fields to which, as text and as a picture (SVG)."""
import html
import math

MEANINGS = {"SNP": "snapshot", "AVR": "mean", "ACC": "sum", "MIN": "minimum", "MAX": "maximum", "INT": "interpolated"}
# Colours of Okabe and Ito, which differ without colour sight, too.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]


def time_text(interval):
    """Seconds in the unit that reads best."""
    try:
        seconds = float(interval)
    except ValueError:
        return interval
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size and seconds % size == 0:
            return f"{seconds / size:g} {unit}"
    return f"{seconds:g} s"


class Field:
    def __init__(self, words):
        self.pair, self.line, self.put, self.get, self.interval, self.flag, self.lag, self.layers = (
            int(words[0]), int(words[1]), *words[2:6], int(words[6]), int(words[7]))

    def label(self):
        name = self.put if self.put == self.get else f"{self.put} -> {self.get}"
        every = "once" if self.interval == "once" else f"every {time_text(self.interval)}"
        layers = f", {self.layers} layers" if self.layers > 1 else ""
        return name, f"{every}, {MEANINGS.get(self.flag, self.flag)}, lag {self.lag}{layers}"


class Graph:
    def __init__(self, findings):
        self.pairs = [text.split("\t") for kind, text in findings if kind == "pair"]
        self.fields = [Field(text.split("\t")) for kind, text in findings if kind == "field"]
        self.components = list(dict.fromkeys(name for pair in self.pairs for name in (pair[1], pair[3])))

    def fields_of(self, pair):
        return [f for f in self.fields if f.pair == int(pair[0])]

    def text(self):
        for pair in self.pairs:
            yield f"{pair[1]}/{pair[2]} -> {pair[3]}/{pair[4]}   {'a table of the models' if pair[5] == 'table' else pair[5]}"
            rows = [(f"line {f.line}", *f.label()) for f in self.fields_of(pair)]
            widths = [max((len(r[i]) for r in rows), default=0) for i in range(2)]
            for row in rows:
                yield f"    {row[0]:{widths[0]}}  {row[1]:{widths[1]}}  {row[2]}"

    def places(self, width, height, margin):
        """{component: (x, y)} on an ellipse."""
        n = len(self.components)
        return {name: (width / 2 + (width / 2 - margin) * math.sin(2 * math.pi * (i + 0.75) / n),
                       height / 2 - (height / 2 - margin / 2) * math.cos(2 * math.pi * (i + 0.75) / n) * (n > 2))
                for i, name in enumerate(self.components)}

    def svg(self):
        """A picture: components as boxes, an arrow for each pair, beside it its fields."""
        n = len(self.components)
        width, height = 980, max(300 if n < 3 else 560, 180 + 34 * len(self.fields))
        places, parts = self.places(width, height, 120), []
        for number, pair in enumerate(self.pairs):
            parts += self.arrow(number, pair, places)
        for name, (x, y) in places.items():
            parts.append(f'<rect x="{x - 70:.0f}" y="{y - 22:.0f}" width="140" height="44" rx="8" fill="#fff" stroke="#222" stroke-width="2"/>'
                         f'<text x="{x:.0f}" y="{y + 6:.0f}" text-anchor="middle" font-size="17">{html.escape(name)}</text>')
        heads = "".join(f'<marker id="h{i}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">'
                        f'<path d="M0 0L10 5L0 10z" fill="{c}"/></marker>' for i, c in enumerate(COLOURS))
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">'
                f'<title>Coupling graph</title><defs>{heads}</defs><rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n')

    def arrow(self, number, pair, places):
        """The curve of a pair from one component to the other, bent to its right, and what is written at its middle."""
        (x, y), (u, v) = places[pair[1]], places[pair[3]]
        colour = COLOURS[number % len(COLOURS)]
        same = [p for p in self.pairs[:number] if {p[1], p[3]} == {pair[1], pair[3]} and p[1] == pair[1]]
        bend = 70 + 60 * len(same)
        lines = [f"{pair[2]} → {pair[4]}: {pair[5]}", *(f"{name}: {more}" for name, more in (f.label() for f in self.fields_of(pair)))]
        if pair[1] == pair[3]:
            path, at = f"M{x - 40} {y - 22}C{x - 60} {y - 100} {x + 60} {y - 100} {x + 40} {y - 22}", (x, y - 90)
        else:
            length = math.hypot(u - x, v - y) or 1
            nx, ny = -(v - y) / length, (u - x) / length
            out = bend + 6 + 7.5 * len(lines) * abs(ny) + 110 * abs(nx)  # beyond the curve's middle
            at = ((x + u) / 2 - out * nx, (y + v) / 2 - out * ny)
            cut = 78 / length if abs(u - x) > abs(v - y) else 26 / length
            a, b = (x + (u - x) * cut - 8 * nx, y + (v - y) * cut - 8 * ny), (u + (x - u) * cut - 8 * nx, v + (y - v) * cut - 8 * ny)
            path = f"M{a[0]:.0f} {a[1]:.0f}Q{(x + u) / 2 - 2 * bend * nx:.0f} {(y + v) / 2 - 2 * bend * ny:.0f} {b[0]:.0f} {b[1]:.0f}"
        found = [f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2.5" marker-end="url(#h{number % len(COLOURS)})"/>']
        for i, line in enumerate(lines):
            found.append(f'<text x="{at[0]:.0f}" y="{at[1] + 15 * (i - len(lines) / 2) + 10:.0f}" text-anchor="middle" font-size="12.5" '
                         f'fill="{colour}" stroke="#fff" stroke-width="4" paint-order="stroke">{html.escape(line)}</text>')
        return found
