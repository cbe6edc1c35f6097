#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Weights made in the coupled run: the same bits for every number of processes and every way to deal the cells out, close to
the fields that were put, with nothing undefined reaching a model; the cache; what cannot be done is said."""
import os
import pathlib
import re
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_coupling log_level="{log}" weights_cache="{cache}" /
&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=1, {keys} /
"""
VARS = {"f": "&h3ou_var var_put='f', var_get='f', intvl=600, lag=-1, flag='SNP' {} /\n",
        "s": "&h3ou_var var_put='s', var_get='s', intvl=600, lag=-1, flag='SNP' {} /\n",
        "h": "&h3ou_var var_put='h', var_get='h', intvl=600, lag=-1, flag='SNP', missing=-999.0 {} /\n",
        "v": "&h3ou_var var_put_vec='v', var_get_vec='v', intvl=600, lag=-1, layer=2, flag='SNP' {} /\n"}
# stack, further keys, source, target, variables, largest error of f, how targets are served (a count that must not be 0)
CASES = [
    ("conservative", "", "triangles:4", "boxes:20:10", "fsv", 0.06, None),
    ("conservative", "norm='destarea'", "boxes:24:12", "triangles:3", "f", 0.09, None),
    ("conservative2", "", "triangles:4", "boxes:20:10", "fv", 0.06, None),
    ("conservative2", "limit=.true.", "boxes:36:18", "triangles:3", "fh", 0.02, None),
    ("laf,nearest", "", "triangles:4m", "boxes:20:10", "fv", 1.0, "nearest"),
    ("bilinear,nearest", "", "boxes:36:18m", "triangles:3m", "fvh", 0.1, "nearest"),
    ("barycentric", "", "triangles:4", "boxes:20:10r", "fv", 0.01, None),
    ("bicubic,bilinear,nearest", "", "boxes:36:18", "points:400", "f", 0.002, None),
    ("distance(n=4)", "", "points:900", "boxes:20:10", "fs", 0.06, None),
    ("nearest", "", "boxes:36:18m", "points:500", "f", 1.0, None),
    ("conservative", "extrapolate='creep'", "triangles:4m", "boxes:30:15", "f", 1.0, "creep"),
    ("conservative", "extrapolate='creep,value(value=-5)'", "triangles:4m", "boxes:30:15m", "f", 1.0, None),
    ("conservative,value(value=-5)", "", "triangles:4m", "boxes:30:15", "f", 8.0, "value"),
    ("distance(n=4)", "", "points:1200d", "boxes:20:10", "f", 0.15, None),
    ("conservative", "norm='destarea'", "boxes:37:18d", "triangles:3", "f", 0.09, None),
    ("radial(n=9),average(n=3)", "", "points:900", "boxes:20:10", "f", 0.1, None),
]
PROCS = [((1, 1), "block", "block"), ((2, 3), "cyclic", "mixed"), ((4, 2), "mixed", "block"), ((3, 1), "block", "cyclic")]


def read(stem, size, nvar):
    parts = [np.fromfile(f"{stem}.{r}", "f8").reshape(-1, 1 + 4 * nvar) for r in range(size)]
    rows = np.concatenate(parts)
    return rows[np.argsort(rows[:, 0])]


def write_config(folder, keys, variables, cache="", log="WHISPER", more=""):
    path = pathlib.Path(folder, "run.conf")
    path.write_text(CONFIG.format(keys=keys, cache=cache, log=log) + "".join(VARS[v].format(more) for v in variables))
    return path


def go(way, program, config, source, target, procs, deals, stem, env=None):
    a = (procs[0], program, ["A", config, source, deals[0], stem])
    b = (procs[1], program, ["B", config, target, deals[1], stem])
    return jobs.run(way, a, b, env=env)


def go_alone(mpi, program, config, source, target, procs, deals, stem, env=None):
    """One component that exchanges between two of its own grids."""
    config.write_text(config.read_text().replace('comp_put="A", comp_get="B"', 'comp_put="S", comp_get="S"'))
    command = [f"{program}.{mpi}", "S", config, source, deals[0], stem, target, deals[1]]
    return jobs.wait_all([jobs.Job(mpi, [(procs, command)], env)])


