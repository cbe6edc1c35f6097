#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""convert_config.py SOURCE H3OU LIBRARY: configurations of OASIS3-MCT and YAC become namelists that h3ou check accepts; what has no
counterpart is said with its line, and the exit code tells; hostile files end with one sentence."""
import contextlib
import io
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE, H3OU, os.environ["H3OU_LIBRARY"] = pathlib.Path(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
sys.path[:0] = [str(SOURCE / "tools/run/convert"), str(SOURCE / "tools/run"), str(SOURCE / "tools/run/check")]
import convert

# An entry: names, period, status; grids and LAG; transformations with their lines.
HEAD = "# a comment\n $NFIELDS\n 9\n $END\n $RUNTIME\n 86400\n $END\n $NLOGPRT\n 1 0\n $END\n $STRINGS\n"
STEPS = "ocean=3600,atmos=1800"
ENTRY = "SST:ICE TS:SIC 1 10800 2 sst.nc {status}\n 182 149 128 64 torc lmdz {lag} SEQ=+1\n P 2 P 0\n LOCTRANS SCRIPR\n {loctrans}\n {scripr}\n"
GOOD = {"status": "EXPORTED", "lag": "LAG=+3600", "loctrans": "AVERAGE", "scripr": "CONSERV LR SCALAR LATLON 10 FRACAREA FIRST"}
PLACES = "torc=ocean,lmdz=atmos"
# What is changed in GOOD, what the namelist has then, and the remark of the line, if not all was converted.
OASIS = [
    ({}, 'intvl=10800, lag=-1, flag="AVR" /', None), ({}, 'method="conservative", norm="fracarea" /', None),
    ({"loctrans": "INSTANT"}, 'flag="SNP"', None), ({"loctrans": "T_MIN"}, 'flag="MIN"', None), ({"loctrans": "T_MAX"}, 'flag="MAX"', None),
    ({"loctrans": "ACCUMUL"}, 'flag="ACC", factor=0.00027777777777777778', None), ({"loctrans": "ONCE"}, 'var_get="TS", lag=-1, flag="SNP"', None),
    ({"lag": "LAG=+14400"}, "lag=-2", None), ({"lag": "LAG=-7200"}, "lag=1", None), ({"lag": "LAG=-18000"}, "lag=2", None), ({"lag": "LAG=25200"}, "lag=-3", None),
    ({"lag": "LAG=+5400"}, "lag=-1", "13: not converted: LAG=5400: what is got at T was put in the step that began at T - 5400 s"),
    ({"lag": ""}, "lag=-1", "12: not converted: no LAG: what is got at T was put in the step that began at T - 0 s"),
    ({"status": "IGNORED"}, "intvl=10800", None), ({"status": "EXPOUT"}, 'flag="AVR", monitor="sent,received" /', None),
    ({"scripr": "CONSERV LR SCALAR LATLON 10 FRACNNEI SECOND"}, 'method="conservative2,nearest", norm="fracarea"', None),
    ({"scripr": "CONSERV LR SCALAR LATLON 10 DESTAREA FIRST"}, 'method="conservative", norm="destarea"', None),
    ({"scripr": "CONSERV LR SCALAR LATLON 10 DESTNNTR FIRST"}, 'method="conservative,nearest", norm="destarea"', None),
    ({"scripr": "DISTWGT LR SCALAR LATLON 10 4"}, 'method="distance(n=4,power=1)"', None), ({"scripr": "DISTWGT D SCALAR LATLON 10 1"}, 'method="nearest"', None),
    ({"scripr": "GAUSWGT LR SCALAR LATLON 10 9 2.25"}, 'method="gauss(n=9,width=1.5)"', "17: not converted: GAUSWGT"),
    ({"scripr": "BILINEAR LR SCALAR LATLON 1"}, 'method="bilinear,distance(n=4,power=1)"', None), ({"scripr": "BILINEARNF LR SCALAR LATLON 1"}, 'method="bilinear"', None),
    ({"scripr": "BICUBIC D SCALAR LATITUDE 20"}, 'method="bicubic,bilinear,distance(n=4,power=1)"', None),
    ({"scripr": "BILINEAR LR VECTOR LATLON 1"}, 'method="bilinear', "17: not converted: VECTOR: name the two components"),
    ({"scripr": "SPLINE LR SCALAR LATLON 1"}, "mapping_tag=1 /", "17: not converted: method SPLINE is unknown here"),
]
LINEAR = ("A B 1 3600 4 a.nc EXPORTED\n lmdz torc LAG=1800\n P 0 P 2\n LOCTRANS CHECKIN BLASOLD BLASNEW\n INSTANT\n INT=1\n -2 1\n CONSTANT {constant}\n 0.25 0\n")
YAML = """timestep_unit: {unit}
calendar: {calendar}
start_date: 2008-03-09T16:05:07
common: &common {{src_component: atmos, src_grid: a, tgt_component: ocean, tgt_grid: o}}
coupling:
  - <<: *common
    field: [taux, {{src: rain, tgt: fresh}}]
    coupling_period: {period}
    time_reduction: {reduction}
    src_lag: {src_lag}
    tgt_lag: {tgt_lag}
    interpolation:
      - {method}
    {more}
