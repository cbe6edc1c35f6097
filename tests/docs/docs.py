#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""docs.py SOURCE BUILD READ_CONFIG: what the documentation shows must compile, be understood, exist.

In docs/*.md and README.md: fenced blocks `fortran` and `c` are statements, put between the declarations below; with the word
`program` they are whole programs, with `mpi` such that another test builds; `python` blocks are compiled, and their calls of
h3ou compared with its arguments; `namelist` blocks go through h3ou's own reader, `toml` blocks through that of `h3ou run`. Links must lead to files, environment
variables must be read by some source and every variable that is read must be documented, sentences of the error tables must
be in a source. Each fact of docs/security.md names a test, and that test exists.
"""
import ast
import inspect
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from reference import Reference  # noqa: F401: runs here, too

SOURCE, BUILD, READ_CONFIG = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
PAGES = sorted(SOURCE.glob("docs/**/*.md")) + [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md"]
FORTRAN = """program snippet
  use h3ou_api
  implicit none
  integer :: comm, group, nproc, rank, time(6), step, numbers(4)
  integer, allocatable :: send_index(:), recv_index(:)
  real(8), allocatable :: coef(:), profile(:,:), sst(:), lon(:), lat(:), lon_corners(:,:), lat_corners(:,:), angle(:)
  real(8), allocatable :: u(:), v(:), ice(:), coef_cos(:), coef_sin(:)
  integer, allocatable :: index(:), mask(:), position(:, :), gcell(:), region(:)
  real(8), allocatable :: heat(:), plane(:, :), cube(:, :, :)
  real(4), allocatable :: single_profile(:, :)
  real(8), allocatable :: vx(:, :), vy(:, :), vz(:, :), t(:, :, :), ps(:, :)
  integer, allocatable :: all_of(:), counts(:), part(:), total(:), before(:)
  integer, allocatable :: to_them(:), from_them(:), send_counts(:), recv_counts(:)
  real(8) :: seconds
  integer :: nx, ny, gall, kall, lall, i, sst_field, model
  logical :: ok
%s
end program snippet
"""
C = """#include <stdio.h>
#include "h3ou.h"
void snippet(h3ou_ctx *ctx, double sst[], int64_t n);
void snippet(h3ou_ctx *ctx, double sst[], int64_t n)
{
    int arrived;
%s
}
"""