def judge(rows, variables, limit, is_masked):
    """Against the fields themselves; nothing may be the 77 that the model had, but in masked cells."""
    found = []
    if is_masked:
        sea = rows[:, 4] != 0
        if (rows[~sea][:, 1] != 77).any():
            found.append("masked cells were changed")
        rows = rows[sea]
    for k, name in enumerate(variables):
        u, v, exact, second = rows[:, 1 + 4 * k:5 + 4 * k].T
        if (u == 77).any():
            found.append(f"{name}: {int((u == 77).sum())} cells were left alone")
        if name == "v":
            error = np.nanmax(np.abs(np.stack([u - exact, v - second])))
        elif name == "h":
            error = np.abs(u - exact)[u != -999].max()
        else:
            error = np.nanmax(np.where(u == -5, 0, np.abs(u - exact)))
        if not error < (limit if name in "fv" else max(limit, 0.3)):
            found.append(f"{name}: error {error:.3g}, at most {limit} awaited")
    return found


BATCH = 4  # cases that one run makes, each between grids of its own


def write_batch(folder, cases):
    """The namelist of several cases: the grids and fields of the second one end in 2, and so on."""
    text = '&h3ou_coupling log_level="WHISPER" weights_cache="" /\n'
    for k, (stack, keys, _, _, variables, _, _) in enumerate(cases):
        end = f"{k + 1}" if k else ""
        text += (f'&h3ou_var comp_put="A", comp_get="B", grid_put="A_g{end}", grid_get="B_g{end}", mapping_tag=1, '
                 f"method='{stack}', {keys} /\n")
        text += "".join(re.sub(r"(var_\w+)='(\w)'", rf"\g<1>='\g<2>{end}'", VARS[v].format("")) for v in variables)
    path = pathlib.Path(folder, "run.conf")
    path.write_text(text)
    return path


def rows_of(stem, number, procs, variables):
    return read(f"{stem}-{number + 1}" if number else stem, procs, len(variables))


def judge_case(case, rows, said):
    stack, _, _, target, variables, limit, served = case
    found = judge(rows, variables, limit, target.endswith('m'))
    if not said:
        found.append("the log does not say weights-made")
    elif served and not int(re.search(rf"{served}=(\d+)", said[0])[1]) > 0:
        found.append(f"nothing was served by {served}: {said[0]}")
    return found


