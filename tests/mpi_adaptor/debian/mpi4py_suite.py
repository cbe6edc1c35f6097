#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of Debian's mpi4py on its own MPI, which is Open MPI, and by h3ou mpirun on MPICH, or as one world of several jobs: the same must pass.

    mpi4py_suite.py BUILD FOLDER [-n N]... [--world N+N...] [--without TEST]... [--threads LEVEL] [--together] [--seconds S] [--known REGEX]... [MODULE...]

BUILD: the build folder of h3ou. FOLDER: that of the modules test_*.py, such as `test` of mpi4py's source, or python_cases beside this file. -n: numbers of
processes (1 and 2). --world: numbers of processes of jobs that are one world, MPICH's by the adaptor and Open MPI's in turn. --without: tests that are
not run, by names as "test_window" or "test_file.Asked.test_refused". --threads: what mpi4py asks for (serialized: Open MPI's windows know no more). Each module is started by itself, --together all
at once. --seconds: what one start may take (120). --known: tests that need not pass on MPICH. Writes a table, and each test that passes on one
side only; the exit code is 1 if one passes on Open MPI and not elsewhere, and is not known."""
import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "lib"))
import jobs

ORDER = ["ok", "skipped", "failed", "no end"]  # of the processes the worst counts


class Recorder(unittest.TestResult):
    """Writes "ID RESULT" for each test when it ends, so that what ran before a crash is known."""

    def __init__(self, file):
        super().__init__()
        self.file, self.is_bad = file, False

    def startTest(self, test):
        super().startTest(test)
        self.is_bad = False
        self.write(test, "no end")

    def write(self, test, word):
        self.file.write(f"{test.id()} {word}\n")
        self.file.flush()

    def addSuccess(self, test):
        self.write(test, "ok")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.write(test, "skipped")

    def bad(self, test, error):
        self.write(test, "failed")
        print(f"{test.id()}: {self._exc_info_to_string(error, test)}", file=sys.stderr)

    def addError(self, test, error):
        self.bad(test, error)

    addFailure = addError

    def addSubTest(self, test, subtest, error):
        if error:
            self.is_bad = True
            self.bad(test, error)


def is_one_of(test, names):
    return any((test + ".").startswith(name + ".") for name in names)


def run_tests(suite, recorder, without):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            run_tests(test, recorder, without)
        elif not is_one_of(test.id(), without):
            test.run(recorder)


def inside(folder, file, without, modules):
    """What each process does."""
    sys.path.insert(0, folder)
    from mpi4py import MPI
    with open(f"{file}.{MPI.COMM_WORLD.rank}", "w", encoding="utf-8") as written:
        recorder = Recorder(written)
        for module in modules:
            run_tests(unittest.defaultTestLoader.loadTestsFromName(module), recorder, without.split(","))
    return 0


def end(job, seconds):
    try:
        job.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGTERM)
        try:
            job.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            job.wait()


def read_results(file, n):
    """{test: the worst result of the processes}"""
    results = {}
    for rank in range(n):
        mine = {}
        path = pathlib.Path(f"{file}.{rank}")
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            test, word = line.split(" ", 1)
            # A subtest's failure stands, though the test ends without one.
            mine[test] = "failed" if mine.get(test) == "failed" else word
        for test, word in mine.items():
            results[test] = max(results.get(test, "ok"), word, key=ORDER.index)
    return results


def start(launches, arguments, modules):
    """{test: worst result of the processes} of one start, and what was written to standard error. launches: a list of mpirun's words, the number of processes
    and the environment of each job."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "results")
        command = [sys.executable, "-B", __file__, "--inside", str(pathlib.Path(arguments.folder).resolve()), str(file), ",".join(arguments.without), *modules]
        with open(pathlib.Path(folder, "said"), "w+", encoding="utf-8", errors="replace") as said:
            started = [subprocess.Popen([*mpirun, "-n", str(n), *command], stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True,
                                        env={**os.environ, **jobs.ENVIRONMENT, "MPI4PY_RC_THREAD_LEVEL": arguments.threads, **environment})
                       for mpirun, n, environment in launches]
            latest = time.monotonic() + arguments.seconds
            for job in started:
                end(job, max(0, latest - time.monotonic()))
            said.seek(0)
            text = said.read()
        return read_results(file, sum(n for _, n, _ in launches)), f"exit codes {[job.returncode for job in started]}\n{text}"


def by_adaptor(build):
    return [str(pathlib.Path(build, "bin/h3ou").resolve()), "mpirun", "--quiet", "--on", "mpich", "--built-with", "openmpi"]


def world_of(build, world):
    """The launches of the jobs of one world."""
    number, port, found = list(map(int, world.split("+"))), jobs.free_port(), []
    preloaded = ["mpirun.openmpi", "-x", f"LD_PRELOAD={pathlib.Path(build, 'lib/libh3ou_universe_openmpi.so').resolve()}"]
    for pb, n in enumerate(number):
        environment = {name: str(value) for name, value in jobs.waitio(port, pb, len(number)).items()}
        found.append((preloaded, n, environment) if pb % 2 else (by_adaptor(build), n, {**environment, "H3OU_UNIVERSE": "1"}))
    return found


def compare(arguments, launches, modules):
    """(counts by both results, tests that pass on one side only, what these wrote)"""
    counts, differ, texts = {}, [], []
    for part in [modules] if arguments.together else [[m] for m in modules]:
        native, said_natively = start([(["mpirun.openmpi"], sum(n for _, n, _ in launches), {})], arguments, part)
        across, said_across = start(launches, arguments, part)
        for test in sorted({*native, *across}):
            both = native.get(test, "not run"), across.get(test, "not run")
            counts[both] = counts.get(both, 0) + 1
            if (both[0] == "ok") != (both[1] == "ok"):
                differ.append((test, *both))
        if not native or not across or any(d[0].split(".")[0] in part for d in differ):
            texts += [f"{' '.join(part)} on Open MPI: {said_natively}", f"{' '.join(part)} elsewhere: {said_across}"]
        if not native or not across:
            differ.append((" ".join(part), "ok", "not run"))
    return counts, differ, texts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("folder")
    parser.add_argument("modules", nargs="*")
    parser.add_argument("-n", type=int, action="append")
    parser.add_argument("--world", action="append", default=[])
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--threads", default="serialized")
    parser.add_argument("--together", action="store_true")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--known", action="append", default=[])
    arguments = parser.parse_intermixed_args()
    modules = arguments.modules or sorted(f.stem for f in pathlib.Path(arguments.folder).glob("test_*.py"))
    wrong = 0
    sides = [(f"{n} processes: Open MPI, MPICH by the adaptor, tests", [(by_adaptor(arguments.build), n, {})])
             for n in arguments.n or ([] if arguments.world else [1, 2])]
    sides += [(f"{world} processes: Open MPI, one world of jobs, tests", world_of(arguments.build, world)) for world in arguments.world]
    for title, launches in sides:
        counts, differ, texts = compare(arguments, launches, modules)
        print(title)
        for both, count in sorted(counts.items()):
            print(f"    {both[0]:8} {both[1]:8} {count}")
        for test, native, across in differ:
            is_known = any(re.search(known, test) for known in arguments.known)
            wrong += native == "ok" and not is_known
            print(f"    {test}: {native}, {across}{' (known)' if is_known else ''}")
        sys.stderr.write("\n".join(texts))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(inside(*sys.argv[2:5], sys.argv[5:]) if sys.argv[1:2] == ["--inside"] else main())
