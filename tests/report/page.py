#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""page.py H3OU MODEL MONITORED SOURCE: the report of a real run, to which a ledger and kept fields are added, as a browser shows it: nothing is loaded, nothing fails,
it fits a phone, and the time line zooms. And what becomes of folders that are damaged, or have nothing."""
import base64
import contextlib
import html.parser
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

H3OU, MODEL, MONITORED, SOURCE = *sys.argv[1:4], pathlib.Path(sys.argv[4])
sys.path[:0] = [str(SOURCE / "tests/lib"), str(SOURCE / "tools/run"), str(SOURCE / "tools/run/check"), str(SOURCE / "tools/run/report"), str(SOURCE / "tools/run/state")]
import activity_sums
import jobs
import timeline_file

try:
    import netCDF4
    import numpy as np
except ImportError:
    netCDF4 = None
try:
    from selenium import webdriver
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
except ImportError:
    webdriver = None
BROWSER = shutil.which("chromium") and shutil.which("chromedriver") and webdriver
EVIL = '<script>alert(1)</script>&"\''
CONFIG = """&h3ou_coupling log_level="WHISPER" /
&h3ou_var comp_put="atmos", comp_get="ocean", grid_put="atmos_g", grid_get="ocean_g", mapping_tag=1 /
&h3ou_var var_put="atmos_v", var_get="atmos_v", intvl=1200, lag=-1, layer=1, flag='SNP' /
&h3ou_var comp_put="ocean", comp_get="atmos", grid_put="ocean_g", grid_get="atmos_g", mapping_tag=1 /
&h3ou_var var_put="ocean_v", var_get="ocean_v", intvl=1200, lag=-1, layer=1, flag='SNP' /
"""
JOB = """
[[job]]
name = "{0}"
executable = "{2}.{3}"
launcher = "{3}"
arguments = ["{0}", "{1}", "good.conf", "none"]
processes = 2
"""
FIELDS = """&h3ou_coupling monitor='sent,got' ledger=.true. /
&h3ou_var comp_put='A', comp_get='B', grid_put='A_g', grid_get='B_g', method='conservative' /
&h3ou_var var_put='f', var_get='f', intvl=1200, lag=-1, flag='SNP' /
"""
LEDGER = "model_time_s\tsource_integral\ttarget_integral\tdifference\trelative\tcorrection\tsource_min\tsource_mean\tsource_max\ttarget_min\ttarget_mean\ttarget_max\n"


def run(*words, code=0, **environment):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=200, check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, **jobs.ENVIRONMENT, "H3OU_JOIN_PATIENCE": "40", **environment})
    if done.returncode != code:
        raise AssertionError(f"{words}: code {done.returncode}: {done.stdout}{done.stderr}")
    return done


def coupled_run(folder, name="run", more=""):
    (folder / "good.conf").write_text(CONFIG)
    text = f'[run]\ndirectory = "out"\nconfiguration = "good.conf"\n{more}'
    text += "".join(JOB.format(me, other, MODEL, mpi) for me, other, mpi in (("atmos", "ocean", jobs.MPIS[0]), ("ocean", "atmos", jobs.MPIS[-1])))
    (folder / f"{name}.toml").write_text(text)
    return folder / f"{name}.toml"


def add_ledger(out):
    (out / "ledger").mkdir(exist_ok=True)
    rows = [[3600 * i, 100 + i, 100 + i * 1.01, 0.01 * i, 1e-4 * i, 0, -1, 0.5, 2, -0.9, 0.51, 1.9] for i in range(24)]
    (out / "ledger/atmos.heat.ocean.heat.tsv").write_text(LEDGER + "".join("\t".join(map(str, r)) + "\n" for r in rows))
    (out / "ledger/land.water.ocean.<b>runoff.tsv").write_text(LEDGER + "0\t1\t1\t0\t0\t0\t0\t1\t2\t0\t1\t2\n5\tmuch\n")


def add_cells(out, name):
    """A field of two layers on cells without an order, kept once, as the library keeps it."""
    (out / "monitor").mkdir(exist_ok=True)
    with netCDF4.Dataset(out / f"monitor/{name}.nc", "w") as f:
        f.setncatts({"h3ou_component": "atmos", "h3ou_field": name, "h3ou_side": "got", "h3ou_partner": "ocean", "Conventions": "CF-1.8"})
        for dimension, size in (("time", None), ("layer", 2), ("cell", 2000)):
            f.createDimension(dimension, size)
        i = np.arange(2000)
        for key, dimension, values in (("time", "time", [0.0]), ("layer", "layer", [1.0, 2.0]), ("lat", "cell", np.degrees(np.arcsin(2 * (i + 0.5) / 2000 - 1))),
                                       ("lon", "cell", i * 137.50776 % 360)):
            f.createVariable(key, "f8", (dimension,))[:] = values
        f["time"].units = "seconds since 2000-01-01 00:00:00"
        f.createVariable(name, "f4", ("time", "layer", "cell"), fill_value=9.969209968386869e36)[0] = np.stack([f["lat"][:], f["lon"][:]])


def add_field(out, name):
    """A field as the library keeps it, on a regular grid, with cells that have no value."""
    times = 3
    (out / "monitor").mkdir(exist_ok=True)
    with netCDF4.Dataset(out / f"monitor/{name}.nc", "w") as f:
        f.setncatts({"h3ou_component": "ocean", "h3ou_field": name, "h3ou_side": "put", "Conventions": "CF-1.8"})
        f.createDimension("time", None)
        f.createDimension("lat", 45)
        f.createDimension("lon", 90)
        for key, units, values in (("time", "seconds since 2000-01-01 00:00:00", np.arange(times) * 3600.0), ("lat", "degrees_north", np.linspace(-88, 88, 45)),
                                   ("lon", "degrees_east", np.arange(90) * 4.0)):
            f.createVariable(key, "f8", (key,)).units = units
            f[key][:] = values
        v = f.createVariable(name, "f8", ("time", "lat", "lon"), fill_value=9.969209968386869e36)
        for i in range(times):
            values = 20 * np.cos(np.radians(f["lat"][:]))[:, None] + i * np.sin(np.radians(f["lon"][:]))[None, :]
            v[i] = np.ma.masked_where((np.abs(f["lat"][:])[:, None] < 10) & (f["lon"][:][None, :] < 60), values)


def add_timeline(out, component, ranks, spans):
    """Time lines as the recorder writes them, of a component that has made many steps, begun with the others: rank r waits longer than the rank before."""
    began = (out / "timeline/atmos.0").read_bytes()[32:40]

    def head(rank, length):
        totals = [0] * 9
        totals[2], totals[3] = int(length * 0.7), int(length * 0.3)
        data = struct.pack("<8sIIIIIIqQQQQQ9Q", b"h3outime", 1, 512, 1, ranks, rank, 100, int.from_bytes(began, "little"), length, 1, length, 0, 0, *totals)
        return data.ljust(192, b"\0") + b"node7".ljust(64, b"\0") + component.encode().ljust(80, b"\0") + b"MPICH Version: 4".ljust(176, b"\0")

    def n(v):
        found = bytearray()
        while v > 127:
            found.append(v & 127 | 128)
            v >>= 7
        return bytes(found) + bytes([v])

    for rank in range(ranks):
        events, at = bytearray(b"\x01\x00"), 0
        what, who = EVIL.encode(), b"component ocean rank 1"
        events += b"\x0f" + n(len(what)) + what + n(len(who)) + who
        for i in range(spans):
            for lead, ticks in ((14, 900), (2, 0), (16 + 3, 7000 + 100 * rank), (16 + 5, 3000)):
                event = n(lead) + n(ticks) + (b"\x00" if lead == 14 else b"")
                if (512 + len(events)) // 65536 != (512 + len(events) + len(event) - 1) // 65536:
                    events += b"\0" * (65536 - (512 + len(events)) % 65536)
                events += event
                at += ticks
        (out / f"timeline/{component}.{rank}").write_bytes(head(rank, at) + events)


class Outline(html.parser.HTMLParser):
    """The tags, ids and texts of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.sources, self.texts = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.ids += [v for k, v in attrs if k == "id"]
        self.sources += [v for k, v in attrs if k in ("src", "href", "srcset", "action", "data")]

    def handle_data(self, data):
        self.texts.append(data)


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name).resolve()
        cls.file = coupled_run(cls.root)
        cls.said = run(H3OU, "run", cls.file).stderr
        cls.out = cls.root / "out"

    def test_run_makes_it(self):
        """h3ou run ends with the report and names it; the page has what the run was."""
        self.assertRegex(self.said, rf"h3ou run: report: {self.out}/report.html\n")
        text = (self.out / "report.html").read_text()
        page = Outline(text)
        for name in ("summary", "graph", "time", "balance", "waits", "weights", "hosts", "routes"):
            self.assertIn(name, page.ids)
        for name in ("fields", "maps"):
            self.assertNotIn(name, page.ids)
        self.assertTrue(all(s.startswith(("data:", "#")) for s in page.sources), page.sources)
        for words in ("atmos_v", "ocean_v", "every 20 min, snapshot, lag -1", "ocean → atmos", os.uname().nodename, "2 jobs ended well"):
            self.assertTrue(any(words in t for t in page.texts), words)
        about = json.loads((self.out / "run.json").read_text())
        self.assertEqual([(j["name"], j["processes"], j["code"]) for j in about["jobs"]], [("atmos", 2, 0), ("ocean", 2, 0)])
        self.assertEqual(sum(kind == "field" for kind, _ in about["graph"]), 2)
        ways = [re.fullmatch(r"ways memory=(\d+) copy=0 mpi=(\d+) waitio=(\d+)(?: \w+=\d+)*", what) for t in timeline_file.read(self.out)[0] for what, _ in t.labels]
        self.assertEqual([sum(map(int, w.groups())) for w in ways if w], [1] * 4)  # each process sends to one
        data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])
        self.assertEqual([(r["name"], r["processes"], len(r["ranks"])) for r in data["rows"]], [("atmos", 2, 2), ("ocean", 2, 2)])

    def test_not_wanted(self):
        folder = self.root / "without"
        folder.mkdir()
        said = run(H3OU, "run", coupled_run(folder, more="report = false\n"), WAITIO_COMM_TYPE="socket").stderr
        self.assertFalse((folder / "out/report.html").exists())
        self.assertNotIn("report", said)
        # Between the jobs by TCP: the routes and the algorithms are known without a word in the log.
        self.assertNotIn("algorithm call=", "".join(p.read_text() for p in (folder / "out/log").iterdir()))
        run(H3OU, "report", folder / "out")
        texts = Outline((folder / "out/report.html").read_text()).texts
        for words in ("WaitIO (tcp)", "of these by tcp", "algorithm between the jobs", "Global", "calls inside the job by"):
            self.assertTrue(any(words in t for t in texts), words)

    def test_trace(self):
        """Every span of every process, in the order in which they began."""
        run(H3OU, "report", self.out, "--trace", self.root / "trace.json", "-o", self.root / "other.html")
        events = json.loads((self.root / "trace.json").read_text())["traceEvents"]
        timelines, _ = timeline_file.read(self.out)
        spans = [e for e in events if e["ph"] == "X"]
        self.assertEqual(len(spans), sum(len(t.spans) for t in timelines))
        self.assertEqual(len([e for e in events if e["ph"] == "i"]), sum(len(t.steps) for t in timelines))
        self.assertTrue(all(e["dur"] >= 0 and e["ts"] >= 0 for e in spans))
        self.assertIn({"ph": "M", "name": "process_name", "pid": 2, "args": {"name": "ocean"}}, events)
        self.assertTrue((self.root / "other.html").exists())

    @unittest.skipUnless(netCDF4, "no netCDF4 for Python")
    def test_kept_fields(self):
        """A real ledger and real files of fields: the page has their numbers and maps; of a run whose NetCDF files are not made yet, too."""
        text = f'[run]\ndirectory = "out"\n[[job]]\nname = "both"\nlauncher = "{jobs.MPIS[0]}"\n' + "".join(
            f"""[[job.program]]\nexecutable = "{MONITORED}.{jobs.MPIS[0]}"\nprocesses = 2\narguments = ["{me}", "fields.conf", "4", "-"]\n""" for me in "AB")
        for by_hand in (False, True):
            folder = self.root / f"kept{by_hand}"
            folder.mkdir()
            (folder / "fields.conf").write_text(FIELDS)
            (folder / "run.toml").write_text(text)
            if by_hand:
                (folder / "out/timeline").mkdir(parents=True)
                run("bash", "-c", run(H3OU, "run", folder / "run.toml", "--dry-run").stdout)
                self.assertEqual(list(folder.glob("out/monitor/*.nc")), [])
                run(H3OU, "report", folder / "out")
            else:
                run(H3OU, "run", folder / "run.toml")
            self.check_kept(folder / "out")
        done = run(H3OU, "report", folder / "out", "--maps", "nothing", "-o", folder / "maps.html")
        self.assertIn("--maps nothing: the run has kept no such field: it has f", done.stderr)

    def check_kept(self, out):
        rows = [line.split("\t") for line in (out / "ledger/A.f.B.f.tsv").read_text().splitlines()]
        first, last = (dict(zip(rows[0], map(float, row))) for row in (rows[1], rows[-1]))
        page = Outline((out / "report.html").read_text())
        at = page.texts.index("target", page.texts.index("A: f → B: f"))
        self.assertEqual(page.texts[at + 4:at + 6], [f"{first['target_integral']:.9g}", f"{last['target_integral']:.9g}"])
        self.assertTrue({"f (sent by A for B)", "f (got by B from A)"} <= set(page.texts), page.texts)
        self.assertEqual(page.tags.count("img"), 6)

    def copy(self, name):
        shutil.copytree(self.out, self.root / name)
        return self.root / name

    def test_damaged(self):
        """What is damaged is said, and the rest is shown; nothing of its texts becomes a tag."""
        out = self.copy("damaged")
        data = (out / "timeline/ocean.1").read_bytes()
        (out / "timeline/ocean.1").write_bytes(data[:len(data) - 1])
        (out / "timeline/atmos.1").write_bytes(b"nothing of a time line")
        (out / "run.json").write_text('{"jobs": [1, null], "graph": [["pair", "x"], 5], "file": "' + "<b>x" + '"}')
        (out / "log/ocean.log").write_text(f"h3ou ocean.0: nan field={EVIL}\nh3ou ocean.0: planned from={EVIL} cells=3\n\xff\xfe\n", encoding="latin-1")
        add_ledger(out)
        (out / "monitor").mkdir()
        (out / "monitor/x.nc").write_bytes(b"no NetCDF")
        done = run(H3OU, "report", out)
        page = (out / "report.html").read_text()
        for words in ("atmos.1: 22 bytes, which is shorter than the head", "runoff.tsv:3: no row of a ledger; what comes before is shown", "monitor/x.nc: "):
            self.assertIn(words, done.stderr)
        self.assertIn("no row of a ledger", page)
        self.assertNotIn("<script>alert", page)
        self.assertNotIn("<b>runoff", page)
        self.assertIn("&lt;script&gt;alert(1)", page)
        self.assertEqual(Outline(page).tags.count("script"), 2)

    def test_weights(self):
        """The quality of weights whose file is named, by the log or by the user; a file that is none is said."""
        out = self.copy("weights")
        run(H3OU, "weights", "make", "r36x18", "r24x12", "-m", "conservative", "-o", out / "W.nc")
        (out / "V.nc").write_bytes(b"no weights")
        with open(out / "log/ocean.log", "a", encoding="utf-8") as f:
            f.write("h3ou ocean.0: cache-written file=W.nc\n")
        done = run(H3OU, "report", out, "--weights", f"{out}/V.nc")
        self.assertIn("V.nc", done.stderr)
        texts = [t for t in Outline((out / "report.html").read_text()).texts if t.strip()]
        at = texts.index("W.nc")
        self.assertEqual(texts[at:at + 5], ["W.nc", "conservative", "1440", "288", "0"])
        self.assertEqual(texts[at + 6], "100.0000%")

    def test_nothing(self):
        (self.root / "empty").mkdir()
        for folder, words in ((self.root / "empty", "nothing of a run is in it"), (self.root / "none", "no such folder")):
            self.assertIn(words, run(H3OU, "report", folder, code=1).stderr)
        self.assertIn("none/x.html: ", run(H3OU, "report", self.out, "-o", self.root / "none/x.html", code=1).stderr)

    def test_without_pictures(self):
        """Without matplotlib or netCDF4 a sentence stands where maps would."""
        out = self.copy("without_pictures")
        (out / "monitor").mkdir()
        (out / "monitor/x.nc").write_bytes(b"")
        (self.root / "hide").mkdir()
        (self.root / "hide/matplotlib.py").write_text("raise ImportError('hidden')\n")
        said = run(H3OU, "report", out, PYTHONPATH=str(self.root / "hide")).stderr
        self.assertIn("apt install python3-matplotlib python3-netcdf4", said)
        self.assertIn("apt install python3-matplotlib", (out / "report.html").read_text())

    def test_advice(self):
        """The process that moves is the one by which the time of the slower component falls most."""
        class Part:
            def __init__(self, name, size, busy, wall):
                self.name, self.size, self.work, self.wall, self.has_steps = name, size, [busy], wall, True

        advice = activity_sums.Advice([Part("atmos", 4, 10.0, 10.5), Part("ocean", 4, 4.0, 10.5)])
        self.assertEqual((advice.moves(), advice.is_balanced()), ([(1, "ocean", "atmos")], False))
        self.assertAlmostEqual(advice.predicted, 0.5 + 40 / 5)
        self.assertTrue(activity_sums.Advice([Part("atmos", 2, 10.0, 10.5), Part("ocean", 4, 9.9, 10.5)]).is_balanced())
        three = activity_sums.Advice([Part("a", 6, 2.0, 9.0), Part("b", 2, 9.0, 9.0), Part("c", 2, 8.0, 9.0)])
        self.assertEqual(sorted(three.best.values()), [3, 3, 4])
        self.assertAlmostEqual(three.predicted, max(12 / three.best["a"], 18 / three.best["b"], 16 / three.best["c"]))

    def test_bounded(self):
        """A long run of many processes makes a page of some megabytes, in which every component is."""
        out = self.copy("large")
        add_timeline(out, "long", 40, 2500)
        run(H3OU, "report", out)
        self.assertLess((out / "report.html").stat().st_size, 6e6)
        data = json.loads(re.search(r'id="data">(.*?)</script>', (out / "report.html").read_text(), re.S)[1])
        row = next(r for r in data["rows"] if r["name"] == "long")
        self.assertEqual((row["processes"], len(row["ranks"])), (40, 24))
        for rank in row["ranks"]:
            self.assertTrue(all(a[0] + a[1] <= b[0] + 2 for a, b in zip(rank["items"], rank["items"][1:])))


