#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Two jobs under different MPIs on two hosts, and what a network does to them: cases.py PROGRAM CASE [--cut SECONDS]

PROGRAM is tests/lib/talk.c without its MPI's suffix. Exit code 77: this machine does not let us make hosts."""
import argparse
import os
import pathlib
import re
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import hosts
import jobs

PORT, RANKS = 23456, 2
MESSAGE = 300000  # bytes of the longest, where time counts
TUNNEL = ("10.231.8.1", "10.231.8.2")  # what the tunnel of one_port has for addresses
SLACK = 4.0  # seconds after patience: two cores are shared by the ranks, mpiruns and whatever else runs here
PEER = r"PB \d+ rank \d+"
CAUSE = r"(?i)patience|unreachable|no route|timed out|reset|silent|does not answer|closed|lost|network is down"


# The ranks of a job share a host. MPICH's UCX fails in MPI_Init ("No such device") when a network device goes down or comes
# up meanwhile, which is what these tests do.
INSIDE_A_HOST = {"UCX_TLS": "self,sm"}


class Run:
    """Job 0 on host A, job 1 on host B."""

    def __init__(self, two, program, arguments, mpis=None, six=False, by_device=False, masters=None, **env):
        mpis = mpis or (jobs.MPIS[0], jobs.MPIS[-1])
        self.two, addresses = two, hosts.SIX if six else hosts.FOUR
        self.jobs = []
        for pb in (0, 1):
            device = by_device if isinstance(by_device, str) else hosts.DEVICE
            where = {"WAITIO_DEVICE": device} if by_device else {"WAITIO_ADDRESS": addresses[pb]}
            settings = {"WAITIO_MASTER_HOST": masters[pb] if masters else addresses[0], "WAITIO_MASTER_PORT": PORT, "WAITIO_PBID": pb, "WAITIO_NPB": 2,
                        "WAITIO_PATIENCE": 30, **INSIDE_A_HOST, **where, **env}
            self.jobs.append(jobs.Job(mpis[pb], [(RANKS, [f"{program}.{mpis[pb]}", *arguments])], settings, two.before(pb)))

    def is_running(self):
        return all(job.poll() is None for job in self.jobs)

    def begin(self):
        """Waits until every rank has talked to all others."""
        def begun():
            return [job.so_far().split("\n").count("begin") for job in self.jobs] == [RANKS, RANKS]
        return hosts.until(lambda: begun() or not self.is_running(), 40, "all ranks talk to each other") or \
            ([] if begun() else ["a job ended before all ranks had talked to each other"])

    def end(self, seconds):
        """What is wrong with two jobs that should have ended well."""
        results = jobs.wait_all(self.jobs, seconds)
        found = jobs.problems_of(results)
        for pb, result in enumerate(results):
            if not found and result.out.split("\n").count("done") != RANKS:
                found.append(f"job {pb}: not every rank came to its end\n{result.out[-1500:]}{result.err[-1500:]}")
        return found


def struck(run, what):
    """Is there still somebody to whom it happens?"""
    return [] if run.is_running() else [f"the jobs had ended before {what}: the test is too short"]


def couple(two, program, tally, options):
    """Everybody with everybody, up to 4 MB; the MPIs change places, and the address is told in two ways."""
    ways = [(False, jobs.MPIS[0], jobs.MPIS[-1]), (True, jobs.MPIS[-1], jobs.MPIS[0])]
    for by_device, *mpis in ways:
        run = Run(two, program, ["exchange", 40, 0, 4194304], mpis, six=options.case == "couple6",
                  by_device=by_device and options.case != "couple6")
        tally.check(f"{options.case} ({' '.join(mpis)})", run.end(60))


def cut_twice(two, program, tally, _):
    """The cable is pulled for two seconds, at one end and then at the other."""
    run = Run(two, program, ["exchange", 160, 30, MESSAGE])
    problems = run.begin()
    for host in (0, 1):
        if not problems:
            time.sleep(0.4)
            two.cut(host)
            time.sleep(2)
            problems += struck(run, f"the cable was back at host {host}")
            two.mend(host)
            time.sleep(1)
    tally.check("cut of 2 s, twice", problems + run.end(60))


def silence(two, program, tally, _):
    """What is sent for three seconds comes to nothing, and no device says so."""
    run = Run(two, program, ["exchange", 120, 30, MESSAGE])
    problems = run.begin()
    for host, hooks in ((0, ("input", "output")), (1, ("input",))):
        if not problems:
            time.sleep(0.4)
            two.filter(host, "counter drop", hooks=hooks)
            time.sleep(3)
            problems += struck(run, f"host {host} was heard again")
            two.unfilter(host)
    tally.check("silence of 3 s, twice", problems + run.end(60))


def late_cable(two, program, tally, _):
    """The hosts cannot reach each other until both jobs wait for the other."""
    two.cut(1)
    run = Run(two, program, ["exchange", 20, 0, MESSAGE])
    time.sleep(3)
    two.mend(1)
    tally.check("joined when the cable was there", run.end(60))