"""
PLAIN = {"unit": "second", "calendar": "365d", "period": 7200, "reduction": "none", "src_lag": 1, "tgt_lag": 0, "method": "nnn", "more": "mapping_side: target"}
YAC = [
    ({}, 'start="2008-03-09 16:05:07"', None), ({}, 'calendar="noleap"', None), ({}, 'var_put="rain", var_get="fresh", intvl=7200, lag=1, flag="SNP"', None),
    ({"calendar": "360d"}, '"360_day"', None), ({"calendar": "proleptic-gregorian"}, '"gregorian"', None),
    ({"unit": "minute", "period": 120}, "intvl=7200", None), ({"unit": "hour", "period": 2}, "intvl=7200", None), ({"unit": "day", "period": 1}, "intvl=86400", None),
    ({"unit": "millisecond", "period": 3600000}, "intvl=3600,", None), ({"unit": "ISO_format", "period": "PT1H30M"}, "intvl=5400", None), ({"period": "P1DT12H"}, "intvl=129600", None),
    ({"period": "P1M", "unit": "ISO_format"}, 'intvl="1 month"', "10: not converted: src_lag 1, tgt_lag 0"), ({"unit": "year", "period": 1}, 'intvl="12 month"', "10: not converted"),
    ({"reduction": "average"}, 'flag="AVR"', None), ({"reduction": "minimum"}, 'flag="MIN"', None), ({"reduction": "maximum"}, 'flag="MAX"', None),
    ({"reduction": "accumulate"}, 'flag="ACC", factor=0.0005555', None),
    ({"tgt_lag": 1}, "lag=-1", "10: not converted: src_lag 1, tgt_lag 1: YAC gets in the step that begins 3600 s before"),
    ({"period": 3600, "tgt_lag": 1}, "lag=1", None), ({"src_lag": 0}, "lag=-1", "10: not converted: src_lag 0, tgt_lag 0: what is got at T was put in the step that began at T - 0 s"),
    ({"method": "nnn: {n: 4, weighted: distance_weighted, max_search_distance: 2.5}"}, 'method="distance(n=4,power=1,radius=2.5)"', None),
    ({"method": "nnn: {n: 3}"}, 'method="average(n=3)"', None), ({"method": "nnn: {n: 3, weighted: gauss_weighted}"}, 'method="gauss(n=3)"', "13: not converted: nnn, weighted: gauss"),
    ({"method": "average: {weighted: barycentric_coordinate}"}, 'method="barycentric"', None), ({"method": "average"}, 'method="barycentric"', "13: not converted: average"),
    ({"method": "ncc"}, 'method="average(n=3)"', "13: not converted: ncc"), ({"method": "rbf: {n: 7}"}, 'method="radial(n=7)"', "13: not converted: rbf"),
    ({"method": "conservative: {order: 2, partial_coverage: true, normalisation: fracarea}\n      - creep\n      - fixed: {user_value: -999.9}"},
     'method="conservative2,creep,value(value=-999.9)", norm="fracarea"', None),
    ({"method": "conservative"}, 'method="conservative", norm="destarea"', "13: not converted: conservative without partial_coverage"),
    ({"method": "bernstein_bezier\n      - fixed: {user_value: 0}"}, 'method="radial(n=9),value(value=0)"', "13: not converted: bernstein_bezier"),
    ({"method": "source_to_target_map: {spread_distance: 0.3}"}, "mapping_tag=1 /", "13: not converted: source_to_target_map"),
    ({"method": "check\n      - nnn"}, 'method="nearest"', None), ({"method": "nnn\n      - user_file: {filename: w.nc}"}, 'method="nearest"', "12: not converted: user_file behind"),
    ({"method": "creep\n      - nnn"}, 'method="nearest"', "12: not converted: creep cannot stand first"),
    ({"method": "nnn\n      - creep: {creep_distance: 3}"}, 'method="nearest,creep"', "14: not converted: creep, creep_distance"),
    ({"more": "scale_factor: 0.5"}, "factor=0.5", None), ({"more": "scale_summand: 1"}, "intvl=7200", "14: not converted: scale_summand 1"),
    ({"more": "src_mask_names: [m]"}, "intvl=7200", "14: not converted: src_mask_names"), ({"more": "use_restart: true"}, "intvl=7200", None),
    ({"more": "weight_file_name: w.nc"}, "intvl=7200", None), ({"more": "mapping_side: source"}, "intvl=7200", None), ({"more": "colour: red"}, "intvl=7200", "14: not converted: the key colour"),
]
# (text, line, sentence) of files that are refused.
REFUSED = [
    ("", 1, "there is no list `coupling`"), ("a: [1, 2", 1, "expected|did not find"), ("coupling: []", 1, "no list `coupling`"), ("- a\n- b\n", 1, "no list `coupling`"),
    ("coupling:\n  - 5\n", 2, "a coupling has keys"), ("coupling:\n  - field: a\n", 2, "'src_component' is missing"), ("coupling: &a\n  - *a\n", 1, "recursive"),
    ("? [a]\n: b\n", 1, "a key is not a text"), ("a: !!python/object/apply:os.system ['exit 7']\n", 1, "could not determine a constructor"), ("[" * 5000, 1, "nested too deeply|did not find"),
    (HEAD, 11, "no field is exchanged"), (HEAD.replace(" $STRINGS", " $STRINGS\n a b"), 12, "here are 2 words"),
    (HEAD + ENTRY.format(**{**GOOD, "status": "EXPORT"}), 12, "status 'EXPORT' is none of"), (HEAD + "a b 1 x 0 EXPORTED\n g h\n", 12, "the period 'x' is no number"),
    (HEAD + "a b 1 0 0 EXPORTED\n g h\n", 12, "the period is 0 s"), (HEAD + "a b 1 3600 0 EXPORTED\n", 12, "the section ends where the grids should follow"),
    (HEAD + "a:b c 1 3600 0 EXPORTED\n g h\n", 12, "2 fields are put and 1 are got"), (HEAD + "a b 1 3600 1 EXPORTED\n g h\n CORRECT\n x\n", 14, "is of OASIS3, and not of OASIS3-MCT"),
    (HEAD + "a b 1 3600 1 EXPORTED\n g h\n CONSRV\n x\n", 14, "transformation 'CONSRV' is none of"), (HEAD + "a b 1 3600 99 EXPORTED\n g h\n", 12, "99 transformations"),
    (HEAD + "a'b c 1 3600 0 EXPORTED\n g h\n", 12, "a name has 1 to 64 characters"), (HEAD + "a" * 65 + " c 1 3600 0 EXPORTED\n g h\n", 12, "a name has 1 to 64"),
    (HEAD + "a b 1 3600 1 EXPORTED\n g h\n MAPPING\n w(1).nc\n", 15, "rename it without"), (HEAD + "a b 1 3600 1 EXPORTED\n g h\n BLASOLD\n 1 99999999\n", 15, "99999999 terms"),
    (HEAD + ENTRY.format(**{**GOOD, "loctrans": "MEDIAN"}), 16, "LOCTRANS 'MEDIAN' is none of"), (HEAD + ENTRY.format(**GOOD) + " $STRINGS\n", 18, "STRINGS stands here twice"),
    (YAML.format(**{**PLAIN, "period": "-3"}), 8, "time '-3'"), (YAML.format(**{**PLAIN, "period": "0"}), 8, "above 0"), (YAML.format(**{**PLAIN, "period": "P1MT1S"}), 8, "it is above 0, in seconds"),
    (YAML.format(**{**PLAIN, "unit": "week"}), 1, "timestep_unit is none of"), (YAML.format(**{**PLAIN, "calendar": "mayan"}), 2, "calendar 'mayan' is none of"),
    (YAML.format(**{**PLAIN, "method": "nnn: {n: 0}"}), 13, "n=0"), (YAML.format(**{**PLAIN, "method": "fixed"}), 13, "user_value is missing"),
    (YAML.format(**{**PLAIN, "method": "fixed: {user_value: .inf}"}), 13, "is no number"), (YAML.format(**{**PLAIN, "more": "scale_factor: 1e999"}), 14, "is no number"),
]

# In the forms that published files have: sections without an end, entries without a blank line between them, INPUT without a second line; names that stand for
# parts which are merged; and what becomes of them, without comments.
LOOSE = """# coupled ocean, ice and waves
 $NFIELDS
