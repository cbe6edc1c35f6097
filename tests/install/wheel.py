#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""wheel.py SOURCE BUILD VERSION: pip installs the Python package into an environment of its own, from the sources and without a
network, and it finds the library by each of the ways that are documented."""
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import venv

SOURCE, BUILD, VERSION = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
ALONE = """
import h3ou, sys
h3ou.h3ou_init("alone", "c.conf")
assert h3ou.h3ou_get_my_size() == 1
h3ou.h3ou_end()
from h3ou import library
print(h3ou.__version__, library._library._name)
"""
missing = [name for name in ("pip", "setuptools", "wheel", "numpy") if not importlib.util.find_spec(name)]
if missing:
    print(f"skipped: this Python has no {', '.join(missing)}")
    sys.exit(77)


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="h3ou-wheel-")
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name)
        cls.env = {k: v for k, v in os.environ.items() if not k.startswith(("WAITIO_", "H3OU_", "LD_LIBRARY", "PKG_CONFIG", "PYTHON"))}
        clone = cls.root / "clone"  # setuptools writes into the sources
        clone.mkdir()
        for name in ("pyproject.toml", "LICENSE"):
            shutil.copy(SOURCE / name, clone)
        shutil.copytree(SOURCE / "src/python", clone / "src/python", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        # NumPy, and setuptools to build with, are the system's.
        venv.create(cls.root / "env", system_site_packages=True, with_pip=False, symlinks=True)
        cls.python = cls.root / "env/bin/python3"
        cls.done = subprocess.run([cls.python, "-m", "pip", "install", "--no-index", "--no-build-isolation", "--no-deps",
                                   "--disable-pip-version-check", "."], cwd=clone, env=cls.env, capture_output=True, text=True, timeout=200)
        cls.site = next((cls.root / "env").glob("lib/python3*/site-packages"))
        cls.prefix = cls.root / "prefix"
        run = subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.prefix], capture_output=True, text=True, timeout=200)
        assert run.returncode == 0, run.stderr
        cls.lib = next(cls.prefix.rglob("libh3ou.so.0")).parent
        (cls.root / "c.conf").write_text("&h3ou_coupling log_level='SILENT' /\n")

    def run_python(self, code, **env):
        return subprocess.run([self.python, "-B", "-c", code], cwd=self.root, env={**self.env, **env}, capture_output=True, text=True,
                              timeout=200)

    def finds(self, awaited, **env):
        done = self.run_python(ALONE, **env)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        version, file = done.stdout.split()
        self.assertEqual(version, VERSION)
        self.assertEqual(file, str(awaited))

    def test_pip(self):
        self.assertEqual(self.done.returncode, 0, self.done.stdout + self.done.stderr)
        made = {p.name for p in (SOURCE / "src/python/h3ou").glob("*.py")}
        self.assertEqual({p.name for p in (self.site / "h3ou").iterdir()} - {"__pycache__"}, made)
        record = next(self.site.glob("h3ou-*.dist-info"))
        self.assertEqual(record.name, f"h3ou-{VERSION}.dist-info")
        self.assertIn("Root-Is-Purelib: true", (record / "WHEEL").read_text())
        self.assertIn("Requires-Dist: numpy", (record / "METADATA").read_text())

    def test_version_is_that_of_the_library(self):
        self.assertEqual(re.search(r'^version = "(.*)"', (SOURCE / "pyproject.toml").read_text(), re.M).group(1), VERSION)
        self.assertEqual(re.match(r"h3ou \((.*)\)", (SOURCE / "packaging/debian/changelog").read_text()).group(1), VERSION)

    def test_no_library(self):
        done = self.run_python("import h3ou\nprint(h3ou.__version__)\nh3ou.h3ou_get_my_rank()")
        if done.returncode == 0:
            self.skipTest("a libh3ou is installed on this system")
        self.assertEqual(done.stdout, f"{VERSION}\n")
        self.assertIn("let H3OU_LIBRARY be its path", done.stderr)

    def test_variable(self):
        self.finds(self.lib / "libh3ou.so", H3OU_LIBRARY=str(self.lib / "libh3ou.so"))

    def test_loader(self):
        self.finds("libh3ou.so.0", LD_LIBRARY_PATH=str(self.lib))

    def test_pkg_config(self):
        self.finds(self.lib / "libh3ou.so.0", PKG_CONFIG_PATH=f"/nowhere:{self.lib}/pkgconfig")

    def link_into(self, folder):
        """The libraries of the installation, for the time of this test."""
        for name in self.lib.glob("lib*.so*"):
            link = folder / name.name
            link.symlink_to(name)
            self.addCleanup(link.unlink)
        return folder / "libh3ou.so.0"

    def test_beside(self):
        self.finds(self.link_into(self.site / "h3ou"))

    def test_prefix(self):
        """make install PREFIX=$VIRTUAL_ENV"""
        self.finds(self.link_into(self.root / "env/lib"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
