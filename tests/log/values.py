#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""At log level LOUD both components tell the least, mean and largest value of each exchange, and how many are missing, over all
their processes: the same as NumPy finds in what was put and got."""
import pathlib
import re
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_coupling log_level="{log}" /
&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", method='conservative' /
&h3ou_var var_put='f', var_get='f', intvl=600, lag=-1, flag='SNP' /
&h3ou_var var_put='s', var_get='s', intvl=600, lag=-1, flag='SNP', missing=-999.0 /
&h3ou_var var_put='h', var_get='h', intvl=600, lag=-1, flag='SNP', missing=-999.0 /
&h3ou_var var_put_vec='v', var_get_vec='v', intvl=600, lag=-1, layer=2, flag='SNP' /
"""
NX, NY = 36, 18
LINE = re.compile(r"h3ou (\w)\.(\d+): (sent|got) field=(\w+)(?: component=(\d))? \w+=\w time=0 values=(\d+) missing=(\d+)"
                  r" min=(\S+) mean=(\S+) max=(\S+)$", re.M)


def put():
    """What remap_model.c puts into cells that take part: of each field its values with layers, of which NaN are missing."""
    cell = np.arange(NX * NY)
    a, b = np.radians((cell % NX + 0.5) * 360 / NX), np.radians(-90 + (cell // NX + 0.5) * 180 / NY)
    x = np.array([np.cos(b) * np.cos(a), np.cos(b) * np.sin(a), np.sin(b)])
    w = np.cross([0.4, -0.5, 0.77], x.T).T
    east = np.array([-np.sin(a), np.cos(a), 0 * a])
    north = np.array([-np.sin(b) * np.cos(a), -np.sin(b) * np.sin(a), np.cos(b)])
    sea = ~((x[0] > 0.75) | ((x[1] > 0.97) & (b > 0)))
    f, u, v = 2 + x[0] * x[1] + 0.5 * x[2], (w * east).sum(0), (w * north).sum(0)
    fields = [f, np.where(cell % 5 == 0, np.nan, f), np.where(x[1] > 0.8, np.nan, f), u, v]
    f, h, s, u, v = (a[sea] for a in fields)
    return {("f", None): f, ("h", None): h, ("s", None): s, ("v", 1): np.concatenate([u, 2 * u]), ("v", 2): np.concatenate([v, 2 * v])}


def got(stem, size):
    rows = np.concatenate([np.fromfile(f"{stem}.{r}", "f8").reshape(-1, 17) for r in range(size)])
    f, s, h, u, v = (np.where(rows[:, k] == -999, np.nan, rows[:, k]) for k in (1, 5, 9, 13, 14))
    return {("f", None): f, ("h", None): h, ("s", None): s, ("v", 1): np.concatenate([u, 2 * u]), ("v", 2): np.concatenate([v, 2 * v])}


def differences(said, awaited):
    found = []
    for key, values in awaited.items():
        some = values[np.isfinite(values)]
        numbers = (len(some), len(values) - len(some), some.min(), some.mean(), some.max())
        if key not in said:
            found.append(f"{key}: nothing was told")
        elif not np.allclose(said[key], numbers, rtol=1e-7, atol=1e-7):
            found.append(f"{key}: told {said[key]}, it is {numbers}")
    return found


def judge(text, stem, size):
    """All is told once, by rank 0."""
    told = {"A": {}, "B": {}}
    found = []
    for who, rank, event, field, component, *numbers in LINE.findall(text):
        key = field, int(component) if component else None
        if rank != "0" or key in told[who] or (who, event) not in (("A", "sent"), ("B", "got")):
            found.append(f"{who}.{rank} {event} {key}: by another rank or twice")
        told[who][key] = tuple(map(float, numbers))
    return found + differences(told["A"], put()) + differences(told["B"], got(stem, size))


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config, stem = pathlib.Path(folder, "c.conf"), pathlib.Path(folder, "got")
        for way in jobs.ways():
            for na, nb, log in ((1, 1, "LOUD"), (2, 3, "LOUD"), (2, 2, "WHISPER")):
                config.write_text(CONFIG.format(log=log))
                results = jobs.run(way, (na, program, ["A", config, f"boxes:{NX}:{NY}m", "cyclic", stem]),
                                   (nb, program, ["B", config, "triangles:3", "mixed", stem]))
                found = jobs.problems_of(results)
                text = "".join(r.err for r in results)
                if not found:
                    found = judge(text, stem, nb) if log == "LOUD" else LINE.findall(text)
                tally.check(f"{' '.join(way)} {na}+{nb} {log}", found)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
