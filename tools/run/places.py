# SPDX-License-Identifier: BSD-3-Clause
"""Where a run takes place: its folder, the port where its jobs meet, its hosts."""
import os
import socket

import run_file


def check_folder(run):
    """The run's folder is there, or can be made."""
    at = run.directory
    while not at.exists() and at != at.parent:
        at = at.parent
    if not at.is_dir() or not os.access(at, os.W_OK | os.X_OK):
        run.fail(run.line_of("directory", run.line_of_table("run", 0)),
                 f"directory: {run.directory}: {at} " + ("may not be written" if at.is_dir() else "is no folder"))


def check_port(run):
    """Nobody listens on the port of the key `port`, if the jobs meet on this machine."""
    local = all(run_file.own_host(h) for h in ([run.master] if run.master else [h for j in run.jobs for h in j.hosts]))
    if not run.port or len(run.jobs) < 2 or not local:
        return
    with socket.socket() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the jobs do: a connection that has ended is no hindrance
        try:
            s.bind(("", run.port))
        except OSError as e:
            run.fail(run.line_of("port", run.line_of_table("run", 0)),
                     f"port {run.port} of this machine: {e.strerror}: another program, or another run, listens there; choose another port, "
                     "or leave the key out")


def is_known(host):
    """Whether the system finds an address of a host."""
    try:
        socket.getaddrinfo(host, None)
        return True
    except (OSError, UnicodeError):  # the latter: no host can be called so
        return False


def unknown_hosts(run):
    """Warnings of hosts that this machine does not know. Those of srun and of words of the user may be patterns."""
    said = []
    for job in run.jobs:
        names = [h.rpartition("@")[2].split(":")[0] for h in job.hosts] if job.launcher in ("auto", "mpich", "openmpi", "ssh") else []
        for host in dict.fromkeys(n for n in names if not run_file.own_host(n)):
            if not is_known(host):
                said.append(f"{run.path}:{run.line_of('hosts', job.line)}: host '{host}' of job {job.name} is not known on this machine")
    if run.master and not run_file.own_host(run.master) and not is_known(run.master):
        said.append(f"{run.path}:{run.line_of('master', run.line_of_table('run', 0))}: master '{run.master}' is not known on this machine")
    return said
