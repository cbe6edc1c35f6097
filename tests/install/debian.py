#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""debian.py SOURCE BUILD VERSION: the Debian packages are built, hold what an installation holds, and what they hold couples two
models. Without optimisation: what is looked at is where files are."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
from documents import broken_links

SOURCE, BUILD, VERSION = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
NAMES = {"h3ou", "libh3ou0", "libh3ou-dev", "h3ou-mpich", "h3ou-openmpi", "h3ou-mpi-adaptor", "python3-h3ou"}
missing = [tool for tool in ("dpkg-buildpackage", "dh", "mpicc.mpich", "mpicc.openmpi") if not shutil.which(tool)]
if missing:
    print(f"skipped: there is no {', '.join(missing)}")
    sys.exit(77)


def said(*words, **more):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, stdin=subprocess.DEVNULL, **{"timeout": 120, **more})
    if done.returncode:
        raise AssertionError(f"{words}: {done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


class Debian(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="h3ou-debian-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.out, cls.root = cls.folder / "out", cls.folder / "root"
        env = {**os.environ, "DEB_BUILD_OPTIONS": f"noopt nostrip nocheck noautodbgsym parallel={os.cpu_count()}"}
        for name in [n for n in env if n.startswith(("CMAKE_", "CFLAGS"))]:
            del env[name]
        said(SOURCE / "packaging/debian/build", cls.out, env=env, timeout=500)
        cls.packages = {p.name.split("_")[0]: p for p in cls.out.glob("*.deb")}
        for package in cls.packages.values():
            said("dpkg", "-x", package, cls.root)
        cls.usr = cls.root / "usr"
        cls.lib = next(cls.usr.glob("lib/*/libh3ou.so.0")).parent

    def test_names(self):
        self.assertEqual(set(self.packages), NAMES)
        for package in self.packages.values():
            self.assertEqual(package.name.split("_")[1], VERSION)

    def holds(self, name):
        """Paths below /usr."""
        lines = said("dpkg-deb", "-c", self.packages[name]).splitlines()
        paths = [line.split()[5].removeprefix("./usr/") for line in lines if not line.startswith("d")]
        return {p.replace(f"lib/{self.lib.name}/", "LIB/") for p in paths if not re.match(r"share/doc/[^/]+/(copyright|changelog)", p)}

    def test_contents(self):
        """The files of an installation, each in one package."""
        staged = self.folder / "staged"
        said("cmake", "--install", BUILD, "--prefix", staged)
        lib = next(staged.rglob("h3ou.pc")).parent.parent.relative_to(staged)
        awaited = {str(p.relative_to(staged)) for p in staged.rglob("*") if not p.is_dir() or p.is_symlink()}

        def plain(path):
            """Without the build type's name, and the compression of manual pages."""
            path = re.sub(r"^(share/man/.*\.1)\.gz$", r"\1", path)
            return re.sub(r"h3ou-targets-\w+\.cmake", "h3ou-targets-TYPE.cmake", path).replace(f"{lib}/", "LIB/", 1)

        # Debian has a list of its own, and calls the changes changelog.gz.
        awaited = {plain(p) for p in awaited} - {"share/h3ou/installed.txt", "share/doc/h3ou/CHANGELOG.md"}
        found = [plain(p) for name in self.packages for p in self.holds(name)]
        self.assertEqual(sorted(found), sorted(set(found)), "a file in two packages")
        self.assertEqual(set(found) ^ awaited, set())

    def test_parts(self):
        self.assertTrue({"LIB/libh3ou.so.0", "LIB/libwaitio.so.0", "LIB/libh3ou_fortran.so.0"} <= self.holds("libh3ou0"))
        self.assertTrue({"include/h3ou.h", "include/h3ou/h3ou_api.mod", "LIB/libh3ou.so", "LIB/pkgconfig/h3ou.pc"} <= self.holds("libh3ou-dev"))
        self.assertEqual(self.holds("h3ou-mpich"), {"LIB/libh3ou_mpi_mpich.so", "LIB/libh3ou_universe_mpich.so", "libexec/h3ou/h3ou-pingpong-mpi.mpich"})
        self.assertTrue({"LIB/mpi_adaptor/openmpi/libmpi.so.40", "LIB/mpi_adaptor/mpich/libmpich.so.12", "LIB/mpi_adaptor/abi/libmpi_abi.so.0",
                         "LIB/mpi_adaptor/back/libh3ou_back_mpich.so"} <= self.holds("h3ou-mpi-adaptor"))
        self.assertTrue({"bin/h3ou", "bin/waitio-serv", "share/man/man1/h3ou.1.gz", "share/doc/h3ou/README.md"} <= self.holds("h3ou"))

    def test_dependencies(self):
        """Only the two packages for an MPI need one."""
        for name, package in self.packages.items():
            needs = said("dpkg-deb", "-f", package, "Depends")
            self.assertEqual([m for m in ("mpich", "openmpi") if re.search(rf"lib{m}\d", needs)],
                             [name.removeprefix("h3ou-")] if name in ("h3ou-mpich", "h3ou-openmpi") else [], f"{name}: {needs}")
            self.assertEqual(bool(re.search(r"libh3ou0", needs)), name != "libh3ou0", f"{name}: {needs}")
        self.assertRegex(said("dpkg-deb", "-f", self.packages["libh3ou0"], "Depends"), r"libnetcdf.*libsodium|libsodium.*libnetcdf")

    def test_documents(self):
        self.assertEqual(broken_links(self.usr), [])

    def test_commands(self):
        self.assertEqual(said(self.usr / "bin/h3ou", "--version"), f"h3ou {VERSION}\n")
        self.assertEqual(said(self.usr / "bin/waitio-serv", "-V"), f"waitio-serv {VERSION}\n")

    def test_models(self):
        """The README's two models, in one job of each MPI."""
        expected = re.search(r"<!-- output -->\n```\n(.*?)```", (SOURCE / "README.md").read_text(encoding="utf-8"), re.S).group(1)
        env = {**os.environ, "PKG_CONFIG_PATH": str(self.lib / "pkgconfig")}
        for mpi in ("mpich", "openmpi"):
            work = self.folder / f"work.{mpi}"
            shutil.copytree(SOURCE / "samples/minimal", work)
            for compiler, name, package in (("mpicc", "atmos.c", "h3ou"), ("mpifort", "ocean.f90", "h3ou-fortran")):
                flags = said("pkg-config", "--cflags", "--libs", package, env=env).split()
                said(f"{compiler}.{mpi}", name, "-o", name.split(".")[0], *flags, cwd=work)
            self.assertEqual(said(f"mpirun.{mpi}", "-n", "2", "./ocean", ":", "-n", "1", "./atmos", cwd=work), expected)

    def test_python(self):
        env = {**os.environ, "PYTHONPATH": str(self.usr / "lib/python3/dist-packages")}
        code = "import h3ou\nfrom h3ou import library\nlibrary.function('h3ou_error')\nprint(h3ou.__version__, library._library._name)"
        version, file = said("/usr/bin/python3", "-B", "-c", code, env=env).split()
        self.assertEqual((version, os.path.realpath(file)), (VERSION, os.path.realpath(self.lib / "libh3ou.so.0")))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
