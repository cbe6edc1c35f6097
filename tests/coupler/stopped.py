#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A component that has sent its fields is stopped, or computes; the other one gets them all before it goes on. Fields leave at
set_time, or, with second_put='error', in put."""
import os
import pathlib
import re
import signal
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

FIELDS = 48
FLAGS = ["SNP", "AVR", "ACC", "MAX"]


def namelist(fields, flags, coupling, has_back):
    lines = [f'&h3ou_coupling log_level="WHISPER" {coupling} /',
             '&h3ou_var comp_put="sender", comp_get="receiver", grid_put="g", grid_get="g", mapping_tag=1 /']
    lines += [f'&h3ou_var var_put="f_{i + 1:04}", var_get="f_{i + 1:04}", intvl=600, lag=-1, layer=1, flag="{flags[i % len(flags)]}" /'
              for i in range(fields)]
    if has_back:
        lines += ['&h3ou_var comp_put="receiver", comp_get="sender", grid_put="g", grid_get="g", mapping_tag=1 /',
                  '&h3ou_var var_put="back", var_get="back", intvl=600, lag=-1, layer=1, flag="SNP" /']
    return "\n".join(lines) + "\n"


def is_stopped(pid):
    """True while a signal keeps the process stopped (T). In a stop of the leak checker's (t), a SIGCONT would disturb that."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    except OSError:
        return False


class Watch:
    """Lets the sender go on when the receiver has all."""

    def __init__(self, receiver, fields, pid_file):
        self.receiver, self.fields, self.pid_file, self.goes_on = receiver, fields, pid_file, False

    def __call__(self):
        if f"received {self.fields} of {self.fields}" in self.receiver.so_far() and self.pid_file.exists():
            self.goes_on = True
            pathlib.Path(f"{self.pid_file}.go").touch()
            try:
                pid = int(self.pid_file.read_text())
                if is_stopped(pid):
                    os.kill(pid, signal.SIGCONT)
            except (ValueError, ProcessLookupError):
                pass


def play(program, folder, mpis, how, fields, cells, flags, coupling, env):
    """Problems, and what both have written. mpis: of both jobs, or of the only one."""
    config, pid_file = pathlib.Path(folder, "stopped.conf"), pathlib.Path(tempfile.mkdtemp(dir=folder), "pid")
    config.write_text(namelist(fields, flags, coupling, how != "exchange"))
    parts = [(1, [f"{program}.{mpis[-(name == 'receiver')]}", name, config, fields, cells, how, *more])
             for name, more in [("sender", [pid_file]), ("receiver", [])]]
    port = jobs.free_port()
    running = [jobs.Job(mpis[0], parts, {"H3OU_PATIENCE": 60, **env})] if len(mpis) == 1 else \
        [jobs.Job(mpi, [part], jobs.waitio(port, i, 2, **env)) for i, (mpi, part) in enumerate(zip(mpis, parts))]
    watch = Watch(running[-1], fields, pid_file)
    results = jobs.wait_all(running, meanwhile=watch)
    problems = jobs.problems_of(results)
    if not watch.goes_on:
        problems.append("not all fields arrived while the sender was stopped or computed")
    return problems, "".join(r.out + r.err for r in results)


def at_exchange(tally, program, folder):
    for first in jobs.MPIS:
        for second in jobs.MPIS:
            problems, _ = play(program, folder, (first, second), "exchange", FIELDS, 2, ["SNP"], "", {"WAITIO_COMM_TYPE": "socket"})
            tally.check(f"{FIELDS} fields of a stopped sender ({first} -> {second})", problems)


def refused(text):
    """A second put in the step that was sent in put fails, and says why."""
    found = re.search(r"second put: 1 .*f_0001 is put a second time in the step at .*second_put='error'", text)
    return [] if found else [f"a second put was not refused: {text}"]


def in_put(tally, program, folder):
    """By each route: messages in shared memory, those of the MPI, and WaitIO's."""
    two = (jobs.MPIS[0], jobs.MPIS[-1])
    ways = [((mpi,), env) for mpi in jobs.MPIS for env in ({}, {"H3OU_SHARED_MEMORY": 0})]
    ways += [(two, {}), (two, {"WAITIO_COMM_TYPE": "socket"})]
    for mpis, env in ways:
        problems, text = play(program, folder, mpis, "put", 8, 2, FLAGS, "second_put='error'", env)
        tally.check(f"fields leave in put ({mpis} {env})", problems + refused(text))


def in_memory(tally, program, folder):
    """Messages that no MPI would keep for a stopped sender: each has a place in the memory that both share."""
    if not os.access("/dev/shm", os.W_OK):
        return
    for mpis in [*[(mpi,) for mpi in jobs.MPIS], (jobs.MPIS[0], jobs.MPIS[-1])]:
        problems, _ = play(program, folder, mpis, "put", 4, 100000, FLAGS, "second_put='error'", {})
        tally.check(f"long fields leave in put ({mpis})", problems)


def by_thread(tally, program, folder):
    """Eight megabytes leave in put, and travel while the sender computes."""
    two = (jobs.MPIS[-1], jobs.MPIS[0])
    for coupling, env, why in [("progress='thread'", {"WAITIO_COMM_TYPE": "socket"}, "progress"),
                               ("", {"WAITIO_PROGRESS": "thread", "WAITIO_COMM_TYPE": "socket"}, "WAITIO_PROGRESS")]:
        problems, text = play(program, folder, two, "compute", 1, 1000000, ["SNP"], f"second_put='error' {coupling}", env)
        if len(re.findall(rf"progress by=thread because={why} cores=\d", text)) != 2:
            problems.append(f"the log does not say who moves messages: {text}")
        tally.check(f"a long message travels by a thread ({coupling} {env})", problems + refused(text))


def without_effect(tally, program, folder):
    """In a run of one job there is nothing that a thread could move, and WAITIO_PROGRESS goes before the namelist."""
    coupling = "second_put='error' progress='thread'"
    for mpis, env, why in [(jobs.MPIS[:1], {}, "one_job"),
                           ((jobs.MPIS[0], jobs.MPIS[-1]), {"WAITIO_PROGRESS": "block"}, "WAITIO_PROGRESS")]:
        problems, text = play(program, folder, tuple(mpis), "put", 8, 2, FLAGS, coupling, env)
        if f"progress by=polling because={why}" not in text:
            problems.append(f"the log does not say that there is no thread: {text}")
        tally.check(f"no thread: {why}", problems)


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        at_exchange(tally, program, folder)
        in_put(tally, program, folder)
        in_memory(tally, program, folder)
        by_thread(tally, program, folder)
        without_effect(tally, program, folder)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
