#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""install.py SOURCE BUILD MPI...: installs the build, moves it, and does with it what the README tells its readers."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
from documents import broken_links, links
from jobs import free_port

SOURCE, BUILD, MPIS = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
README_MPIS = {"mpich", "openmpi"}
PACKAGES = ("h3ou", "h3ou-fortran", "waitio", "waitio-mpi")


def blocks(text, kind):
    """{title: content} of the fenced blocks that follow a line <!-- kind: title -->."""
    pattern = rf"<!-- {kind}(?:: ([^\n]*?))? -->\n```[^\n]*\n(.*?)```\n"
    return {title or "": content for title, content in re.findall(pattern, text, re.S)}


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="h3ou-install-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.root = pathlib.Path(cls.folder.name)
        first, cls.prefix = cls.root / "first", cls.root / "moved"
        run = subprocess.run(["cmake", "--install", str(BUILD), "--prefix", str(first)], capture_output=True, text=True)
        assert run.returncode == 0, run.stdout + run.stderr
        first.rename(cls.prefix)
        lib = next(p.parent.parent for p in cls.prefix.rglob("h3ou.pc"))
        cls.lib = lib
        cls.env = {k: v for k, v in os.environ.items() if not k.startswith(("WAITIO_", "H3OU_", "LD_LIBRARY"))}
        cls.bare = {k: v for k, v in cls.env.items() if not k.startswith("OMPI_")}  # as a reader has it
        cls.env.update(PKG_CONFIG_PATH=str(lib / "pkgconfig"), PATH=f"{cls.prefix}/bin:{cls.env['PATH']}",
                       H3OU_JOIN_PATIENCE="30", H3OU_PATIENCE="60")
        cls.readme = (SOURCE / "README.md").read_text(encoding="utf-8")

    def shell(self, script, cwd, timeout=200, env=None):
        """Its output. In its own session, so that whatever it started ends with it."""
        return self.both_outputs(script, cwd, timeout, env)[0]

    def both_outputs(self, script, cwd, timeout=200, env=None):
        process = subprocess.Popen(["bash", "-eu", "-c", script], cwd=cwd, env=env or self.env, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            self.fail(f"not done in {timeout} s: {script}\n{out}\n{err}")
        self.assertEqual(process.returncode, 0, f"{script}\n{out}\n{err}")
        return out, err

    def work(self, name):
        folder = self.root / name
        shutil.copytree(SOURCE / "samples/minimal", folder)
        return folder

    def readme_run(self, title):
        return blocks(self.readme, "run")[title].replace("7777", str(free_port()))

    def need(self, *mpis):
        if not set(mpis) <= set(MPIS):
            self.skipTest(f"needs {', '.join(mpis)}; here are: {', '.join(MPIS)}")

    def test_files(self):
        for name in ("include/h3ou.h", "include/h3ou_messages.h", "include/h3ou_collectives.h", "include/h3ou_restart.h", "include/h3ou_check.h", "include/h3ouc.h", "include/h3ou_errors.h", "include/waitio.h",
                     "include/waitio_mpi.h", "include/waitio_mpif.h", "include/waitio_mpif90.mod", "include/h3ou/h3ou_api.mod",
                     "bin/h3ou", "bin/waitio-serv", "libexec/h3ou/plot_pingpong.py", "libexec/h3ou/plot_report.py",
                     "libexec/h3ou/plot_simulate.py", "libexec/h3ou/run/__main__.py", "libexec/h3ou/run/state/top.py", "libexec/h3ou/run/report/__main__.py", "libexec/h3ou/run/report/report_page.html", "libexec/h3ou/run/check/__main__.py", "libexec/h3ou/run/mpirun/__main__.py",
                     *(f"libexec/h3ou/h3ou-pingpong-mpi.{mpi}" for mpi in MPIS)):
            self.assertTrue((self.prefix / name).is_file(), name)
        for name in ("man/man1/h3ou.1", "man/man1/h3ou-weights.1", "man/man1/h3ou-bench.1", "man/man1/h3ou-simulate.1", "man/man1/h3ou-run.1", "man/man1/h3ou-top.1", "man/man1/h3ou-stop.1", "man/man1/h3ou-report.1", "man/man1/h3ou-check.1", "man/man1/h3ou-replay.1", "man/man1/h3ou-mpirun.1", "man/man1/h3ou-universe.1", "man/man1/h3ou-convert-config.1", "man/man1/waitio-serv.1",
                     "bash-completion/completions/h3ou", "bash-completion/completions/waitio-serv", "doc/h3ou/README.md",
                     *(f"doc/h3ou/docs/reference/{face}.md" for face in ("fortran", "c", "python"))):
            self.assertTrue((self.prefix / "share" / name).is_file(), name)
        for name in ("libh3ou.so", "libwaitio.so", "libwaitio_mpi.so", "libh3ou_fortran.so", "cmake/h3ou/h3ou-config.cmake",
                     *(f"libh3ou_mpi_{mpi}.so" for mpi in MPIS), *(f"pkgconfig/{p}.pc" for p in PACKAGES)):
            self.assertTrue((self.lib / name).exists(), name)

    def test_no_trace_of_the_build(self):
        for path in self.prefix.rglob("*"):
            if path.suffix in (".pc", ".cmake"):
                self.assertNotIn(str(BUILD), path.read_text(), path)
        for path in self.lib.glob("*.so"):
            paths = re.findall(r"\(R(?:UN)?PATH\).*\[(.*)\]", self.shell(f"readelf -dW '{path}'", "/"))
            self.assertNotIn(str(BUILD), " ".join(paths), path)

    def test_documents_lead_somewhere(self):
        """Links of the installed documents, and the folders that the man pages name."""
        self.assertEqual(broken_links(self.prefix), [])
        self.assertGreater(len(list(links(self.prefix))), 40)
        named = 0
        for page in (self.prefix / "share/man").rglob("*.1"):
            text = page.read_text()
            self.assertNotRegex(text, r"@[A-Z_]+@", page.name)
            for path in re.findall(r"\bshare/[\w/\\-]+", text):
                named += 1
                self.assertTrue((self.prefix / path.replace("\\-", "-")).exists(), f"{page}: {path}")
        self.assertEqual(named, 2)

    def test_list_of_what_is_installed(self):
        listed = (self.prefix / "share/h3ou/installed.txt").read_text().splitlines()
        there = {str(p.relative_to(self.prefix)) for p in self.prefix.rglob("*") if not p.is_dir() or p.is_symlink()}
        self.assertEqual(sorted(listed), sorted(there))

    def test_uninstall(self):
        folder = self.root / "gone"
        shutil.copytree(self.prefix, folder, symlinks=True)
        mine = folder / "lib/mine.txt"
        mine.parent.mkdir(exist_ok=True)
        mine.write_text("stays")
        self.shell(f"make -s -C '{SOURCE}' uninstall PREFIX='{folder}'", self.root)
        self.assertEqual([str(p) for p in folder.rglob("*")], [str(mine.parent), str(mine)])
        again = subprocess.run(["make", "-s", "-C", SOURCE, "uninstall", f"PREFIX={folder}"], capture_output=True, text=True)
        self.assertNotEqual(again.returncode, 0)
        self.assertRegex(again.stderr.replace("\n", " "), r"nothing of h3ou was\s+installed")

    def test_readme_holds_the_files(self):
        files = blocks(self.readme, "file")
        self.assertEqual(sorted(files), ["samples/minimal/atmos.f90", "samples/minimal/coupling.conf",
                                         "samples/minimal/ocean.f90", "samples/minimal/run.toml"])
        for name, content in files.items():
            self.assertEqual(content, (SOURCE / name).read_text(encoding="utf-8"), name)

    def test_readme_two_jobs_and_one(self):
        """As a reader types it, in a clone; only that `make` is taken for done."""
        self.need(*README_MPIS)
        clone = self.root / "h3ou"
        shutil.copytree(SOURCE / "samples/minimal", clone / "samples/minimal")
        for name in re.findall(r"file: (samples/minimal/\S+) ", self.readme):
            (clone / name).unlink()
        install = self.readme_run("install")
        place = pathlib.Path(re.search(r"^make install PREFIX=\$HOME/(\S+)$", install, re.M).group(1))
        self.assertNotEqual(place, pathlib.Path("h3ou"), "the prefix is the clone of whoever clones into his home")
        (self.root / place).parent.mkdir(parents=True)
        (self.root / place).symlink_to(self.prefix)
        for name, content in blocks(self.readme, "file").items():
            (clone / name).write_text(content)
        # `wait` alone hides how the jobs ended.
        two = self.readme_run("two jobs")
        self.assertRegex(two, r"\nwait\n$")
        two = two.replace("&\n", "& first=$!\n").replace("\nwait\n", "\nwait $first\n")
        script = f"make() {{ :; }}\n{install}{self.readme_run('build')}{two}echo ---\n{self.readme_run('one job')}"
        out, err = self.both_outputs(script, clone, env={**self.bare, "HOME": str(self.root), "PKG_CONFIG_PATH": "",
                                                         "H3OU_JOIN_PATIENCE": "30", "H3OU_PATIENCE": "60"})
        expected = blocks(self.readme, "output")[""]
        self.assertEqual(out, f"{expected}---\n{expected}")
        self.assertNotIn("h3ou", err, "no warning is due")
        out, err = self.both_outputs(self.readme_run("one command"), clone / "samples/minimal")
        self.assertEqual(out, blocks(self.readme, "output")["one command"])
        self.assertIn("h3ou run: 2 jobs ended well", err)
        for level in ("SILENT", "WHISPER"):
            script = (f"sed -i 's/log_level=\"[A-Z]*\"/log_level=\"{level}\"/' coupling.conf\ngrep -q {level} coupling.conf\n"
                      "mpirun.mpich -n 1 ./ocean.mpich : -n 1 ./atmos")
            out, err = self.both_outputs(script, clone / "samples/minimal")
            self.assertEqual(out, expected)
            if level == "SILENT":
                self.assertEqual(err, "")
        self.assertRegex(err, r"(?m)^h3ou ocean.0: joined component=ocean.*(.|\n)*: planned ")

    def test_blocks(self):
        """The page of two models with blocks, halos, mask and vector, in the folder that it names."""
        page = (SOURCE / "docs/two-models.md").read_text(encoding="utf-8")
        files = blocks(page, "file")
        self.assertEqual(sorted(files), [f"samples/blocks/{name}" for name in ("atmos.f90", "coupling.conf", "ocean.f90")])
        for name, content in files.items():
            self.assertEqual(content, (SOURCE / name).read_text(encoding="utf-8"), name)
        self.need(*README_MPIS)
        folder = self.root / "blocks"
        shutil.copytree(SOURCE / "samples/blocks", folder)
        script = blocks(page, "run")["blocks"].replace("7777", str(free_port()))
        out, err = self.both_outputs(script, folder)
        self.assertEqual(out, blocks(page, "output")["blocks"])
        self.assertNotIn("h3ou", err, "nothing is worth a warning")

    def test_tutorial(self):
        """Each step of the tutorial in its folder, and the same coupling converted from OASIS3-MCT and YAC."""
        pages = {name: (SOURCE / f"docs/{name}.md").read_text(encoding="utf-8") for name in ("tutorial", "moving-from-oasis", "moving-from-yac")}
        files = blocks(pages["tutorial"], "file")
        self.assertEqual(sorted(files), [f"samples/tutorial/{name}" for name in ("atmos.f90", "coupling.conf", "ocean.f90", "run.toml")])
        for name, content in files.items():
            self.assertEqual(content, (SOURCE / name).read_text(encoding="utf-8"), name)
        for part in re.findall(r"^```fortran(?: mpi)?\n((?:(?!program).)*?)```", pages["tutorial"], re.S | re.M):
            for line in part.splitlines():
                self.assertIn(line, files["samples/tutorial/ocean.f90"])
        self.need(*README_MPIS)
        folder = self.root / "tutorial"
        shutil.copytree(SOURCE / "samples/tutorial", folder)
        expected, runs = blocks(pages["tutorial"], "output"), blocks(pages["tutorial"], "run")
        self.assertEqual(list(runs), list(expected))
        for title, output in expected.items():
            self.assertEqual(self.shell(runs[title], folder), output, title)
        for name, converted in (("moving-from-oasis", "oasis"), ("moving-from-yac", "yac")):
            self.shell(blocks(pages[name], "run")[converted], folder)
            self.assertEqual(self.shell("h3ou run --no-report run.toml | sort", folder), expected["mean"], converted)

    def test_waiting_is_told(self):
        """For the other job, at the default level; at SILENT there is the error in the end and nothing else."""
        folder = self.work("waiting")
        mpi = "" if MPIS[0] == "default" else f".{MPIS[0]}"
        self.shell(f"mpicc{mpi} atmos.c -o atmos $(pkg-config --cflags --libs h3ou)\nsed -i /log_level/d coupling.conf\n"
                   "(echo '&h3ou_coupling log_level=\"SILENT\" /'; cat coupling.conf) > silent.conf\n"
                   "sed 's/coupling.conf/silent.conf/' atmos.c > silent.c\n"
                   f"mpicc{mpi} silent.c -o silent $(pkg-config --cflags --libs h3ou)", folder)
        got = self.shell("for p in atmos silent; do WAITIO_MASTER_HOST=127.0.0.1 WAITIO_NPB=2 WAITIO_PBID=0 H3OU_JOIN_PATIENCE=12 "
                         f"WAITIO_MASTER_PORT=$(($p)) ./$p >$p.out 2>&1 & done\nwait", folder,
                         env={**self.env, "atmos": str(free_port()), "silent": str(free_port())})
        self.assertEqual(got, "")
        said = {p: [line for line in (folder / f"{p}.out").read_text().splitlines() if line.startswith("h3ou")] for p in ("atmos", "silent")}
        self.assertRegex("\n".join(said["atmos"]), r"^h3ou atmos.0: waiting for=.*\nh3ou: error in component atmos rank 0: .*PB 1")
        self.assertEqual(len(said["silent"]), 1, said)
        self.assertTrue(said["silent"][0].startswith("h3ou: error in component atmos"), said)

    def test_c_model(self):
        self.need(*README_MPIS)
        folder = self.work("c")
        expected = blocks(self.readme, "output")[""]
        for mpi, other in (("mpich", "openmpi"), ("openmpi", "mpich")):
            self.shell(f"mpicc.{mpi} -Wall -Wextra -Werror atmos.c -o atmos $(pkg-config --cflags --libs h3ou)\n"
                       f"mpifort.{other} ocean.f90 -o ocean $(pkg-config --cflags --libs h3ou-fortran)", folder)
            got = self.shell(f"export WAITIO_MASTER_HOST=127.0.0.1 WAITIO_MASTER_PORT={free_port()} WAITIO_NPB=2\n"
                             f"WAITIO_PBID=1 mpirun.{mpi} -n 2 ./atmos & first=$!\n"
                             f"WAITIO_PBID=0 mpirun.{other} -n 1 ./ocean\nwait $first", folder)
            self.assertEqual(got, expected)

    def test_cmake_package(self):
        for mpi in MPIS:
            folder = self.work(f"cmake.{mpi}")
            (folder / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.25)\nproject(models LANGUAGES C Fortran)\n"
                "find_package(h3ou 0.1 REQUIRED COMPONENTS c fortran waitio)\n"
                "add_executable(ocean ocean.f90)\ntarget_link_libraries(ocean PRIVATE h3ou::fortran)\n"
                "add_executable(atmos atmos.c)\ntarget_link_libraries(atmos PRIVATE h3ou::c)\n"
                "add_executable(wait wait.c)\ntarget_link_libraries(wait PRIVATE h3ou::waitio)\n")
            (folder / "wait.c").write_text('#include "waitio.h"\nint main(void)\n{\n    return waitio_finalize() == 0;\n}\n')
            suffix = "" if mpi == "default" else f".{mpi}"
            self.shell(f"CC=mpicc{suffix} FC=mpifort{suffix} cmake -G Ninja -S . -B b -DCMAKE_PREFIX_PATH={self.prefix}"
                       f" && cmake --build b && b/wait", folder)
            got = self.shell(f"mpirun{suffix} -n 2 b/ocean : -n 1 b/atmos", folder)
            if MPIS != ["default"]:
                self.assertEqual(got, blocks(self.readme, "output")[""])

    def test_cmake_components(self):
        """What is not there, and a module file of another compiler."""
        folder = self.work("components")
        for components, said in (("fortran", None), ("", None), ("fortan", "no component 'fortan'; there are c, fortran, waitio"), ("fortran", "which GNU 1 does not read")):
            other = 'set(CMAKE_Fortran_COMPILER_VERSION 1.0)\n' if said and "GNU 1" in said else ""
            (folder / "CMakeLists.txt").write_text(
                f"cmake_minimum_required(VERSION 3.25)\nproject(models LANGUAGES C Fortran)\n{other}"
                f"find_package(h3ou REQUIRED {components and 'COMPONENTS ' + components})\nadd_library(x ALIAS h3ou::h3ou)\n")
            run = subprocess.run(["cmake", "-G", "Ninja", "-S", ".", "-B", "b", f"-DCMAKE_PREFIX_PATH={self.prefix}"], cwd=folder,
                                 env=self.env, capture_output=True, text=True, timeout=200)
            self.assertEqual(run.returncode != 0, said is not None, run.stderr)
            self.assertIn(said or "", " ".join(run.stderr.split()))

    def test_transport_alone(self):
        """A C program without any MPI, two jobs of one process."""
        folder = self.work("waitio")
        page = (SOURCE / "docs/waitio.md").read_text(encoding="utf-8")
        (folder / "ring.c").write_text(re.search(r"```c program\n(.*?)```", page, re.S).group(1))
        self.shell("gcc -Wall -Wextra -Werror ring.c -o ring $(pkg-config --cflags --libs waitio)", folder)
        got = self.shell(f"export WAITIO_MASTER_HOST=127.0.0.1 WAITIO_MASTER_PORT={free_port()} WAITIO_NPB=2\n"
                         "WAITIO_PBID=1 ./ring & first=$!\nWAITIO_PBID=0 ./ring\nwait $first", folder)
        self.assertEqual(sorted(got.splitlines()), ["job 0 heard of job 1", "job 1 heard of job 0"])

    def test_calls_of_mpi(self):
        """One library on the line, by either name, from C++ and from Fortran; one process."""
        folder = self.work("conversion")
        page = (SOURCE / "docs/waitio.md").read_text(encoding="utf-8")
        (folder / "sums.cpp").write_text(re.search(r'```c program\n(#include "waitio_mpi.h".*?)```', page, re.S).group(1))
        (folder / "sums.f90").write_text(re.search(r"```fortran program\n(program sums.*?)```", page, re.S).group(1))
        self.shell("g++ -Wall -Wextra -Werror sums.cpp -o sums_c $(pkg-config --cflags --libs waitio)\n"
                   "gfortran -Wall -Werror sums.f90 -o sums_f $(pkg-config --cflags --libs waitio-mpi)", folder)
        alone = "WAITIO_NPB=1 WAITIO_PBID=0"
        self.assertEqual(self.shell(f"{alone} ./sums_c", folder), "0: the ranks are 0 in all\n")
        self.assertEqual(self.shell(f"{alone} ./sums_f", folder).split(), ["0", "0"])

    def test_command(self):
        version = re.search(r"project\(h3ou VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text()).group(1)
        for command in ("h3ou", "waitio-serv"):
            self.assertEqual(self.shell(f"{command} --version", "/"), f"{command} {version}\n")
        for package in PACKAGES:
            self.assertEqual(self.shell(f"pkg-config --modversion {package}", "/").strip(), version)

    def test_pingpong(self):
        """The command finds its programs for each MPI beside itself."""
        folder = self.work("pingpong")
        got = self.shell("h3ou bench pingpong --sizes 8 --pairs 1 --rounds 1 --seconds 0.01 --out .", folder)
        for title in ("MPICH", "Open MPI") if set(MPIS) == README_MPIS else ():
            self.assertIn(title, got)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
