#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Broadcasts, reductions and sums for all over two jobs of different MPIs (collectives.c): this library (hybrid), two layers one
after the other (2L) and a binomial tree (BT) over WaitIO alone, and the MPI of one job with as many processes.

    bench/collectives.py [--build build/release] [--rounds 41] [--calls 1] [--procs 2,4,8] [--routes tcp] [--algorithms]
                         [--bytes 8,64,...] [--link 1gbit,4gbit [--cables 2] [--kings 1,2]] [--equal-shares]
                         [--docs docs/measured/collectives.md]

--calls: calls in a row, each with another root, so that it needs what the one before it brought; a round has their mean. --procs: processes of each job; --routes: WAITIO_ROUTES of the run. --algorithms measures, in place of these, every algorithm
between 4 and 8 jobs of one process, and the one that is selected: every second round says which algorithm is the fastest, and the
others how the selected one compares with it, since the least of a dozen medians is least by chance, too. --link puts the two jobs into
network namespaces, which are joined by a virtual cable of each of these rates (tc qdisc tbf; as root), and measures long broadcasts beside
one message over the same cable. --cables: so many cables, of which the first part of each job's processes has one, the next part the next one; --kings: how
many processes of each job pass the message on, each number in turn. --docs writes the table between <!-- hybrid: begin --> and
<!-- hybrid: end --> and what it shows between those of "findings", or the table between those of "row" (--calls above 1), "algorithms", "link" or "kings"."""
import argparse
import math
import os
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/lib"), str(ROOT / "tests/hosts")]
import core_shares
import hosts
import jobs
import measured_page

BYTES = ",".join(str(8 ** i) for i in range(1, 9))
LONG = ",".join(str(1 << n) for n in (20, 22, 24))
HEAD = ["call", "bytes", "processes", "hybrid us", "2L us", "BT us", "waking us", "MPI us", "2L / hybrid", "BT / hybrid", "hybrid / MPI",
        "hybrid / (message + two MPI broadcasts)", "hybrid / (message + copies)"]
KINGS = ["link", "bytes", "processes", "Kings", "hybrid us", "message us", "bandwidth of hybrid / of the message"]
LINK = ["link", "bytes", "processes", "hybrid us", "BT us", "message us", "BT / hybrid", "bandwidth of hybrid / of the message"]
CHOICE = ["call", "bytes", "jobs", "selected us", "fastest", "its us", "selected / fastest"]


def rows_of(text):
    """{(call, bytes): {way: [us of a round, ...]}} of what a run printed; way:switches has the context switches of a call."""
    found = {}
    for line in text.splitlines():
        call, size, way, *values = line.split()
        found.setdefault((call, int(size)), {})[way] = [float(v) for v in values]
    return found


def quartiles(values):
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3


def spread(values):
    """Median, and in brackets the least and the third quartile."""
    return f"{statistics.median(values):.3g} ({min(values):.3g}-{quartiles(values)[2]:.3g})"


def ratio(above, below):
    """The median of the rounds, which were measured in turns, its quartiles, and that of the least times."""
    low, middle, high = quartiles([a / b for a, b in zip(above, below)])
    return f"{middle:.2f} ({low:.2f}-{high:.2f}), {min(above) / min(below):.2f}"


def device_of(cable):
    return hosts.DEVICE + (str(cable) if cable else "")


def run_jobs(build, ways, mpis, procs, rounds, sizes, env, two=None, cables=1):
    """What rank 0 printed; each job is a component. two: hosts, of which each job has one, joined by so many cables. rounds: their number, and the
    calls of one."""
    port, started = jobs.free_port(), []
    for pb, mpi in enumerate(mpis):
        more = {**(jobs.waitio(port, pb, len(mpis)) if len(mpis) > 1 else {}), **env}
        program, devices = [f"{build}/bench/collectives.{mpi}", f"c{pb}", ways, *rounds, *sizes], [[]]
        if two:
            more.update(WAITIO_MASTER_HOST=hosts.FOUR[0], UCX_TLS="self,sm")
            devices = [["env", f"WAITIO_DEVICE={device_of(cable)}"] for cable in range(cables)]
        started.append(jobs.Job(mpi, [(procs // len(devices), [*device, *program]) for device in devices], more, two.before(pb) if two else ()))
    results = jobs.wait_all(started, 590)
    problems = jobs.problems_of(results)
    if problems:
        sys.exit(problems[0])
    return rows_of(results[0].out)


def middle(above, below):
    return f"{quartiles([a / b for a, b in zip(above, below)])[1]:.2f}"


def beyond(way, nothing):
    return statistics.median(way) - statistics.median(nothing)


def findings_of(procs, two):
    """What the goals are about, as lines of a list."""
    def least(ways):
        return min(statistics.median(ways[w]) for w in ("2L", "BT"))
    ahead = sum(statistics.median(ways["hybrid"]) <= least(ways) for ways in two.values())
    said = [f"hybrid is at or ahead of the better of 2L and BT in {ahead} of {len(two)} cells"]
    short = {call: ways for (call, size), ways in two.items() if size == 8}
    if short:
        said.append("of 8 bytes BT takes " + ", ".join(f"{middle(w['BT'], w['hybrid'])} ({call})" for call, w in short.items()) + " times as long")
    if short and min(statistics.median(w["hybrid"]) - statistics.median(w["nothing"]) for w in short.values()) > 0:
        said.append("beyond what it takes to wake all processes it is " + ", ".join(
            f"{beyond(w['BT'], w['nothing']) / beyond(w['hybrid'], w['nothing']):.2f} ({call})" for call, w in short.items()))
    if short:
        said.append("of 8 bytes all processes together leave their cores " + ", ".join(
            f"{statistics.median(w['hybrid:switches']):.3g} times where those of BT do {statistics.median(w['BT:switches']):.3g} times ({call})"
            for call, w in short.items()))
    if "bcast" in short:
        ways = short["bcast"]
        said.append(f"a broadcast of 8 bytes takes {middle(ways['hybrid'], floor_of(ways))} of a message and two broadcasts of MPI")
    long = two.get(("bcast", 1 << 24))
    if long:
        said.append(f"16 MB go at {middle(long['wire'], long['hybrid'])} of the bandwidth of one message, which has {middle(long['wire'], long['copies'])} of it "
                    "beside a copy by each other process")
    return f"- 2 x {procs}: " + "; ".join(said) + "."


def floor_of(ways):
    return [w + 2 * i for w, i in zip(ways["wire"], ways["inside"])]


def plain_mpis(processes):
    """Those that are measured alone: where processes outnumber cores, of both MPIs only Open MPI, which yields while it waits (jobs.ENVIRONMENT)."""
    return jobs.MPIS if processes <= len(os.sched_getaffinity(0)) else jobs.MPIS[-1:]


def hybrid_rows(build, procs, rounds, sizes, env):
    """Lines of the table, and what they show."""
    two = run_jobs(build, "hybrid", [jobs.MPIS[0], jobs.MPIS[-1]], procs, rounds, sizes, env)
    plain = {mpi: run_jobs(build, "mpi", [mpi], 2 * procs, rounds, sizes, env) for mpi in plain_mpis(2 * procs)}
    rows = []
    for (call, size), ways in two.items():
        best_mpi = min((p[call, size]["mpi"] for p in plain.values()), key=statistics.median)
        hybrid, copies = ways["hybrid"], ways.get("copies")
        rows.append([call, str(size), f"2 x {procs}", spread(hybrid), spread(ways["2L"]), spread(ways["BT"]), spread(ways["nothing"]), spread(best_mpi),
                     ratio(ways["2L"], hybrid), ratio(ways["BT"], hybrid),
                     f"{statistics.median(hybrid) / statistics.median(best_mpi):.2f}", ratio(hybrid, floor_of(ways)) if copies else "",
                     ratio(hybrid, copies) if copies else ""])
    return rows, findings_of(procs, two)


def choice_rows(build, njob, rounds, sizes, env):
    rows, good = [], 0
    mpis = [jobs.MPIS[i % len(jobs.MPIS)] for i in range(njob)]
    for (call, size), ways in run_jobs(build, "algorithms", mpis, 1, rounds, sizes, env).items():
        name = min(ways, key=lambda w: statistics.median(ways[w][::2]) if w.split(":")[0] == w != "hybrid" else math.inf)
        selected, fastest = ways["hybrid"][1::2] or ways["hybrid"], ways[name][1::2] or ways[name]
        # The selected algorithm is one of the others: measured twice, it can be ahead.
        good += statistics.median(selected) <= 1.2 * statistics.median(fastest)
        rows.append([call, str(size), str(njob), spread(selected), name, spread(fastest), ratio(selected, fastest)])
    print(f"{njob} jobs: the selected algorithm is within 1.2 of the fastest in {good} of {len(rows)} cells")
    return rows


def limit(two, rate, cables):
    """Lets both ends of each cable send with that rate at most."""
    for host in (0, 1):
        for cable in range(cables):
            two.inside(host, "tc", "qdisc", "replace", "dev", device_of(cable), "root", "tbf", "rate", rate, "burst", "256kb", "latency", "50ms")


def lay_cable(two, cable):
    """One more cable between the hosts, in a network of its own."""
    hosts.call("ip", "link", "add", device_of(cable), "netns", two.names[0], "type", "veth", "peer", device_of(cable), "netns", two.names[1])
    for host in (0, 1):
        two.ip(host, "addr", "add", f"10.231.{7 + cable}.{1 + host}/24", "dev", device_of(cable))
        two.ip(host, "link", "set", device_of(cable), "up")


def king_rows(build, rates, procs, rounds, sizes, env, cables, kings):
    rows = []
    with hosts.Hosts() as two:
        for cable in range(1, cables):
            lay_cable(two, cable)
        for rate in rates:
            limit(two, rate, cables)
            for n in procs:
                for number in kings:
                    found = run_jobs(build, "link", [jobs.MPIS[0], jobs.MPIS[-1]], n, rounds, sizes, {**env, "BENCH_KINGS": number}, two, cables)
                    for (_, size), ways in found.items():
                        rows.append([f"{cables} x {rate}", str(size), f"2 x {n}", str(number), *(spread(ways[w]) for w in ("hybrid", "wire")),
                                     ratio(ways["wire"], ways["hybrid"])])
    return rows


def link_rows(build, rates, procs, rounds, sizes, env):
    rows = []
    with hosts.Hosts() as two:
        for rate in rates:
            limit(two, rate, 1)
            for n in procs:
                for (_, size), ways in run_jobs(build, "link", [jobs.MPIS[0], jobs.MPIS[-1]], n, rounds, sizes, env, two).items():
                    rows.append([rate, str(size), f"2 x {n}", *(spread(ways[w]) for w in ("hybrid", "BT", "wire")),
                                 ratio(ways["BT"], ways["hybrid"]), ratio(ways["wire"], ways["hybrid"])])
    return rows


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    p.add_argument("--rounds", default=41, type=int)
    p.add_argument("--calls", default=1, type=int)
    p.add_argument("--procs", default="2,4,8")
    p.add_argument("--bytes")
    p.add_argument("--routes", default="tcp")
    p.add_argument("--algorithms", action="store_true")
    p.add_argument("--link")
    p.add_argument("--cables", default=1, type=int)
    p.add_argument("--kings")
    p.add_argument("--docs")
    core_shares.add_option(p)
    o = p.parse_args()
    shares = f"With {core_shares.prepare(o.equal_shares)}.\n\n"
    env = {"WAITIO_ROUTES": o.routes, "H3OU_PATIENCE": 120, "H3OU_JOIN_PATIENCE": 30,
           **{k: v for k, v in os.environ.items() if k.startswith(("H3OU_COLL_", "MALLOC_"))}}
    rounds = o.rounds, o.calls
    build, procs, sizes = o.build.resolve(), list(map(int, o.procs.split(","))), (o.bytes or (LONG if o.link else BYTES)).split(",")
    if o.link and o.kings:
        name, head, rows = "kings", KINGS, king_rows(build, o.link.split(","), procs, rounds, sizes, env, o.cables, o.kings.split(","))
    elif o.link:
        name, head, rows = "link", LINK, link_rows(build, o.link.split(","), procs, rounds, sizes, env)
    elif o.algorithms:
        name, head, rows = "algorithms", CHOICE, [row for n in (4, 8) for row in choice_rows(build, n, rounds, sizes, env)]
    else:
        measured = [hybrid_rows(build, n, rounds, sizes, env) for n in procs]
        name, head, rows = "hybrid" if o.calls == 1 else "row", HEAD, [row for some, _ in measured for row in some]
        findings = "".join(f"{finding}\n" for _, finding in measured)
        print(findings, end="")
        if o.docs and o.calls == 1:
            measured_page.replace(o.docs, "findings", findings)
    for row in [head, *rows]:
        print(" | ".join(row))
    if o.docs:
        measured_page.replace(o.docs, name, shares + measured_page.table(head, rows))


if __name__ == "__main__":
    sys.exit(hosts.main(main))