@unittest.skipUnless(BROWSER, "no Chromium with its driver, or no Selenium: apt install chromium chromium-driver python3-selenium")
class InBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name).resolve()
        run(H3OU, "run", coupled_run(cls.root))
        cls.out = cls.root / "out"
        add_ledger(cls.out)
        if netCDF4:
            add_field(cls.out, "sst")
            add_cells(cls.out, "ice")
        add_timeline(cls.out, "x" + EVIL.replace("/", ""), 3, 300)
        run(H3OU, "report", cls.out, "-o", cls.root / "report.html")
        options = webdriver.ChromeOptions()
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={cls.root}/profile"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        cls.driver = webdriver.Chrome(options=options)
        cls.addClassCleanup(cls.driver.quit)

    def show(self, width, height):
        """The page in a window of this size; what was said on the console, and what was asked of the network."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        with contextlib.suppress(Exception):
            self.driver.get_log("performance")
        self.driver.get(f"file://{self.root}/report.html")
        asked = [json.loads(e["message"])["message"] for e in self.driver.get_log("performance")]
        asked = [e["params"]["request"]["url"] for e in asked if e["method"] == "Network.requestWillBeSent"]
        if os.environ.get("H3OU_REPORT_PICTURES"):
            whole = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})
            pathlib.Path(os.environ["H3OU_REPORT_PICTURES"], f"report_{width}.png").write_bytes(base64.b64decode(whole["data"]))
        return self.driver.get_log("browser"), [url for url in asked if not url.startswith("data:")]

    def test_desktop(self):
        console, asked = self.show(1280, 900)
        self.assertEqual(console, [])
        self.assertEqual(asked, [f"file://{self.root}/report.html"])
        self.assertEqual(self.driver.execute_script("return document.querySelectorAll('section').length"), 11 if netCDF4 else 10)
        self.assertEqual(self.driver.execute_script("return [...document.images].filter(i => !i.complete || i.naturalWidth === 0).length"), 0)
        self.assertEqual([i.get_attribute("alt") for i in self.driver.find_elements(By.CSS_SELECTOR, "#maps img")],
                         ["ice (got by atmos from ocean, layer 1 of 2): first (0 seconds since 2000-01-01 00:00:00)",
                          *(f"sst (put by ocean): {what}" for what in ("first (0 seconds since 2000-01-01 00:00:00)",
                                                                      "last (7200 seconds since 2000-01-01 00:00:00)", "last minus first"))] if netCDF4 else [])
        self.assertIn("atmos: heat → ocean: heat", self.driver.find_element(By.ID, "fields").text)

    def test_phone(self):
        """Nothing is wider than the window, also when the time line is open."""
        console, _ = self.show(360, 740)
        self.assertEqual(console, [])
        for _ in range(2):
            wide = self.driver.execute_script("return [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > 361).map(e => e.outerHTML.slice(0, 120))")
            self.assertEqual(wide, [])
            self.assertLessEqual(self.driver.execute_script("return document.documentElement.scrollWidth"), 360)
            self.open_first()

    def canvas(self):
        return self.driver.find_element(By.ID, "canvas")

    def window(self):
        """What the time line shows: begin and end in microseconds."""
        return tuple(int(self.canvas().get_attribute(f"data-{end}")) for end in ("from", "to"))

    def point(self, x, y, *more):
        """Moves to a place of the canvas, from its upper left corner, and does more there."""
        size = self.canvas().size
        chain = ActionChains(self.driver).move_to_element_with_offset(self.canvas(), x - size["width"] // 2, y - size["height"] // 2)
        for what in more:
            chain = what(chain)
        chain.perform()

    def open_first(self):
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", self.canvas())
        self.point(20, 40, lambda c: c.click())

    def test_time_line(self):
        self.show(1280, 900)
        begin, end = self.window()
        before = self.canvas().size["height"]
        self.open_first()
        self.assertGreater(self.canvas().size["height"], before + 40)  # two processes
        self.point(700, 40, lambda c: c.click())
        self.assertIn("atmos, mean of 2 processes", self.driver.find_element(By.ID, "said").text)
        self.point(700, 72, lambda c: c.click())
        self.assertRegex(self.driver.find_element(By.ID, "said").text, rf"^atmos rank 0 on {os.uname().nodename}, .*(start|compute|wait|recorded)")
        self.driver.find_element(By.ID, "closer").click()
        closer = self.window()
        self.assertAlmostEqual(closer[1] - closer[0], (end - begin) / 2, delta=2)
        self.point(700, 40, lambda c: c.click_and_hold(), lambda c: c.move_by_offset(-100, 0), lambda c: c.release())
        moved = self.window()
        self.assertGreater(moved[0], closer[0])
        self.assertAlmostEqual(moved[1] - moved[0], closer[1] - closer[0], delta=2)
        self.point(700, 40, lambda c: c.double_click())
        self.assertAlmostEqual(self.window()[1] - self.window()[0], (moved[1] - moved[0]) / 3, delta=2)
        self.canvas().send_keys("-")
        self.assertAlmostEqual(self.window()[1] - self.window()[0], (moved[1] - moved[0]) * 2 / 3, delta=3)
        self.driver.find_element(By.ID, "all").click()
        self.assertEqual(self.window(), (begin, end))

    def test_names_are_texts(self):
        self.show(1280, 900)
        self.assertIn("<script>alert(1)<script>", self.driver.find_element(By.ID, "summary").text)
        self.assertEqual(self.driver.execute_script("return document.scripts.length"), 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
