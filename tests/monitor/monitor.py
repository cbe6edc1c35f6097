#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the monitor writes of a run, compared with what the models put and got and with integrals that NumPy computes: under each MPI,
in one job and in two, for several numbers of processes, with a full disk, and after kill -9."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import netCDF4
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_coupling monitor='all' ledger=.true. log_level='{log}' /
&h3ou_var comp_put='A', comp_get='B', grid_put='A_g', grid_get='B_g', method='conservative' /
&h3ou_var var_put='f', var_get='f', intvl=1200, lag=-1, flag='SNP', method='nearest' /
&h3ou_var var_put='f', var_get='c', intvl=1200, lag=-1, flag='SNP', method='nearest', conserve='global' /
&h3ou_var var_put='f', var_get='p', intvl=1200, lag=-1, flag='SNP', method='nearest', conserve='proportional' /
&h3ou_var var_put='g', var_get='g', intvl=1200, lag=-1, flag='AVR', conserve='global' /
&h3ou_var var_put='s', var_get='s', intvl=1200, lag=-1, flag='SNP', conserve='proportional' /
&h3ou_var var_put='t2', var_get='t2', intvl=1200, lag=-1, flag='SNP', layer=2, method='laf', conserve='global', standard_name='air_temperature', units='K' /
&h3ou_var var_put='m', var_get='m', intvl=1200, lag=-1, flag='SNP', missing=-999.0, conserve='global', long_name='a field, with gaps', units='m' /
&h3ou_var var_put='d', var_get='d', intvl=1200, lag=-1, flag='SNP', second_put='error', factor=2.0, units='km h-1', units_put='m s-1' /
&h3ou_var var_put='d', var_get='q', intvl=1200, lag=-1, flag='SNP', second_put='error', monitor='none', ledger=.false. /
&h3ou_var var_put='l', var_get='l', lag=0, flag='SNP' /
&h3ou_var var_put='e2', var_get='e2', intvl=600, lag=-1, flag='SNP', layer=2, type='real4', monitor_every=2 /
"""
PAIRS = [("f", "f"), ("f", "c"), ("f", "p"), ("g", "g"), ("s", "s"), ("t2", "t2"), ("m", "m"), ("d", "d"), ("l", "l"), ("e2", "e2")]
PUTS, GETS = ["f", "g", "s", "t2", "m", "d", "l", "e2"], ["f", "c", "p", "g", "s", "t2", "m", "d", "q", "l", "e2"]
SIDES = ("put", "sent", "received", "got")
STEPS, STEP, SIZE = 8, 600, {"A": 24 * 12, "B": 15 * 10}
COLUMNS = "model_time_s source_integral target_integral difference relative correction source_min source_mean source_max target_min " \
          "target_mean target_max".split()


def rows_of(stem, names):
    """{(field, time): [layer, cell]} of what the processes of a model put or got, the initial values left out."""
    rows = np.concatenate([np.fromfile(f, "f8").reshape(-1, 5) for f in pathlib.Path(stem.parent).glob(stem.name + ".*")])
    found = {}
    size = SIZE[stem.name]
    for number, moment in {(r[0], r[1]) for r in rows if r[1] >= 0}:
        some = rows[(rows[:, 0] == number) & (rows[:, 1] == moment)]
        values = np.full((int(some[:, 2].max()) + 1, size), np.nan)
        values[some[:, 2].astype(int), some[:, 3].astype(int) - 1] = some[:, 4]
        found[names[int(number) - 1], moment] = np.where(values == -999, np.nan, values)
    return found


def values_of(file, field):
    """{time: [layer, cell]} of a file, by the cells' indices."""
    with netCDF4.Dataset(file) as d:
        values, times = d[field][:].filled(np.nan), d["time"][:]
        values = values.reshape(len(times), -1, values.shape[-1] if "cell" in d.dimensions else values.shape[-1] * values.shape[-2])
        if "cell" in d.dimensions:
            by_index = np.empty_like(values)
            by_index[:, :, d["cell"][:] - 1] = values
            values = by_index
        return dict(zip(times, values))


