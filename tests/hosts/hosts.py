# SPDX-License-Identifier: BSD-3-Clause
"""Two hosts on one machine: namespaces of network, processes, shared memory and name, joined by a virtual cable. Nothing in
them can reach anything else, and nothing of them is left when the program ends, however it ends."""
import ctypes
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SKIP = 77
DEVICE = "wire"
FOUR, SIX = ("10.231.7.1", "10.231.7.2"), ("fd00:e7::1", "fd00:e7::2")
PR_SET_PDEATHSIG = 1

# What a host of its own has beside its network. 256 MB are what a small machine gives to /dev/shm.
SETTLE = """mount -t tmpfs -o size=256m tmpfs /dev/shm && mount --bind "$1" /etc/hosts && hostname "$2" && shift 2 && exec "$@" """


class Skip(Exception):
    """The machine does not let us; text: why."""


def call(*line, check=True):
    result = subprocess.run(list(map(str, line)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30)
    if check and result.returncode:
        raise RuntimeError(f"{' '.join(map(str, line))}: {result.stderr.strip() or result.returncode}")
    return result


def remove(names):
    """Ends what runs in the namespaces, then the namespaces. Safe to repeat."""
    for name in names:
        if not os.path.exists(f"/run/netns/{name}"):
            continue
        for pid in call("ip", "netns", "pids", name, check=False).stdout.split():
            try:
                os.kill(int(pid), signal.SIGKILL)
            except OSError:
                pass
        call("ip", "netns", "del", name, check=False)


def guard(names, folder):
    """A process that outlives this one for a moment: a SIGKILL from a test driver that lost patience, too, leaves nothing
    behind. Answers the descriptor whose closing it waits for."""
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.close(there)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(nowhere, fd)
        while os.read(here, 1):
            pass
        remove(names)
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)
    os.waitpid(child, 0)
    os.close(here)
    return there


class Hosts:
    """with Hosts() as two: two hosts, A (0) and B (1), each with the device `wire`."""

    def __init__(self, cable=True):
        self.names = [f"h3ou-{os.getpid()}-{x}" for x in "ab"]
        self.cable, self.folder, self.helpers = cable, None, []

    def __enter__(self):
        def leave(number, frame):
            raise SystemExit(128 + number)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, leave)
        if os.geteuid() != 0:
            raise Skip("only root makes network namespaces")
        self.folder = tempfile.TemporaryDirectory()
        self.guard = guard(self.names, self.folder.name)
        try:
            self.make()
        except (OSError, RuntimeError, subprocess.SubprocessError) as why:
            self.__exit__()
            raise Skip(f"no hosts can be made here: {why}") from why
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for helper in self.helpers:
            helper.kill()
            helper.wait()
        remove(self.names)
        os.close(self.guard)
        self.folder.cleanup()

    def make(self):
        for name in self.names:
            call("ip", "netns", "add", name)
            call("ip", "-n", name, "link", "set", "lo", "up")
            pathlib.Path(self.folder.name, name).write_text(f"127.0.0.1 localhost {name}\n::1 localhost\n")
        if self.cable:
            call("ip", "link", "add", DEVICE, "netns", self.names[0], "type", "veth", "peer", DEVICE, "netns", self.names[1])
            self.raise_devices()
        for host in (0, 1):
            call(*self.before(host), "true")

    def raise_devices(self):
        for host in (0, 1):
            self.ip(host, "link", "set", DEVICE, "up")
            self.address(host)

    def address(self, host):
        """IPv4 addresses survive a device that is down; those of IPv6 do not."""
        self.ip(host, "addr", "replace", f"{FOUR[host]}/24", "dev", DEVICE)
        self.ip(host, "addr", "replace", f"{SIX[host]}/64", "dev", DEVICE, "nodad")

    def ip(self, host, *arguments):
        return call("ip", "-n", self.names[host], *arguments)

    def inside(self, host, *line, **options):
        return call("ip", "netns", "exec", self.names[host], *line, **options)

    def before(self, host):
        """The beginning of a command that is to run on that host. When its first process ends, all of the host's do."""
        return ["ip", "netns", "exec", self.names[host], "unshare", "--mount", "--uts", "--ipc", "--pid", "--fork", "--kill-child",
                "--mount-proc", "sh", "-c", SETTLE, "sh", str(pathlib.Path(self.folder.name, self.names[host])), self.names[host]]

    def cut(self, host):
        self.ip(host, "link", "set", DEVICE, "down")

    def mend(self, host):
        self.ip(host, "link", "set", DEVICE, "up")
        self.address(host)

    def filter(self, host, *rules, hooks=("input",)):
        """Rules for packets of this host."""
        self.unfilter(host)
        try:
            self.inside(host, "nft", "add", "table", "inet", "t")
            for hook in hooks:
                self.inside(host, "nft", "add", "chain", "inet", "t", hook, f"{{ type filter hook {hook} priority 0 ; }}")
                for rule in rules:
                    direction = "oifname" if hook == "output" else "iifname"
                    self.inside(host, "nft", "add", "rule", "inet", "t", hook, direction, DEVICE, *rule.split())
        except (OSError, RuntimeError) as why:
            raise Skip(f"no packet filter here: {why}") from why

    def unfilter(self, host):
        try:
            self.inside(host, "nft", "delete", "table", "inet", "t", check=False)
        except OSError as why:
            raise Skip(f"no packet filter here: {why}") from why

    def dropped(self, host):
        """Packets that the rules have counted."""
        return sum(map(int, re.findall(r"counter packets (\d+)", self.inside(host, "nft", "list", "table", "inet", "t").stdout)))

    def help(self, *line):
        """Starts a process that this one will not outlive, and waits until it says that it is ready."""
        def die_with_parent():
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        helper = subprocess.Popen(list(map(str, line)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                                  preexec_fn=die_with_parent)
        self.helpers.append(helper)
        if helper.stdout.readline().strip() != "ready":
            raise RuntimeError(f"{line[0]} did not start")


def until(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return [f"not within {seconds} s: {what}"]
        time.sleep(0.02)
    return []


def main(body):
    """Runs body(), and says why when it cannot."""
    try:
        return body()
    except Skip as why:
        print(f"skipped: {why}")
        sys.stdout.flush()
        return SKIP