def cut_long(two, program, tally, options):
    run = Run(two, program, ["exchange", 120, 30, MESSAGE], WAITIO_PATIENCE=3 * options.cut + 30)
    problems = run.begin()
    if not problems:
        two.cut(0)
        time.sleep(options.cut)
        problems += struck(run, "the cable was back")
        two.mend(0)
    tally.check(f"cut of {options.cut:g} s", problems + run.end(3 * options.cut + 60))


def endings(job, patience, calls):
    """What is wrong with the lines by which the ranks of a job reported how their waiting ended."""
    text, found = job.so_far(), []
    lines = re.findall(r"^end rank=(\d+) call=(\w+) code=(-?\d+) seconds=([\d.]+) text=(.*)$", text, re.M)
    for rank, name, code, seconds, said in lines:
        where = f"rank {rank}, {name}, after {seconds} s: {said}"
        if int(code) >= 0:
            found.append(f"no error: {where}")
        elif float(seconds) > patience + SLACK:
            found.append(f"later than {patience} s: {where}")
        elif not re.search(PEER, said) or not re.search(CAUSE, said):
            found.append(f"does not name the peer and the cause: {where}")
    if len(lines) != calls:
        found.append(f"{len(lines)} calls ended, not {calls}: {text[-1500:]}")
    return found


def cut_for_good(two, program, tally, _):
    """Nobody waits longer than patience, and all are told for whom."""
    patience = 5
    run = Run(two, program, ["lost", 1048576], WAITIO_PATIENCE=patience)
    problems = run.begin()
    begun = not problems
    if begun:
        two.cut(1)
    problems += run.end(4 * (patience + SLACK) + 20 if begun else 1)
    for job in run.jobs if begun else []:
        problems += endings(job, patience, 4 * RANKS)
    tally.check("cut for good", problems)


def vanish(two, program, tally, _):
    """A host is gone from one moment to the next: nothing comes from it any more, no end of a connection either."""
    patience = 6
    run = Run(two, program, ["lost", 1048576], WAITIO_PATIENCE=patience)
    problems = run.begin()
    if not problems:
        two.filter(0, "counter drop", hooks=("input", "output"))
        run.jobs[1].poll()
        for pid in run.jobs[1].seen:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        survivor = jobs.wait_all(run.jobs[:1], 4 * (patience + SLACK) + 20)
        problems += jobs.problems_of(survivor) + endings(run.jobs[0], patience, 4 * RANKS)
    jobs.wait_all(run.jobs, 1)
    tally.check("a host vanishes", problems)


def killed(two, program, tally, _):
    """A job on another host is killed, at rest and while long messages are on their way: the survivors end long before
    patience does."""
    patience = 60
    for what, arguments in (("at rest", ["lost", 1048576]), ("busy", ["exchange", 1000000, 0, 4194304])):
        run = Run(two, program, arguments, WAITIO_PATIENCE=patience)
        problems = run.begin()
        if not problems:
            run.jobs[1].poll()
            for pid in run.jobs[1].seen:
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
            survivor, = jobs.wait_all(run.jobs[:1], patience - 20)
            if survivor.timed_out:
                problems.append(f"still waiting: {survivor.out[-1500:]}{survivor.err[-1500:]}")
            elif what == "busy" and not survivor.code:
                problems.append("no error")
            elif what == "at rest" and (survivor.code or len(re.findall(r"^end rank=\d .* code=-", survivor.out, re.M)) != 4 * RANKS):
                problems.append(f"not every call ended with an error: {survivor.out[-1500:]}{survivor.err[-1500:]}")
        jobs.wait_all(run.jobs, 1)
        tally.check(f"a job on another host is killed, {what}", problems)


def reset(two, program, tally, _):
    """For one second the network answers every packet with a reset, first to one host and then to the other."""
    two.filter(0, "meta l4proto tcp reject with tcp reset")
    two.unfilter(0)
    run = Run(two, program, ["exchange", 160, 30, MESSAGE])
    problems = run.begin()
    for host in (0, 1):
        if not problems:
            time.sleep(0.3)
            two.filter(host, "meta l4proto tcp reject with tcp reset")
            time.sleep(1)
            problems += struck(run, f"host {host} was heard again")
            two.unfilter(host)
    tally.check("reset by the network", problems + run.end(60))


def refused(two, program, tally, _):
    """For five seconds the network answers with resets, in both directions; then connections are refused by ICMP, in one."""
    both = ("input", "output")
    blows = [(0, [("meta l4proto tcp reject with tcp reset", both, 5)]),
             (1, [("meta l4proto tcp reject with tcp reset", ("input",), 1), ("meta l4proto tcp reject with icmpx type port-unreachable", ("input",), 5)])]
    run = Run(two, program, ["exchange", 160, 30, MESSAGE], WAITIO_PATIENCE=60)
    problems = run.begin()
    for host, rules in blows:
        if not problems:
            time.sleep(0.3)
            for rule, hooks, seconds in rules:
                two.filter(host, rule, hooks=hooks)
                time.sleep(seconds)
            problems += struck(run, f"host {host} was heard again")
            two.unfilter(host)
    tally.check("refused by the network", problems + run.end(90))


