#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The transport beside raw programs: peer and ours in turns, each in processes of its own; every row is the median of the
paired ratios with its quartiles, the goal, and whether it is met.

    bench/transport.py [--build build/release] [--rounds 10] [--rows PATTERN] [--list] [--docs docs/measured/transport.md]

A ratio is ours / peer: of half round trips at most the goal, of bandwidths and rates at least. Half round trips are the
median of a run (the mean in brackets); spinning peers have a core each, blocking ones share one; raw TCP takes the congestion
control that ours was found to use. --docs writes the table between <!-- transport: begin --> and <!-- transport: end -->.
The exit code is 0 when all goals of the chosen rows are met."""
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import measured_page

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEAD = ("what", "against", "peer", "ours", "ratio (quartiles)", "goal", "")
MOST_MEAN = 100  # us, of any wait
MEMORY_RUNS = 5
IDLE, MESSAGES = 10_000, 10_000_000  # with fewer, these rows are shown but not judged
ENDPOINTS, JOINED_IN = 50_000, 0.6  # s
WINDOW = {65536: 8, 1 << 20: 4, 1 << 24: 4}


def bytes_text(n):
    for unit, name in ((1 << 20, "MB"), (1 << 10, "KB")):
        if n >= unit:
            return f"{n // unit} {name}"
    return f"{n} B"


class Failed(Exception):
    pass


class Programs:
    """Runs one measurement; answers its fields, {"median": 3.3, ...}."""

    def __init__(self, build, seconds, folder, congestion):
        self.build, self.seconds, self.folder, self.congestion = pathlib.Path(build).resolve(), seconds, folder, congestion
        left_out = ("WAITIO_", "H3OU_", "PMI_", "OMPI_", "SLURM_")
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(left_out)}

    def run(self, command, env=None, timeout=90):
        command = [str(c) for c in command]
        try:
            done = subprocess.run(command, env={**self.environment, **(env or {})}, stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            raise Failed(f"{pathlib.Path(command[0]).name} took more than {timeout} s") from None
        except OSError as e:
            raise Failed(str(e)) from None
        if done.returncode:
            said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
            raise Failed(said[0][:200])
        return [dict(pair.split("=") for pair in line.split()) for line in done.stdout.splitlines()]

    def pair(self, wire, what, size, env=None, **options):
        options = {"seconds": self.seconds, **options}
        command = [self.build / "bin/transport_pair", wire, what, size]
        for name, value in options.items():
            command += [f"--{name}", value]
        fields = self.run(command, env)[0]
        return {k: v if k == "congestion" else float(v) for k, v in fields.items()}

    def raw_tcp(self, what, size, **options):
        """Under the congestion control that ours has on this host."""
        if not self.congestion:
            self.congestion = self.ours("socket", "trip", 8, seconds=0.02)["congestion"]
        if self.congestion != "none":
            options["congestion"] = self.congestion
        return self.pair("tcp", what, size, **options)

    def ours(self, conduit, what, size, progress=None, **options):
        env = {"WAITIO_COMM_TYPE": conduit} if conduit else {}
        if progress:
            env["WAITIO_PROGRESS"] = progress
        if conduit == "file":
            env["WAITIO_SCRATCH_DIR"] = self.folder
        return self.pair("waitio", what, size, env, **options)

    def mpich(self, what, size, window=1):
        runner, program = shutil.which("mpirun.mpich"), self.build / "bench/transport_mpi.mpich"
        if not runner or not program.exists():
            raise Failed("no MPICH here")
        fields = self.run([runner, "-n", 2, program, what, size, window, self.seconds])[0]
        return {k: float(v) for k, v in fields.items()}


class Row:
    """name: what --rows chooses by. measure(rounds) answers a Result."""

    def __init__(self, name, against, goal, measure):
        self.name, self.against, self.goal, self.measure = name, against, goal, measure


class Result:
    def __init__(self, peer, ours, ratio, goal, met):
        self.peer, self.ours, self.ratio, self.goal, self.met = peer, ours, ratio, goal, met


def quartiles(values):
    if len(values) < 2:
        return f"{values[0]:.3g}"
    q = statistics.quantiles(values, n=4, method="inclusive")
    return f"{statistics.median(values):.3g} ({q[0]:.3g}-{q[2]:.3g})"


def middle(runs, key):
    return statistics.median(r[key] for r in runs)


def times(runs):
    return f"{middle(runs, 'median'):.3g} us ({middle(runs, 'mean'):.3g})"


def speeds(size):
    def text(runs):
        rate = middle(runs, "rate")
        return f"{rate * size / 1e9:.3g} GB/s" if size >= 1024 else f"{rate / 1e6:.3g} M/s"
    return text


def paired(peer, ours, goal, key="median", text=times, at_most=True, by_tcp=None):
    """Rounds of peer, ours, peer, ours. goal None: shown, not judged. by_tcp: whether ours should hold a TCP connection for it."""
    def measure(rounds):
        theirs, mine = [], []
        for _ in range(rounds):
            theirs.append(peer())
            mine.append(ours())
        ratio = [b[key] / a[key] for a, b in zip(theirs, mine)]
        met = None if goal is None else statistics.median(ratio) <= goal if at_most else statistics.median(ratio) >= goal
        said = text(mine)
        if by_tcp is not None and by_tcp != (mine[-1]["connections"] > 0):
            said += " without TCP" if by_tcp else " (a TCP connection was open)"
        sign = "<=" if at_most else ">="
        return Result(text(theirs), said, quartiles(ratio), "-" if goal is None else f"{sign} {goal}", met)
    return measure


def tcp_rows(p):
    for size, goal in ((1, 1.15), (8, 1.15), (128, 1.15), (1024, 1.2), (4096, 1.2), (8192, 1.2)):
        yield Row(f"half round trip {bytes_text(size)}, tcp, a core each", "raw TCP, spinning", goal,
                  paired(lambda s=size: p.raw_tcp("trip", s, pin="own"), lambda s=size: p.ours("socket", "trip", s, pin="own"), goal,
                         by_tcp=True))
    for size in (8, 128, 1024, 8192):
        yield Row(f"half round trip {bytes_text(size)}, tcp, one core, blocking", "raw TCP, blocking", 1.1,
                  paired(lambda s=size: p.raw_tcp("trip", s, pin="one", blocking=1),
                         lambda s=size: p.ours("socket", "trip", s, "block", pin="one"), 1.1, by_tcp=True))
    for size, window in WINDOW.items():
        yield Row(f"stream {bytes_text(size)}, tcp", "raw TCP, spinning", 0.92,
                  paired(lambda s=size, w=window: p.raw_tcp("stream", s, pin="own", window=w),
                         lambda s=size, w=window: p.ours("socket", "stream", s, pin="own", window=w), 0.92, "rate", speeds(size), False,
                         by_tcp=True))
    for what, name, goal in (("stream", "", 10), ("answered", ", an answer after each window", None)):
        yield Row(f"message rate 8 B, windows of 64 isends and a waitall, tcp{name}", "raw TCP, a write each", goal,
                  paired(lambda k=what: p.raw_tcp(k, 8, pin="own", window=64), lambda k=what: p.ours("socket", k, 8, pin="own", window=64),
                         goal, "rate", speeds(8), False, by_tcp=True))


def node_rows(p):
    for size in (8, 64, 256, 1024):
        yield Row(f"half round trip {bytes_text(size)}, shm, two jobs", "MPICH, one job", 1.2,
                  paired(lambda s=size: p.mpich("trip", s), lambda s=size: p.ours(None, "trip", s, pin="own"), 1.2, by_tcp=False))
    for size, window in WINDOW.items():
        yield Row(f"stream {bytes_text(size)}, shm, two jobs", "MPICH, one job", 1.5,
                  paired(lambda s=size, w=window: p.mpich("stream", s, w),
                         lambda s=size, w=window: p.ours(None, "stream", s, pin="own", window=w), 1.5, "rate", speeds(size), False,
                         by_tcp=False))
    size = 1 << 20
    for wire, against, goal in (("file", "raw append and read", 0.7), ("over", "raw file written over", None)):
        yield Row(f"stream 1 MB, file on tmpfs, {against}", against, goal,
                  paired(lambda k=wire: p.pair(k, "stream", size, pin="own", window=4, folder=p.folder),
                         lambda: p.ours("file", "stream", size, pin="own", window=4), goal, "rate", speeds(size), False, by_tcp=False))


def waiting(p, conduit, goal, **options):
    """The default against the better of always spinning and always blocking; the better one is the same for all rounds."""
    def measure(rounds):
        runs = {"spin": [], "block": [], None: []}
        for _ in range(rounds):
            for progress, results in runs.items():
                results.append(p.ours(conduit, "trip", 8, progress, **options))
        mine = runs.pop(None)
        better = min(runs.values(), key=lambda r: middle(r, "median"))
        ratio = [b["median"] / a["median"] for a, b in zip(better, mine)]
        worst = max(r["mean"] for r in mine)
        return Result(", ".join(f"{name} {times(r)}" for name, r in runs.items()), f"{times(mine)}, worst mean {worst:.3g}",
                      quartiles(ratio), f"<= {goal}, means <= {MOST_MEAN} us", statistics.median(ratio) <= goal and worst <= MOST_MEAN)
    return measure


def waiting_rows(p):
    settings = (("own cores", {"pin": "own"}), ("4 processes on 2 cores", {"pairs": 2}), ("8 processes on 2 cores", {"pairs": 4}),
                ("beside 2 spinning strangers", {"strangers": 2}))
    for conduit, name in (("socket", "tcp"), (None, "shm")):
        for setting, options in settings:
            yield Row(f"waiting 8 B, {name}, {setting}", "ours, spin or block", 1.5, waiting(p, conduit, 1.5, **options))


def idle(p, n):
    """One run gives both rows."""
    seen = {}

    def start(rounds):
        lines = p.run([p.build / "bin/transport_idle", n, rounds, p.seconds], timeout=400)
        return [{k: float(v) for k, v in line.items()} for line in lines]

    def run(rounds):
        if rounds not in seen:
            seen[rounds] = start(rounds)
        return seen[rounds]

    def trips(rounds):
        lines = run(rounds)[1:]
        ratio = [r["with"] / r["without"] for r in lines]
        return Result(f"{middle(lines, 'without'):.3g} us", f"{middle(lines, 'with'):.3g} us", quartiles(ratio), "<= 1.1",
                      statistics.median(ratio) <= 1.1 if n >= IDLE else None)

    def memory(rounds):
        """The kernel's part is read off the whole machine: the median of some runs, since others come and go there."""
        firsts = [run(rounds)[0]] + [start(1)[0] for _ in range(MEMORY_RUNS - 1)]
        kernel, ours = middle(firsts, "kernel"), middle(firsts, "ours")
        return Result("-", f"kernel {kernel:.0f} B, ours {ours:.0f} B", "-", "<= 6 KB", kernel + ours <= 6144 if n >= IDLE else None)

    yield Row(f"half round trip 8 B with {n} idle connections", "without them", 1.1, trips)
    yield Row(f"memory of each of {n} idle ends", "-", 6144, memory)


