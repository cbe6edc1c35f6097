#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""timelines.py RECORD_EVENTS SOURCE: what the recorder writes is what is read; also when the process was killed, when the file is full, cut
at any byte, or damaged."""
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

RECORD, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, str(SOURCE / "tools/run/report"))
import timeline_file
from timeline_file import COMPUTE, FINISH, SEND, START, WAIT


def field(i):
    return f"field{i % 300:0{200 if i % 300 == 299 else 1 + i % 100}d}"[:120]


class Timelines(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "timeline").mkdir()

    def record(self, events, *more, code=0, **environment):
        done = subprocess.run([RECORD, "sea", str(events), *more], capture_output=True, text=True, timeout=200, check=False,
                              env={**os.environ, "H3OU_RUN_DIRECTORY": str(self.folder), **environment})
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout.strip() == "1"

    def read(self):
        found, problems = timeline_file.read(self.folder)
        return found[0], problems

    def check_whole(self, t, events):
        """Each event in its order, with its labels; times that do not go back, and whose sums are those of the head."""
        done = [(kind, t.labels[label]) for _, _, kind, label in t.spans]
        expected = [(START, ("", ""))]
        for i in range(events):
            said = (field(i), "ocean")
            base = START if i < 9 else COMPUTE
            expected += [(SEND, said), (WAIT, (field(i), f'component "<b>" rank {i % 3}')), (SEND, said), (base, ("", ""))]
            if i == 9:
                expected[-1:] = [(START, ("", "")), (COMPUTE, ("", ""))]
        expected.append((FINISH, ("", "")))
        self.assertEqual(done, expected)
        self.assertTrue(all(a[1] == b[0] and a[0] <= a[1] for a, b in zip(t.spans, t.spans[1:])))
        for kind in (START, COMPUTE, WAIT, SEND, FINISH):
            self.assertAlmostEqual(sum(e - b for b, e, k, _ in t.spans if k == kind), t.totals[kind], places=5)
        self.assertEqual([time for _, time in t.steps], [0.25 * i - (i % 10 == 0) for i in range(0, events, 5)])

    def test_whole(self):
        self.assertTrue(self.record(12000))
        t, problems = self.read()
        self.assertEqual((t.component, t.rank, t.size, t.host, t.mpi, t.left_out, problems), ("sea", 1, 2, os.uname().nodename, "no MPI", 0, []))
        self.check_whole(t, 12000)
        self.assertGreater(t.ended, t.began)
        self.assertLess((self.folder / "timeline/sea.1").stat().st_size / len(t.spans), 8)  # bytes an event, with its texts

    def test_killed(self):
        self.record(3000, "kill", code=-9)
        t, problems = self.read()
        self.assertEqual((t.ended, problems), (0, []))
        self.check_whole(t, 3000)

    def test_full(self):
        """What does not fit is left out, but counts in the sums; and the file keeps its bound."""
        self.record(150000, H3OU_TIMELINE="1")
        t, problems = self.read()
        self.assertEqual(problems, [])
        self.assertLessEqual((self.folder / "timeline/sea.1").stat().st_size, 1 << 20)
        self.assertGreater(t.left_out, 100000)
        self.assertLess(t.spans[-1][1], t.length)
        self.assertAlmostEqual(sum(t.totals), t.length, places=5)

    def test_not_wanted(self):
        self.assertFalse(self.record(5, H3OU_TIMELINE="0"))
        self.assertFalse(self.record(5, H3OU_RUN_DIRECTORY=""))
        self.record(5, code=2, H3OU_TIMELINE="much")
        (self.folder / "timeline").rmdir()
        self.assertFalse(self.record(5))

    def test_cut(self):
        """At every byte: what is before is read, and nothing else."""
        self.record(25)
        data, whole = (self.folder / "timeline/sea.1").read_bytes(), self.read()[0]
        for length in range(len(data)):
            (self.folder / "timeline/sea.1").write_bytes(data[:length])
            found, problems = timeline_file.read(self.folder)
            if length < timeline_file.HEAD:
                self.assertEqual((found, len(problems)), ([], 1))
                self.assertIn("is shorter than the head", problems[0])
                continue
            self.assertEqual([s[::3] + s[2:3] for s in found[0].spans], [s[::3] + s[2:3] for s in whole.spans[:len(found[0].spans)]])
            self.assertTrue(not problems or "ends inside an event; what comes before is shown" in problems[0], problems)

    def test_damaged(self):
        """A sentence, or other events, but no failure."""
        self.record(60)
        data, said = bytearray((self.folder / "timeline/sea.1").read_bytes()), set()
        chance = random.Random(17)
        for _ in range(1000):
            wrong = bytearray(data)
            for _ in range(chance.choice((1, 1, 2, 20))):
                wrong[chance.randrange(80 if chance.random() < 0.3 else len(wrong))] = chance.randrange(256)
            (self.folder / "timeline/sea.1").write_bytes(wrong)
            found, problems = timeline_file.read(self.folder)
            self.assertTrue(found or problems)
            said |= {p.partition(": ")[2] for p in problems}
        for sentence in ("no time line of h3ou", "its head is damaged", "this h3ou reads version 1", "is none: the file is damaged there"):
            self.assertTrue(any(sentence in s for s in said), sentence)
        (self.folder / "timeline/sea.1").write_bytes(b"")
        (self.folder / "timeline/land").mkdir()
        self.assertEqual(len(timeline_file.read(self.folder)[1]), 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
