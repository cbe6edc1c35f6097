#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""ends.py BUILD PROGRAMS: how one world of several jobs ends, seen by the jobs that go on: each ends, with a sentence where something went wrong. And the
command h3ou universe."""
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

BUILD, PROGRAMS = map(pathlib.Path, sys.argv[1:3])
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "lib"))
import jobs

MPIS = ("mpich", "openmpi")


def start(pb, mpi, port, *words, processes=2, patience=600, npb=2):
    preload = jobs.preload(BUILD / "lib" / f"libh3ou_universe_{mpi}.so")
    line = ["env", f"LD_PRELOAD={preload}", f"{PROGRAMS / 'ends'}.{mpi}", *words]
    return jobs.Job(mpi, [(processes, line)], {**jobs.waitio(port, pb, npb), "WAITIO_JOIN_PATIENCE": patience, "WAITIO_PATIENCE": 3600})


def two_jobs(first, second, *words):
    port = jobs.free_port()
    return jobs.wait_all([start(0, first, port, *words), start(1, second, port, *words)])


def knock(port, data):
    """Sends these bytes to the port as soon as somebody listens there; returns the connection."""
    end = time.monotonic() + jobs.LONGEST
    while True:
        try:
            connection = socket.create_connection(("127.0.0.1", port), 5)
            break
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
    try:
        connection.sendall(data)
    except OSError:
        pass  # it was closed at the first bytes
    return connection


class Ends(unittest.TestCase):
    def failed(self, first, second, way, how, sentence):
        """Both jobs end before their time, and the one that goes on says why."""
        results = two_jobs(first, second, way, how)
        text = "".join(r.out + r.err for r in results)
        for r in results:
            self.assertEqual((r.timed_out, r.left), (False, []), text)
            self.assertNotEqual(r.code, 0, text)
            self.assertNotIn("ended", r.out)
        self.assertIn(sentence, results[0].out + results[0].err)

    def test_abort(self):
        for how, (first, second) in (("inside", MPIS), ("compute", MPIS[::-1]), ("sum", MPIS), ("first sum", MPIS[::-1]), *((f"level {i}", MPIS) for i in range(4))):
            with self.subTest(how):
                self.failed(first, second, "abort", how, "rank 3 of MPI_COMM_WORLD (job 1) called MPI_Abort with code 7")

    def test_kill(self):
        for how, (first, second) in (("inside", MPIS[::-1]), ("across", MPIS), ("sum", MPIS), ("level 3", MPIS)):
            with self.subTest(how):
                self.failed(first, second, "kill", how, "PB 1")

    def test_fatal_error(self):
        for first, second in (MPIS, MPIS[::-1]):
            with self.subTest(first):
                self.failed(first, second, "fatal", "inside", "rank 4 is not valid in a communicator of 4 processes")

    def test_exit_without_finalize(self):
        """Of one process: the others would wait for ever. Open MPI's mpirun ends its job then, that of MPICH does not notice."""
        self.failed(*MPIS, "exit", "inside", "PB 1")

    def test_all_exit_without_finalize(self):
        for _ in range(3):  # mpirun sometimes loses what a process writes before it ends
            results = two_jobs(*MPIS, "all exit")
            self.assertEqual([(r.timed_out, r.left) for r in results], [(False, [])] * 2)
            said = results[0].out + results[0].err
            if results[0].code == 0 or "PB 1" in said:
                return
        self.fail(said)  # Open MPI's mpirun ended its job before this one had come to its end

    def test_exit_with_messages_on_their_way(self):
        """All programs end with 0 without MPI_Finalize: cleanly, or with a sentence where a job has ended before another."""
        for _ in range(3):  # mpirun sometimes loses what a process writes before it ends
            results = two_jobs(*MPIS, "sent")
            texts = [r.out + r.err for r in results]
            self.assertEqual([(r.timed_out, r.left) for r in results], [(False, [])] * 2, texts)
            if all(r.code == 0 or re.search(r"h3ou: universe: .*PB \d|mpirun has exited|without calling .*finalize", said) for r, said in zip(results, texts)):
                return
        self.fail(texts)

    def told(self, started, sentence):
        """None of the jobs joins, and each says why."""
        for r in jobs.wait_all(started):
            self.assertEqual((r.timed_out, r.left), (False, []), r.err)
            self.assertNotEqual(r.code, 0)
            self.assertRegex(r.out + r.err, rf"h3ou: universe: .*{sentence}")

    def test_one_number_twice(self):
        port = jobs.free_port()
        self.told([start(pb, mpi, port, npb=3) for pb, mpi in ((0, "mpich"), (1, "openmpi"), (1, "mpich"))], "two jobs have WAITIO_PBID=1: give each job its own")

    def test_unlike_counts_of_jobs(self):
        port = jobs.free_port()
        self.told([start(0, "openmpi", port), start(1, "mpich", port, npb=3)], "WAITIO_NPB=3, but the master .PB 0. with WAITIO_NPB=2")

    def test_signal_at_an_mpirun(self):
        """Ctrl-C and SIGTERM end the job whose mpirun is told, and it ends the other."""
        for number, (first, second) in ((signal.SIGINT, MPIS), (signal.SIGTERM, MPIS[::-1])):
            with self.subTest(number.name):
                port = jobs.free_port()
                started = [start(0, first, port, "wait"), start(1, second, port, "wait")]
                end = time.monotonic() + jobs.LONGEST
                while sum(job.so_far().count(" of 4\n") for job in started) < 4 and not any(job.poll() for job in started) and time.monotonic() < end:
                    time.sleep(0.05)
                started[1].process.send_signal(number)
                results = jobs.wait_all(started)
                self.assertEqual([(r.timed_out, r.left) for r in results], [(False, [])] * 2)
                self.assertNotEqual(results[0].code, 0)
                self.assertRegex(results[0].out + results[0].err, "h3ou: universe: .*PB 1")

    def test_hostile_bytes_while_jobs_join(self):
        """Strangers at the master's port change nothing."""
        port = jobs.free_port()
        first = start(0, "mpich", port)
        self.addCleanup(first.kill)
        kept = [knock(port, data) for data in (bytes(4096), b"GET / HTTP/1.0\r\n\r\n", random.Random(1).randbytes(100000), b"")]
        results = jobs.wait_all([first, start(1, "openmpi", port)])
        for connection in kept:
            connection.close()
        self.assertEqual([(r.code, r.timed_out, r.left) for r in results], [(0, False, [])] * 2, results[0].err + results[1].err)

    def test_a_job_that_never_comes(self):
        for mpi in MPIS:
            with self.subTest(mpi):
                r = jobs.wait_all([start(0, mpi, jobs.free_port(), patience=2)])[0]
                self.assertEqual((r.timed_out, r.left), (False, []))
                self.assertNotEqual(r.code, 0)
                self.assertRegex(r.err + r.out, r"h3ou: universe: MPI_Init: .*PB 1")

    def test_messages_on_their_way(self):
        """MPI_Finalize delivers a buffered message, and one whose request was freed, to a job that receives them a second later."""
        for first, second in (MPIS, MPIS[::-1]):
            with self.subTest(first):
                results = two_jobs(first, second, "late")
                text = "".join(r.out + r.err for r in results)
                self.assertEqual([(r.code, r.timed_out, r.left) for r in results], [(0, False, [])] * 2, text)
                self.assertIn("sum 0\n", results[0].out)
                self.assertEqual(text.count(" ended"), 4)


