#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds the test program for unlike machines, with Debian's cross compilers: build.py OUT SOURCES INCLUDES FLAGS [MACHINE...]

SOURCES, INCLUDES and FLAGS are lists with `;` between: the C files of the program and of libwaitio, folders, compiler's flags.
The program is OUT/talk.MACHINE, static. The libraries it needs are the foreign machine's packages, fetched by an apt with a state
of its own, so that the system's one learns nothing of other machines. Exit code 77: this machine has not what that takes."""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

SKIP = 77
# Debian's name of the machine, of its compiler, and of the emulator
MACHINES = {"arm64": ("aarch64-linux-gnu", "qemu-aarch64-static"), "s390x": ("s390x-linux-gnu", "qemu-s390x-static")}
PACKAGES = ["libsodium-dev", "libsodium23"]


class Skip(Exception):
    """Text: what is not here."""


def call(*line, timeout, **more):
    return subprocess.run(list(map(str, line)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=timeout, check=False, **more)


def apt(root, machine, *arguments, **more):
    """The system's sources and keys, but nothing else of its state. As root, apt would fetch as a user who may not write here."""
    own = {"Dir::State": root / "state", "Dir::State::status": root / "status", "Dir::Cache": root / "cache",
           "APT::Architecture": machine, "APT::Architectures::": machine, "Acquire::Languages": "none", "Acquire::Retries": "1",
           "Acquire::http::Timeout": "20", "Acquire::https::Timeout": "20", "Dir::Log": root / "log", "APT::Sandbox::User": "root"}
    options = [word for key, value in own.items() for word in ("-o", f"{key}={value}")]
    return call("apt-get", "-q", *options, *arguments, timeout=150, **more)


def fetch(out, machine):
    """The foreign packages, unpacked. Done once for a build folder."""
    triplet, _ = MACHINES[machine]
    unpacked, root = out / f"root-{machine}", out / f"apt-{machine}"
    library = unpacked / f"usr/lib/{triplet}/libsodium.a"
    if library.exists():
        return unpacked, library
    for tool in ("apt-get", "dpkg-deb"):
        if not shutil.which(tool):
            raise Skip(f"no {tool}, to fetch packages of {machine}")
    shutil.rmtree(root, ignore_errors=True)
    for folder in ("state/lists/partial", "cache/archives/partial", "log", "packages"):
        (root / folder).mkdir(parents=True)
    (root / "status").touch()
    # An update of which a part failed is good enough if the packages are in the rest.
    heard = ""
    for arguments, where in ((["update"], root), (["download", *PACKAGES], root / "packages")):
        result = apt(root, machine, *arguments, cwd=where)
        heard += result.stdout[-800:]
    if result.returncode:
        raise Skip(f"packages of {machine} cannot be fetched: {heard}")
    for package in (root / "packages").glob("*.deb"):
        result = call("dpkg-deb", "-x", package, unpacked, timeout=200)
        if result.returncode:
            raise RuntimeError(f"{package.name}: {result.stdout}")
    shutil.rmtree(root)
    if not library.exists():
        raise RuntimeError(f"{library} did not come with {', '.join(PACKAGES)}")
    return unpacked, library


def is_fresh(program, sources, includes):
    if not program.exists():
        return False
    made = program.stat().st_mtime
    headers = [header for folder in includes for header in pathlib.Path(folder).rglob("*.h")]
    return all(pathlib.Path(file).stat().st_mtime < made for file in [*sources, *headers, __file__])


def build(out, machine, sources, includes, flags):
    """Answers what the compiler said of a program that it did not make."""
    triplet, emulator = MACHINES[machine]
    compiler = f"{triplet}-gcc"
    for tool in (compiler, emulator):
        if not shutil.which(tool):
            raise Skip(f"no {tool}")
    program = out / f"talk.{machine}"
    unpacked, library = fetch(out, machine)
    if is_fresh(program, sources, includes):
        return ""
    program.unlink(missing_ok=True)
    folders = [f"-I{folder}" for folder in [*includes, unpacked / "usr/include"]]
    result = call(compiler, *flags, "-O1", *folders, *sources, "-static", "-o", program, library, "-pthread", "-lm", timeout=240)
    if result.returncode:
        return f"{machine}: {result.stdout[-6000:]}"
    print(f"{program.name}: {program.stat().st_size} bytes")
    return ""


def main(out, *lists_and_machines):
    sources, includes, flags = (text.split(";") for text in lists_and_machines[:3])
    machines = lists_and_machines[3:] or tuple(MACHINES)
    out = pathlib.Path(out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    bad, missing = [], []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for work in [pool.submit(build, out, machine, sources, includes, flags) for machine in machines]:
            try:
                bad += filter(None, [work.result()])
            except (Skip, subprocess.TimeoutExpired) as why:
                missing.append(str(why))
    print("\n".join([*bad, *(f"skipped: {why}" for why in missing)]))
    return 1 if bad else SKIP if missing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
