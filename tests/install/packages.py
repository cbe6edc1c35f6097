#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""packages.py SOURCE: which packages are asked for by whom, what is configured without those of the tests and the demo, and the
recipe for Spack, beside CMake's own options. No network, and no package is installed."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

SOURCE = pathlib.Path(sys.argv[1])
LISTS = "\n".join(p.read_text(encoding="utf-8") for p in [SOURCE / "CMakeLists.txt", *SOURCE.glob("cmake/*.cmake"), *SOURCE.glob("*/CMakeLists.txt")])


def parts():
    """{"build": {"cmake", ...}, ...} of packages.debian."""
    found, part = {}, None
    for line in (SOURCE / "packages.debian").read_text(encoding="utf-8").splitlines():
        line = line.split("#")[0].strip().lstrip("? ")
        if line.startswith("["):
            part = found.setdefault(line.strip("[]"), set())
        elif line:
            part.add(line)
    return found


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="h3ou-packages-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Asking(Folder):
    """With an apt-get, a dpkg-query, a sudo, a cmake and a ctest that only write down how they were called."""

    def setUp(self):
        super().setUp()
        self.calls = self.folder / "calls"
        self.clone = self.folder / "clone"
        (self.clone / ".ci").mkdir(parents=True)
        for name in ("Makefile", "packages.debian", "CMakePresets.json", ".ci/packages"):
            shutil.copy(SOURCE / name, self.clone / name)
        (self.clone / "samples/atmos_ocean").mkdir(parents=True)
        bin_folder = self.folder / "bin"
        bin_folder.mkdir()
        programs = {"apt-get": "", "sudo": "[ $1 != -n ] || shift; [ $1 != true ] || exit 0; \"$@\"", "cmake": "exit ${CMAKE_ENDS:-0}",
                    "ctest": "", "dpkg-query": "exit 1", "samples/atmos_ocean/run": "", ".ci/valgrind": ""}
        for name, body in programs.items():
            path = self.clone / name if "/" in name else bin_folder / name
            path.write_text(f"#!/bin/sh\necho {name} \"$@\" >> '{self.calls}'\n{body}\n")
            path.chmod(0o755)
        self.env = {**{k: v for k, v in os.environ.items() if not k.startswith("MAKE")}, "PATH": f"{bin_folder}:{os.environ['PATH']}"}

    def make(self, *words, **more):
        self.calls.write_text("")
        done = subprocess.run(["make", *words], cwd=self.clone, env={**self.env, **more}, capture_output=True, text=True, timeout=200)
        return done, self.calls.read_text().splitlines()

    def installed(self, calls):
        """The packages that apt-get was told to install."""
        words = {w for c in calls if c.startswith("apt-get install") for w in c.split()[2:] if not w.startswith("-")}
        return words

    def test_only_demo_and_check_install_packages(self):
        for target in ("build", "install", "help"):
            done, calls = self.make(target)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual([c for c in calls if c.startswith(("apt-get", "sudo"))], [], target)
        done, calls = self.make("demo")
        self.assertEqual(self.installed(calls), parts()["build"] | parts()["demo"], done.stderr)
        done, calls = self.make("check")
        self.assertEqual(self.installed(calls), parts()["build"] | parts()["demo"] | parts()["test"], done.stderr)

    def test_parts(self):
        self.assertEqual(list(parts()), ["build", "demo", "test"])
        for name in ("libcmocka-dev", "cdo", "valgrind", "python3-matplotlib", "libnetcdff-dev"):
            self.assertNotIn(name, parts()["build"])
        for name in ("libcmocka-dev", "cdo", "valgrind"):
            self.assertNotIn(name, parts()["demo"])

    def test_what_the_python_package_imports(self):
        """Each is Debian's package of that name in the part that installs the package, and stands in pyproject.toml."""
        text = "\n".join(p.read_text(encoding="utf-8") for p in (SOURCE / "src/python/h3ou").glob("*.py"))
        modules = {m for m in re.findall(r"^(?:import|from) (\w+)", text, re.M) if m not in sys.stdlib_module_names}
        self.assertIn("numpy", modules)
        needed = re.search(r"^dependencies = \[(.*)\]", (SOURCE / "pyproject.toml").read_text(encoding="utf-8"), re.M).group(1)
        self.assertEqual(modules, set(re.findall(r'"(\w+)', needed)))
        self.assertLessEqual({"python3", *(f"python3-{m}" for m in modules)}, parts()["build"])

    def test_what_is_missing_is_said(self):
        done, calls = self.make("install", "PREFIX=/nowhere", CMAKE_ENDS="1")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual([c for c in calls if c.startswith(("apt-get", "sudo"))], [])
        line = re.search(r"sudo apt-get update && sudo apt-get install -y --no-install-recommends (.*)", done.stderr).group(1)
        self.assertEqual(set(line.split()), parts()["build"])

    def test_install(self):
        done, calls = self.make("install", "PREFIX=/nowhere")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(calls[-1].endswith("--install build/release --prefix /nowhere"), calls)
        self.assertIn("-DH3OU_TESTS=OFF", calls[0])

    def test_unknown_part(self):
        done = subprocess.run([self.clone / ".ci/packages", "tests"], env=self.env, capture_output=True, text=True, timeout=200)
        self.assertEqual((done.returncode, done.stderr), (2, "h3ou: packages.debian has no part 'tests'\n"))


