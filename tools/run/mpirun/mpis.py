# SPDX-License-Identifier: BSD-3-Clause
"""The MPIs between which programs can move: how their programs are recognised, where their fronts and backs are, and their mpirun."""
import os
import pathlib
import re
import shutil
import subprocess

import elf_file
import native_abi


class Mpi:
    """name: as in the options; abi: of its programs; libraries: a pattern of the names that its programs need; launchers: commands that
    may be its mpirun, whose version says `sign`; setting(name, value): the words of mpirun that set a variable of the program alone, on
    all hosts."""

    def __init__(self, name, title, abi, libraries, launchers, sign, setting):
        self.name, self.title, self.abi, self.launchers, self.sign, self.setting = name, title, abi, launchers, sign, setting
        self.libraries = re.compile(libraries)

    def launcher(self):
        """(file, version), or None."""
        for command in self.launchers:
            file = shutil.which(command)
            version = file and self.version(file)
            if version:
                return file, version
        return None

    def version(self, launcher):
        """The version of its mpirun, None if it is another one's."""
        said = subprocess.run([launcher, "--version"], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        version = re.search(self.sign, said.stdout + said.stderr)
        return version and version.group(1)


ALL = [
    Mpi("mpich", "MPICH", "MPICH ABI", r"lib(p?mpich|p?mpi|mpifort|mpichfort|mpichf90|fmpich)\.so\.12", ["mpirun.mpich", "mpiexec.mpich", "mpirun.hydra", "mpirun", "mpiexec"],
        r"HYDRA[\s\S]*?Version:\s*(\d[\w.]*)", lambda name, value: ["-env", name, value]),
    Mpi("openmpi", "Open MPI", "Open MPI 4.1 ABI", r"libmpi(_mpifh|_usempif08|_usempi_ignore_tkr|_usempi)?(-gfortran)?\.so\.40",
        ["mpirun.openmpi", "mpirun", "mpiexec"], r"Open(?: MPI|RTE)\)? (\d[\w.]*)", lambda name, value: ["-x", f"{name}={value}"]),
    Mpi("abi", "MPI standard ABI", "MPI standard ABI", r"libmpi_abi\.so\.0", [], r"$.", None),
]
REFUSED = {r"libmpi_cxx\.so\.40": "Open MPI's C++ bindings, which MPI-3 has removed", r"libmpi_java\.so.*": "Open MPI's Java bindings",
           r"libmpichcxx\.so\.12": "MPICH's C++ bindings, which MPI-3 has removed", r"liboshmem\.so.*": "OpenSHMEM",
           r"libmpi\.so\.(1|12\.0\.\d|20)$": "an older Open MPI"}


def named(name):
    return next((mpi for mpi in ALL if mpi.name == name), None)


def of_library(name):
    return next((mpi for mpi in ALL if mpi.libraries.fullmatch(name)), None)


class Target:
    """What programs run on: title, launcher (a file), kind (the Mpi whose mpirun it is, or None), library (None: that which h3ou was built with)."""

    def __init__(self, title, launcher, kind, library):
        self.title, self.launcher, self.kind, self.library = title, launcher, kind, library

    @staticmethod
    def of(mpi, library, launcher):
        """`library`, `launcher`: files that the user names, or "". Raises ProgramError where one is missing."""
        launcher = given_launcher(launcher)
        if mpi.name == "abi":
            return native_target(library, launcher)
        if library and not pathlib.Path(library).is_file():
            raise elf_file.ProgramError(f"{library}: there is no such library")
        found = (launcher, mpi.version(launcher)) if launcher else mpi.launcher()
        if not found:
            raise elf_file.ProgramError(f"no mpirun of {mpi.title} is found: {', '.join(mpi.launchers)}; --launcher names one")
        if not found[1]:
            raise elf_file.ProgramError(f"{launcher} is no mpirun of {mpi.title}")
        return Target(f"{mpi.title} {found[1]}", found[0], mpi, pathlib.Path(library).resolve() if library else None)

    def settings(self, more):
        """(options that the launcher passes to the program as variables, words that stand before the program)"""
        if self.kind:
            return [w for name, value in more.items() for w in self.kind.setting(name, value)], []
        return [], ["env", *(f"{name}={value}" for name, value in more.items())]


def given_launcher(launcher):
    file = shutil.which(launcher) if launcher else ""
    if file is None:
        raise elf_file.ProgramError(f"{launcher}: there is no such program")
    return file


def native_target(library, launcher):
    library = native_abi.find(library or os.environ.get("H3OU_MPI_LIBRARY", ""))
    if not library:
        raise elf_file.ProgramError(f"no {native_abi.NAME} is found: not by LD_LIBRARY_PATH, beside an mpirun of PATH, nor by the dynamic loader; --library names it")
    name, version = native_abi.ask(library)
    title = f"{name} {version}".strip()
    for file in [launcher] if launcher else filter(None, map(shutil.which, native_abi.launchers(library))):
        kind = next((m for m in ALL if m.version(file)), None)
        # Of those that are found an mpirun of another MPI is none.
        if launcher or not kind or kind.title == name or name not in native_abi.SIGNS:
            return Target(title, file, kind, library)
    raise elf_file.ProgramError(f"no mpirun of {title} is found, neither beside {library} nor by PATH: --launcher names it")


class Place:
    """The fronts and backs of one installation."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder) / "mpi_adaptor"

    def front(self, mpi):
        """The folder of the libraries that programs of this MPI get, or None."""
        folder = self.folder / mpi.name
        return folder if folder.is_dir() and any(re.fullmatch(r"lib(mpich|mpi|mpi_abi)\.so\.\d+", f.name) for f in folder.iterdir()) else None

    def has_back(self, mpi):
        return (self.folder / "back" / f"libh3ou_back_{mpi.name}.so").is_file()

    def table(self):
        yield "Programs of these MPIs can run on another one:"
        for mpi in ALL:
            front = self.front(mpi)
            yield f"  {mpi.name:8} {mpi.abi:18} {front if front else 'not installed: h3ou was built without it'}"
        yield "They can run on these:"
        for mpi in ALL:
            yield f"  {mpi.name:8} " + self.row(mpi)

    def row(self, mpi):
        if not self.has_back(mpi):
            return f"{mpi.title:18} not installed: h3ou was built without it"
        try:
            found = Target.of(mpi, "", "")
        except (elf_file.ProgramError, OSError, subprocess.TimeoutExpired) as e:
            return f"{mpi.title:18} {e}"
        return f"{found.title:18} {found.launcher}" + (f" with {found.library}" if found.library else "")


def of_program(path):
    """(MPI or None, whether a library that it needs has an RPATH, which goes before LD_LIBRARY_PATH)."""
    program = elf_file.Program(path, lambda name: of_library(name) or any(re.fullmatch(p, name) for p in REFUSED))
    for name, by in program.names.items():
        for pattern, what in REFUSED.items():
            if re.fullmatch(pattern, name):
                raise elf_file.ProgramError(f"{by} needs {name}: programs with {what} cannot be adapted")
    found = {}
    for name, by in program.names.items():
        if of_library(name):
            found.setdefault(of_library(name), (name, by))
    if len(found) > 1:
        raise elf_file.ProgramError(f"{path} needs two MPIs: " + " and ".join(f"{name}, by {by}" for name, by in found.values()))
    return next(iter(found), None), program.has_rpath


def environment(front, name, target, has_rpath):
    """What is set for a program: the front before all other libraries, and the MPI of this name behind it."""
    files = sorted(str(f) for f in front.iterdir() if of_library(f.name))
    more = {**first_libraries(front, files if has_rpath else []), "H3OU_MPI_BACK": name}
    return {**more, "H3OU_MPI_LIBRARY": str(target.library)} if target.library else more


def first_libraries(folder, preloaded):
    """What is set so that the MPI's libraries of a folder go before all others."""
    library_path = os.environ.get("LD_LIBRARY_PATH")
    more = {"LD_LIBRARY_PATH": f"{folder}:{library_path}" if library_path else str(folder)}
    if preloaded:
        more["LD_PRELOAD"] = ":".join(preloaded + [f for f in os.environ.get("LD_PRELOAD", "").split(":") if f])
    return more
