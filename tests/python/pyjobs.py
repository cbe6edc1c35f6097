# SPDX-License-Identifier: BSD-3-Clause
"""Jobs for the tests of the Python package: Python programs under an MPI's mpirun, or plainly, without any."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

HERE = pathlib.Path(__file__).resolve().parent
SINGLE = "no MPI"  # in the place of an MPI's name


class Plain(jobs.Job):
    """A program that no mpirun starts: one process, a job of its own."""

    def __init__(self, command, env):
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("WAITIO_")}
        self.env.update({k: str(v) for k, v in env.items()})
        self.out, self.err = tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([*map(str, command)], stdin=subprocess.DEVNULL, stdout=self.out, stderr=self.err,
                                        env=self.env, start_new_session=True)
        self.seen = {self.process.pid}


def python(script, *arguments):
    """The command of a Python program. Warnings are errors: it must give none."""
    return [sys.executable, "-B", "-W", "error", HERE / script, *arguments]


def two_jobs(packages, a, b, more=None):
    """a, b: (MPI or SINGLE, processes, command). Runs them as the two jobs of a run."""
    port, started = jobs.free_port(), []
    for number, (mpi, procs, command) in enumerate((a, b)):
        env = {**jobs.waitio(port, number, 2), "PYTHONPATH": packages, **(more or {})}
        started.append(Plain(command, env) if mpi == SINGLE else jobs.Job(mpi, [(procs, command)], env))
    return jobs.wait_all(started)


def one_job(packages, mpi, parts):
    """MPMD; or one plain process."""
    env = {"PYTHONPATH": packages, "H3OU_PATIENCE": 60}
    job = Plain(parts[0][1], env) if mpi == SINGLE else jobs.Job(mpi, parts, env)
    return jobs.wait_all([job])