def cuts(p, messages, per_second):
    def measure(_):
        fields = {k: float(v) for k, v in p.run([p.build / "bin/transport_cuts", messages, per_second], timeout=1000)[0].items()}
        said = f"all right; {fields['cuts']:.0f} cuts in {fields['seconds']:.0f} s, {fields['bytes'] / 1e9:.3g} GB"
        asked = messages >= MESSAGES and per_second > 0
        return Result("-", said, "-", "none lost, doubled, reordered, changed", fields["cuts"] > 0 if asked else None)
    yield Row(f"{messages:,} messages of 0 B to 1 MB under random cuts", "-", None, measure)


def joining_time(p, jobs=10):
    """Kings with made-up addresses of their jobs; the goal is of ENDPOINTS, the others show that it grows as they do."""
    def row(n):
        def measure(rounds):
            runs = [{k: float(v) for k, v in r.items()} for r in p.run([p.build / "bin/joining_time", n, jobs, rounds], timeout=400)]
            ours = middle(runs, "ours")
            return Result(f"{middle(runs, 'bare'):.3g} s", f"{ours:.3g} s", quartiles([r["ours"] / r["bare"] for r in runs]),
                          f"<= {JOINED_IN} s" if n == ENDPOINTS else "-", ours <= JOINED_IN if n == ENDPOINTS else None)
        return Row(f"join of {n:,} processes in {jobs} jobs", "bare fan-in over TCP", JOINED_IN, measure)
    for n in (ENDPOINTS // 4, ENDPOINTS // 2, ENDPOINTS, 2 * ENDPOINTS):
        yield row(n)


def line(cells, widths):
    return "  ".join(f"{c:<{w}}" for c, w in zip(cells, widths)).rstrip()


def document(path, table, rounds):
    body = f"Medians of {rounds} rounds in turns, mean of a run in brackets; ratio ours / peer.\n\n"
    measured_page.replace(path, "transport", body + measured_page.table(HEAD, table))


def measured(row, rounds):
    """The cells of a row, and whether its goal is met (None: it has none)."""
    try:
        r = row.measure(rounds)
    except Failed as e:
        return [row.name, row.against, "-", "-", "-", "-", f"NOT MET: {e}"], False
    verdict = {True: "MET", False: "NOT MET", None: ""}[r.met]
    return [row.name, row.against, r.peer, r.ours, r.ratio, r.goal, verdict], r.met


def main():
    o = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    o.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    o.add_argument("--rounds", default=10, type=int)
    o.add_argument("--seconds", default=0.3, type=float, help="of one measurement")
    o.add_argument("--rows", default="", metavar="PATTERN", help="only rows whose name has this regular expression")
    o.add_argument("--list", action="store_true", help="only the names of the rows")
    o.add_argument("--idle", default=IDLE, type=int, help="processes with an idle connection each")
    o.add_argument("--messages", default=MESSAGES, type=int, help="under cuts")
    o.add_argument("--cuts", default=20, type=float, help="per second and process")
    o.add_argument("--congestion", help="of raw TCP, instead of what ours uses")
    o.add_argument("--docs", metavar="FILE")
    o = o.parse_args()
    with tempfile.TemporaryDirectory(prefix="h3ou-bench-", dir="/dev/shm") as folder:
        p = Programs(o.build, o.seconds, folder, o.congestion)
        rows = [*tcp_rows(p), *node_rows(p), *waiting_rows(p), *idle(p, o.idle), *joining_time(p), *cuts(p, o.messages, o.cuts)]
        rows = [r for r in rows if re.search(o.rows, r.name)]
        if o.list:
            print("\n".join(r.name for r in rows))
            return 0
        widths = [max(len(r.name) for r in rows), 21, 42, 44, 20, 24, 0] if rows else [0] * len(HEAD)
        print(line(HEAD, widths))
        table, verdicts = [], []
        for row in rows:
            cells, met = measured(row, o.rounds)
            table.append(cells)
            verdicts.append(met)
            print(line(cells, widths), flush=True)
    judged = [v for v in verdicts if v is not None]
    print(f"{sum(judged)} of {len(judged)} goals met")
    if o.docs:
        document(o.docs, table, o.rounds)
    return 0 if rows and all(judged) else 1


if __name__ == "__main__":
    sys.exit(main())
