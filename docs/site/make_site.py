#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""make_site.py SOURCE BUILD: the documents as a site, BUILD/html. Sphinx reads copies of the pages in their places, of the files that they link to, and
a page for each folder that they link to; any warning of it is an error."""
import fnmatch
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# The order of the contents; pages that are in none of these follow at the end.
CONTENTS = {
    "Start": ["README.md", "docs/tutorial.md", "docs/two-models.md", "docs/recipes.md"],
    "Moving": ["docs/moving-from-h3-open-util.md", "docs/moving-from-oasis.md", "docs/moving-from-yac.md", "docs/differences.md"],
    "Using": ["docs/user-guide.md", "docs/mpi-adaptor.md", "docs/remapping.md", "docs/performance.md", "docs/waitio.md", "docs/memory.md", "docs/security.md", "docs/glossary.md"],
    "Measured": ["docs/measured/README.md", "docs/measured/*.md"],
    "Decisions": ["docs/adr/README.md", "docs/adr/*.md"],
    "Reference": ["docs/reference/fortran.md", "docs/reference/c.md", "docs/reference/python.md"],
}
LINK = re.compile(r"(!?\]\()([^)#:\s]+)((?:#[^)\s]*)?\))")


def outside_code(text):
    """The text without fenced blocks, in which nothing is a link."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)


class Site:
    def __init__(self, source, build):
        self.source, self.stage, self.html = source, build / "pages", build / "html"
        self.pages = []

    def add(self, inside):
        """Copies a page, and what it links to."""
        if inside in self.pages:
            return
        self.pages.append(inside)
        text = (self.source / inside).read_text(encoding="utf-8")
        targets = {m.group(2) for m in LINK.finditer(outside_code(text))}
        for target in targets:
            self.add_target(inside, target)
        text = LINK.sub(lambda m: m.group(1) + self.page_of_folder(inside, m.group(2)) + m.group(3), text)
        text = re.sub(r"^```(\w+) (?:program|mpi)\b.*$", r"```\1", text, flags=re.M)
        self.write(inside, text)

    def write(self, inside, text):
        path = self.stage / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def place(self, inside, target):
        return (self.source / inside).parent.joinpath(target).resolve().relative_to(self.source)

    def page_of_folder(self, inside, target):
        """A link to a folder leads to its README.md, or to a list of its files."""
        return target.rstrip("/") + "/README.md" if (self.source / self.place(inside, target)).is_dir() else target

    def add_target(self, inside, target):
        place = self.place(inside, target)
        path = self.source / place
        if path.is_dir():
            self.add_folder(place)
        elif path.suffix == ".md" and path.exists():
            self.add(place)
        elif path.exists():
            copy = self.stage / place
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)

    def add_folder(self, place):
        page = place / "README.md"
        if (self.source / page).exists():
            self.add(page)
        elif page not in self.pages:
            self.pages.append(page)
            files = sorted(p for p in (self.source / place).iterdir() if p.is_file() and not p.name.startswith("."))
            for file in files:
                self.add_target(page, file.name)
            self.write(page, f"# {place}\n\n" + "".join(f"- [{p.name}]({p.name})\n" for p in files))

    def index(self):
        """The first page: the README, and the contents."""
        lists = {title: [p for pattern in patterns for p in sorted(self.pages) if fnmatch.fnmatch(str(p), pattern)] for title, patterns in CONTENTS.items()}
        lists = {title: list(dict.fromkeys(pages)) for title, pages in lists.items()}
        lists["More"] = sorted(set(self.pages) - {p for pages in lists.values() for p in pages})
        lines = ["h3ou", "====", ""]
        for title, pages in lists.items():
            lines += [".. toctree::", "   :maxdepth: 1", f"   :caption: {title}", "", *(f"   {p.with_suffix('')}" for p in pages), ""]
        self.write("index.rst", "\n".join(lines))

    def build(self):
        shutil.rmtree(self.stage, ignore_errors=True)
        shutil.rmtree(self.html, ignore_errors=True)
        self.add(pathlib.Path("README.md"))
        for page in sorted((self.source / "docs").rglob("*.md")):
            self.add(page.relative_to(self.source))
        self.index()
        words = [sys.executable, "-B", "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-c", str(HERE), "-d", str(self.stage / ".doctrees"), str(self.stage), str(self.html)]
        return subprocess.run(words, check=False).returncode


if __name__ == "__main__":
    sys.exit(Site(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()).build())
