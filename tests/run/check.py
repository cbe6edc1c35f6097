#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check.py H3OU MODEL: h3ou check finds errors of a run before it starts, each with its file and line, in the sentence that the run itself
would end with; and draws who sends what to whom."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / folder) for folder in ("lib", "faults")]
import jobs
from faults import GOOD, INPUT

H3OU, MODEL = sys.argv[1:3]
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
    (PAIR, PAIR + ", method='file'", 2, "method file: it needs the file's name"), (PAIR, PAIR + ", method='file(file=none.nc)'", 0, "none.nc"),
    (PAIR, PAIR + ", method='file(file=bad.conf)'", 0, "bad.conf"), (PAIR, PAIR.replace('grid_get="ocean_g", ', ""), 2, "key 'grid_get' is missing"),
    (PAIR, PAIR.replace('"atmos"', '"atmso"'), 2, r"component 'atmso' was not started, did you mean 'atmos'\?"),
    (PAIR, PAIR.replace("mapping_tag=1", "mapping_tag=x"), 2, "mapping_tag"), ("&h3ou_var " + PAIR, "&h3ou_vra " + PAIR, 2, r"unknown group 'h3ou_vra', did you mean 'h3ou_var'\?"),
    ('log_level="SILENT"', 'log_level="QUIET"', 1, "log_level"), ('log_level="SILENT"', "calendar='mayan'", 1, "calendar"),
    ('log_level="SILENT"', "start='2001-02-29'", 1, "is no date of calendar"), ('log_level="SILENT"', "progress='threads'", 1, "progress is 'polling' or 'thread'"),
    ('log_level="SILENT"', "tuning_file='none.conf'", 0, "tuning file none.conf: No such file"), ('log_level="SILENT"', "unknown_put='warn'", 1, "unknown_put is"),
    ('log_level="SILENT"', "after_end='stop'", 1, "after_end is"), ('log_level="SILENT"', "strict=.true., stop_step=x", 1, "stop_step"),
    ("'SNP' /\n&h3ou_var comp_put=\"ocean\"", "'SNP' /\n&h3ou_var var_put='z', var_get='atmos_v', intvl=60, flag='SNP' /\n&h3ou_var comp_put=\"ocean\"", 4, "ocean gets 'atmos_v' twice"),
    ("'SNP' /\n&h3ou_var comp_put=\"ocean\"", "'SNP'\n&h3ou_var comp_put=\"ocean\"", 0, ""),
    ("intvl=1200", "intvl=1000", 3, "intvl=1000 of field atmos_v is no multiple of the time step of atmos, 600 s"),
]
CYCLE = [("intvl=1200, lag=-1, layer=1, flag='SNP' /\n&h3ou_var comp_put=\"ocean\"", "intvl=3600, lag=1, layer=1, flag='SNP' /\n&h3ou_var comp_put=\"ocean\""),
         ("var_get=\"ocean_v\", intvl=1200", "var_get=\"ocean_v\", intvl=600")]


class Check(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.config = self.folder / "bad.conf"

    def check(self, *options, file="bad.conf"):
        return subprocess.run([H3OU, "check", file, *map(str, options)], cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)

    def test_good(self):
        self.config.write_text(GOOD)
        done = self.check("-s", "atmos=600,ocean=1200", "--graph", "graph.svg")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.splitlines()[:2], ["atmos/atmos_g -> ocean/ocean_g   a table of the models", "    line 3  atmos_v  every 20 min, snapshot, lag -1"])
        self.assertIn("2 components, 2 pairs of grids, 2 fields: 0 errors, 0 warnings", done.stdout)
        text = [e.text for e in xml.etree.ElementTree.parse(self.folder / "graph.svg").iter() if e.tag.endswith("}text")]
        for said in ("atmos", "ocean", "atmos_g → ocean_g: table", "ocean_v: every 20 min, snapshot, lag -1"):
            self.assertIn(said, text)

    def test_wrong(self):
        self.assertGreaterEqual(len(CASES), 40)
        for old, new, line, said in CASES:
            self.assertIn(old, GOOD)
            self.config.write_text(GOOD.replace(old, new, 1))
            done = self.check("-s", "atmos=600,ocean=1200")
            place = rf"bad.conf:{line}: " if line else ""
            kind = "warning" if "multiple" in said else "error"
            self.assertEqual(done.returncode, kind == "error", (new, done))
            self.assertRegex(done.stderr, rf"(?m)^h3ou check: {kind}: .*{place}.*({said})", new)

    def test_as_the_run_says(self):
        """What the command says, the run says, too, in the same words."""
        cases = [c for name, c in INPUT.items() if c[0] is None] + [(None, CYCLE, "for ever")]
        for _, changes, said in cases:
            text = GOOD
            for old, new in changes or []:
                self.assertIn(old, text)
                text = text.replace(old, new)
            self.config.write_text(text) if changes is not None else self.config.unlink(missing_ok=True)
            sentence = re.search(r"^h3ou check: error: (.*)$", self.check("-s", "atmos,ocean").stderr, re.M)[1]
            self.assertRegex(sentence, said)
            mpi = jobs.MPIS[0]
            results = jobs.wait_all([jobs.Job(mpi, [(1, ["env", "-C", self.folder, f"{MODEL}.{mpi}", me, other, "bad.conf", "none"])
                                                    for me, other in (("atmos", "ocean"), ("ocean", "atmos"))], {"H3OU_PATIENCE": 3})], 30)
            self.assertNotEqual(results[0].code, 0)
            # A run that waits for ever ends by its patience.
            self.assertIn("was awaited for 3 s" if changes is CYCLE else sentence, results[0].err)

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
                               ("step = 700", "step = 'x'", "run.toml:7: step of ..job.. must be a number")):
            (self.folder / "run.toml").write_text(text.replace(old, new, 1))
            done = self.check(file="run.toml")
            self.assertEqual(done.returncode, 1, new)
            self.assertRegex(done.stderr, f"error: {said}")
        self.assertRegex(self.check("-s", "atmos=fast").stderr, "--steps: 'atmos=fast': COMPONENT=SECONDS")


if __name__ == "__main__":
    os.environ.pop("H3OU_LIBRARY", None)
    unittest.main(argv=[sys.argv[0]], verbosity=2, warnings="ignore")
