#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check.py H3OU MODEL SIZED_MODEL: h3ou check finds errors of a run before it starts, each with its file and line, in the sentence that the run itself
would end with, by the files alone and by the record of a run; and draws who sends what to whom."""
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / folder) for folder in ("lib", "faults")]
import netCDF4

import jobs
from faults import GOOD, INPUT

H3OU, MODEL, SIZED = sys.argv[1:4]
RUN = pathlib.Path(H3OU).parent.parent / "libexec/h3ou/run"  # as the command has it
sys.path[:0] = [str(RUN), str(RUN / "check")]
import findings

# What every sentence says besides the file and the line: what is allowed there, or what to do.
REMEDY = re.compile(r"did you mean '|: (write|give|choose|make|leave|add|name|remove|pass|let|it is|it needs|must be|a variable needs) |known are|it knows: |such as "
                    r"|is '\w+' or '|\bis '.*\), '|a text: '|: 'SNP'|needs (an? |comp_put)|send one of|the smallest value, then|must stand first|get 'same'|is SILENT, "
                    r"|a / is missing|write one|in seconds; the field|must have")
# What is changed in GOOD, and what is said then: its line, and the sentence.
VAR = "var_put=\"atmos_v\", var_get=\"atmos_v\", intvl=1200, lag=-1, layer=1, flag='SNP'"
PAIR = 'comp_put="atmos", comp_get="ocean", grid_put="atmos_g", grid_get="ocean_g", mapping_tag=1'
CASES = [
    (VAR, VAR.replace("intvl", "intervl"), 3, r"unknown key of h3ou_var 'intervl', did you mean 'intvl'\?"),
    (VAR, VAR.replace("SNP", "MEDIAN"), 3, "flag is 'SNP'"), (VAR, VAR.replace(", flag='SNP'", ""), 3, "key 'flag' is missing"),
    (VAR, VAR.replace("1200", "'6 weeks'"), 3, "intvl=6 weeks: the interval is"), (VAR, VAR.replace("1200", "0"), 3, "intvl=0: the interval is"),
    (VAR, VAR.replace("1200", "-5"), 3, "intvl"), (VAR, VAR.replace("1200", "abc"), 3, "is not a number of seconds|intvl"),
    (VAR, VAR.replace("layer=1", "layer=0"), 3, "layer"), (VAR, VAR.replace("layer=1", "layer=x"), 3, "key 'layer'"),
    (VAR, VAR.replace("lag=-1", "lag=1.5"), 3, "key 'lag'"), (VAR, VAR + ", lag=1", 3, "key 'lag' is given twice"),
    (VAR, VAR.replace('var_get="atmos_v", ', ""), 3, "key 'var_get' is missing"), (VAR, VAR.replace('"atmos_v",', "atmos_v,", 1), 3, "is not one text in quotes"),
    (VAR, VAR + ", statistic='mode'", 3, "statistic"), (VAR, VAR + ", data_range=5, 1", 3, "data_range"), (VAR, VAR + ", type='real2'", 3, "type"),
    (VAR, VAR + ", norm='some'", 3, "norm"), (VAR, VAR + ", factor=x", 3, "key 'factor'"), (VAR, VAR + ", perturb=-1", 3, "perturb"),
    (VAR, VAR + ", extrapolate='nearest'", 3, "extrapolate='nearest' needs a method"), (VAR, VAR.replace("'SNP'", "'INT', lag=0").replace("lag=-1, ", ""), 3, "flag='INT' needs an interval"),
    (VAR, VAR + ", second_put='twice'", 3, "second_put"), (VAR, VAR + ", to_members='each'", 3, "to_members"),
    (PAIR, PAIR + ", method='conservtive'", 2, r"did you mean 'conservative'\?"), (PAIR, PAIR + ", method='nearest(n=4)'", 2, "nearest"),
    (PAIR, PAIR + ", method='distance(n=x)'", 2, "distance"), (PAIR, PAIR + ", method='nearest,file(file=w.nc)'", 2, "method file: a table from a file must stand first"),
    (PAIR, PAIR + ", method='file'", 2, "method file: it needs the file's name"), (PAIR, PAIR + ", method='file(file=none.nc)'", 2, "none.nc: No such file"),
    (PAIR, PAIR + ", method='file(file=bad.conf)'", 2, "bad.conf: NetCDF: Unknown file format"), (PAIR, PAIR.replace('grid_get="ocean_g", ', ""), 2, "key 'grid_get' is missing"),
    (PAIR, PAIR.replace('"atmos"', '"atmso"'), 2, r"component 'atmso' was not started, did you mean 'atmos'\?"),
    (PAIR, PAIR.replace("mapping_tag=1", "mapping_tag=x"), 2, "mapping_tag"), ("&h3ou_var " + PAIR, "&h3ou_vra " + PAIR, 2, r"unknown group 'h3ou_vra', did you mean 'h3ou_var'\?"),
    ('log_level="SILENT"', 'log_level="QUIET"', 1, "log_level"), ('log_level="SILENT"', "calendar='mayan'", 1, "calendar"),
    ('log_level="SILENT"', "start='2001-02-29'", 1, "is no date of calendar"), ('log_level="SILENT"', "progress='threads'", 1, "progress is 'polling' or 'thread'"),
    ('log_level="SILENT"', "tuning_file='none.conf'", 1, "tuning file none.conf: No such file"), ('log_level="SILENT"', "unknown_put='warn'", 1, "unknown_put is"),
    ('log_level="SILENT"', "after_end='stop'", 1, "after_end is"), ('log_level="SILENT"', "strict=.true., stop_step=x", 1, "stop_step"),
    ("'SNP' /\n&h3ou_var comp_put=\"ocean\"", "'SNP' /\n&h3ou_var var_put='z', var_get='atmos_v', intvl=60, flag='SNP' /\n&h3ou_var comp_put=\"ocean\"", 4, "ocean gets 'atmos_v' twice"),
    ("'SNP' /\n&h3ou_var comp_put=\"ocean\"", "'SNP'\n&h3ou_var comp_put=\"ocean\"", 3, "group &h3ou_var has no end before the next group, in line 4: a / is missing"),
    ("intvl=1200", "intvl=1000", 3, "intvl=1000 of field atmos_v is no multiple of the time step of atmos, 600 s"),
]
# The same of what only the record of a run tells, and the fault of the models with which the run says it.
RECORDED = [
    ('grid_get="ocean_g", mapping_tag', 'grid_get="ocean", mapping_tag', r"bad.conf:2: grid_get: component ocean defines no grid 'ocean', did you mean 'ocean_g'\?", "none"),
    (VAR, VAR.replace("layer=1", "layer=2"), r"bad.conf:3: layer=2: grid atmos_g of atmos has 1 layers \(nz of h3ou_def_grid\)", "none"),
    (PAIR, PAIR + ", method='nearest'", r"bad.conf:2: method='nearest', and component atmos gave a table", "none"),
    (VAR, VAR.replace('var_get="atmos_v"', 'var_get="atmos_w"'), r"bad.conf gives component ocean no field 'atmos_v' to get, did you mean 'atmos_w'\?", "none"),
    (PAIR, PAIR + ", method='conservative'", r"bad.conf:2: method='conservative': grid atmos_g of component atmos has no coordinates", "no-table"),
    (PAIR, PAIR + ", method='file(file=w9.nc)'", r"bad.conf:2: w9.nc: its target has 9 cells, the grid ocean_g has 8", "no-table"),
    ('grid_put="ocean_g", grid_get="atmos_g"', 'grid_put="ocean_g", grid_get="atmos_g"', None, "none"),
]
CALL = re.compile(r"h3ou_(?!var)\w+")  # which the run names as its language does
CYCLE = [("intvl=1200, lag=-1, layer=1, flag='SNP' /\n&h3ou_var comp_put=\"ocean\"", "intvl=3600, lag=1, layer=1, flag='SNP' /\n&h3ou_var comp_put=\"ocean\""),
         ("var_get=\"ocean_v\", intvl=1200", "var_get=\"ocean_v\", intvl=600")]


class Check(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.config = self.folder / "bad.conf"

    def check(self, *options, file="bad.conf"):
        return subprocess.run([H3OU, "check", file, *map(str, options)], cwd=self.folder, capture_output=True, text=True, timeout=200, check=False)

    def test_good(self):
        self.config.write_text(GOOD)
        done = self.check("-s", "atmos=600,ocean=1200", "--graph", "graph.svg")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.splitlines()[:2], ["atmos/atmos_g -> ocean/ocean_g   a table of the models", "    line 3  atmos_v  every 20 min, snapshot, lag -1"])
        self.assertIn("2 components, 2 pairs of grids, 2 fields: 0 errors, 0 warnings", done.stdout)
        text = [e.text for e in xml.etree.ElementTree.parse(self.folder / "graph.svg").iter() if e.tag.endswith("}text")]
        for said in ("atmos", "ocean", "atmos_g → ocean_g: table", "ocean_v: every 20 min, snapshot, lag -1"):
            self.assertIn(said, text)

    def test_long(self):
        """A namelist is read to its end however long it is, up to 16 MiB."""
        for size, code in ((1 << 16, 0), ((1 << 16) + 1, 0), (16 << 20, 0), ((16 << 20) + 1, 1)):
            comment = "!" + "x" * (size - len(GOOD) - 2) + "\n"
            self.config.write_text(comment + GOOD)
            self.assertEqual(self.config.stat().st_size, size)
            done = self.check()
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn("2 fields: 0 errors" if code == 0 else "bad.conf is larger than 16 MiB: is it a namelist?", done.stdout + done.stderr)

    def find(self, number, changes, steps):
        """Writes a namelist of its own folder, and finds its errors and warnings."""
        folder, text = self.folder / str(number), GOOD
        folder.mkdir()
        for old, new in changes or []:
            self.assertIn(old, text)
            text = text.replace(old, new, 1) if isinstance(number, int) else text.replace(old, new)
        if changes is not None:
            (folder / "bad.conf").write_text(text)
        return [(kind, said) for kind, said in findings.find("../../../lib", findings.Wanted(folder, "bad.conf", steps, {}, None))
                if kind in ("error", "warning")]

    def run_says(self, number, sentence):
        """What a run says of that namelist: of one component alone, unless its end needs both."""
        mpi, folder = jobs.MPIS[0], self.folder / str(number)
        fault = "no-table" if "of weights" in sentence else "none"  # else the table beside the method may be told first
        words = [["env", "-C", folder, f"{MODEL}.{mpi}", me, other, "bad.conf", fault] for me, other in (("atmos", "ocean"), ("ocean", "atmos"))]
        alone = "key '" in sentence or "h3ou_var: " in sentence or "h3ou_coupling: " in sentence
        if alone and "for ever" not in sentence:
            done = subprocess.run(words[0], capture_output=True, text=True, timeout=200, check=False, env={**os.environ, **jobs.ENVIRONMENT})
            return done.returncode, done.stderr
        result = jobs.wait_all([jobs.Job(mpi, [(1, w) for w in words], {"H3OU_PATIENCE": 3})])[0]
        return result.code, result.err

    def test_wrong(self):
        """Each is found alone, with its file, its line and a remedy; and the run itself ends with the same words."""
        self.assertGreaterEqual(len(CASES), 40)
        steps, found = {"atmos": 600, "ocean": 1200}, []
        for number, (old, new, line, said) in enumerate(CASES):
            kind = "warning" if "multiple" in said else "error"
            all_found = self.find(number, [(old, new), *([('"SILENT"', '"WARNING"')] if kind == "warning" else [])], steps)
            self.assertEqual([k for k, text in all_found if re.match(f"bad.conf:{line}: .*({said})", text)], [kind], (new, all_found))
            self.assertEqual([k for k, _ in all_found if k == "error"], ["error"] * (kind == "error"), (new, all_found))
            found.append((number, all_found[0][1]))
        for name, (who, changes, said) in INPUT.items():
            if who is None:
                sentences = [text for kind, text in self.find(name, changes, steps) if kind == "error"]
                self.assertRegex(sentences[0], said)
                found.append((name, sentences[0]))
        self.assertEqual([text for _, text in found if not REMEDY.search(text)], [])
        for (_, sentence), (code, err) in zip(found, jobs.side_by_side(self.run_says, found)):
            self.assertEqual(code == 0, "multiple" in sentence, err)
            self.assertIn(sentence, err)
        for kind, text in self.find("cycle", CYCLE, {"atmos": 0, "ocean": 0}):
            self.assertRegex(text, "bad.conf:5: .* for ever: .*; give one of these fields lag=-1")
            self.assertIn("was awaited for 3 s", self.run_says("cycle", text)[1])  # a run that waits for ever ends by its patience

    def start(self, config, *faults, **environment):
        """Ends of one job with both components, run in the folder."""
        mpi = jobs.MPIS[0]
        fault = dict(zip(("atmos", "ocean"), faults))
        words = [(2 if me == "atmos" else 1, ["env", "-C", self.folder, f"{MODEL}.{mpi}", me, other, config, fault.get(me, "none")])
                 for me, other in (("atmos", "ocean"), ("ocean", "atmos"))]
        return jobs.wait_all([jobs.Job(mpi, words, {k: str(v) for k, v in environment.items()})])[0]

    def record(self, text, *faults):
        """Runs the models with this namelist, which records their setup."""
        (self.folder / "out/setup").mkdir(parents=True, exist_ok=True)
        (self.folder / "good.conf").write_text(text)
        done = self.start("good.conf", *faults, H3OU_RUN_DIRECTORY=self.folder / "out")
        self.assertEqual(done.code, 0, done.err)

    def weights(self, name, *grids):
        subprocess.run([H3OU, "weights", "make", *grids, "-m", "nearest", "-o", self.folder / name], check=True, capture_output=True, timeout=200)

    def errors(self, text, *options):
        """What is said of a namelist, and the code."""
        self.config.write_text(text)
        done = self.check(*options)
        return done.stderr, done.returncode

    def test_recorded(self):
        """What the models define, give, put and get is known by the record of a run: it is said as the run says it."""
        self.record(GOOD)
        self.weights("w9.nc", "r4x2", "r3x3")
        self.assertEqual(self.errors(GOOD, "--recorded", "out"), ("", 0))
        for old, new, said, fault in RECORDED:
            text = GOOD.replace(old, new, 1)
            err, code = self.errors(text, "--recorded", "out")
            self.assertEqual(code, int(said is not None), (new, err))
            if said:
                self.assertRegex(err, f"(?m)^h3ou check: error: {said}")
                self.assertTrue(all(map(REMEDY.search, re.findall("(?m)^h3ou check: error: (.*)$", err))), err)
                self.assertNotRegex(self.errors(text)[0], said)
                # Of several errors the run ends with that of the component that comes to it first.
                run = CALL.sub("CALL", self.start("bad.conf", fault, fault, H3OU_PATIENCE=3).err)
                self.assertTrue([s for s in re.findall("(?m)^h3ou check: error: (.*)$", err) if CALL.sub("CALL", s) in run], (err, run))
        self.assertRegex(self.errors(GOOD.replace("intvl=1200", "intvl=1000", 1), "--recorded", "out")[0],
                         "warning: bad.conf:3: intvl=1000 of field atmos_v is no multiple of the time step of ocean, 600 s")
        ignored = GOOD.replace('"SILENT"', '"SILENT", unknown_put="ignore"').replace('var_put="atmos_v"', 'var_put="atmos_w"')
        self.assertIn("warning: bad.conf: component atmos puts field 'atmos_v', which no component gets", self.errors(ignored, "--recorded", "out")[0])
        self.record(GOOD, "handle", "handle")
        said = "h3ou_field: bad.conf gives component atmos no field 'atmos_v', did you mean 'atmos_w'?"
        self.assertIn(f"error: {said}", self.errors(GOOD.replace('var_put="atmos_v"', 'var_put="atmos_w"'), "--recorded", "out")[0])
        self.assertIn(said, self.start("bad.conf", "handle", "handle", H3OU_PATIENCE=3).err)
        self.assertIn("warning: bad.conf: component atmos asks for a handle of field 'atmos_v', which no component gets: puts by it do nothing",
                      self.errors(ignored, "--recorded", "out")[0])
        self.config.write_text(GOOD)
        self.assertIn("no run of atmos, ocean is recorded: not checked: names, sizes", self.check().stdout)
        self.assertNotIn("not checked", self.check("--recorded", "out").stdout)
        self.assertRegex(self.check("--recorded", ".").stderr, "--recorded: . has no folder setup")

    def test_memory(self):
        """What a process will need with other numbers of processes, by the record; a limit that it exceeds surely, or perhaps."""
        self.record(GOOD)
        text = "[run]\nconfiguration = 'bad.conf'\ndirectory = 'out'\n"
        for name in ("atmos", "ocean"):
            text += f"[[job]]\nexecutable = '{MODEL}.{jobs.MPIS[0]}'\nname = '{name}'\ncomponent = '{name}'\nprocesses = 4\n"
        self.config.write_text(GOOD)
        (self.folder / "run.toml").write_text(text)
        real = re.search(r"before=(\d+).*\tpeak=(\d+)", (self.folder / "out/setup/atmos").read_text())
        before, peak = (int(n) for n in real.groups())
        self.assertTrue(2**20 < before <= peak < 2**34, real[0])
        self.assertIn(f"memory of a process of atmos: {(before + (peak - before) / 2) / 2**20:.0f} to {peak / 2**20:.0f} MiB with 4 processes; "
                      f"recorded: {peak / 2**20:.0f} MiB with 2", self.check(file="run.toml").stdout)
        file = self.folder / "out/setup/ocean"  # of 1 process
        file.write_text(re.sub(r"before=\d+(.*)\tpeak=\d+", rf"before={100 * 2**20}\1\tpeak={900 * 2**20}", file.read_text()))
        for limit, said, code in ((901, None, 0), (400, "warning: component ocean: a process may need 900 MiB, and its limit is 400 MiB", 0),
                                  (299, "error: component ocean: a process will need 300 MiB or more, and its limit is 299 MiB", 1)):
            (self.folder / "run.toml").write_text(f"{text}memory = {limit}\n")
            done = self.check(file="run.toml")
            self.assertIn("memory of a process of ocean: 300 to 900 MiB with 4 processes; recorded: 900 MiB with 1", done.stdout)
            self.assertEqual(done.returncode, code)
            self.assertIn(said or "", done.stderr)
            self.assertEqual("component ocean: a process" in done.stderr, said is not None)

    def test_parts(self):
        """What h3ou takes, predicted without a record, is at most twice or half what a run takes; limits that this exceeds surely, or perhaps."""
        text, pair = "[run]\nconfiguration = 'bad.conf'\ndirectory = 'out'\nreport = false\n", (("atmos", 360, 180, 2), ("ocean", 320, 160, 1))
        for (name, x, y, n), (other, *_) in zip(pair, pair[::-1]):
            words = ", ".join(f"'{w}'" for w in (name, other, "bad.conf", x, y, 10, 1))
            text += f"[[job]]\nexecutable = '{SIZED}.{jobs.MPIS[0]}'\nname = '{name}'\ncomponent = '{name}'\nprocesses = {n}\narguments = [{words}]\n"
        self.config.write_text(re.sub("atmos_v|ocean_v", lambda m: m[0] + "0", GOOD).replace("mapping_tag=1", "mapping_tag=1, method='bilinear'").replace("layer=1", "layer=10"))
        (self.folder / "run.toml").write_text(text)
        self.assertIn("the sizes of these grids are not known, so that the memory of h3ou is not predicted: atmos/atmos_g, ocean/ocean_g: give", self.check(file="run.toml").stdout)
        grids = ("--grids", "atmos/atmos_g=r360x180,ocean/ocean_g=r320x160")
        said = self.check(*grids, file="run.toml").stdout
        subprocess.run([H3OU, "run", "run.toml", "-q"], cwd=self.folder, check=True, capture_output=True, timeout=200)
        predicted = {}
        for name, _, _, n in pair:
            whole, processes, words = re.search(rf"^memory of h3ou in a process of {name}: about (\d+) MiB with (\d+) processes \((.*)\)$", said, re.M).groups()
            parts = dict(word.split() for word in words.split(", "))
            predicted[name] = float(whole)
            self.assertEqual((list(parts), int(processes)), (["fields", "plan", "weights", "rings", "transport"], n))
            self.assertAlmostEqual(sum(map(float, parts.values())), float(whole), delta=1)
            before, peak = map(int, re.search(r"before=(\d+).*\tpeak=(\d+)", (self.folder / "out/setup" / name).read_text()).groups())
            if "LD_PRELOAD" not in os.environ:  # the sanitizer's own memory counts there
                self.assertTrue(0.5 < float(whole) * 2**20 / (peak - before) < 2, (said, before, peak))
        (self.folder / "out/setup/ocean").unlink()
        limit = int(predicted["ocean"])
        for limit, kind, code in ((limit + 2, None, 0), (limit - 2, "warning", 0), (limit // 2 - 2, "error", 1)):
            (self.folder / "run.toml").write_text(f"{text}memory = {limit}\n")
            done = self.check(*grids, file="run.toml")
            self.assertEqual((done.returncode, re.findall(r"h3ou check: (\w+): component ocean: h3ou alone will need about", done.stderr)), (code, [kind] if kind else []))

    def test_damaged(self):
        """A record that is cut off, of another version or nothing of this kind is left out, with a word on it."""
        self.record(GOOD)
        file = self.folder / "out/setup/ocean"
        text = file.read_text()
        self.config.write_text(GOOD.replace("layer=1", "layer=2"))
        for bad, said in ((text[:-4], "is cut off: run the models once more"), (text.replace("version=1", "version=9"), "in version 9, this is 1"),
                          ("ocean", "this is no record of a run's setup")):
            file.write_text(bad)
            done = self.check("--recorded", "out")
            self.assertRegex(done.stderr, f"warning: .*out/setup/ocean: .*{said}")
            self.assertIn("grid atmos_g of atmos has 1 layers", done.stderr)
            self.assertNotIn("grid ocean_g of ocean has 1 layers", done.stderr)
            self.assertIn("no run of ocean is recorded", done.stdout)

    def test_weights(self):
        """Files of weights against the grids of a pair: those that a run recorded, those of other files, and their own masks."""
        self.weights("w.nc", "r4x2", "r4x2")
        text = GOOD.replace("mapping_tag=1", "mapping_tag=1, method='file(file=w.nc)'")
        grids = ("--grids", "atmos/atmos_g=r4x2,ocean/ocean_g=r4x2")
        self.assertEqual(self.errors(text, *grids), ("", 0))
        with netCDF4.Dataset(self.folder / "moved.nc", "w") as f:  # in SCRIP's form
            f.createDimension("grid_size", 8)
            f.createDimension("grid_rank", 1)
            f.createVariable("grid_dims", "i4", "grid_rank")[:] = 8
            f.createVariable("grid_imask", "i4", "grid_size")[:] = 1
            for name, values in (("lat", [-45.0] * 4 + [45.0] * 4), ("lon", [5.0, 95.0, 185.0, 275.0] * 2)):
                centre = f.createVariable(f"grid_center_{name}", "f8", "grid_size")
                centre.units, centre[:] = "degrees", values
        for grid, said in (("r8x4", "w.nc: its target has 8 cells, the grid ocean_g has 32"),
                           ("moved.nc", "w.nc: cell 1 of its target is centred at longitude .* degrees from where the grid ocean_g has it"),
                           ("none.nc", "none.nc")):
            err, code = self.errors(text, "--grids", f"ocean/ocean_g={grid}")
            self.assertEqual(code, 1)
            self.assertRegex(err, f"error: (bad.conf:2: )?{said}")
        self.assertIn("no h3ou_var group names grid ice_g of component ocean", self.errors(text, "--grids", "ocean/ice_g=r4x2")[0])
        with netCDF4.Dataset(self.folder / "w.nc", "a") as f:
            f["dst_address"][:] = [min(7, a) for a in f["dst_address"][:]]
            f["src_grid_imask"][2] = 0
        err, code = self.errors(text)
        lacks = "bad.conf:2: 1 of the 8 cells of grid ocean_g of ocean that take part get no value from atmos, the first is cell 8: mask them"
        self.assertEqual(code, 0)
        self.assertIn(f"warning: {lacks}", err)
        self.assertIn("bad.conf:2: 1 of the 8 cells of grid atmos_g of atmos that ocean gets values of are masked", err)
        missing = text.replace("file=w.nc)'", "file=w.nc)', missing='keep'")
        self.assertNotIn("get no value", self.errors(missing)[0])
        # The same is known of a run, which was made without complaint.
        self.record(text, "no-table", "no-table")
        (self.folder / "w.nc").unlink()
        self.assertIn(f"warning: {lacks}", self.errors(text, "--recorded", "out")[0])

    def test_waits(self):
        """A ring of three that awaits each other is found; the same with one lag=-1 is not, nor is lag 1 one way with alike intervals."""
        for lags, intervals, waits in (((1, 1, 1), (1200, 1200, 1200), True), ((1, 1, -1), (1200, 1200, 1200), False),
                                       ((1, 1, -1), (3600, 1200, 1200), True), ((1, -1, -1), (1200, 2400, 3600), False)):
            text = ""
            for i, (lag, interval) in enumerate(zip(lags, intervals)):
                a, b = "abc"[i], "bca"[i]
                text += f"&h3ou_var comp_put='{a}', comp_get='{b}', grid_put='g', grid_get='g', mapping_tag=1 /\n"
                text += f"&h3ou_var var_put='{a}_v', var_get='{a}_v', intvl={interval}, lag={lag}, flag='SNP' /\n"
            self.config.write_text(text)
            done = self.check()
            self.assertEqual("would wait for each other for ever" in done.stderr, waits, (lags, intervals, done.stderr))
            self.assertEqual(done.returncode, int(waits))

    def test_run_file(self):
        self.config.write_text(GOOD)
        program = f"{MODEL}.{jobs.MPIS[0]}"
        text = "[run]\nconfiguration = 'bad.conf'\n"
        for name, step in (("atmos", 700), ("ocean", 600)):
            text += f"[[job]]\nexecutable = '{program}'\nname = '{name}'\ncomponent = '{name}'\nstep = {step}\n"
        (self.folder / "run.toml").write_text(text)
        done = self.check(file="run.toml")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, "warning: bad.conf:3: intvl=1200 of field atmos_v is no multiple of the time step of atmos, 700 s")
        for old, new, said in (("component = 'ocean'", "component = 'ocan'", r"bad.conf:2: comp_get: component 'ocean' was not started, did you mean 'ocan'\?"),
                               (program, "./none", "run.toml:4: executable of job atmos: .*none: no such file"),
                               ("configuration = 'bad.conf'\n", "", "run.toml:1: the key configuration of .run. names the namelist"),
                               ("step = 700", "step = 'x'", "run.toml:7: step of ..job.. must be a number"),
                               ("[run]", "[run]\ngrids = {ocean = 'x.nc'}", "run.toml:2: grids: 'ocean': it must be written \"COMPONENT/GRID\" = \"FILE\""),
                               ("[run]", "[run]\ndirectory = 'bad.conf/out'", "run.toml:2: directory: .*/bad.conf/out: .*/bad.conf is no folder")):
            (self.folder / "run.toml").write_text(text.replace(old, new, 1))
            done = self.check(file="run.toml")
            self.assertEqual(done.returncode, 1, new)
            self.assertRegex(done.stderr, f"error: {said}")
        (self.folder / "sea").mkdir()  # where ocean runs, which reads the file
        self.weights("sea/w.nc", "r4x2", "r4x2")
        self.config.write_text(GOOD.replace("mapping_tag=1", "mapping_tag=1, method='file(file=w.nc)'", 1))
        for place, code in (("sea", 0), (".", 1)):
            (self.folder / "run.toml").write_text(text.replace("name = 'ocean'", f"name = 'ocean'\ndirectory = '{place}'"))
            done = self.check(file="run.toml")
            self.assertEqual((done.returncode, "bad.conf:2: w.nc: No such file" in done.stderr), (code, code == 1), done.stderr)
        self.config.write_text(GOOD)
        (self.folder / "run.toml").write_text(text.replace("name = 'atmos'\n", f"name = 'atmos'\nhosts = ['{'x' * 70}']\nlauncher = '{jobs.MPIS[0]}'\n"))
        self.assertRegex(self.check(file="run.toml").stderr, "warning: run.toml:6: host 'x*' of job atmos is not known on this machine")
        with socket.socket() as s:
            s.bind(("", 0))
            s.listen()
            (self.folder / "run.toml").write_text(text.replace("[run]", f"[run]\nport = {s.getsockname()[1]}"))
            for command in ("check", "run"):
                done = subprocess.run([H3OU, command, "run.toml"], cwd=self.folder, capture_output=True, text=True, timeout=200, check=False)
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, "run.toml:2: port .* of this machine: Address already in use: .* choose another port")
        self.assertRegex(self.check("-s", "atmos=fast").stderr, "--steps: 'atmos=fast': COMPONENT=SECONDS")


if __name__ == "__main__":
    os.environ.pop("H3OU_LIBRARY", None)
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2, warnings="ignore")