def batch_of_methods(tally, program, folder, number, cases):
    first = {}
    grids = ["+".join(c[k] for c in cases) for k in (2, 3)]
    for i, (procs, *deals) in enumerate(PROCS):
        ways = jobs.ways()
        way = ways[(number + i) % len(ways)]
        stem = pathlib.Path(folder, f"got{number}.{i}")
        results = go(way, program, write_batch(folder, cases), *grids, procs, deals, stem, {"H3OU_PLAN_CHUNK": 1000})
        problems = jobs.problems_of(results)
        log = results[-1].err + results[0].err
        for k, case in enumerate(cases):
            found = list(problems)
            if not found:
                rows = rows_of(stem, k, procs[1], case[4])
                if rows.tobytes() != first.setdefault(k, rows).tobytes():
                    found.append(f"{int((rows != first[k]).any(axis=1).sum())} of {len(rows)} cells differ from one process each")
                found += judge_case(case, rows, re.search(rf"weights-made from=A/A_g{k + 1 if k else ''} .*", log))
            tally.check(f"{case[0]} {case[1]} {case[2]} -> {case[3]} {procs} {' '.join(way)}", found)
    procs, mpi = (1, 2, 3, 5)[number % 4], jobs.MPIS[number // 2 % len(jobs.MPIS)]
    stem = pathlib.Path(folder, f"got{number}.own")
    problems = jobs.problems_of(go_alone(mpi, program, write_batch(folder, cases), *grids, procs, PROCS[number % 4][1:], stem, {"H3OU_PLAN_CHUNK": 1000}))
    for k, case in enumerate(cases):
        found = list(problems)
        if not found and rows_of(stem, k, procs, case[4]).tobytes() != first.get(k, np.empty(0)).tobytes():
            found.append("other bits than with two components")
        tally.check(f"{case[0]} {case[1]} {case[2]} -> {case[3]} inside one component, {procs} {mpi}", found)


def methods(tally, program, folder):
    for number in range(0, (len(CASES) + BATCH - 1) // BATCH):
        batch_of_methods(tally, program, folder, number, CASES[BATCH * number:BATCH * (number + 1)])


def left_over(tally, program, folder):
    """What no method serves is NaN, or the missing value, and the log counts it and says where."""
    for keys, test in (("", np.isnan), (", missing=-1.5", lambda x: x == -1.5)):
        config = write_config(folder, f"method='conservative'{keys}", "f")
        stem = pathlib.Path(folder, "left")
        results = go(jobs.ways()[0], program, config, "boxes:36:18m", "boxes:20:10", (2, 2), ("block", "block"), stem)
        found = jobs.problems_of(results)
        if not found:
            rows = read(stem, 2, 1)
            n = int(test(rows[:, 1]).sum())
            said = re.search(r"left=(\d+) first=(\d+) at=", results[0].err)
            if n == 0 or not said or int(said[1]) != n:
                found.append(f"{n} cells are missing, the log says: {results[0].err}")
            elif not test(rows[int(said[2]) - 1, 1]):
                found.append("the first cell that the log names is not missing")
        tally.check(f"what is left over{keys}", found)


def nobody_has_all(tally, program, folder):
    """Of a source much finer than what a target process covers, only a part comes."""
    config = write_config(folder, "method='conservative'", "f", log="LOUD")
    results = go(jobs.ways()[0], program, config, "triangles:6", "boxes:40:20", (2, 6), ("cyclic", "block"),
                 pathlib.Path(folder, "part"), {"H3OU_PROGRESS_DELAY": 0})
    found = jobs.problems_of(results)
    if not re.search(r"^h3ou B.0: weights-progress from=A/A_g to=B/B_g method=conservative done=100% of=\d+$", results[0].err, re.M):
        found.append("the log does not say how far the making of weights is")
    counts = [(int(a), int(b)) for a, b in re.findall(r"matched .*cells=(\d+) of=(\d+)", results[0].err)]
    if not found and (len(counts) != 6 or any(a > b / 2 for a, b in counts) or sum(a for a, _ in counts) < counts[0][1]):
        found.append(f"cells that came, of all: {counts}\n{results[0].err[-2000:]}")
    tally.check("no process gets the whole source grid", found)
    # The search knew the owners: rows go to the plan without being dealt out as entries of a table.
    plans = re.findall(r"plan pair=.* role=(\w+) .*table=(\w+)", results[0].err)
    awaited = [("receive", "made")] * 6 + [("send", "made")] * 2
    tally.check("made rows become the plan with the owners that the search knew", [] if sorted(plans) == awaited else [f"plans: {plans}"])


def far_targets(tally, program, folder):
    """Targets far from all sources that take part get the nearest of them, without most of the other grid being sent."""
    one, many = (jobs.ways()[0], (1, 1), ("block", "block")), (jobs.ways()[-1], (3, 4), ("cyclic", "mixed"))
    for stack, source, runs in (("nearest", "boxes:90:45i", (one, many)), ("distance(n=5)", "triangles:5i", (many,))):
        config, first = write_config(folder, f"method='{stack}'", "f", log="LOUD"), None
        for way, procs, deals in runs:
            stem = pathlib.Path(folder, "far")
            results = go(way, program, config, source, "region:30:30", procs, deals, stem)
            found = jobs.problems_of(results)
            counts = [tuple(map(int, c)) for c in re.findall(r"matched .*cells=(\d+) of=(\d+) rounds=(\d+)", "".join(r.err for r in results))]
            if not found:
                rows = read(stem, procs[1], 1)
                first = rows if first is None else first
                if len(counts) != procs[1] or any(n > of / 3 or rounds > 2 for n, of, rounds in counts):
                    found.append(f"cells that came, of all, in rounds: {counts}")
                if rows.tobytes() != first.tobytes() or (rows[:, 1] == 77).any():
                    found.append("other bits than with one process each, or cells that were not served")
            tally.check(f"far targets by {stack} {procs} {' '.join(way)}", found)


def masked_cells_anywhere(tally, program, folder):
    """Corners of masked cells, which nobody uses and which may be anything, change neither a bit nor how many cells are sent."""
    for stack, target in (("conservative2,nearest", "triangles:4"), ("bilinear,distance", "points:900")):
        config, first, sent = write_config(folder, f"method='{stack}'", "f", log="LOUD"), None, None
        for letters in ("m", "mw"):
            stem = pathlib.Path(folder, "wild")
            results = go(jobs.ways()[len(stack) % len(jobs.ways())], program, config, f"boxes:96:48{letters}", target, (2, 4),
                         ("cyclic", "block"), stem)
            found = jobs.problems_of(results)
            counts = [int(c) for c in re.findall(r"matched .*cells=(\d+) of=", "".join(r.err for r in results))]
            if not found:
                rows = read(stem, 4, 1)
                first, sent = (rows, sum(counts)) if first is None else (first, sent)
                if rows.tobytes() != first.tobytes():
                    found.append(f"{int((rows != first).any(axis=1).sum())} cells differ from those of good corners")
                if len(counts) != 4 or sum(counts) > 1.2 * sent:
                    found.append(f"cells that came: {counts}, in all {sent} with good corners")
            tally.check(f"{stack} with masked cells {letters}", found)


def waiting_is_no_work(tally, program, folder):
    """The time that making weights took does not count how much later the sender came."""
    config = write_config(folder, "method='nearest'", "f")
    late = 5
    for way in jobs.ways()[:len(jobs.MPIS)]:
        a = (1, program, ["A", config, "boxes:20:10", "block", pathlib.Path(folder, "late"), str(late)])
        b = (1, program, ["B", config, "boxes:18:9", "block", pathlib.Path(folder, "late")])
        results = jobs.run(way, a, b)
        found = jobs.problems_of(results)
        said = re.search(r"weights-made .*seconds=([0-9.]+)", results[-1].err)
        if not found and (not said or float(said[1]) > late / 2):
            found.append(f"the sender came {late} s late, and the log says: {said and said[0]}")
        tally.check(f"waiting is no work ({' '.join(way)})", found)


def per_variable(tally, program, folder):
    """A variable's own method wins over the pair's."""
    path = pathlib.Path(folder, "run.conf")
    path.write_text(CONFIG.format(keys="method='nearest'", cache="", log="WHISPER") + VARS["f"].format("") +
                    VARS["s"].format(", method='conservative'"))
    stem = pathlib.Path(folder, "own")
    results = go(jobs.ways()[-1], program, path, "triangles:4", "boxes:20:10", (2, 2), ("block", "block"), stem)
    found = jobs.problems_of(results)
    if not found:
        said = re.findall(r"weights-made .*method=\"([^\"]*)\"", results[0].err + results[1].err)
        if sorted(said) != ["conservative", "nearest"]:
            found.append(f"made: {said}")
        rows = read(stem, 2, 2)
        if np.nanmax(np.abs(rows[:, 1] - rows[:, 5])) == 0:
            found.append("both variables are the same")
    tally.check("a variable's own method", found)


def cache(tally, program, folder):
    store = pathlib.Path(folder, "store")
    store.mkdir()
    config = write_config(folder, "method='conservative,value(value=-5)'", "f", cache=store)

    def once(source, procs, deals):
        stem = pathlib.Path(folder, "cached")
        results = go(jobs.ways()[0], program, config, source, "boxes:20:10", procs, deals, stem)
        found = jobs.problems_of(results)
        return found, None if found else read(stem, procs[1], 1), results[0].err

    found, first, err = once("triangles:4m", (2, 3), ("cyclic", "mixed"))
    files = list(store.iterdir())
    if not found and (len(files) != 1 or "cache-written" not in err):
        found.append(f"files {files}\n{err}")
    tally.check("cache: written", found)
    for procs, deals in (((1, 1), ("block", "block")), ((3, 4), ("mixed", "cyclic"))):
        found, rows, err = once("triangles:4m", procs, deals)
        if not found and (rows.tobytes() != first.tobytes() or "source=" + str(files[0]) not in err):
            found.append(f"not from the file, or other bits\n{err}")
        tally.check(f"cache: the same bits from the file {procs}", found)
    stem = pathlib.Path(folder, "own")
    [result] = go_alone(jobs.MPIS[-1], program, config, "triangles:4m", "boxes:20:10", 3, ("cyclic", "block"), stem)
    found = jobs.problems_of([result])
    if not found and (read(stem, 3, 1).tobytes() != first.tobytes() or "source=" + str(files[0]) not in result.err):
        found.append(f"not from the file, or other bits\n{result.err}")
    tally.check("cache: the same bits from the file inside one component", found)
    config = write_config(folder, "method='conservative,value(value=-5)'", "f", cache=store)
    found, rows, err = once("triangles:4", (2, 2), ("block", "block"))
    if not found and (len(list(store.iterdir())) != 2 or "source=made" not in err):
        found.append(f"a changed mask met the file\n{err}")
    tally.check("cache: a changed mask misses", found)
    size = files[0].stat().st_size
    for name, damage in (("truncated", lambda: os.truncate(files[0], size - 100)), ("half", lambda: os.truncate(files[0], size // 2)),
                         ("another's", lambda: files[0].write_bytes(b"nothing of ours"))):
        damage()
        found, rows, err = once("triangles:4m", (2, 2), ("block", "block"))
        if not found and (rows.tobytes() != first.tobytes() or "cache-ignored" not in err or "cache-written" not in err):
            found.append(f"{err}")
        tally.check(f"cache: {name} is made anew", found)
    config = write_config(folder, "method='conservative'", "f", cache="/proc/nowhere")
    found, rows, err = once("triangles:4m", (2, 2), ("block", "block"))
    if not found and "cache-not-written" not in err:
        found.append(err)
    tally.check("cache: a folder that cannot be written is no error", found)


REFUSED = (
    ("method='conservative'", "points:100", "boxes:20:10", r"run.conf:2: method conservative: grid A_g of component A has no corners: give lon_corners and lat_corners to h3ou_grid_corners"),
    ("method='conservative'", "boxes:20:10", "points:100", r"grid B_g of component B has no corners"),
    ("method='barycentric'", "points:100", "boxes:20:10", r"points|corners"),
    ("method='conservativ'", "boxes:20:10", "boxes:20:10", r"did you mean 'conservative'"),
    ("method='creep'", "boxes:20:10", "boxes:20:10", r"method creep"),
    ("method='bilinear'", "boxes:20:10f", "boxes:20:10", r"grid A_g: fold is stated, but its last row of 20 cells does not meet"),
    ("norm='area'", "boxes:20:10", "boxes:20:10", r"run.conf:2: h3ou_var: unknown norm 'area', did you mean 'fracarea'"),
    ("extrapolate='nearest'", "boxes:20:10", "boxes:20:10", r"extrapolate='nearest' needs a method"),
)


def refused(tally, program, folder):
    def run(number, way):
        keys, source, target, _ = REFUSED[number]
        place = pathlib.Path(folder, f"no{number}{'.'.join(way)}")
        place.mkdir()
        return go(way, program, write_config(place, keys, "f"), source, target, (2, 2), ("block", "block"), pathlib.Path(place, "no"))

    runs = [(number, way) for number in range(len(REFUSED)) for way in (jobs.ways()[0], jobs.ways()[-1])]
    for (number, way), results in zip(runs, jobs.side_by_side(run, runs)):
        keys, source, target, sentence = REFUSED[number]
        said = "".join(r.err for r in results)
        found = [] if re.search(sentence, said) and all(r.code for r in results) else [said]
        found += [f"left {r.left}" for r in results if r.left or r.timed_out]
        tally.check(f"refused: {keys} {source} -> {target} {' '.join(way)}", found)


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        for part in (methods, left_over, nobody_has_all, far_targets, masked_cells_anywhere, waiting_is_no_work, per_variable, cache, refused):
            if len(sys.argv) < 3 or part.__name__ in sys.argv[2:]:
                part(tally, program, folder)
                for f in pathlib.Path(folder).glob("got*"):
                    f.unlink()
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