def same(a, b):
    return a.shape == b.shape and np.array_equal(a, b, equal_nan=True)


def areas(nx, ny):
    edge = np.sin(np.radians(np.linspace(-90, 90, ny + 1)))
    return np.repeat(np.diff(edge) * 2 * np.pi / nx, nx)


AREA = {"A": areas(24, 12), "B": areas(15, 10)}
SEA = np.arange(SIZE["A"]) % 11 != 3
NEAREST, SOME = "fcp", ("f", "c", "p", "t2")  # by method; those that need some of the source cells only
EXACT = ("d", "l", "e2")  # what weights by areas conserve without a correction


def covered():
    """The fraction of each cell of B that A's sea covers, by the edges of both grids."""
    def common(a, b):
        return np.clip(np.minimum(a[1][None, :], b[1][:, None]) - np.maximum(a[0][None, :], b[0][:, None]), 0, None)

    def sides(first, n, whole):
        edge = first + np.linspace(0, whole, n + 1)
        return edge[:-1], edge[1:]
    east = sum(common(sides(turn, 24, 360.0), sides(7.0, 15, 360.0)) for turn in (-360.0, 0.0, 360.0))
    north = common(*(tuple(np.sin(np.radians(edge)) for edge in sides(-90.0, n, 180.0)) for n in (12, 10)))
    shared = north[:, None, :, None] * np.radians(east)[None, :, None, :]
    return (shared.reshape(SIZE["B"], SIZE["A"])[:, SEA].sum(axis=1)) / AREA["B"]


COVERED = covered()


