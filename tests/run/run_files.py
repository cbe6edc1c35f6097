#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""run_files.py H3OU: what is wrong in a RUN.toml is said with its file, its line and a remedy, and nothing is started."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

H3OU = sys.argv[1]
GOOD = """[run]
directory = "out"
port = 7777

[[job]]
name = "one"
executable = "/bin/true"

[[job]]
name = "two"
executable = "/bin/true"
"""


class Wrong(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_of(self, text, *options):
        file = self.folder / "run.toml"
        if text is not None:
            file.write_text(text)
        return subprocess.run([H3OU, "run", file, *options], capture_output=True, text=True, timeout=200, check=False)

    def refused(self, line, said, *changes, options=()):
        text = GOOD
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        done = self.run_of(text, *options)
        self.assertEqual(done.returncode, 1, done)
        self.assertRegex(done.stderr, rf"^h3ou run: \S*run.toml:{line}: " + said)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["run.toml"])

    def test_keys(self):
        self.refused(2, "unknown key 'directry' of \\[run\\], did you mean 'directory'\\?", ("directory", "directry"))
        self.refused(10, "unknown key 'nmae' of \\[\\[job\\]\\], did you mean 'name'\\?", ('name = "two"', 'nmae = "two"'))
        self.refused(1, "unknown key 'rnu' of the file, did you mean 'run'\\?", ("[run]", "[rnu]"))
        self.refused(3, "port of \\[run\\] must be a whole number", ("7777", '"7777"'))
        self.refused(3, "port 77777 is not between 1 and 65535", ("7777", "77777"))
        self.refused(8, "processes of \\[\\[job\\]\\] must be 1 or more, not 0", ("true\"\n", "true\"\nprocesses = 0\n"))
        self.refused(4, "grace is in seconds, 0 or more", ("7777", "7777\ngrace = -1"))
        self.refused(4, "stop_after: 'soon' is no time: write 3h30m", ("7777", "7777\nstop_after = 'soon'"))
        self.refused(4, "record: 'run.toml' is no folder: name one", ("7777", "7777\nrecord = 'run.toml'"))
        self.refused(4, "progress is in seconds, 0 or more", ("7777", "7777\nprogress = -1"))
        self.refused(4, "configuration: .*none.conf: no such file", ("7777", "7777\nconfiguration = 'none.conf'"))

    def test_syntax(self):
        self.refused(3, ".* \\(at line 3, column 11\\)", ("7777", "77 77"))
        (self.folder / "run.toml").unlink()
        done = self.run_of(None)
        self.assertRegex(done.stderr, "h3ou run: .*run.toml: No such file or directory")

    def test_jobs(self):
        self.refused(9, "two jobs are called 'one': give one of them the key name", ('name = "two"', 'name = "one"'))
        self.refused(5, "a \\[\\[job\\]\\] has either the key executable, or \\[\\[job.program\\]\\]", ('executable = "/bin/true"\n', ""))
        self.refused(7, "executable of job one: .*/atmos: no such file", ("/bin/true", "./atmos"))
        self.refused(7, "executable of job one: /etc/passwd may not be executed", ("/bin/true", "/etc/passwd"))
        self.refused(8, "launcher 'mpirun' of job one: known are auto, mpich, openmpi, srun, ssh, none",
                     ("true\"\n", "true\"\nlauncher = 'mpirun'\n"))
        self.refused(8, "job one: 2 processes need an MPI, but /bin/true is linked with none", ("true\"\n", "true\"\nprocesses = 2\n"))
        self.refused(8, "directory of job one: .*/nowhere: no such folder", ("true\"\n", "true\"\ndirectory = 'nowhere'\n"))
        self.refused(5, "job one: the launcher ssh needs one host", ("true\"\n", "true\"\nlauncher = 'ssh'\n"))
        self.refused(5, "job one: nobodys-launcher: no such command", ("true\"\n", "true\"\nlauncher = ['nobodys-launcher']\n"))
        self.refused(5, "'{mip}' of job one: {mip} cannot be replaced; known are {mpi}", ("true\"\n", "true\"\narguments = ['{mip}']\n"))
        self.refused(6, "name 'a/b' of a job: letters", ('"one"', '"a/b"'))

    def test_batch(self):
        self.refused(1, "a batch script needs the key port in \\[run\\]", ("port = 7777\n", ""), options=["--slurm"])
        self.refused(5, "job one: in a script of PBS the launcher is mpich or openmpi", options=["--pbs"])
        done = self.run_of(GOOD, "--slurm", "--pbs")
        self.assertEqual(done.returncode, 2)
        self.assertIn("choose one", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