class Configured(Folder):
    def pkg_config_without(self, *names):
        """A folder of all that pkg-config knows but these."""
        folder = self.folder / "pc"
        folder.mkdir()
        for place in subprocess.run(["pkg-config", "--variable", "pc_path", "pkg-config"], capture_output=True, text=True,
                                    check=True).stdout.strip().split(":"):
            for file in pathlib.Path(place).glob("*.pc"):
                if file.stem not in names and not (folder / file.name).exists():
                    (folder / file.name).symlink_to(file)
        return {**{k: v for k, v in os.environ.items() if not k.startswith("PKG_CONFIG")}, "PKG_CONFIG_LIBDIR": str(folder)}

    def configure(self, *words, env=None):
        done = subprocess.run(["cmake", "-S", SOURCE, "-B", self.folder / "b", "-G", "Ninja", *words], env=env, capture_output=True,
                              text=True, timeout=200)
        return done, done.stdout + done.stderr

    def test_without_test_and_demo_packages(self):
        env = self.pkg_config_without("cmocka", "netcdf-fortran")
        done, said = self.configure(env=env)
        self.assertEqual(done.returncode, 0, said)
        self.assertIn("The tests are not built: CMocka is missing", said)
        self.assertIn("The samples are not built: NetCDF-Fortran is missing", said)
        self.assertIn("H3OU_WERROR:BOOL=OFF", (self.folder / "b/CMakeCache.txt").read_text())
        commands = (self.folder / "b/build.ninja").read_text()
        self.assertNotIn("-Werror", commands)
        self.assertIn("libh3ou.so", commands)
        done, said = self.configure("-DH3OU_TESTS=ON", env=env)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("H3OU_TESTS=ON: CMocka is missing", said)
        done, said = self.configure("-DH3OU_TESTS=OFF", "-DH3OU_SAMPLES=OFF", env=env)
        self.assertEqual(done.returncode, 0, said)
        self.assertIn("The tests are not built: H3OU_TESTS=OFF", said)

    def test_spack(self):
        """The arguments of the recipe are CMake's options, and CMake understands them."""
        recipe = Recipe(SOURCE / "packaging/spack/packages/h3ou/package.py")
        options = set(re.findall(r"option\((\w+)", LISTS)) | set(re.findall(r"set\((\w+) [^)\n]* CACHE ", LISTS))
        options |= {f"H3OU_MPI{x}_default" for x in ("CC", "FORT", "RUN") if f"H3OU_MPI{x}_default" in LISTS}
        for variants in ((), ("python",)):
            args = recipe.cmake_args(variants)
            names = [re.fullmatch(r"-D(\w+):\w+=.*", a).group(1) for a in args]
            self.assertEqual(sorted(set(names)), sorted(names))
            self.assertLessEqual(set(names), options)
        done, said = self.configure(*args)
        self.assertEqual(done.returncode, 0, said)
        self.assertRegex(said, r"MPIs found: default\n")
        self.assertIn("The tests are not built", said)
        self.assertIn("lib/python3.11/site-packages/h3ou", (self.folder / "b/cmake_install.cmake").read_text())

    def test_spack_depends_on_all(self):
        recipe = Recipe(SOURCE / "packaging/spack/packages/h3ou/package.py")
        given = {re.split(r"[@+~ ]", d)[0] for d in recipe.dependencies}
        names = {"netcdf": "netcdf-c", "libsodium": "libsodium", "jansson": "jansson"}
        needed = set(re.findall(r"pkg_check_modules\(\w+ REQUIRED [^)]*?([\w-]+)\)", LISTS))
        self.assertEqual(needed, set(names))
        self.assertLessEqual({*(names[n] for n in needed), "mpi", "cmake", "xxhash", "c", "fortran"}, given)
        least = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)", LISTS).group(1)
        self.assertIn(f"cmake@{least}:", recipe.dependencies)
        self.assertEqual(recipe.versions, ["main"])
        self.assertIn("python", recipe.variants)
        self.assertEqual(recipe.git, SOURCE.resolve().as_uri())
        self.assertTrue((SOURCE / "packaging/spack/repo.yaml").is_file())


class Recipe:
    """Spack's package.py, run with a spack.package that writes down what it says."""

    def __init__(self, path):
        self.versions, self.dependencies, self.variants, said = [], [], [], self
        package = types.ModuleType("spack.package")

        class CMakePackage:
            def __init__(self, spec):
                self.spec = spec

            @staticmethod
            def define(name, value):
                return f"-D{name}:{'BOOL' if isinstance(value, bool) else 'STRING'}={value}"

        package.CMakePackage = CMakePackage
        package.version = lambda name, **_: said.versions.append(name)
        package.variant = lambda name, **_: said.variants.append(name)
        package.depends_on = lambda name, **_: said.dependencies.append(name)
        package.extends = lambda name, **_: said.dependencies.append(name)
        package.license = lambda *_, **__: None
        before = {name: sys.modules.get(name) for name in ("spack", "spack.package")}
        sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": package})
        scope = {"__file__": str(path), "__name__": "recipe"}
        try:
            exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), scope)
        finally:
            sys.modules.update({k: v for k, v in before.items() if v})
        self.kind = scope["H3ou"]
        self.git = self.kind.git

    def cmake_args(self, variants):
        suffix = next((s for s in (".mpich", ".openmpi", "") if shutil.which(f"mpicc{s}")), "")
        mpi = types.SimpleNamespace(mpicc=shutil.which(f"mpicc{suffix}"), mpifc=shutil.which(f"mpifort{suffix}"))
        version = types.SimpleNamespace(up_to=lambda n: ".".join("3.11.2".split(".")[:n]))

        class Spec(dict):
            @staticmethod
            def satisfies(text):
                return text.lstrip("+") in variants

        return self.kind(Spec(mpi=mpi, python=types.SimpleNamespace(version=version))).cmake_args()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