def judge_files(folder):
    """The values of each file, against those that the models wrote."""
    found, put, got = [], rows_of(folder / "A", PUTS), rows_of(folder / "B", GETS)
    for a, b in PAIRS:
        for side in SIDES:
            file = folder / f"monitor/A.{a}.B.{b}.{side}.nc"
            if not file.exists():
                found.append(f"{file.name} is not there")
                continue
            values = values_of(file, a if side in ("put", "sent") else b)
            for moment, layer in values.items():
                before = {"e2": 600, "l": 0}.get(b, 1200)  # what was put last before the exchange
                if b == "e2" and side == "put" and moment == 0:
                    continue  # one of two is kept: the initial value
                if side == "put":
                    want = put[a, moment]
                elif side == "got":
                    want = got[b, moment]
                elif side == "received":
                    want = got[b, moment]  # all cells of B have a value
                elif moment < before or b == "g":
                    continue
                else:
                    needed = np.isfinite(layer[0]) & SEA if b in SOME else SEA
                    found += [f"{file.name}: {needed.sum()} cells are sent"] * bool(needed.sum() < 90)
                    want = np.where(needed, put[a, moment - STEP if b != "l" else moment], np.nan)
                if b == "e2":
                    want = want.astype("f4").astype("f8")
                if not same(layer, want):
                    found.append(f"{file.name} at {moment}: {np.nanmax(np.abs(layer - want)):g}")
            every, longest = (2, STEP) if b == "e2" else (1, STEP if b == "l" or side == "put" else 1200)
            sends = 1 if side == "sent" and b != "l" else 0
            awaited = (STEPS * STEP // longest + (b == "e2" and side in ("put", "sent")) * 1 + every - 1) // every + (sends and b != "e2")
            if len(values) != awaited:
                found.append(f"{file.name} has {len(values)} times, awaited {awaited}")
    left = {f.name for f in (folder / "monitor").iterdir()} - {f"A.{a}.B.{b}.{s}.nc" for a, b in PAIRS for s in SIDES}
    return found + [f"left behind or not wanted: {left}"] * bool(left)


def ledger(file):
    lines = file.read_text().splitlines()
    if lines[0].split("\t") != COLUMNS:
        raise ValueError(lines[0])
    return {float(line.split("\t")[0]): dict(zip(COLUMNS, map(float, line.split("\t")))) for line in lines[1:]}


def judge_ledger(folder):
    """The tables against integrals of what the files have; conservation to rounding; what it added."""
    found, put, got = [], rows_of(folder / "A", PUTS), rows_of(folder / "B", GETS)
    tables = {b: ledger(folder / f"ledger/A.{a}.B.{b}.tsv") for a, b in PAIRS}
    for a, b in PAIRS:
        sent = next(iter(values_of(folder / f"monitor/A.{a}.B.{b}.sent.nc", a).values()))[0]
        needed, part = np.isfinite(sent) if b in SOME else SEA, 1.0 if b in NEAREST else COVERED
        moments = [m for (name, m) in got if name == b]
        if sorted(tables[b]) != sorted(moments):
            found.append(f"{b}: the ledger has {sorted(tables[b])}")
        for moment in set(moments) & set(tables[b]):
            row = tables[b][moment]
            conserved = b in "cpgst2m"
            if b != "m":  # of which cells count in part
                values = got[b, moment]
                integral, area = (values * AREA["B"] * part).sum(), (AREA["B"] * part).sum() * len(values)
                awaited = {"target_integral": integral, "target_mean": integral / area, "target_min": values.min(), "target_max": values.max()}
            else:
                awaited = {"target_min": np.nanmin(got[b, moment]), "target_max": np.nanmax(got[b, moment])}
            if b not in "ge2" and (a, moment - STEP) in put:
                values = put[a, moment - STEP][:, needed] * (2 if b == "d" else 1)
                some, weight = np.isfinite(values), np.broadcast_to(AREA["A"][needed], values.shape)
                integral, area = (values * weight)[some].sum(), weight[some].sum()
                awaited |= {"source_integral": integral, "source_mean": integral / area, "source_min": np.nanmin(values),
                            "source_max": np.nanmax(values)}
            found += [f"{b} at {moment}: {k} is {row[k]!r}, NumPy finds {v!r}" for k, v in awaited.items()
                      if not np.isclose(row[k], v, rtol=1e-13 if b != "s" else 1e-11, atol=1e-13)]
            if conserved and abs(row["difference"]) > 1e-14 * 4 * np.pi:
                found.append(f"{b} at {moment}: {row['difference']:g} is left")
            if not conserved and row["correction"] != 0 or b == "f" and abs(row["relative"]) < 1e-6:
                found.append(f"{b} at {moment}: {row} looks as if it were corrected")
            if b in EXACT and abs(row["relative"]) > (1e-6 if b == "e2" else 1e-13):
                found.append(f"{b} at {moment}: {row['relative']:g} is not conserved by areas")
            if b == "t2" and abs(row["correction"]) < 1e-6:
                found.append(f"{b} at {moment}: nothing was corrected: {row}")
            if abs(row["target_integral"] - row["source_integral"] - row["difference"]) > 1e-13 * 4 * np.pi:
                found.append(f"{b} at {moment}: the difference is another")
    for moment in tables["f"]:
        f, c, p = (got[b, moment] for b in "fcp")
        lacks = -tables["f"][moment]["difference"]
        if not (np.allclose(c - f, lacks / (4 * np.pi), rtol=1e-12) and np.allclose(p / f, p[0, 0] / f[0, 0], rtol=1e-13)):
            found.append(f"at {moment} conserve='global' adds no number, or 'proportional' does not scale")
        if not all(np.isclose(tables[b][moment]["correction"], lacks, rtol=1e-12) for b in "cp"):
            found.append(f"at {moment} the ledger tells another correction than {lacks}")
    return found


def judge_cdo(folder):
    """cdo knows grids, bounds, times and calendar."""
    found = []
    for name, words in (("A.f.B.f.put.nc", ("lonlat", "points=288 (24x12)", "cellbounds", "circular", "8 steps", "2001-02-27 01:10:00", "lon : 7.5 to 352.5")),
                        ("A.t2.B.t2.got.nc", ("unstructured", "points=150", "nvertex=4", "cellbounds", "4 steps", "levels=2"))):
        said = subprocess.run(["cdo", "-s", "sinfon", folder / "monitor" / name], capture_output=True, text=True, timeout=200)
        found += [f"{name}: cdo does not say {w}:\n{said.stdout}{said.stderr}" for w in words if w not in said.stdout]
        if said.stdout.count(": instant") + said.stdout.count("instant  ") != 1:
            found.append(f"{name}: cdo sees other variables, too:\n{said.stdout}")
        mean = subprocess.run(["cdo", "-s", "infon", folder / "monitor" / name], capture_output=True, text=True, timeout=200)
        if mean.returncode or " t2 " not in mean.stdout and " f " not in mean.stdout:
            found.append(f"{name}: cdo infon: {mean.stdout}{mean.stderr}")
    for name, variable, wanted in (("t2.B.t2.got", "t2", ("K", "air_temperature", "t2")), ("m.B.m.put", "m", ("m", None, "a field, with gaps")),
                                   ("d.B.d.sent", "d", ("m s-1", None, "d")), ("d.B.d.received", "d", ("km h-1", None, "d")), ("f.B.f.put", "f", (None, None, "f"))):
        with netCDF4.Dataset(folder / f"monitor/A.{name}.nc") as d:
            described = tuple(getattr(d[variable], k, None) for k in ("units", "standard_name", "long_name"))
            found += [f"{name} is described by {described}"] * (described != wanted)
    with netCDF4.Dataset(folder / "monitor/A.f.B.p.received.nc") as d:
        names = (d.h3ou_component, d.h3ou_field, d.h3ou_side, d.h3ou_partner, d.h3ou_partner_field, d.h3ou_grid)
        if names != ("B", "p", "received", "A", "f", "B_g"):
            found.append(f"attributes {names}")
    return found


def run(program, folder, way, na, nb, steps=STEPS, env=None, more=(), log="WARNING"):
    folder.mkdir()
    # The first run makes the weights, the others read them.
    (folder / "c.conf").write_text(CONFIG.format(log=log).replace("monitor=", f"weights_cache='{folder.parent}/cache' monitor=", 1))
    files = [folder / "A", folder / "B"] if not more else ["-", "-"]
    return jobs.run(way, (na, program, ["A", folder / "c.conf", steps, files[0], *more]), (nb, program, ["B", folder / "c.conf", steps, files[1], *more]),
                    env={"H3OU_RUN_DIRECTORY": folder, **(env or {})})


def command(tool, folder, *options):
    return subprocess.run([tool, "fields", folder, *options], capture_output=True, text=True, timeout=200)


def check_runs(tally, program, tool, top):
    """All of it, and the same ledger whatever the number of processes and the way."""
    first = None
    (top / "cache").mkdir()
    for i, (way, na, nb) in enumerate([(w, 1 + i % 3, 3 - i % 3) for i, w in enumerate(jobs.ways())] + [(jobs.ways()[0], 4, 1)]):
        folder = top / f"run{i}"
        found = jobs.problems_of(run(program, folder, way, na, nb))
        if not found:
            made = command(tool, folder, "--quiet")
            found = [f"h3ou fields: {made.stdout}{made.stderr}"] * bool(made.returncode or made.stdout or made.stderr)
            found += judge_files(folder) + judge_ledger(folder) + (judge_cdo(folder) if i == 0 else [])
            text = {f.name: f.read_text() for f in (folder / "ledger").iterdir()}
            first = first or text
            found += [f"the ledger {name} differs from that of the first run" for name in text if text[name] != first.get(name)]
        tally.check(f"{' '.join(way)} {na}+{nb}", found)
    kept = [f.name for f in (top / "cache").iterdir()]
    tally.check("weights of three methods are kept", [] if len(kept) == 3 else [f"{kept}"])


def check_alone(tally, program, top):
    """Without a folder of the run the components make the files themselves, where they run."""
    here = os.getcwd()
    (top / "here").mkdir()
    os.chdir(top / "here")
    results = run(program, top / "alone", jobs.ways()[0], 2, 2, env={"H3OU_RUN_DIRECTORY": ""}, log="WHISPER")
    os.chdir(here)
    found = jobs.problems_of(results)
    if not found:
        for name in "AB":
            for file in (top / "alone").glob(name + ".*"):
                file.rename(top / "here" / file.name)
        found = judge_files(top / "here") if "monitored component=B files=20" in results[0].err else [results[0].err]
    tally.check("without h3ou run", found)


def check_command(tally, program, tool, top):
    """h3ou run makes the files when the jobs have ended; h3ou fields --follow while they run, and ends then."""
    folder, way = top / "command", jobs.ways()[0]
    folder.mkdir()
    (folder / "c.conf").write_text(CONFIG.format(log="WARNING"))
    job = f'[[job]]\nname = "%s"\nexecutable = "{program}.{way[1]}"\narguments = ["%s", "c.conf", "{STEPS}", "%s", "0.15"]\nlauncher = "{way[1]}"\nprocesses = 2\n'
    (folder / "RUN.toml").write_text('[run]\ndirectory = "out"\nreport = false\n' + "".join(job % (n, n, folder / "out" / n) for n in "AB"))
    (folder / "out").mkdir()
    started = subprocess.Popen([tool, "run", folder / "RUN.toml", "--no-check"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=folder,
                               env={**os.environ, **jobs.ENVIRONMENT})
    follow = None
    while started.poll() is None and not follow:
        if (folder / "out/monitor/raw").exists():
            follow = subprocess.Popen([tool, "fields", folder / "out", "--follow", "--every", "0.1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(0.02)
    said = started.communicate(timeout=200)[1]
    told = follow.communicate(timeout=200) if follow else ("", "")
    found = [f"{started.returncode} {said}"] * bool(started.returncode or "40 files of monitored fields" not in said)
    tally.check("h3ou run", found or judge_files(folder / "out") + judge_ledger(folder / "out"))
    found = [f"{follow and follow.returncode} {told}"] * bool(not follow or follow.returncode or told[1] or " files after " not in told[0])
    tally.check("h3ou fields --follow", found)
    none = command(tool, folder / "nowhere")
    tally.check("no folder", [none.stderr] * bool(none.returncode != 1 or "nowhere: no such folder" not in none.stderr))
    none = command(tool, folder, "--follow")
    tally.check("nothing to follow", [none.stderr] * bool(none.returncode != 1 or "monitor/raw: no such folder: no run writes fields here now" not in none.stderr))


def check_full_disk(tally, program, tool, top):
    """The run goes on when files may not grow any more; what was written before is made into files afterwards."""
    folder = top / "full"
    results = run(program, folder, jobs.ways()[0], 2, 2, steps=40, env={"FILE_LIMIT": 120000}, more=[0])
    found = jobs.problems_of(results)
    said = "".join(r.err for r in results)
    if said.count("can't be written: File too large; the values that follow are not kept, and the run goes on") < 2:
        found.append(f"no sentence about the full disk:\n{said}")
    if not found:
        made = command(tool, folder, "--keep")
        values = values_of(folder / "monitor/A.f.B.f.put.nc", "f") if not made.returncode else {}
        if made.returncode or not 1 < len(values) < 40:
            found.append(f"h3ou fields: {made.returncode} {made.stdout[:300]} {made.stderr[:300]}; {len(values)} times")
        results = [f for f in (folder / "monitor/raw").iterdir() if f.stat().st_size > 120000]
        found += [f"{f} is too long" for f in results]
    tally.check("full disk", found)


def check_members(tally, program, tool, top):
    """Each member of an ensemble has files of its own; the leader of its group those of what is sent."""
    folder = top / "members"
    folder.mkdir()
    (folder / "c.conf").write_text("&h3ou_coupling monitor='all' /\n&h3ou_var comp_put='A', comp_get='B', grid_put='A_g', grid_get='B_g', "
                                   "method='conservative' /\n&h3ou_var var_put='f', var_get='f', intvl=1200, flag='SNP', statistic='max' /\n")
    way = jobs.ways()[0]
    found = jobs.problems_of(jobs.run(way, (4, program, ["A", folder / "c.conf", 6, "-"]), (2, program, ["B", folder / "c.conf", 6, "-"]),
                                      env={"H3OU_RUN_DIRECTORY": folder, "MEMBERS": 2}))
    found = found or [f"h3ou fields: {m.stderr}" for m in [command(tool, folder)] if m.returncode]
    names = sorted(f.name for f in (folder / "monitor").iterdir())
    if not found and names != ["A.f.B0000.f.got.nc", "A.f.B0000.f.received.nc", "A0000.f.B.f.put.nc", "A0000.f.B.f.sent.nc", "A0001.f.B.f.put.nc"]:
        found.append(f"the files are {names}")
    if not found:
        put, sent = values_of(folder / "monitor/A0001.f.B.f.put.nc", "f"), values_of(folder / "monitor/A0000.f.B.f.sent.nc", "f")
        found += [f"sent for {t}: another value than the largest of the members" for t in (1200, 2400) if not same(sent[t], put[t - STEP])]
    tally.check("members", found)


def check_fixed(tally, program, tool, top):
    """Where no process gets a message, since all cells have a fixed value, what is received is that."""
    folder = top / "fixed"
    folder.mkdir()
    (folder / "c.conf").write_text("&h3ou_coupling monitor='received,got' /\n&h3ou_var comp_put='A', comp_get='B', grid_put='A_g', grid_get='B_g', "
                                   "method='value(value=7)' /\n&h3ou_var var_put='f', var_get='f', intvl=1200, flag='SNP' /\n")
    found = jobs.problems_of(jobs.run(jobs.ways()[0], (1, program, ["A", folder / "c.conf", 6, "-"]), (2, program, ["B", folder / "c.conf", 6, "-"]),
                                      env={"H3OU_RUN_DIRECTORY": folder}))
    found = found or [f"h3ou fields: {m.stderr}" for m in [command(tool, folder)] if m.returncode]
    if not found:
        received, got = (values_of(folder / f"monitor/A.f.B.f.{side}.nc", "f") for side in ("received", "got"))
        found += [f"{received.keys()} {got.keys()}"] * (received.keys() != got.keys() or len(got) < 2)
        found += [f"at {t}: not 7" for t in got if not (same(received[t], got[t]) and np.all(got[t] == 7))]
    tally.check("fixed values", found)


def check_long_wait(tally, program, top):
    """A wait that is much longer than those before it is told with component, field, model time and partner."""
    results = run(program, top / "slow", jobs.ways()[-1], 1, 1, steps=24, env={"SLOW_STEP": 18}, more=[0.02])
    found = jobs.problems_of(results)
    said = [line for line in results[-1].err.splitlines() if " waiting " in line]
    want = r'h3ou B\.0: waiting seconds=[123] for="field \w+ of A" peer="component A rank 0" time=\d+ median=\S+$'
    if not any(re.match(want, line) for line in said):
        found.append(f"nothing is told of a long wait:\n{results[-1].err[-2000:]}")
    tally.check("long wait", found)


def check_killed(tally, program, tool, top):
    """Of a run that was killed there are files of the times that all processes have; a damaged file is a sentence."""
    folder, way = top / "killed", jobs.ways()[0]
    folder.mkdir()
    (folder / "c.conf").write_text(CONFIG.format(log="WARNING"))
    parts = [(2, [f"{program}.{way[1]}", n, folder / "c.conf", 100000, "-", 0.01]) for n in "AB"]
    job = jobs.Job(way[1], parts, {"H3OU_RUN_DIRECTORY": folder})
    end = time.monotonic() + jobs.LONGEST
    raw = folder / "monitor/raw/B.1"
    while time.monotonic() < end and job.poll() is None and (not raw.exists() or raw.stat().st_size < 200000):
        time.sleep(0.02)
    for pid in job.seen:
        os.kill(pid, signal.SIGKILL) if jobs.is_running(pid) else None
    job.kill()
    cut = raw.stat().st_size - 5
    os.truncate(raw, cut)
    made = command(tool, folder)
    found = []
    if made.returncode or "B.1: ends in the middle of a record, which is left out" not in made.stdout:
        found.append(f"h3ou fields: {made.returncode} {made.stdout} {made.stderr}")
    else:
        values = values_of(folder / "monitor/A.f.B.f.got.nc", "f")
        found += [] if len(values) > 5 and all(np.isfinite(v).all() for v in values.values()) else [f"{len(values)} times"]
    with open(raw, "r+b") as f:
        f.seek(8)
        f.write(b"\7")
    made = command(tool, folder)
    if made.returncode != 1 or "B.1: is of version 7, this h3ou reads version 1" not in made.stderr:
        found.append(f"another version: {made.returncode} {made.stderr}")
    with open(raw, "r+b") as f:
        f.seek(8)
        f.write(b"\1")
        f.seek(f.read(400).index(b"cells=") + 9 + 6)
        f.write(b"9")
    made = command(tool, folder)
    if made.returncode != 1 or "B.1: is no file of monitored fields, or damaged" not in made.stderr:
        found.append(f"damaged: {made.returncode} {made.stderr}")
    tally.check("kill -9", found)


def check_refused(tally, program, tool, top, has_check):
    """Keys that do not fit are refused with a sentence."""
    found = []
    for i, (key, want) in enumerate((("conserve='globl'", "conserve='globl': it is 'none', 'global' or 'proportional', did you mean 'global'"),
                                     ("monitor='gto'", "monitor='gto': it is 'none', 'all', or some of put, sent, received, got"),
                                     ("monitor_every=0", "monitor_every: it is 1 or more"),
                                     ("flag='INT', conserve='global'", "conserve='global' and flag='INT'"))):
        folder = top / f"refused{i}"
        folder.mkdir()
        file = folder / "c.conf"
        flag = "" if "flag" in key else ", flag='SNP'"
        file.write_text("&h3ou_var comp_put='A', comp_get='B', grid_put='A_g', grid_get='B_g', method='nearest' /\n"
                        f"&h3ou_var var_put='f', var_get='f', intvl=1200{flag}, {key} /\n")
        said = has_check and subprocess.run([tool, "check", file], capture_output=True, text=True, timeout=200)
        text = has_check and said.stdout + said.stderr
        if has_check and (said.returncode != 1 or f"{file}:2: h3ou_var: {want}" not in text):
            found.append(f"{key}: {said.returncode} {text}")
    file.write_text("&h3ou_var comp_put='A', comp_get='B', grid_put='A_g', grid_get='B_g', method='nearest' /\n"
                    "&h3ou_var var_put='f', var_get='f', intvl=1200, flag='SNP', conserve='global' /\n")
    for env, want in (({"CENTRES": 1}, "conserve needs the areas of the cells of grid [AB]_g of [AB]: give its corners or its areas"),
                      ({"MEMBERS": 2}, "conserve is not supported in this version between A and B, which have different numbers of members")):
        results = jobs.run(jobs.ways()[0], (2, program, ["A", file, 2, "-"]), (1, program, ["B", file, 2, "-"]), env=env)
        if results[0].code == 0 or not re.search(f"{file}:2: field f: {want}", results[0].err):
            found.append(f"{env}: {results[0].code} {results[0].err}")
    tally.check("keys that are refused", found)


def main(program, tool, *more):
    program, tool = str(pathlib.Path(program).resolve()), str(pathlib.Path(tool).resolve())
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        check_runs(tally, program, tool, top)
        check_alone(tally, program, top)
        check_command(tally, program, tool, top)
        check_full_disk(tally, program, tool, top)
        check_members(tally, program, tool, top)
        check_fixed(tally, program, tool, top)
        check_long_wait(tally, program, top)
        check_killed(tally, program, tool, top)
        check_refused(tally, program, tool, top, bool(more))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
