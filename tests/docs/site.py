#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""site.py SOURCE: the documents become a site without a warning; every link of it leads to a place that exists, and a page loads nothing from
elsewhere. A wrong link ends it. Exit code 77: Sphinx is not here."""
import html.parser
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

SOURCE = pathlib.Path(sys.argv[1])
MAKE = SOURCE / "docs/site/make_site.py"
LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}


class Page(html.parser.HTMLParser):
    """The places of a page, and where it leads to."""

    def __init__(self, path):
        super().__init__()
        self.places, self.links, self.loaded = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.places |= {attrs[k] for k in ("id", "name") if attrs.get(k)}
        for key in ("href", "src"):
            if attrs.get(key) is None:
                continue
            # What a page names without loading it: its own search, and the page before and behind.
            named = tag == "link" and attrs.get("rel") in ("index", "search", "next", "prev", "genindex", "copyright")
            (self.loaded if (tag, key) in LOADED and not named else self.links).append(attrs[key])


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="h3ou-site-")
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name)
        done = subprocess.run([sys.executable, "-B", MAKE, SOURCE, cls.root / "site"], capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        cls.html = cls.root / "site/html"
        cls.pages = {p: Page(p) for p in cls.html.rglob("*.html")}

    def test_pages(self):
        """Each page of the documents is there, and in the contents of the first page."""
        first = self.html / "index.html"
        reached = {(first.parent / urllib.parse.unquote(link.split("#")[0])).resolve() for link in self.pages[first].links}
        pages = [*SOURCE.glob("docs/*.md"), *SOURCE.glob("docs/*/*.md"), SOURCE / "README.md"]
        self.assertGreater(len(pages), 30)
        for page in pages:
            made = self.html / page.relative_to(SOURCE).with_suffix(".html")
            self.assertTrue(made.exists(), made)
            self.assertIn(made.resolve(), reached, "not in the contents")

    def test_links(self):
        seen = 0
        for path, page in self.pages.items():
            for link in page.links + page.loaded:
                parts = urllib.parse.urlsplit(link)
                if parts.scheme or parts.netloc:
                    self.assertNotIn(link, page.loaded, f"{path}: is loaded from elsewhere")
                    continue
                target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
                self.assertTrue(target.is_file(), f"{path.relative_to(self.html)}: {link}")
                fragment = urllib.parse.unquote(parts.fragment)
                if fragment and target in self.pages:
                    self.assertIn(fragment, self.pages[target].places | {"top"}, f"{path.relative_to(self.html)}: {link}")
                seen += 1
        self.assertGreater(seen, 1000)

    def test_styles(self):
        """No style loads anything from elsewhere."""
        styles = list(self.html.rglob("*.css"))
        self.assertGreater(len(styles), 1)
        for style in styles:
            self.assertNotRegex(style.read_text(encoding="utf-8"), r"(url\(\s*['\"]?|@import\s+['\"])(https?:)?//")

    def test_wrong_link(self):
        """A link to a place that does not exist ends the making of a site."""
        source = self.root / "wrong"
        (source / "docs").mkdir(parents=True)
        (source / "README.md").write_text("# A\n\n[other](docs/other.md)\n")
        (source / "docs/other.md").write_text("# Other\n\n## Here\n\n[a](#here)\n\n[b](none.md)\n\n[c](../README.md#none)\n")
        done = subprocess.run([sys.executable, "-B", MAKE, source, source / "site"], capture_output=True, text=True, timeout=200, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(re.findall(r"other.md:(\d+): WARNING", done.stderr), ["7", "9"], done.stderr)


if __name__ == "__main__":
    if any(importlib.util.find_spec(name) is None for name in ("sphinx", "myst_parser", "furo")):
        print("no Sphinx, MyST or Furo here")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0]], verbosity=2)