def blocks(language):
    """(page, line, words, content) of every fenced block of a language."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in re.finditer(rf"^```{language}\b([^\n]*)\n(.*?)^```$", text, re.S | re.M):
            yield page.relative_to(SOURCE), text.count("\n", 0, match.start()) + 1, match.group(1).split(), match.group(2)


class Documentation(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="h3ou-docs-")
        self.addCleanup(self.folder.cleanup)

    def run_on(self, content, name, *command):
        path = pathlib.Path(self.folder.name, name)
        path.write_text(content)
        return subprocess.run([*command, str(path)], cwd=self.folder.name, capture_output=True, text=True, timeout=200)

    def test_fortran(self):
        seen = 0
        for page, line, words, content in blocks("fortran"):
            if "mpi" in words:
                continue  # a program that needs an MPI's module: tests/install builds and runs it
            whole = "program" in words or re.search(r"^program ", content, re.M)
            with self.subTest(page=str(page), line=line):
                run = self.run_on(content if whole else FORTRAN % content, "snippet.f90", "gfortran", "-std=f2008",
                                  "-fsyntax-only", f"-I{BUILD}/mod")
                self.assertEqual(run.returncode, 0, run.stderr)
            seen += 1
        self.assertGreater(seen, 4)

    def test_c(self):
        seen = 0
        for page, line, words, content in blocks("c"):
            with self.subTest(page=str(page), line=line):
                run = self.run_on(content if "program" in words else C % content, "snippet.c", "gcc", "-std=c17", "-Wall",
                                  "-Wextra", "-Wno-unused-parameter", "-Wno-unused-variable", "-Werror", "-fsyntax-only",
                                  f"-I{SOURCE}/include")
                self.assertEqual(run.returncode, 0, run.stderr)
            seen += 1
        self.assertGreater(seen, 1)

    def test_python(self):
        sys.path.insert(0, f"{BUILD}/python")
        import h3ou
        seen = 0
        for page, line, _, content in blocks("python"):
            for call in ast.walk(ast.parse(content)):
                named = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "h3ou"
                if named:
                    with self.subTest(page=str(page), line=line + call.lineno):
                        arguments = inspect.signature(getattr(h3ou, call.func.attr))
                        arguments.bind(*call.args, **{k.arg: k.value for k in call.keywords})
                    seen += 1
        self.assertGreater(seen, 20)

    def test_namelists(self):
        seen = 0
        for page, line, _, content in blocks("namelist"):
            with self.subTest(page=str(page), line=line):
                run = self.run_on(content, "coupling.conf", READ_CONFIG)
                self.assertEqual(run.returncode, 0, run.stdout)
                self.assertNotIn(" 0 fields", run.stdout)
            seen += 1
        self.assertGreater(seen, 1)
        self.assertNotEqual(self.run_on("&h3ou_var intvel=1 /", "bad.conf", READ_CONFIG).returncode, 0)

    def test_run_files(self):
        """Run files, whole or in part, have the keys that h3ou run knows."""
        sys.path.insert(0, str(SOURCE / "tools/run"))
        import run_file
        path, seen = pathlib.Path(self.folder.name, "run.toml"), 0
        path.with_name("coupling.conf").write_text("", encoding="utf-8")
        for page, line, _, content in blocks("toml"):
            with self.subTest(page=str(page), line=line):
                path.write_text(content, encoding="utf-8")
                self.assertGreater(len(run_file.Run(str(path)).jobs), 1)
            seen += 1
        self.assertGreater(seen, 3)
        path.write_text("[[job]]\nexecutabel = 'a'\n")
        with self.assertRaises(run_file.RunError):
            run_file.Run(str(path))

    def test_links(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
                with self.subTest(page=str(page), link=target):
                    self.assertTrue((page.parent / target).exists())

    def test_floors(self):
        """The picture of the floors against what CMake was told."""
        arrows, folder = {}, None
        for item in re.split(r"[;\s]+", (BUILD / "house/arrows.txt").read_text().strip()):
            head, colon, rest = item.partition(":")
            folder = head if colon else folder
            arrows.setdefault(folder, set()).update({rest if colon else item} - {""})
        page = (SOURCE / "docs/architecture.md").read_text(encoding="utf-8").split("## Floors and rooms")[1]
        block = re.sub(r"\n {20,}->", "  ->", re.search(r"```\n(.*?)```", page, re.S).group(1))
        shown = {line.split()[0]: {room for part in line.split("->")[1:] for room in part.split()} - {"nothing"}
                 for line in block.splitlines()}
        shown.pop("src/fortran"), shown.pop("src/python")
        self.assertEqual(shown, arrows)

    def sources(self):
        for folder in ("src", "interp", "coupler", "tools", "include", "mpi_adaptor", "universe"):
            for path in (SOURCE / folder).rglob("*"):
                if path.suffix in (".c", ".h", ".f90", ".py"):
                    yield path.read_text(encoding="utf-8")

    def test_environment(self):
        read = set()
        for text in self.sources():
            for line in text.splitlines():
                if re.search(r"getenv|environ|env_int|env_real|required\(|number\(|names\[", line):
                    read |= set(re.findall(r'"((?:WAITIO|H3OU)_[A-Z_]+)"', line))
        shown = set()
        for page in PAGES:
            shown |= set(re.findall(r"\b((?:WAITIO|H3OU)_(?!E[A-Z]+\b)[A-Z_]+)\b", page.read_text(encoding="utf-8")))
        text = "\n".join(self.sources())
        cmake = "\n".join(p.read_text(encoding="utf-8") for p in [SOURCE / "CMakeLists.txt", *SOURCE.glob("cmake/*.cmake")])
        options = set(re.findall(r"option\((H3OU_\w+)|set\((H3OU_\w+) [^)\n]* CACHE ", cmake))
        shown -= {name for pair in options for name in pair}
        not_read = {name for name in shown if f'"{name}"' not in text and not re.search(rf"\b{name}\b", text)}
        self.assertEqual(not_read, set(), "documented, but no source has it")
        self.assertEqual({name for name in read if name not in shown}, set(), "read by a source, but not documented")

    def test_log_events(self):
        """Each event of the log is explained, in backticks, in one of the pages that list them."""
        logged = set()
        for text in self.sources():
            for call in re.findall(r"\bh3ou__log\(([^;]*?\"[^;]*?)\);", text):
                for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', call):
                    if not re.fullmatch(r"[a-z][a-z_-]+", literal):
                        break  # the format, behind the names of the event
                    logged.add(literal)
        self.assertGreater(len(logged), 40)
        shown = set()
        for page in ("docs/user-guide.md", "docs/waitio.md"):
            for row in re.findall(r"^\|([^|]+)\| (?:`|by)", (SOURCE / page).read_text(encoding="utf-8"), re.M):
                shown |= set(re.findall(r"`([a-z_-]+)`", row))
        self.assertEqual(logged - shown, set(), "logged, but not explained")

    def listed(self, path, macro):
        """The words X(word, ...) of a list that a header has as a macro."""
        lines = re.search(rf"#define {macro}\(X\)(.*?[^\\])\n", (SOURCE / path).read_text(encoding="utf-8"), re.S).group(1)
        return re.findall(r"\bX\((\w+)", lines)

    def test_counters(self):
        """Each counter of the transport is a row of the table that explains them, in the same order."""
        section = (SOURCE / "docs/waitio.md").read_text(encoding="utf-8").split("## Counters")[1].split("\n## ")[0]
        counters = self.listed("include/waitio.h", "WAITIO_COUNTERS")
        self.assertGreater(len(counters), 10)
        self.assertEqual(re.findall(r"^\| `(\w+)` \| \w", section, re.M), counters)

    def test_flags(self):
        """The guide's row of the key `flag` has each of its words."""
        guide = (SOURCE / "docs/user-guide.md").read_text(encoding="utf-8")
        row = re.search(r"^\| `flag` \|.*", guide, re.M).group()
        flags = self.listed("coupler/config/interval_flag.h", "H3OU__FLAGS")
        self.assertGreater(len(flags), 1)
        self.assertEqual(re.findall(r'`"([A-Z]+)"`', row), flags)

    def known_text(self):
        """All string literals of the sources, as they come out."""
        return "".join(re.sub(r'"\s*\n?\s*"', "", re.sub(r'" PRId64\s*"', "ld", source)) for source in self.sources())

    def test_security(self):
        """Each row of a table of facts names tests; each is a function that a program of tests/waitio runs."""
        page = (SOURCE / "docs/security.md").read_text(encoding="utf-8")
        listed = (SOURCE / "tests/waitio/CMakeLists.txt").read_text(encoding="utf-8")
        rows = [row for row in page.splitlines() if row.startswith("| ") and not row.startswith("| fact |")]
        self.assertGreater(len(rows), 20)
        for row in rows:
            with self.subTest(row=row):
                self.assertRegex(row, r"`waitio_\w+: test_\w+` \|$")
        for program, test in set(re.findall(r"`waitio_(\w+): (test_\w+)`", page)):
            with self.subTest(program=program, test=test):
                self.assertRegex(listed, rf"\b{program}\b")
                source = (SOURCE / f"tests/waitio/test_{program}.c").read_text(encoding="utf-8")
                self.assertIn(f"static void {test}(void **state)", source)
                self.assertGreater(len(re.findall(rf"\b{test}\b", source)), 1, "it is never run")

    def test_sentences(self):
        """Each sentence of an error table, cut at its numbers and names, is in a source."""
        text = self.known_text()
        guide = (SOURCE / "docs/user-guide.md").read_text(encoding="utf-8").split("## Errors and remedies")[1]
        readme = (SOURCE / "README.md").read_text(encoding="utf-8").split("| it says")[1].split("`H3OU_JOIN")[0]
        table = [row.split("|")[1] for row in (guide + readme).splitlines() if row.startswith("| `")]
        sentences = [s for row in table for s in re.findall(r"`([^`]+)`", row)]
        self.assertGreater(len(sentences), 25)
        for sentence in sentences:
            with self.subTest(sentence=sentence):
                for part in re.split(r"'[^']*'|\b[NM]\b|'[^']*'|HOST:PORT|127[\d.:]+|\d+|\bx\b|coupling.conf|h3ou_var|, did|Connection refused"
                                     r"|\b(?:sst|ocean)\b", sentence):
                    part = part.strip(" '=,:()?;")
                    self.assertTrue(part in text, f"no source says: {part}")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