# at least as many as there are entries
   12
#-----------------
 $RUNTIME
   86400
#-----------------
 $NLOGPRT
  1 0
 $STRINGS
# forcing
taux:tauy taux:tauy 1 3600 0 forcing.nc INPUT
rain rain 1 86400 0 forcing.nc INPUT
#
hice:aice:flo W_ICE:W_IC1:W_IC5 1 600 2 rice.nc EXPOUT
70131 1 69793 1 icet wavt LAG=+120
R  0  R  0
LOCTRANS SCRIPR
INSTANT
DISTWGT U SCALAR LATLON 1 4
W_TWU:W_TWV twx:twy 1 600 3 rwav.nc EXPORTED
69793 1 70131 1 wavt icet LAG=+300 SEQ=+2   # to the ice
R  0  R  0
  LOCTRANS  BLASOLD   SCRIPR
  AVERAGE
  -1.0D0 0
  BILINEAR U SCALAR LATLON 1
alb:tice alb:tice 1 3600 0 out.nc OUTPUT
icet icet
 $END
"""
LOOSE_BECOMES = """&h3ou_var comp_put="ice", comp_get="wave", grid_put="icet", grid_get="wavt", mapping_tag=1, method="distance(n=4,power=1)" /
&h3ou_var var_put="hice", var_get="W_ICE", intvl=600, lag=-1, flag="SNP", monitor="sent,received" /
&h3ou_var var_put="aice", var_get="W_IC1", intvl=600, lag=-1, flag="SNP", monitor="sent,received" /
&h3ou_var var_put="flo", var_get="W_IC5", intvl=600, lag=-1, flag="SNP", monitor="sent,received" /
&h3ou_var comp_put="wave", comp_get="ice", grid_put="wavt", grid_get="icet", mapping_tag=1, method="bilinear,distance(n=4,power=1)" /
&h3ou_var var_put="W_TWU", var_get="twx", intvl=600, lag=-1, flag="AVR", factor=-1 /
&h3ou_var var_put="W_TWV", var_get="twy", intvl=600, lag=-1, flag="AVR", factor=-1 /
"""
MERGED = """definitions:
  atm2oce: &atm2oce
    src_component: atmo
    src_grid: atmo_grid
    tgt_component: ocean
    tgt_grid: ocean_grid
    time_reduction: average
    src_lag: 1
    tgt_lag: 0
  stacks:
    smooth: &smooth
      interpolation:
        - rbf
        - nnn:
            n: 4
            weighted: arithmetic_average
        - fixed:
            user_value: -999.9
    area: &area
      interpolation:
        - conservative:
            order: 1
            enforced_conservation: false
            partial_coverage: true
            normalisation: fracarea
        - fixed: { user_value: -999.9 }
