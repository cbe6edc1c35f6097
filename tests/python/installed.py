#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""installed.py PACKAGES SOURCE BUILD: the installed package, moved, couples the README's ocean with samples/minimal/atmos.py."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from pyjobs import SINGLE, jobs, two_jobs


def installed(build, folder):
    """Installs, moves, and answers the new prefix."""
    first, prefix = folder / "first", folder / "moved"
    subprocess.run(["cmake", "--install", build, "--prefix", str(first)], check=True, capture_output=True, timeout=200)
    first.rename(prefix)
    return prefix


def main(_, source, build):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory(prefix="h3ou-python-") as name:
        folder = pathlib.Path(name)
        prefix = installed(build, folder)
        packages = next(prefix.rglob("h3ou/__init__.py")).parent.parent
        made = {p.name for p in pathlib.Path(source, "src/python/h3ou").glob("*.py")} | {"place.py"}
        found = {p.name for p in (packages / "h3ou").iterdir()}
        tally.check("all files", [] if found == made else [f"{found} are not {made}"])
        shutil.copytree(pathlib.Path(source, "samples/minimal"), folder / "work")
        os.chdir(folder / "work")
        config = next(prefix.rglob("h3ou-fortran.pc")).parent
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "h3ou-fortran"], check=True, capture_output=True, text=True,
                               env={**os.environ, "PKG_CONFIG_PATH": str(config)}).stdout.split()
        readme = pathlib.Path(source, "README.md").read_text(encoding="utf-8")
        expected = re.search(r"<!-- output -->\n```\n(.*?)```", readme, re.S).group(1)
        for mpi in jobs.MPIS:
            subprocess.run([f"mpifort.{mpi}", "ocean.f90", "-o", f"ocean.{mpi}", *flags], check=True, timeout=200)
        for atmos, ocean in ((SINGLE, jobs.MPIS[0]), *((m, jobs.MPIS[-1 - i]) for i, m in enumerate(jobs.MPIS))):
            results = two_jobs(str(packages), (ocean, 2, [f"./ocean.{ocean}"]),
                               (atmos, 3, [sys.executable, "-B", "atmos.py"]))
            problems = jobs.problems_of(results)
            if results[0].out != expected:
                problems.append(f"the README says other numbers than\n{results[0].out}")
            tally.check(f"atmos.py {atmos} with ocean {ocean}", problems)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
