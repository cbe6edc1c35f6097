# SPDX-License-Identifier: BSD-3-Clause
"""How the kernel divides a core among processes: by sessions, or equally.

Linux with autogroups gives each session its share of a core, and divides that among the session's processes. mpirun of MPICH starts each process in
a session of its own, that of Open MPI starts all in one: where a process of each shares a core, the first has two thirds of it with two processes a job,
and more with more. A bench that compares jobs of different MPIs on few cores then measures the scheduler."""
import atexit
import pathlib
import signal
import sys

SETTING = pathlib.Path("/proc/sys/kernel/sched_autogroup_enabled")


def add_option(parser):
    parser.add_argument("--equal-shares", action="store_true", help=f"switch autogroups off on this machine while the bench runs ({SETTING}; as root)")


def by_sessions():
    """Whether a session has a share of its own."""
    return SETTING.exists() and SETTING.read_text(encoding="ascii").strip() != "0"


def prepare(equal):
    """Switches autogroups off until this program ends, if `equal`; returns, and says, how cores are shared."""
    if equal and by_sessions():
        try:
            SETTING.write_text("0\n", encoding="ascii")
        except OSError as error:
            sys.exit(f"--equal-shares: {error}: run the bench as root, or without this option")
        atexit.register(SETTING.write_text, "1\n", encoding="ascii")
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))
    if by_sessions():
        print("The kernel divides a core by sessions: --equal-shares gives processes of different MPIs equal shares.", file=sys.stderr, flush=True)
        return "a core divided by sessions"
    return "a core divided equally among processes"
