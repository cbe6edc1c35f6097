# SPDX-License-Identifier: BSD-3-Clause
"""Tables of what bench/remap_quality.py and bench/remap_speed.py found, in Markdown, and the goals they are held to."""
import itertools
import re


def number(value):
    if value is None:
        return ""
    return str(value) if isinstance(value, (int, str)) else f"{value:.2g}"


def table(head, rows):
    lines = [head, ["---"] * len(head), *([number(c) for c in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def put(file, name, text):
    """Between the markers of that name."""
    marks = f"<!-- measured: {name} -->", f"<!-- end: {name} -->"
    page = file.read_text(encoding="utf-8")
    found = re.search(f"{re.escape(marks[0])}\n.*?{re.escape(marks[1])}", page, re.S)
    if not found:
        raise SystemExit(f"{file} has no markers '{marks[0]}' and '{marks[1]}'")
    file.write_text(f"{page[:found.start()]}{marks[0]}\n\n{text}\n\n{marks[1]}{page[found.end():]}", encoding="utf-8")


def agreement(found):
    rows = []
    for key, group in itertools.groupby(found, lambda r: (r["kinds"], r["mask"])):
        group = list(group)
        most = lambda name: max(r.get(name, 0) for r in group)
        rows.append([" and ".join(key[0]) + (", land masked" if key[1] else ""), len(group), sum(r["links"] for r in group), most("weight_rest"),
                     max(most("fraction_rest"), most("source_fraction_rest")), sum(r["rows"] + r.get("source_cells", 0) for r in group),
                     sum(r["judged"] for r in group), most("ours"), most("cdo"), most("conservation"), min(r["least"] for r in group)])
    return table(["grids, both directions", "pairs", "links", "weights: most apart", "fractions: most apart", "disputed cells", "judged", "ours off",
                  "CDO off", "source cell conserved to", "least weight"], rows)


def nearest(found):
    return table(["", "pairs", "targets", "another neighbour than CDO's", "of these ours farther by at most (chord)", "served by one of both only"],
                 [["nearest", len(found), sum(r["targets"] for r in found), sum(r["others"] for r in found), max(r["farther"] for r in found),
                   sum(r["unserved_by_one"] for r in found)]])


def at_or_below(a, b, slack=1e-9):
    """Ours is no worse than CDO's, rounding aside: where a function hardly varies both are nothing else."""
    return a <= b * (1 + slack) + 1e-12


def bilinear(found):
    """Pairs by kind of source: how often ours is at or below CDO's, and the middle and the worst ratio."""
    rows = []
    for (mask, where, function), group in itertools.groupby(sorted(found, key=lambda r: (r["mask"], r["where"], r["function"])),
                                                            key=lambda r: (r["mask"], r["where"], r["function"])):
        group = list(group)
        row = [where + (", land masked" if mask else ""), function, len(group)]
        for key in ("mean", "max"):
            ratio = sorted((r["ours"][key] + 1e-12) / (r["cdo"][key] + 1e-12) for r in group)
            row += [sum(at_or_below(r["ours"][key], r["cdo"][key]) for r in group), ratio[len(ratio) // 2], f"{ratio[-1]:.5f}"]
        rows.append(row)
    return table(["cells", "function", "pairs", "mean: ours at or below", "ours / CDO, median", "worst", "maximum: ours at or below", "ours / CDO, median",
                  "worst"], rows)


def orders(found):
    rows = [[r["function"], r["to"], r["method"], *(f"{v:.2e}" for v in r["mean"]), f"{r['order_mean']:.2f}", f"{r['order_max']:.2f}",
             max(r["constant"]), max(r["conservation"])] for r in found]
    return table(["function", "to", "method", *(f"mean, g = {g}" for g in found[0]["level"]), "order of the mean", "of the maximum", "constants off by",
                  "integral off by"], rows)


def times_below(found):
    return table(["lon-lat to icosahedral", *found], [["first order's mean misfit / second order's", *found.values()]])


def misfits(found):
    rows = []
    for (a, b, method), group in itertools.groupby(found, lambda r: (r["source"], r["target"], r["method"])):
        of = {(r["who"], r["function"]): r for r in group}
        for who in ("ours", "cdo"):
            if (who, "sinusoid") in of:
                row = [f"{a} to {b}", method, "CDO" if who == "cdo" else "h3ou"]
                for function in ("sinusoid", "harmonic", "vortex", "gulf stream"):
                    r = of[who, function]
                    row.append(f"{r['mean']:.1e} / {r['max']:.1e} / {r['rms']:.1e}")
                rows.append([*row, max(of[who, f]["conservation"] for f in ("sinusoid", "harmonic", "vortex", "gulf stream"))])
    return table(["grids", "method", "", "sinusoid: mean / maximum / RMS", "harmonic", "vortex", "gulf stream", "integral off by"], rows)


TABLES = {"agreement": agreement, "nearest": nearest, "bilinear": bilinear, "orders": orders, "times_below": times_below, "misfits": misfits}


def conservative_goals(found):
    kinds = [len(list(group)) for _, group in itertools.groupby(found, lambda r: (r["kinds"], r["mask"]))]
    rest = max(max(r["weight_rest"], r["fraction_rest"], r.get("source_fraction_rest", 0)) for r in found)
    disputed = [sum(r[key] for r in found) for key in ("judged", "undecided")]
    return [("at least eight pairs of grids of each two kinds", min(kinds) >= 8, f"{min(kinds)}"),
            ("weights and fractions within 1e-10 of CDO's, disputed cells aside", rest <= 1e-10, number(rest)),
            ("disputed cells: ours within 1e-10 of the third way, which can judge them", max(r["ours"] for r in found) <= 1e-10 and disputed[1] == 0,
             f"ours {max(r['ours'] for r in found):.2g}, CDO {max(r['cdo'] for r in found):.2g} off; {disputed[0]} judged, {disputed[1]} undecided"),
            ("source cells conserved to 1e-12", max(r["conservation"] for r in found) <= 1e-12, number(max(r["conservation"] for r in found))),
            ("no negative weight", min(r["least"] for r in found) >= 0, f"least {min(r['least'] for r in found):.2g}")]


def goals(result, slack):
    """(what, met, measured); slack: how far above CDO's, relatively, a bilinear misfit may be."""
    second = [r for r in result["orders"] if r["method"] == "conservative2"]
    found = conservative_goals(result["agreement"])
    found += [("second order: order of the mean misfit at least 1.9", min(r["order_mean"] for r in second) >= 1.9,
               f"{min(r['order_mean'] for r in second):.3f}"),
              ("second order: exact for constants, to 1e-12", max(map(max, (r["constant"] for r in second))) <= 1e-12,
               number(max(map(max, (r["constant"] for r in second))))),
              ("second order: globally conservative to 1e-13", max(map(max, (r["conservation"] for r in second))) <= 1e-13,
               number(max(map(max, (r["conservation"] for r in second))))),
              ("second order: sinusoid's mean misfit 5 times below the first's", result["times_below"]["sinusoid"] >= 5,
               f"{result['times_below']['sinusoid']:.1f} (vortex {result['times_below']['vortex']:.1f})")]
    for key, mask, where in itertools.product(("mean", "max"), (False, True), ("all", "polar rows")):
        group = [r for r in result["bilinear"] if r["mask"] == mask and r["where"] == where]
        if not group:
            continue
        worse = [r for r in group if not at_or_below(r["ours"][key], r["cdo"][key], slack)]
        found.append((f"bilinear, {where}{', land masked' * mask}: {key} at or below CDO's (to {slack:.0e})", not worse,
                      f"{len(group) - len(worse)} of {len(group)}" + "".join(f"; {r['source']} to {r['target']}, {r['function']}: "
                                                                           f"{r['ours'][key] / r['cdo'][key] - 1:.1e} above" for r in worse[:3])))
    near = result["nearest"]
    found.append(("nearest: as CDO's, or as near", max(r["farther"] for r in near) < 1e-8, f"farther by at most {max(r['farther'] for r in near):.1g}"))
    return [(what, bool(met), measured) for what, met, measured in found]


def goal_table(found):
    return table(["goal", "", "measured"], [[what, "met" if met else "NOT met", measured] for what, met, measured in found])