def severed(two, program, tally, _):
    """All connections are taken away in the middle, again and again; new ones may be made at once."""
    run = Run(two, program, ["exchange", 160, 30, MESSAGE])
    problems, taken = run.begin(), 0
    for turn in range(6):
        if problems:
            break
        time.sleep(0.3)
        problems += struck(run, "the connections were taken away")
        listed = two.inside(turn % 2, "ss", "-HKtn", "dst", hosts.FOUR[1 - turn % 2], check=False).stdout
        taken += len(listed.split("\n")) - 1
        if not taken:
            jobs.wait_all(run.jobs, 0)
            raise hosts.Skip("the kernel does not let us take connections away (ss -K)")
    tally.check(f"connections taken away: {taken}", problems + run.end(60))


def loss(two, program, tally, _):
    """One packet in twenty does not arrive."""
    for host in (0, 1):
        two.filter(host, "numgen random mod 100 < 5 counter drop")
    run = Run(two, program, ["exchange", 120, 0, MESSAGE])
    problems = run.end(90)
    dropped = [two.dropped(host) for host in (0, 1)]
    if min(dropped) < 10:
        problems.append("too few packets were lost to have tested anything")
    tally.check(f"5 % of the packets lost: {dropped[0]} and {dropped[1]}", problems)


def delay(two, program, tally, _):
    """20 ms each way."""
    relay = pathlib.Path(__file__).resolve().parent / "relay.py"
    two.help(sys.executable, "-B", relay, hosts.DEVICE, 0.020, *two.names)
    two.raise_devices()
    rounds, window = 60, 4
    begin = time.monotonic()
    run = Run(two, program, ["exchange", rounds, 0, MESSAGE])
    problems = run.end(90)
    if time.monotonic() - begin < rounds / window * 0.020:
        problems.append("messages came before they could have: nothing was delayed")
    tally.check("20 ms each way", problems)


def slow_reader(two, program, tally, _):
    """A receiver that looks up only after some seconds."""
    run = Run(two, program, ["slow", 4, 1000])
    tally.check("slow reader", run.end(60))


def one_port(two, program, tally, _):
    """Between the hosts only port 22 is open: messages by files that both see, the master's port forwarded (ssh -L); then all by a tunnel (ssh -w)."""
    gateway = pathlib.Path(__file__).resolve().parent / "gateway.py"
    for host in (0, 1):
        two.filter(host, "tcp flags & (syn | ack) == syn tcp dport != 22 counter reject with tcp reset")
    probe = f"import socket; socket.create_connection(('{hosts.FOUR[0]}', {PORT}), 5)"
    refusal = two.inside(1, sys.executable, "-c", probe, check=False).stderr
    tally.check("all other ports are closed", [] if "ConnectionRefused" in refusal and two.dropped(0) else [f"they are open: {refusal}"])
    two.help(sys.executable, "-B", gateway, "forward", two.names[0], f"{hosts.FOUR[0]}:22", f"{hosts.FOUR[0]}:{PORT}")
    two.help(sys.executable, "-B", gateway, "forward", two.names[1], f"127.0.0.1:{PORT}", f"{hosts.FOUR[0]}:22")
    run = Run(two, program, ["exchange", 10, 0, MESSAGE], masters=(hosts.FOUR[0], "127.0.0.1"), WAITIO_COMM_TYPE="file", WAITIO_FILE_POLL=1,
              WAITIO_SCRATCH_DIR=two.folder.name)
    tally.check("messages by files, the master's port forwarded", run.end(60))
    for helper in two.helpers:
        helper.kill()
        helper.wait()
    for host, what in ((0, "listen"), (1, "connect")):
        two.help(sys.executable, "-B", gateway, what, two.names[host], f"{hosts.FOUR[0]}:22", "tunnel")
        two.ip(host, "addr", "add", f"{TUNNEL[host]}/24", "dev", "tunnel")
        two.ip(host, "link", "set", "tunnel", "up")
    run = Run(two, program, ["exchange", 10, 0, MESSAGE], masters=(TUNNEL[0], TUNNEL[0]), by_device="tunnel")
    tally.check("all messages by a tunnel through the port", run.end(60))


CASES = {"couple": couple, "one_port": one_port, "couple6": couple, "late_cable": late_cable, "cut_twice": cut_twice, "silence": silence,
         "cut_long": cut_long, "cut_for_good": cut_for_good, "vanish": vanish, "killed": killed, "reset": reset, "refused": refused, "severed": severed, "loss": loss,
         "delay": delay, "slow_reader": slow_reader}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("case", choices=CASES)
    parser.add_argument("--cut", type=float, default=20, help="seconds, of cut_long")
    options = parser.parse_args()
    if not jobs.MPIS:
        raise hosts.Skip("no MPI here")
    tally = jobs.Tally()
    with hosts.Hosts(cable=options.case != "delay") as two:
        CASES[options.case](two, os.path.abspath(options.program), tally, options)
    return tally.end()


if __name__ == "__main__":
    sys.exit(hosts.main(main))