class Command(unittest.TestCase):
    def run_file(self, text, *words, codes):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "run.toml")
            file.write_text(text)
            done = subprocess.run([BUILD / "bin/h3ou", "universe", file, *words], capture_output=True, text=True, timeout=200, check=False, stdin=subprocess.DEVNULL,
                                  env={**os.environ, **jobs.ENVIRONMENT})
            self.assertIn(done.returncode, codes, done.stdout + done.stderr)
            return done.stdout + done.stderr

    def jobs_of(self, *words):
        return "".join(f'[[job]]\nname = "{mpi}"\nexecutable = "{PROGRAMS}/ends.{mpi}"\nprocesses = {n}\narguments = {list(words)}\n'
                       for n, mpi in enumerate(MPIS, 1))

    def test_world(self):
        text = self.run_file(self.jobs_of(), codes=[0])
        for rank in range(3):
            self.assertIn(f"| rank {rank} of 3\n", text)
        self.assertIn("h3ou universe: 2 jobs ended well", text)

    def test_failure(self):
        text = self.run_file(self.jobs_of("abort"), codes=[1, 7])
        self.assertIn("called MPI_Abort with code 7", text)

    def test_refusals(self):
        launcher = self.jobs_of().replace("[[job]]\n", '[[job]]\nlauncher = ["mpirun"]\n', 1)
        other = self.jobs_of().replace(f"{PROGRAMS}/ends.mpich", "/bin/true")
        for text, sentence in (launcher, "preload libh3ou_universe_mpich.so"), (other, "needs no MPI library that is known"):
            with self.subTest(sentence):
                said = self.run_file(text, codes=[1])
                self.assertRegex(said, rf"h3ou universe: .*run.toml:\d+: .*{sentence}")
        said = self.run_file("[run]\nrecord = 'there'\n" + self.jobs_of(), codes=[1])
        self.assertIn("couples no models", said)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2, warnings="ignore")
