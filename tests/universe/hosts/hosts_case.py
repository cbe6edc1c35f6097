#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""hosts_case.py BUILD PROGRAMS CASE: one world of jobs on two hosts (tests/hosts/hosts.py). CASE: world (messages, collective calls, and how it ends when a
process is killed), cut (the cable is), silent (a host is). Exit code 77: this machine does not let us make hosts."""
import os
import pathlib
import re
import signal
import sys

BUILD, PROGRAMS = map(pathlib.Path, sys.argv[1:3])
for folder in ("lib", "hosts"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / folder))
import hosts
import jobs

PORT, PATIENCE, SILENCE = 23457, 3, 45  # s; a silent connection is noticed after 20 to 40 s
CASES = ["collective", "message", "communicator", "request", "started"]


def start(two, mpis, program, *words, places=(0, 1), port=PORT):
    """Job i of two processes on the host places[i]."""
    started = []
    for pb, (mpi, host) in enumerate(zip(mpis, places)):
        given = {"LD_PRELOAD": BUILD / "lib" / f"libh3ou_universe_{mpi}.so", "H3OU_CASE_JOBS": "+".join("2" * len(mpis))}
        line = ["env", *(f"{k}={v}" for k, v in given.items()), f"{PROGRAMS / program}.{mpi}", *words]
        settings = {**jobs.waitio(port, pb, len(mpis)), "WAITIO_MASTER_HOST": hosts.FOUR[0], "WAITIO_ADDRESS": hosts.FOUR[host], "UCX_TLS": "self,sm",
                    "WAITIO_JOIN_PATIENCE": 40, "WAITIO_PATIENCE": PATIENCE if program == "ends" else 30, "OMPI_MCA_osc": "^ucx"}
        started.append(jobs.Job(mpi, [(2, line)], settings, two.before(host)))
    return started


def passed(results, size):
    text = "".join(r.out[-2000:] + r.err[-2000:] for r in results)
    lines = re.findall(r"^rank (\d+) of (\d+): (\d+) cases, 0 failed$", text, re.M)
    wrong = [] if sorted(int(r) for r, *_ in lines) == list(range(size)) and {(int(of), int(n) > 10) for _, of, n in lines} == {(size, True)} else [text]
    return jobs.problems_of(results) + wrong


def kill(job):
    """The processes of the program, not its mpirun: one of them."""
    job.poll()
    for pid in sorted(job.seen):
        try:
            name = os.readlink(f"/proc/{pid}/exe")
        except OSError:
            continue
        if pathlib.Path(name).name.startswith("ends."):
            os.kill(pid, signal.SIGKILL)
            return


def has_begun(run):
    def begun():
        return sum(job.so_far().count(" of 4\n") for job in run) == 4
    return hosts.until(lambda: begun() or any(job.poll() is not None for job in run), 30, "a world begins") or ([] if begun() else ["a job has ended early"])


def ended(results, survivors=(0, 1)):
    """What is wrong with jobs that were to end, and to name the job that they do not hear."""
    problems = []
    for pb, r in enumerate(results):
        said = r.err + r.out
        if r.timed_out or r.left or r.code == 0:
            problems.append(f"job {pb}: code {r.code}{', timed out' if r.timed_out else ''}, left {r.left}\n{said[-1500:]}")
        if pb in survivors and not re.search(rf"h3ou: universe: .*PB {1 - pb}", said):
            problems.append(f"job {pb} does not name the other\n{said[-1500:]}")
    return problems


def killed(two):
    run = start(two, ("mpich", "openmpi"), "ends", "wait", "inside")
    problems = has_begun(run)
    if not problems:
        kill(run[1])
    return problems + ended(jobs.wait_all(run, 20), (0,))  # before silence is noticed


def cut_off(two, blow):
    """It happens to two worlds while all processes wait: for another, and in their own job."""
    worlds = [start(two, ("openmpi", "mpich"), "ends", "wait", "across"), start(two, ("mpich", "openmpi"), "ends", "wait", "inside", port=PORT + 1)]
    problems = [p for run in worlds for p in has_begun(run)]
    if not problems:
        blow()
    results = jobs.wait_all([job for run in worlds for job in run], SILENCE + 5 * PATIENCE)
    return problems + ended(results[:2]) + ended(results[2:])


def body(case):
    tally = jobs.Tally()
    with hosts.Hosts() as two:
        if case == "world":
            tally.check("two jobs", passed(jobs.wait_all(start(two, ("mpich", "openmpi"), "universe_cases", *CASES)), 4))
            three = start(two, ("openmpi", "mpich", "openmpi"), "universe_cases", "collective", "message", "neighbor", places=(0, 1, 1))
            tally.check("three jobs", passed(jobs.wait_all(three), 6))
            tally.check("a process is killed", killed(two))
        elif case == "cut":
            tally.check("the cable is cut", cut_off(two, lambda: two.cut(1)))
        else:
            tally.check("a host is silent", cut_off(two, lambda: two.filter(1, "counter drop", hooks=("input", "output"))))
    return tally.end()


if __name__ == "__main__":
    sys.exit(hosts.main(lambda: body(sys.argv[3])))
