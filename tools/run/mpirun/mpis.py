# SPDX-License-Identifier: BSD-3-Clause
"""The MPIs between which programs can move: how their programs are recognised, where their fronts and backs are, and their mpirun."""
import os
import pathlib
import re
import shutil
import subprocess

import elf_file


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
            if not file:
                continue
            said = subprocess.run([file, "--version"], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
            version = re.search(self.sign, said.stdout + said.stderr)
            if version:
                return file, version.group(1)
        return None


ALL = [
    Mpi("mpich", "MPICH", "MPICH ABI", r"lib(p?mpich|p?mpi|mpifort|mpichfort|mpichf90|fmpich)\.so\.12", ["mpirun.mpich", "mpiexec.mpich", "mpirun.hydra", "mpirun", "mpiexec"],
        r"HYDRA[\s\S]*?Version:\s*(\d[\w.]*)", lambda name, value: ["-env", name, value]),
    Mpi("openmpi", "Open MPI", "Open MPI 4.1 ABI", r"libmpi(_mpifh|_usempif08|_usempi_ignore_tkr|_usempi)?(-gfortran)?\.so\.40",
        ["mpirun.openmpi", "mpirun", "mpiexec"], r"Open(?: MPI|RTE)\)? (\d[\w.]*)", lambda name, value: ["-x", f"{name}={value}"]),
    Mpi("abi", "MPI standard ABI", "MPI standard ABI", r"libmpi_abi\.so\.0", ["mpirun.abi"], r"(\d+\.\d[\w.]*)", lambda name, value: ["-env", name, value]),
]
REFUSED = {r"libmpi_cxx\.so\.40": "Open MPI's C++ bindings, which MPI-3 has removed", r"libmpi_java\.so.*": "Open MPI's Java bindings",
           r"libmpichcxx\.so\.12": "MPICH's C++ bindings, which MPI-3 has removed", r"liboshmem\.so.*": "OpenSHMEM",
           r"libmpi\.so\.(1|12\.0\.\d|20)$": "an older Open MPI"}


def named(name):
    return next((mpi for mpi in ALL if mpi.name == name), None)


def of_library(name):
    return next((mpi for mpi in ALL if mpi.libraries.fullmatch(name)), None)


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
            found = mpi.launcher() if self.has_back(mpi) else None
            missing = "no mpirun is found" if self.has_back(mpi) else "not installed: h3ou was built without it"
            yield f"  {mpi.name:8} " + (f"{mpi.title + ' ' + found[1]:18} {found[0]}" if found else f"{mpi.title:18} {missing}")


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


def environment(front, target, has_rpath):
    """What is set for the program: the front before all other libraries."""
    library_path = os.environ.get("LD_LIBRARY_PATH")
    more = {"LD_LIBRARY_PATH": f"{front}:{library_path}" if library_path else str(front), "H3OU_MPI_BACK": target.name}
    if has_rpath:
        files = sorted(str(f) for f in front.iterdir() if of_library(f.name))
        more["LD_PRELOAD"] = ":".join(files + [f for f in os.environ.get("LD_PRELOAD", "").split(":") if f])
    return more
