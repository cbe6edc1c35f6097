#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""serv.py WAITIO_SERV RING: waitio-serv as job scripts use it, and everything that can be wrong with its file."""
import os
import pathlib
import re
import resource
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
from jobs import free_port

SERV, RING = sys.argv[1:3]
NEW = """
eval "$({serv} -d -e -m 127.0.0.1)"
WAITIO_PBID=0 WAITIO_NPB=2 {ring}
"""
NEW_OTHER = """
eval "$({serv} -c -e -t 20)"
WAITIO_PBID=1 WAITIO_NPB=2 {ring}
"""
# As published: the port is agreed on beforehand, -c prints the host alone.
OLD = """
export WAITIO_MASTER_HOST=127.0.0.1 WAITIO_MASTER_PORT={port} WAITIO_PBID=0 WAITIO_NPB=2
{serv} -d -m $WAITIO_MASTER_HOST
{ring}
"""
OLD_OTHER = """
export WAITIO_MASTER_HOST=`{serv} -c`
export WAITIO_MASTER_PORT={port} WAITIO_PBID=1 WAITIO_NPB=2
{ring}
"""


class Serv(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="waitio-serv-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("WAITIO_") and k != "COUPLER_JOB_ID"}
        self.env.update(WAITIO_SCRATCH_DIR=str(self.folder), WAITIO_JOIN_PATIENCE="40", WAITIO_PATIENCE="20")
        self.file = self.folder / ".waitio-master"

    def serv(self, *words, env=None, **more):
        env = {k: v for k, v in {**self.env, **(env or {})}.items() if v is not None}
        return subprocess.run([SERV, *words], env=env, capture_output=True, text=True, timeout=200, stdin=subprocess.DEVNULL, **more)

    def fine(self, *words, **more):
        done = self.serv(*words, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def fails(self, code, *said, words, **more):
        done = self.serv(*words, **more)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        for part in said:
            self.assertIn(part, done.stderr)
        return done

    def both(self, first, second, pause, **names):
        script = [text.format(serv=SERV, ring=RING, **names) for text in (first, second)]
        started = []
        for text in script:
            started.append(subprocess.Popen(["bash", "-eu", "-c", text], env=self.env, stdout=subprocess.PIPE,
                                            stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL))
            time.sleep(pause)
        ended = [p.communicate(timeout=200) for p in started]
        self.assertEqual([p.returncode for p in started], [0, 0], ended)
        return sorted(out.strip() for out, _ in ended)

    def test_scripts_find_each_other(self):
        self.assertEqual(self.both(NEW, NEW_OTHER, 0), ["job 0 heard of job 1", "job 1 heard of job 0"])

    def test_whoever_waits_comes_first(self):
        self.assertEqual(self.both(NEW_OTHER, NEW, 0.5), ["job 0 heard of job 1", "job 1 heard of job 0"])

    def test_published_scripts(self):
        self.assertEqual(self.both(OLD_OTHER, OLD, 0.3, port=free_port()), ["job 0 heard of job 1", "job 1 heard of job 0"])

    def test_runs_do_not_mix(self):
        self.fine("-d", "-m", "127.0.0.1", env={"COUPLER_JOB_ID": "17"})
        self.fine("-m", "127.0.0.2", env={"COUPLER_JOB_ID": "18"})
        self.assertEqual(self.fine("-c", env={"COUPLER_JOB_ID": "17"}), "127.0.0.1\n")
        self.assertEqual(self.fine("-c", env={"COUPLER_JOB_ID": "18"}), "127.0.0.2\n")
        self.fails(1, "there is no", words=["-c", "-t", "0"])
        self.fails(1, "COUPLER_JOB_ID=../x", words=["-c"], env={"COUPLER_JOB_ID": "../x"})

    def test_file(self):
        out = self.fine("-d", "-e", "-m", "127.0.0.1", umask=0)
        self.assertRegex(out, r"\Aexport WAITIO_MASTER_HOST=127\.0\.0\.1\nexport WAITIO_MASTER_PORT=\d+\n\Z")
        self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o600)
        self.assertEqual(self.fine("-c", "-e"), out)
        self.assertNotEqual(self.fine("-d", "-e", "-m", "127.0.0.2"), out)
        self.assertEqual(list(self.folder.iterdir()), [self.file])
        self.fine("-r")
        self.fine("-r")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_default_folder(self):
        home = {"WAITIO_SCRATCH_DIR": None, "HOME": str(self.folder / "home")}
        (self.folder / "home").mkdir()
        self.fine("-d", "-m", "127.0.0.1", env=home)
        self.assertEqual(stat.S_IMODE((self.folder / "home/.waitio").stat().st_mode), 0o700)
        self.assertEqual(self.fine("-c", env=home), "127.0.0.1\n")
        self.fails(1, "neither WAITIO_SCRATCH_DIR nor HOME is set", words=["-c"], env={"WAITIO_SCRATCH_DIR": None, "HOME": None})

    def test_no_folder(self):
        for words in (["-d", "-m", "127.0.0.1"], ["-c"]):
            self.fails(1, "WAITIO_SCRATCH_DIR=/nowhere/at/all: No such file", words=words,
                       env={"WAITIO_SCRATCH_DIR": "/nowhere/at/all"})
        self.fails(1, "is no folder", words=["-c"], env={"WAITIO_SCRATCH_DIR": RING})

    def test_folder_that_may_not_be_written(self):
        folder = "/sys"  # not even by root
        if os.geteuid():
            self.folder.chmod(0o555)
            folder = str(self.folder)
        self.fails(1, "cannot be written", "set WAITIO_SCRATCH_DIR", words=["-d", "-m", "127.0.0.1"], env={"WAITIO_SCRATCH_DIR": folder})
        self.folder.chmod(0o755)

    def test_disk_full(self):
        """A write that fails leaves what was there, and nothing else."""
        self.fine("-d", "-m", "127.0.0.1")

        def no_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))

        self.fails(1, "cannot be written", words=["-q", "-d", "-m", "127.0.0.2"], preexec_fn=no_room)
        self.assertEqual(list(self.folder.iterdir()), [self.file])
        self.assertEqual(self.fine("-c"), "127.0.0.1\n")

    def test_bad_file(self):
        self.fine("-d", "-m", "127.0.0.1")
        good = self.file.read_bytes()
        for bad, why in ((good[:-4], "last line"), (b"", "does not begin"), (good.replace(b"127", b"`id`"), "host="),
                         (b"x" * 100000, "longer"), (good + b"rm\n", "last line"), (bytes(range(256)), "does not begin")):
            self.file.write_bytes(bad)
            self.fails(1, str(self.file), why, "remove it", words=["-c", "-e"])

    def test_foreign_file(self):
        self.fine("-d", "-m", "127.0.0.1")
        self.file.chmod(0o666)
        self.fails(1, "may be written by others", words=["-c"])
        self.file.chmod(0o600)
        self.file.rename(self.folder / "other")
        self.file.symlink_to(self.folder / "other")
        self.fails(1, "symbolic link", words=["-c"])
        self.fine("-d", "-m", "127.0.0.2")  # replaces the link, not what it leads to
        self.assertEqual(self.fine("-c"), "127.0.0.2\n")
        self.assertIn("127.0.0.1", (self.folder / "other").read_text())
        self.file.unlink()
        os.mkfifo(self.file)
        self.fails(1, "no plain file", words=["-c"])

    def test_earlier_run(self):
        self.file.write_text("waitio-address 1\nhost=127.0.0.9\nport=7100\nwritten=%d\nend\n" % (time.time() - 4000))
        self.file.chmod(0o600)
        self.fails(1, "of an earlier run", "-a 0", words=["-c", "-t", "0"])
        self.assertEqual(self.fine("-c", "-a", "0"), "127.0.0.9\n")
        late = threading.Timer(0.4, self.fine, ["-d", "-m", "127.0.0.1"])
        late.start()
        self.assertEqual(self.fine("-c", "-t", "20"), "127.0.0.1\n")
        late.join()

    def test_waiting_is_told_and_ends(self):
        done = self.fails(1, f"waiting for {self.file}, 2 s", "waited 2.5 s", "COUPLER_JOB_ID", words=["-c", "-t", "2.5"])
        self.assertEqual(len(done.stderr.splitlines()), 2)

    def test_port(self):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            s.listen()
            taken = s.getsockname()[1]
            self.fails(1, f"port {taken} of 127.0.0.1", "-p", words=["-d", "-m", "127.0.0.1", "-p", str(taken)])
            self.fails(1, f"port {taken} of 127.0.0.1", words=["-d", "-m", "127.0.0.1"], env={"WAITIO_MASTER_PORT": str(taken)})
        port = free_port()
        self.assertIn(f"PORT={port}\n", self.fine("-d", "-e", "-m", "127.0.0.1", "-p", str(port)))
        with open("/proc/sys/net/ipv4/ip_local_port_range") as f:
            first = int(f.read().split()[0])
        for _ in range(5):
            chosen = int(re.search(r"PORT=(\d+)", self.fine("-d", "-e", "-m", "127.0.0.1")).group(1))
            self.assertTrue(1024 < chosen and (chosen < first or first <= 4096), chosen)

    # As Debian writes it into /etc/hosts; this one is seen by the command alone.
    def test_name_that_leads_here_only(self):
        hosts = self.folder / "hosts"
        hosts.write_text("127.0.1.1 couplerhost\n")
        inside = ["unshare", "-m", "bash", "-euc", f'mount --bind {hosts} /etc/hosts; "$@"', "-"]
        if subprocess.run([*inside, "getent", "hosts", "couplerhost"], capture_output=True).returncode:
            self.skipTest("no mount name space")
        for name, warned in (("couplerhost", True), ("127.0.0.1", False)):
            done = subprocess.run([*inside, SERV, "-d", "-e", "-m", name], env=self.env, capture_output=True, text=True, timeout=200)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"HOST={name}\n", done.stdout)
            self.assertEqual("only jobs on this host can join" in done.stderr, warned, done.stderr)

    def test_wrong_words(self):
        for words, said in ((["-x"], "no option -x"), ([], "say -d, -c or -r"), (["-d", "-c"], "one at a time"), (["-c", "a"], "'a'"),
                            (["-d", "-p", "70000"], "65535"), (["-c", "-t", "soon"], "-t soon"), (["-d", "-m"], "takes a value"),
                            (["-d", "-m", "a;b"], "no host name")):
            self.fails(2, said, "usage:", words=words)
        self.fails(1, "WAITIO_MASTER_PORT", words=["-d", "-m", "127.0.0.1"], env={"WAITIO_MASTER_PORT": "many"})
        self.assertIn("WAITIO_SCRATCH_DIR", self.fine("-h"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