timestep_unit: ISO_format
calendar: proleptic-gregorian
coupling:
  - <<: [ *atm2oce, *smooth ]
    coupling_period: PT30M
    field: [stress_east,
            stress_north]
  - <<: [ *atm2oce, *area ]
    coupling_period: PT1H
    field: [water_flux, heat_flux]
    #weight_file_name: w.nc
  - {source_component: ocean, source_grid: ocean_grid, target_component: atmo, target_grid: atmo_grid, coupling_period: PT1H,
     source_lag: 1, target_lag: 1, field: sst, interpolation: [nnn]}
"""
MERGED_BECOMES = """&h3ou_coupling calendar="gregorian" /
&h3ou_var comp_put="atmo", comp_get="ocean", grid_put="atmo_grid", grid_get="ocean_grid", mapping_tag=1 /
&h3ou_var var_put="stress_east", var_get="stress_east", intvl=1800, lag=1, flag="AVR", method="radial(n=9),average(n=4),value(value=-999.9)" /
&h3ou_var var_put="stress_north", var_get="stress_north", intvl=1800, lag=1, flag="AVR", method="radial(n=9),average(n=4),value(value=-999.9)" /
&h3ou_var var_put="water_flux", var_get="water_flux", intvl=3600, lag=1, flag="AVR", method="conservative,value(value=-999.9)", norm="fracarea" /
&h3ou_var var_put="heat_flux", var_get="heat_flux", intvl=3600, lag=1, flag="AVR", method="conservative,value(value=-999.9)", norm="fracarea" /
&h3ou_var comp_put="ocean", comp_get="atmo", grid_put="ocean_grid", grid_get="atmo_grid", mapping_tag=1, method="nearest" /
&h3ou_var var_put="sst", var_get="sst", intvl=3600, lag=-1, flag="SNP" /
"""


class Convert(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "input"

    def convert(self, text, components=PLACES, steps=STEPS):
        """(exit code, namelist, what was said) of the conversion, in this process; the namelist is checked by the library."""
        self.file.write_text(text, encoding="utf-8")
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = convert.main(str(self.file), "", components, steps, "", "unused")
        return code, out.getvalue(), err.getvalue()

    def expect(self, text, wanted, remark, changes):
        code, namelist, said = self.convert(text)
        self.assertIn(wanted, namelist, changes)
        self.assertNotIn("of the result: error", said, changes)
        if remark:
            self.assertIn(f"input:{remark}", said, changes)
            self.assertIn(f"! {self.file}:{remark}", namelist)
        self.assertEqual((code, "not converted" in said), (3 if remark else 0, bool(remark)), (changes, said))

    def test_oasis(self):
        for changes, wanted, remark in OASIS:
            self.expect(HEAD + ENTRY.format(**{**GOOD, **changes}), wanted, remark, changes)
        self.expect(HEAD + LINEAR.format(constant="0.0"), "lag=-1, flag=\"SNP\", factor=-0.5", None, "linear")
        self.expect(HEAD + LINEAR.format(constant="273.15"), "factor=-0.5", "19: not converted: BLASOLD adds CONSTANT 273.15", "linear")
        for word, key, remark in (("GLOBAL opt", 'conserve="global"', None), ("GLBPOS", 'conserve="proportional"', None), ("BASBAL", 'flag="SNP" /', "16: not converted: CONSERV BASBAL")):
            self.expect(HEAD + f"A B 1 3600 2 EXPORTED\n lmdz torc LAG=1800\n SCRIPR CONSERV\n DISTWGT LR SCALAR LATLON 1 4\n {word}\n", key, remark, word)
        self.expect(HEAD + "A B 1 1800 0 EXPORTED\n lmdz lmdz\n", 'comp_put="atmos", comp_get="atmos"', None, "inside a component")
        self.expect(HEAD + ENTRY.format(**GOOD) + "F F 1 3600 0 f.nc INPUT\n", 'var_put="ICE"', "18: not converted: INPUT: F is read from a file", "INPUT")
        self.expect(HEAD + ENTRY.format(**GOOD) + "F F 1 3600 1 f.nc OUTPUT\n lmdz\n LOCTRANS\n AVERAGE\n", 'var_put="ICE"', "18: not converted: OUTPUT: F", "OUTPUT")
        self.expect(HEAD + ENTRY.format(**GOOD) + "X TS 1 3600 0 EXPORTED\n torc lmdz LAG=3600\n", 'var_put="ICE"', "18: not converted: atmos gets TS twice", "twice")
        ahead = "B C 1 10800 0 EXPORTED\n lmdz torc LAG=-9000\n"
        self.expect(HEAD + ENTRY.format(**{**GOOD, "lag": "LAG=-7200"}) + ahead, 'var_put="B", var_get="C", intvl=10800, lag=-1',
                    "18: not converted: atmos and ocean would each run ahead", "both ahead")

    def test_lag_of_one_step(self):
        """What is put in a step and got in the same one: lag=0, when interval and steps are alike."""
        entry = "A B 1 3600 0 EXPORTED\n lmdz torc\n"
        code, namelist, _ = self.convert(HEAD + entry, PLACES, "ocean=3600,atmos=3600")
        self.assertIn('var_put="A", var_get="B", lag=0, flag="SNP" /', namelist)
        self.assertEqual(code, 0)

    def test_without_options(self):
        """What a namcouple does not say is guessed, and said."""
        code, namelist, said = self.convert(HEAD + ENTRY.format(**GOOD), "", "")
        self.assertEqual(code, 3)
        self.assertIn('comp_put="torc", comp_get="lmdz"', namelist)
        for said_of in ("which component has the grid torc", "which component has the grid lmdz", "LAG=+3600 is taken as the time step of torc"):
            self.assertIn(said_of, said)

    def test_published_forms(self):
        for text, becomes, components, steps in ((LOOSE, LOOSE_BECOMES, "icet=ice,wavt=wave", "ice=120,wave=300"), (MERGED, MERGED_BECOMES, "", "ocean=3600,atmo=900")):
            code, namelist, said = self.convert(text, components, steps)
            self.assertEqual("".join(line for line in namelist.splitlines(True) if not line.startswith("!")), becomes)
            self.assertNotIn("of the result: error", said)
            self.assertEqual(code, 3)

    def test_mapping(self):
        """A file of weights is named, and looked for."""
        entry = "A B 1 3600 2 EXPORTED\n lmdz torc LAG=1800\n R 0 R 0\n LOCTRANS MAPPING\n INSTANT\n rmp_lmdz_torc.nc src opt\n"
        code, namelist, said = self.convert(HEAD + entry)
        self.assertIn('method="file(file=rmp_lmdz_torc.nc)"', namelist)
        self.assertEqual(code, 3)
        self.assertRegex(said, "of the result: error: .*rmp_lmdz_torc.nc")

    def test_yac(self):
        for changes, wanted, remark in YAC:
            self.expect(YAML.format(**{**PLAIN, **changes}), wanted, remark, changes)

    def test_refused(self):
        for text, line, sentence in REFUSED:
            code, namelist, said = self.convert(text)
            self.assertEqual((code, namelist), (1, ""), (text, said))
            self.assertRegex(said, rf"^h3ou convert-config: {re.escape(str(self.file))}:{line}: .*({sentence})", text)

    def test_hostile(self):
        """Changed files end with a namelist that the library reads, or with one sentence; bombs of aliases end soon."""
        pick = random.Random(17)
        texts = [HEAD + ENTRY.format(**GOOD) + LINEAR.format(constant="0"), YAML.format(**PLAIN)]
        words = ["", "0", "-1", "1e9", "$END", "#", "'", "\"", "/", "&h3ou_var", "!", "*common", "&x", "[", "{", "\x07", "ä", "x" * 300, "<<", ": ", "- "]
        ends = set()
        for _ in range(300):
            text = pick.choice(texts)
            tokens = re.split(r"(\s+)", text)
            for _ in range(pick.randrange(1, 4)):
                tokens[pick.randrange(len(tokens))] = pick.choice(words)
            code, _, said = self.convert("".join(tokens)[:pick.choice((100000, 100000, 400))])
            self.assertIn(code, (0, 1, 3))
            self.assertNotRegex(said, "Traceback|of the result: error: (?!.*No such file)", "".join(tokens))
            ends.add(code)
        self.assertEqual(ends, {0, 1, 3})
        bomb = "a0: &a0 {k: v}\n" + "".join(f"a{i}: &a{i} {{<<: [*a{i - 1}, *a{i - 1}]}}\n" for i in range(1, 60)) + "coupling: [*a59]\n"
        code, _, said = self.convert(bomb)
        self.assertEqual(code, 1, said)

    def test_command(self):
        """The command itself: files, options, exit codes."""
        self.file.write_text(HEAD + ENTRY.format(**GOOD))

        def run(*words):
            return subprocess.run([H3OU, "convert-config", *words], cwd=self.folder, capture_output=True, text=True, timeout=200, check=False)
        done = run("input", "-c", PLACES, "--steps", STEPS, "-o", "new.conf")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.assertIn('comp_put="ocean"', (self.folder / "new.conf").read_text())
        self.assertEqual(subprocess.run([H3OU, "check", "new.conf", "--steps", STEPS], cwd=self.folder, capture_output=True, timeout=200, check=False).returncode, 0)
        self.assertEqual(run("input", "-f", "yac").returncode, 1)
        self.assertEqual(run("none").returncode, 1)
        self.assertEqual(run("input", "-f", "esmf").returncode, 2)
        done = run("input", "-c", "torc")
        self.assertEqual(done.returncode, 1)
        self.assertIn("--components: 'torc': GRID=COMPONENT", done.stderr)
        (self.folder / "binary").write_bytes(b"\0" * 99)
        self.assertIn("it is no text", run("binary").stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
