#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""commands.py SOURCE H3OU WAITIO_SERV VERSION: help, versions, man pages and the completion of bash say the same as the commands;
progress is for terminals only."""
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, H3OU, SERV, VERSION = pathlib.Path(sys.argv[1]), *sys.argv[2:5]
DATA = SOURCE / "samples/atmos_ocean/data/coads_2deg.nc"


def run(*words, **more):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=200, stdin=subprocess.DEVNULL, **more)


def said(*words):
    done = run(*words)
    if done.returncode:
        raise AssertionError(f"{words}: {done.stdout}{done.stderr}")
    return done.stdout


def subcommands():
    """Every command of h3ou as a list of words: ["weights", "make"], ["run"], ..."""
    for group in said(H3OU, "--words").split():
        if not group.startswith("-") and group != "help":
            names = [name for name in said(H3OU, group, "--words").split() if not name.startswith("-") and name != "help"]
            yield from ([group, name] for name in names) if names else [[group]]


def in_sources():
    """{group: its commands}, by the files that CONTRIBUTING.md asks for: GROUP_commands.c, and beside it GROUP_NAME.c; a command
    of no group is in NAME_command.c, and has none."""
    found = {}
    for table in (SOURCE / "tools").glob("*/*_commands.c"):
        group = table.name.removesuffix("_commands.c")
        found[group] = {p.stem.removeprefix(group + "_") for p in table.parent.glob(group + "_*.c") if p != table}
    return found | {p.name.removesuffix("_command.c").replace("_", "-"): set() for p in (SOURCE / "tools").glob("*/*_command.c") if p.parent.name != "cli"}


def in_help(text):
    """The options of a help: {"--method": "-m", "--norm": None}"""
    return {long: short or None for short, long in re.findall(r"^  (?:(-\w), |    )?(--[\w-]+)", text, re.M)}


class Help(unittest.TestCase):
    def test_there_are_commands(self):
        commands = {(group, name) for group, names in in_sources().items() for name in names}
        commands |= {(name,) for name, names in in_sources().items() if not names}
        self.assertGreater(len(commands), 4)
        self.assertEqual({tuple(c) for c in subcommands()}, commands)

    def test_versions(self):
        for words in ([H3OU], [H3OU, "weights"], *([H3OU, *c] for c in subcommands()), [SERV]):
            for option in ("-V", "--version"):
                self.assertEqual(said(*words, option), f"{os.path.basename(words[0])} {VERSION}\n", words)

    def test_help_word(self):
        self.assertEqual(said(H3OU, "help"), said(H3OU, "--help"))
        self.assertEqual(said(H3OU, "help", "weights"), said(H3OU, "weights", "-h"))
        self.assertEqual(said(H3OU, "weights", "help"), said(H3OU, "weights", "-h"))
        for words in subcommands():
            self.assertEqual(said(H3OU, "help", *words), said(H3OU, *words, "--help"))
        done = run(H3OU, "help", "wieghts")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no command 'wieghts', did you mean 'weights'?", done.stderr)

    def test_every_letter_has_a_long_option(self):
        for words in subcommands():
            text = said(H3OU, *words, "--help").split("options:\n")[1]
            for short in re.findall(r"^  (-\w)\b", text, re.M):
                self.assertRegex(text, rf"(?m)^  {short}, --\w+")
        text = said(SERV, "-h")
        self.assertEqual(re.findall(r"(?m)^  (-\w)", text), re.findall(r"(?m)^  (-\w), --\w+", text))

    def test_long_options_work(self):
        with tempfile.TemporaryDirectory() as folder:
            short = said(H3OU, "weights", "make", DATA, DATA, "-m", "distance", "-n", "3", "-p", "1", "-f", "esmf", "-o", f"{folder}/a.nc")
            long = said(H3OU, "weights", "make", DATA, DATA, "--method", "distance", "--neighbours=3", "--power", "1", "--format", "esmf",
                        "--output", f"{folder}/b.nc")
            self.assertEqual(short, long)
            a, b = (said(H3OU, "weights", "check", f"{folder}/{n}.nc").replace(f"{n}.nc", "") for n in "ab")
            self.assertEqual(a, b)
            self.assertIn("format esmf", a)
            self.assertIn("distance(n=3,power=1)", a)
            said(H3OU, "weights", "convert", f"{folder}/a.nc", "--format", "scrip", "--output", f"{folder}/c.nc")
            env = {**os.environ, "WAITIO_SCRATCH_DIR": folder, "COUPLER_JOB_ID": "5"}
            done = run(SERV, "--leave", "--host", "127.0.0.1", "--port=14321", "--eval", "--quiet", env=env)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout, run(SERV, "--wait", "--timeout", "0", "--age", "0", "--eval", env=env).stdout)
            self.assertIn("WAITIO_MASTER_PORT=14321", done.stdout)
            self.assertEqual(run(SERV, "--remove", env=env).returncode, 0)
            self.assertEqual(run(SERV, "--wait", "--timeout", "0", env=env).returncode, 1)


class Man(unittest.TestCase):
    PAGES = sorted((SOURCE / "docs/man").glob("*.1"))

    def section(self, words):
        """What the page of the command h3ou weights make says of make."""
        text = (SOURCE / f"docs/man/h3ou-{words[0]}.1").read_text()
        if len(words) == 1:
            return text.split(".SH OPTIONS")[1].split(".SH ")[0]
        return re.search(rf"^\.SS {words[1]}\n(.*?)(?=^\.S[SH] |\Z)", text, re.S | re.M).group(1)

    def options_of(self, text):
        found = {}
        for line in re.findall(r"^\.TP\n(\.B.*)$", text, re.M):
            plain = re.sub(r"^\.[BIR]+ ", "", line.replace("\\-", "-").replace('"', ""))
            names = re.findall(r"(?<![\w-])--?[\w-]+", plain)
            found |= {n: names[0] if len(names) > 1 and len(names[0]) == 2 else None for n in names if n.startswith("--")}
        return found

    def test_pages(self):
        self.assertEqual({p.name for p in self.PAGES}, {"h3ou.1", "waitio-serv.1"} | {f"h3ou-{group}.1" for group in in_sources()})

    def test_options_are_those_of_the_commands(self):
        for words in subcommands():
            known = in_help(said(H3OU, *words, "--help"))
            self.assertEqual((known.pop("--help"), known.pop("--version")), ("-h", "-V"))
            self.assertEqual(self.options_of(self.section(words)), known, words)
        text = (SOURCE / "docs/man/waitio-serv.1").read_text()
        self.assertEqual(self.options_of(text.split(".SH OPTIONS")[1].split(".SH EXIT")[0]), in_help(said(SERV, "--help")))

    def test_formats_are_those_of_the_commands(self):
        names = said(H3OU, "weights", "make", "--words", "--format").split()
        self.assertIn("scrip", names)
        self.assertEqual(said(H3OU, "weights", "convert", "--words", "--format").split(), names)
        for name in ("make", "convert"):
            self.assertIn(f'\\-\\-format " {"|".join(names)}"', self.section(["weights", name]))
        table = (SOURCE / "docs/remapping.md").read_text().split("| `-f` |")[1].split("\n\n")[0]
        self.assertEqual(re.findall(r"^\| `(\w+)` \|", table, re.M), names)

    def test_see_also(self):
        names = {p.stem for p in self.PAGES} | {"cdo"}
        for page in self.PAGES:
            for name in re.findall(r"^\.BR (\S+) \(1\)", page.read_text(), re.M):
                self.assertIn(name.replace("\\-", "-"), names, page.name)

    @unittest.skipUnless(shutil.which("groff"), "needs groff")
    def test_roff(self):
        for page in self.PAGES:
            done = run("groff", "-man", "-ww", "-Tutf8", "-z", page)
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)
            text = run("groff", "-man", "-Tascii", "-P-cbou", page).stdout
            self.assertIn("SYNOPSIS", text)
            self.assertNotRegex(text, r"\\[a-z(]", page.name)


class Completion(unittest.TestCase):
    def complete(self, *words):
        """What bash offers for the last word."""
        words = [w for word in words for w in (re.split("(=)", word) if word.startswith("--") and "=" in word else [word])]
        quoted = " ".join(f"'{w}'" for w in words)
        script = (f"source '{SOURCE}/tools/cli/completion/h3ou.bash'; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}\n"
                  "function=$(complete -p ${COMP_WORDS[0]}); [[ $function =~ -F\\ ([a-z_0-9]+) ]]\n"
                  "${BASH_REMATCH[1]} ${COMP_WORDS[0]} \"${COMP_WORDS[COMP_CWORD]}\"\nprintf '%s\\n' \"${COMPREPLY[@]}\"")
        path = f"{os.path.dirname(H3OU)}:{os.environ['PATH']}"
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "grid.nc").touch()
            done = run("bash", "--norc", "-c", script, cwd=folder, env={**os.environ, "PATH": path})
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_commands(self):
        groups = in_sources()
        self.assertEqual(set(self.complete("h3ou", "")), {*groups, "help"})
        self.assertEqual(self.complete("h3ou", "we"), ["weights"])
        self.assertEqual(set(self.complete("h3ou", "weights", "c")), {name for name in groups["weights"] if name.startswith("c")})
        self.assertEqual(self.complete("h3ou", "help", "weights", "r"), ["report"])
        self.assertEqual(self.complete("h3ou", "help", "b"), ["bench"])

    def test_options(self):
        for words in subcommands():
            self.assertEqual(set(self.complete("h3ou", *words, "--")), set(in_help(said(H3OU, *words, "--help"))), words)
        known = in_help(said(H3OU, "weights", "make", "--help"))
        self.assertEqual(self.complete("h3ou", "weights", "make", "a.nc", "b.nc", "--n"), [o for o in known if o.startswith("--n")])
        self.assertEqual(self.complete("waitio-serv", "--q"), ["--quiet"])
        self.assertEqual(set(self.complete("waitio-serv", "--")), set(in_help(said(SERV, "--help"))))

    def test_values(self):
        text = said(H3OU, "weights", "make", "--help")
        norms = re.search(r"--norm (\S+)", text).group(1).split("|")
        methods = re.findall(r"^  (\w+)(?:\([\w ]+\))? {2,}\w", text.split("\nmethods ")[1], re.M)
        self.assertEqual(self.complete("h3ou", "weights", "make", "--norm", ""), norms)
        self.assertEqual(self.complete("h3ou", "weights", "make", "--norm=d"), [n for n in norms if n.startswith("d")])
        self.assertEqual(self.complete("h3ou", "weights", "make", "a", "b", "-m", ""), methods)
        self.assertEqual(self.complete("h3ou", "weights", "make", "a", "b", "-m", "cons"), [m for m in methods if m.startswith("cons")])
        self.assertEqual(self.complete("h3ou", "weights", "convert", "-f", ""),
                         said(H3OU, "weights", "convert", "--words", "--format").split())

    def test_files(self):
        self.assertEqual(self.complete("h3ou", "weights", "make", "g"), ["grid.nc"])
        self.assertEqual(self.complete("h3ou", "weights", "make", "-o", "g"), ["grid.nc"])


class Progress(unittest.TestCase):
    WORK = [H3OU, "weights", "make", DATA, DATA, "-m", "distance"]
    LINE = r"distance: +\d+ % of \d+ cells, \d+ s"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.env = {**os.environ, "H3OU_PROGRESS_DELAY": "0"}

    def on_terminal(self, *words):
        """Its standard error, which is a terminal."""
        ours, its = pty.openpty()
        process = subprocess.Popen(list(map(str, words)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=its, env=self.env)
        os.close(its)
        text = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            text += part
        os.close(ours)
        out, _ = process.communicate(timeout=200)
        self.assertEqual(process.returncode, 0, text)
        return text.decode(), out.decode()

    def test_make(self):
        text, out = self.on_terminal(*self.WORK, "-o", f"{self.folder}/w.nc")
        self.assertRegex(text, self.LINE)
        self.assertEqual(out, "")
        self.assertGreater(text.index("links"), text.rindex("\r\033[K"), "the line is removed in the end")

    def test_apply(self):
        said(*self.WORK, "-o", f"{self.folder}/w.nc")
        text, out = self.on_terminal(H3OU, "weights", "apply", f"{self.folder}/w.nc", DATA, f"{self.folder}/o.nc")
        self.assertRegex(text, r"\w+: +\d+ % of \d+ layers, \d+ s")
        self.assertIn("layers in all", out)

    def test_no_terminal(self):
        for command in ([*self.WORK, "-o", f"{self.folder}/w.nc"], [H3OU, "weights", "apply", f"{self.folder}/w.nc", DATA, f"{self.folder}/o.nc"]):
            done = run(*command, env=self.env)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("%", done.stdout + done.stderr)
            self.assertNotIn("\r", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
