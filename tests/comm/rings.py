#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rings.c: messages that a sender writes where the receiver reads them, in one job and in two; and what is sent otherwise, because
the sender is ahead, a setting says so, or there is no memory to share. No name of shared memory is left."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

MESSAGES = 40
# Where there is no such folder all messages are sent otherwise.
HAS_MEMORY = os.access("/dev/shm", os.W_OK)
WAYS = [(mpi,) for mpi in jobs.MPIS] + [(jobs.MPIS[0], jobs.MPIS[-1])]


def start(program, way, arguments, env, pid_file=()):
    """a and b in one job, or in two."""
    parts = [(1, [f"{program}.{way[-(i == 1)]}", name, *arguments, *(pid_file if name == "a" else ())]) for i, name in enumerate("ab")]
    if len(way) == 1:
        return [jobs.Job(way[0], parts, {"H3OU_PATIENCE": 60, **env})]
    port = jobs.free_port()
    return [jobs.Job(mpi, [part], {**jobs.waitio(port, i, 2), **env}) for i, (mpi, part) in enumerate(zip(way, parts))]


def judge(tally, name, results, least, most, left=r"\d"):
    """least, most: how many messages may be written in place. left: whether the second one, which is not, has memory when it was read."""
    out = "".join(r.out for r in results)
    problems = jobs.problems_of(results)
    found = re.search(r"in place (\d+)", out)
    if f"right {MESSAGES} of {MESSAGES}" not in out:
        problems.append(out)
    if not found or not (least if HAS_MEMORY else 0) <= int(found[1]) <= most:
        problems.append(f"{found[1] if found else 'none'} in place, {least} to {most} are expected")
    if not re.search(f"memory left {left}", out):
        problems.append(f"'memory left {left}' is expected")
    tally.check(name, problems)


def ways(tally, program):
    for way in WAYS:
        # All but the first messages find a place. Of a sender that may be ahead by more than there are places nobody knows how many do.
        judge(tally, f"{way} in turns", jobs.wait_all(start(program, way, [100, MESSAGES, 1], {})), MESSAGES - 4, MESSAGES - 2)
        judge(tally, f"{way} long", jobs.wait_all(start(program, way, [100000, MESSAGES, 1], {})), MESSAGES // 3, MESSAGES - 2,
              "0" if HAS_MEMORY else "1")
        judge(tally, f"{way} ahead", jobs.wait_all(start(program, way, [5000, MESSAGES, 3], {})), MESSAGES // 4, MESSAGES - 2)
        judge(tally, f"{way} far ahead", jobs.wait_all(start(program, way, [5000, MESSAGES, 12], {})), 0, MESSAGES - 2)
        judge(tally, f"{way} all ahead", jobs.wait_all(start(program, way, [5000, MESSAGES, MESSAGES], {})), 0, MESSAGES - 1)
        judge(tally, f"{way} switched off", jobs.wait_all(start(program, way, [100, MESSAGES, 1], {"H3OU_SHARED_MEMORY": 0})), 0, 0)
    judge(tally, "by sockets", jobs.wait_all(start(program, WAYS[-1], [100, MESSAGES, 1], {"WAITIO_COMM_TYPE": "socket"})), 0, 0)


class Watch:
    """Lets the sender go on when the receiver has all."""

    def __init__(self, receiver, pid_file):
        self.receiver, self.pid_file, self.goes_on = receiver, pid_file, False

    def __call__(self):
        if f"right {MESSAGES} of {MESSAGES}" not in self.receiver.so_far() or self.goes_on:
            return
        pid = self.pid_file.read_text().strip() if self.pid_file.exists() else ""
        state = pathlib.Path(f"/proc/{pid}/stat")
        if pid and state.exists() and state.read_text().rpartition(")")[2].split()[0] == "T":
            self.goes_on = True
            os.kill(int(pid), signal.SIGCONT)


def stopped(tally, program, folder):
    """What was sent arrives though the sender does nothing more."""
    pid_file = pathlib.Path(folder, "pid")
    running = start(program, WAYS[-1], [3000, MESSAGES, 1], {}, (pid_file,))
    watch = Watch(running[1], pid_file)
    results = jobs.wait_all(running, meanwhile=watch)
    judge(tally, "a stopped sender", results, MESSAGES - 4, MESSAGES - 2)
    tally.check("all came while it was stopped", [] if watch.goes_on else ["it was not seen stopped"])


def full_memory(tally, program):
    """Called in a mount name space of its own, where /dev/shm has no room for the places of long messages."""
    for numbers, least, most in ((2000000, 0, 0), (100, MESSAGES - 4, MESSAGES - 2)):
        results = jobs.wait_all(start(program, (jobs.MPIS[0],), [numbers, MESSAGES, 1], {}))
        judge(tally, f"{numbers} numbers in a small /dev/shm", results, least, most)
    tally.check("no name is left", [n for n in os.listdir("/dev/shm") if n.startswith("h3ou-ring-")])
    return tally.end()


def in_small_memory(tally, program):
    alone = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs -o size=24m tmpfs /dev/shm && exec "$@"', "sh"]
    if not shutil.which("unshare") or subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        print("left out: no mount name space can be made here")
        return
    done = subprocess.run([*alone, sys.executable, "-B", __file__, program, "--small"], capture_output=True, text=True, timeout=3 * jobs.LONGEST, check=False)
    print(done.stdout, end="")
    tally.check("in a small /dev/shm", [done.stderr] if done.returncode else [])


def main(program, *small):
    tally = jobs.Tally()
    if small:
        return full_memory(tally, program)
    with tempfile.TemporaryDirectory() as folder:
        ways(tally, program)
        stopped(tally, program, folder)
    in_small_memory(tally, program)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
