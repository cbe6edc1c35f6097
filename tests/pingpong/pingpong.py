#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""pingpong.py H3OU [TestCase...]: h3ou bench pingpong by itself on this host, and between jobs of different MPIs."""
import csv
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

H3OU = sys.argv[1]
QUICK = ["--sizes", "8,65536", "--seconds", "0.01", "--rounds", "2"]
TITLES = {"mpich": "MPICH", "openmpi": "Open MPI"}


class Bench(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="h3ou-pingpong-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out"

    def call(self, *words, env=None, timeout=200):
        env = {**{k: v for k, v in os.environ.items() if not k.startswith("WAITIO_")}, **(env or {})}
        return subprocess.run([H3OU, "bench", "pingpong", *map(str, words)], cwd=self.folder, env=env, capture_output=True,
                              text=True, timeout=timeout, stdin=subprocess.DEVNULL)

    def fails(self, code, *said, words, **more):
        done = self.call(*words, **more)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for part in said:
            self.assertIn(part, done.stderr)

    def look(self, names, pairs, sizes, rounds=2, has_png=True):
        """The three files say the same: a point for each way, number of pairs and size; and there is a picture."""
        points = {(n, p, s) for n in names for p in pairs for s in sizes}
        with open(self.out / "pingpong.csv", newline="") as f:
            rows = list(csv.DictReader(f))
        self.assertEqual({(r["name"], int(r["pairs"]), int(r["bytes"])) for r in rows}, points)
        self.assertEqual(len(rows), len(points))
        for row in rows:
            self.assertGreater(float(row["half_rtt_us"]), 0.0)
            self.assertLessEqual(float(row["half_rtt_least_us"]), float(row["half_rtt_us"]))
            self.assertGreaterEqual(float(row["half_rtt_most_us"]), float(row["half_rtt_us"]))
            self.assertAlmostEqual(float(row["bandwidth_gbs"]), 1e-3 * int(row["pairs"]) * int(row["bytes"]) / float(row["half_rtt_us"]),
                                   delta=0.01 * float(row["bandwidth_gbs"]) + 1e-6)
            self.assertGreaterEqual(int(row["rounds"]), rounds)
            self.assertGreaterEqual(int(row["pingpongs"]), rounds)
        report = json.loads((self.out / "pingpong.json").read_text())
        self.assertEqual({(s["name"], s["pairs"], p["bytes"]) for s in report["series"] for p in s["points"]}, points)
        self.assertEqual(report["rounds"], rounds)
        text = (self.out / "pingpong.txt").read_text()
        for size, shown in ((8, "8 B"), (65536, "64 KB")):
            lines = [line for line in text.splitlines() if line.strip().startswith(shown)]
            self.assertEqual(len(lines), 2 * len(pairs) if size in sizes else 0, text)
        self.assertEqual((self.out / "pingpong.png").exists(), has_png)
        if has_png:
            png = (self.out / "pingpong.png").read_bytes()
            self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
            width, height = struct.unpack(">II", png[16:24])
            self.assertTrue(width > 1000 and height > 600 and len(png) > 20000, (width, height, len(png)))
        return report


class Alone(Bench):
    def test_all(self):
        done = self.call(*QUICK, "--pairs", "1,2", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = self.look(["raw TCP", "WaitIO, 2 PBs", "WaitIO, 1 PB", *(TITLES[m] for m in jobs.MPIS)], [1, 2], [8, 65536])
        self.assertEqual(done.stdout.splitlines()[-1], f"The picture: {self.out}/pingpong.png")
        self.assertIn("h3ou bench pingpong:", done.stderr)
        cores = len(os.sched_getaffinity(0))
        for series in report["series"]:
            self.assertEqual(series["pinned"], 2 * series["pairs"] <= cores, series)
        self.assertEqual(any("outnumber" in note for note in report["notes"]), cores < 4)

    def test_crowded(self):
        """More processes than cores; sizes that are no power of two."""
        done = self.call("--sizes", "1-4,9,1000", "--repeat", "3", "--rounds", "1", "--pairs", "8", "--pbs", "2", "--mpi", "none", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = self.look(["raw TCP", "WaitIO, 2 PBs"], [8], [1, 2, 4, 9, 1000], rounds=1)
        self.assertEqual({p["pingpongs"] for s in report["series"] for p in s["points"]}, {3})

    def test_routes(self):
        done = self.call(*QUICK, "--pairs", "1", "--pbs", "1", "--mpi", "none", "--routes", "chosen,tcp", "--out", self.out,
                         "--picture", "p.pdf")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1], "The picture: p.pdf")
        pdf = (self.folder / "p.pdf").read_bytes()
        self.assertTrue(pdf.startswith(b"%PDF-") and pdf.rstrip().endswith(b"%%EOF"))
        self.look(["raw TCP", "WaitIO, 1 PB", "WaitIO, 1 PB socket"], [1], [8, 65536], has_png=False)

    def test_no_matplotlib(self):
        """Without matplotlib the tables are written, and what is missing is said; only a picture asked for by name is an error."""
        (self.folder / "matplotlib.py").write_text("raise ImportError('none here')\n")
        words = [*QUICK, "--pairs", "1", "--pbs", "1", "--mpi", "none", "--out", self.out]
        env = {"PYTHONPATH": str(self.folder)}
        done = self.call(*words, env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no picture: pictures are drawn by matplotlib", done.stderr)
        self.assertIn("apt install python3-matplotlib", done.stderr)
        self.look(["raw TCP", "WaitIO, 1 PB"], [1], [8, 65536], has_png=False)
        self.fails(1, "--picture: pictures are drawn by matplotlib", words=[*words, "--picture", "p.svg"], env=env)
        self.assertFalse((self.folder / "p.svg").exists())

    def test_svg(self):
        words = [*QUICK, "--pairs", "1", "--pbs", "1", "--mpi", "none", "--out", self.out]
        done = self.call(*words, "--picture", "p.svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("<svg", (self.folder / "p.svg").read_text())
        self.fails(1, "--picture: none/p.png: No such file", words=[*words, "--picture", "none/p.png"])

    def test_mpi_that_fails(self):
        """One MPI that does not start is told, and takes nothing from the others."""
        if not jobs.MPIS:
            self.skipTest("no MPI")
        launcher = self.folder / f"mpirun.{jobs.MPIS[0]}"
        launcher.write_text("#!/bin/sh\necho 'no slots today' >&2\nexit 3\n")
        launcher.chmod(0o755)
        done = self.call(*QUICK, "--pairs", "1", "--pbs", "2", "--mpirun", launcher, "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = self.look(["raw TCP", "WaitIO, 2 PBs"], [1], [8, 65536])
        self.assertTrue(any("no slots today" in note for note in report["notes"]), report["notes"])


class Join(Bench):
    def between(self, first, second, procs=(2, 2), more=()):
        port = jobs.free_port()
        line = [H3OU, "bench", "pingpong", "--join"]
        started = [jobs.Job(first, [(procs[0], [*line, *QUICK, *more, "--out", self.out])], jobs.waitio(port, 0, 2, WAITIO_JOIN_PATIENCE=40)),
                   jobs.Job(second, [(procs[1], line)], jobs.waitio(port, 1, 2, WAITIO_JOIN_PATIENCE=40))]
        results = jobs.wait_all(started)
        self.assertEqual(jobs.problems_of(results), [])
        return results

    def test_mpich_and_openmpi(self):
        if len(jobs.MPIS) < 2:
            self.skipTest("one MPI")
        for first, second in (jobs.MPIS, jobs.MPIS[::-1]):
            with self.subTest(first=first, second=second):
                results = self.between(first, second)
                self.look(["raw TCP", "WaitIO, 2 PBs"], [1, 2], [8, 65536])
                self.assertIn("two jobs of 2 and 2 processes", results[0].out)
                self.assertEqual(results[1].out, "")

    def test_unequal_jobs(self):
        """Who has no partner waits and ends with the others."""
        for mpi in jobs.MPIS[:1]:
            self.between(mpi, mpi, procs=(3, 1), more=["--pairs", "1"])
            self.look(["raw TCP", "WaitIO, 2 PBs"], [1], [8, 65536])

    def test_one_job(self):
        for mpi in jobs.MPIS:
            for pairing in ("next", "far"):
                line = [H3OU, "bench", "pingpong", "--join", *QUICK, "--pairs", "2", "--pairing", pairing, "--out", self.out]
                results = jobs.wait_all([jobs.Job(mpi, [(4, line)], {"WAITIO_NPB": 1, "WAITIO_PBID": 0})])
                self.assertEqual(jobs.problems_of(results), [])
                self.look(["raw TCP", "WaitIO, 1 PB"], [2], [8, 65536])

    def test_too_many_pairs(self):
        """Rank 0 says it, and all end."""
        for mpi in jobs.MPIS[:1]:
            line = [H3OU, "bench", "pingpong", "--join", "--pairs", "3", "--out", self.out]
            result, = jobs.wait_all([jobs.Job(mpi, [(4, line)], {"WAITIO_NPB": 1, "WAITIO_PBID": 0})])
            self.assertFalse(result.timed_out or result.left or result.code == 0)
            self.assertIn("--pairs 3: these jobs have processes for 2", result.err + result.out)
            self.assertFalse(self.out.exists())

    def test_single_process(self):
        env = {**jobs.waitio(jobs.free_port(), 0, 1), "WAITIO_RANK": 0, "WAITIO_SIZE": 1}
        self.fails(1, "a single process", words=["--join"], env={k: str(v) for k, v in env.items()})

    def test_no_environment(self):
        self.fails(1, "WAITIO_NPB is not set", words=["--join"])


class Options(Bench):
    def test_wrong(self):
        for words, said in ((["--sizes", "8-"], "--sizes 8-"), (["--sizes", "0"], "1G"), (["--sizes", "2G"], "1G"), (["--sizes", "8,,9"], "--sizes"),
                            (["--pairs", "2,1"], "ascending"), (["--pairs", "0"], "--pairs 0"), (["--rounds", "1000"], "at most 100"),
                            (["--seconds", "-1"], "--seconds -1"), (["--routes", "smoke"], "'smoke'"), (["--pbs", "3"], "both|1|2"),
                            (["--patience", "0"], "--patience 0"), (["--join", "--mpi", "mpich"], "does not go with --join"),
                            (["--parts", "1"], "did you mean '--pairs'"), (["more"], "more")):
            with self.subTest(words=words):
                self.fails(2, said, "usage: h3ou bench pingpong", words=words)
        self.fails(1, "--mpi lam", "or say none", words=["--mpi", "lam"])
        self.fails(1, "cannot be run", words=["--mpirun", "/nowhere/mpirun.mpich"] if "mpich" in jobs.MPIS else
                   ["--mpirun", "/nowhere/mpirun.openmpi"])

    def test_out(self):
        (self.folder / "file").write_text("")
        self.fails(1, "--out", "name a folder", words=["--out", self.folder / "file"])
        self.fails(1, "--out", words=["--out", "/nowhere/at/all"])

    def test_help(self):
        done = self.call("--help")
        self.assertEqual(done.returncode, 0)
        for word in ("--join", "--pairs", "WAITIO_COMM_TYPE", "pingpong.txt"):
            self.assertIn(word, done.stdout)
        for words, code in ((["bench"], 2), (["bench", "--help"], 0), (["bench", "pingpang"], 2)):
            done = subprocess.run([H3OU, *words], capture_output=True, text=True, timeout=200)
            self.assertEqual(done.returncode, code)
            self.assertIn("pingpong", done.stdout + done.stderr)


class Tune(unittest.TestCase):
    """h3ou bench tune: the file that it writes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="h3ou-tune-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *words, env=None):
        env = {**{k: v for k, v in os.environ.items() if not k.startswith("WAITIO_")}, **(env or {})}
        return subprocess.run([H3OU, "bench", "tune", *map(str, words)], cwd=self.folder, env=env, capture_output=True, text=True,
                              timeout=200, stdin=subprocess.DEVNULL)

    def values(self, text, job_route="measured"):
        self.assertIn("&h3ou_tuning\n", text)
        self.assertIn(f"\n  job_route = '{job_route}' ", text)
        self.assertTrue(text.endswith("/\n"), text)
        return {k: float(v) for k, v in re.findall(r"(\w+) = ([-+.\w]+)", text)}

    def test_alone(self):
        done = self.call("--sizes", "8,65536", "--seconds", "0.01", "--rounds", "1", "--out", "t")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = self.values((self.folder / "t").read_text())
        self.assertEqual(set(found), {f"{r}_{k}" for r in ("inside", "between") for k in ("latency", "bandwidth")} | {"ports"})
        self.assertTrue(all(v > 0 for v in found.values()), found)

    def test_join(self):
        port, started = jobs.free_port(), []
        for pb, mpi in enumerate((jobs.MPIS[0], jobs.MPIS[-1])):
            command = [H3OU, *(["bench"] if pb else []), "tune", "--join", "--job-route", "waitio", "--sizes", "8,65536", "--seconds", "0.01", "--rounds", "1", "--out", self.folder / "j"]
            started.append(jobs.Job(mpi, [(1, command)], jobs.waitio(port, pb, 2)))
        problems = jobs.problems_of(jobs.wait_all(started))
        self.assertEqual(problems, [])
        found = self.values((self.folder / "j").read_text(), "waitio")
        self.assertEqual(set(found), {"between_latency", "between_bandwidth", "ports"})

    def test_wrong(self):
        for words, said in ((["--sizes", "8"], "need two sizes"), (["--sizes", "8,,9"], "--sizes"), (["--rounds", "1000"], "at most 100"),
                            (["--seconds", "-1"], "--seconds -1"), (["--patience", "0"], "--patience 0"), (["--job-route", "tcp"], "--job-route tcp")):
            with self.subTest(words=words):
                done = self.call(*words)
                self.assertEqual(done.returncode, 2)
                self.assertIn(said, done.stderr)
        done = self.call("--sizes", "8,65536", "--seconds", "0.01", "--rounds", "1", "--mpi", "none", "--out", "/nowhere/t")
        self.assertEqual(done.returncode, 1)
        self.assertIn("--out /nowhere/t", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
