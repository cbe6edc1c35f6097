# SPDX-License-Identifier: BSD-3-Clause
"""An MPI whose library has the standard ABI, libmpi_abi.so.0: where it is, what it says of itself, and its mpirun.

native_abi.py LIBRARY prints the library's version and the version of its ABI; it is a process of its own because an MPI is loaded."""
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys

import elf_file

NAME = "libmpi_abi.so.0"
LAUNCHERS = ("mpirun", "mpiexec")
VERSION_BYTES = 8192  # MPI_MAX_LIBRARY_VERSION_STRING of the standard ABI
SIGNS = {"MPICH": r"MPICH Version:\s*(\S+)", "Open MPI": r"Open MPI v?(\d[\w.]*)"}


def candidates():
    """Files of that name, the likely ones first: of LD_LIBRARY_PATH, beside an mpirun of PATH, of the loader."""
    folders = [pathlib.Path(f) for f in os.environ.get("LD_LIBRARY_PATH", "").split(":") if f]
    folders += [pathlib.Path(f).parent / lib for f in os.environ.get("PATH", "").split(":") if f for lib in ("lib", "lib64")]
    yield from (folder / NAME for folder in folders)
    if NAME in elf_file.known_to_loader():
        yield pathlib.Path(elf_file.known_to_loader()[NAME])
    yield from (pathlib.Path(folder, NAME) for folder in ("/usr/local/lib", "/lib", "/usr/lib", "/lib64", "/usr/lib64"))


def find(given):
    """The library: the given file, or the first that is not a part of h3ou; None if there is none."""
    if given:
        path = pathlib.Path(given)
        if not path.is_file():
            raise elf_file.ProgramError(f"{path}: there is no such library")
        if elf_file.Object(path).has_symbol("h3ou_adaptor_front"):
            raise elf_file.ProgramError(f"{path} is a part of h3ou and no MPI: name the library of an MPI that has the standard ABI")
        return path.resolve()
    for path in candidates():
        try:
            if path.is_file() and not elf_file.Object(path).has_symbol("h3ou_adaptor_front"):
                return path.resolve()
        except (OSError, elf_file.ProgramError):
            continue
    return None


def ask(library):
    """(name, version) of the MPI, such as ("MPICH", "5.0.1"); version may be empty."""
    done = subprocess.run([sys.executable, "-B", __file__, str(library)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, check=False)
    if done.returncode:
        raise elf_file.ProgramError(f"{library} cannot be used: {(done.stderr.strip() or f'code {done.returncode}').splitlines()[-1]}")
    for name, sign in SIGNS.items():
        match = re.search(sign, done.stdout)
        if match:
            return name, match.group(1).rstrip(",")
    return (done.stdout.strip().splitlines() or ["an MPI without a name"])[0][:60], ""


def launchers(library):
    """What may be its mpirun: beside the library, then of PATH."""
    for up in (library.parent.parent, library.parent.parent.parent):
        yield from (str(up / "bin" / name) for name in LAUNCHERS)
    yield from filter(None, map(shutil.which, (*LAUNCHERS, "mpirun.mpich", "mpirun.openmpi")))


def main(library):
    mpi, text, length, abi = ctypes.CDLL(library), ctypes.create_string_buffer(VERSION_BYTES), ctypes.c_int(), ctypes.c_int(1)
    if hasattr(mpi, "MPI_Abi_get_version"):
        mpi.MPI_Abi_get_version(ctypes.byref(abi), ctypes.byref(length))
    if abi.value != 1:
        sys.exit(f"its ABI has version {abi.value}, h3ou knows 1")
    mpi.MPI_Get_library_version(text, ctypes.byref(length))
    print(text.value.decode(errors="replace"), flush=True)
    # The library is not unloaded, whatever it would do then.
    os._exit(0)


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except (OSError, AttributeError) as e:
        sys.exit(str(e))
