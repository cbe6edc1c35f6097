#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A component that has sent its fields is stopped; the other one gets them all before it goes on."""
import os
import pathlib
import signal
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

FIELDS = 50


def namelist():
    lines = ['&h3ou_coupling log_level="SILENT" /',
             '&h3ou_var comp_put="sender", comp_get="receiver", grid_put="g", grid_get="g", mapping_tag=1 /']
    lines += [f'&h3ou_var var_put="f_{i:04}", var_get="f_{i:04}", intvl=600, lag=-1, layer=1, flag="SNP" /'
              for i in range(1, FIELDS + 1)]
    return "\n".join(lines) + "\n"


def is_stopped(pid):
    """True while a signal keeps the process stopped (T). In a stop of the leak checker's (t), a SIGCONT would disturb that."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    except OSError:
        return False


class Watch:
    """Lets the sender go on when the receiver has all."""

    def __init__(self, receiver, pid_file):
        self.receiver, self.pid_file, self.goes_on = receiver, pid_file, False

    def __call__(self):
        if f"received {FIELDS} of {FIELDS}" in self.receiver.so_far() and self.pid_file.exists():
            self.goes_on = True
            try:
                pid = int(self.pid_file.read_text())
                if is_stopped(pid):
                    os.kill(pid, signal.SIGCONT)
            except (ValueError, ProcessLookupError):
                pass


def check(tally, program, folder, first, second):
    pid_file = pathlib.Path(folder, f"pid-{first}-{second}")
    config = pathlib.Path(folder, "stopped.conf")
    config.write_text(namelist())
    port = jobs.free_port()
    sender = jobs.Job(first, [(1, [f"{program}.{first}", "sender", config, FIELDS, pid_file])],
                      jobs.waitio(port, 0, 2, WAITIO_COMM_TYPE="socket"))
    receiver = jobs.Job(second, [(1, [f"{program}.{second}", "receiver", config, FIELDS])],
                        jobs.waitio(port, 1, 2, WAITIO_COMM_TYPE="socket"))
    watch = Watch(receiver, pid_file)
    problems = jobs.problems_of(jobs.wait_all([sender, receiver], 60, watch))
    if not watch.goes_on:
        problems.append("not all fields arrived while the sender was stopped")
    tally.check(f"{FIELDS} fields of a stopped sender ({first} -> {second})", problems)


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        for first in jobs.MPIS:
            for second in jobs.MPIS:
                check(tally, program, folder, first, second)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
