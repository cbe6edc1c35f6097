#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The coupled run in three ways to launch it, in either order, with six process counts: the same bits in every file. So has each model
alone, by the record of the first run, and the atmosphere of the other MPI by the MPI adaptor. And CDO, where installed, reads the files and remaps them."""
import filecmp
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

FIRST, LAST = jobs.MPIS[0], jobs.MPIS[-1]
RUNS = [
    f"--mode two-jobs --atmos-mpi {FIRST} --ocean-mpi {LAST} --atmos-procs 4 --ocean-procs 2",
    f"--mode two-jobs --atmos-mpi {FIRST} --ocean-mpi {LAST} --atmos-procs 4 --ocean-procs 2 --order ocean-first",
    f"--mode two-jobs --atmos-mpi {LAST} --ocean-mpi {FIRST} --atmos-procs 1 --ocean-procs 1",
    f"--mode two-jobs --atmos-mpi {FIRST} --ocean-mpi {FIRST} --atmos-procs 3 --ocean-procs 5",
] + [f"--mode mpmd-{mpi} --atmos-procs {a} --ocean-procs {o}" for mpi in jobs.MPIS for a, o in ((4, 2), (2, 3), (7, 1))]


def cdo(*line):
    return subprocess.run(["cdo", "-s", *map(str, line)], capture_output=True, text=True, timeout=200)


def check_with_cdo(tally, folder):
    for name, cells, fields in (("atmos_out.nc", 10242, 7), ("ocean_out.nc", 16200, 6)):
        info = cdo("info", folder / name)
        rows = [line.split() for line in info.stdout.splitlines()[1:] if not line.lstrip().startswith("-1")]
        problems = [info.stdout + info.stderr] * (info.returncode != 0 or len(rows) != 2 * fields)
        problems += [row for row in rows if str(cells) not in row]
        remapped = cdo("-info", "-selname,sst", "-remapnn,r360x180", folder / name)
        problems += [remapped.stderr] * (remapped.returncode != 0 or "64800" not in remapped.stdout)
        tally.check(f"cdo reads {name}", problems)


def check_alone(tally, source, build, record, first):
    """Each model alone, under the MPI that it did not have, with another number of processes."""
    config, out = f"{source}/configs/atmos_ocean.conf", first.parent
    arguments = {"atmos": [first, out / "atmos_out.nc", 1, 900, 5],
                 "ocean": [first, f"{source}/samples/atmos_ocean/data/coads_2deg.nc", out / "ocean_out.nc", 1, 3600]}
    for mpi, (name, rest) in zip((LAST, FIRST), arguments.items()):
        words = [f"{build}/bin/h3ou", "replay", record, "-c", name, "--", f"mpirun.{mpi}", "-n", 3, f"{build}/samples/atmos_ocean/{name}.{mpi}",
                 config, *rest]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=200, env={**os.environ, **jobs.ENVIRONMENT})
        problems = [f"code {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-1000:]}"] * (done.returncode != 0)
        if not problems and not filecmp.cmp(first / f"{name}_out.nc", out / f"{name}_out.nc", shallow=False):
            problems.append(f"{name}_out.nc differs from the coupled run's")
        tally.check(f"{name} alone", problems)


def check_adapted(tally, build, first, built, target):
    """The first run with the atmosphere that was built with one MPI, under the mpirun of the other by the MPI adaptor. The log and the report name both."""
    h3ou, program, titles = f"{build}/bin/h3ou", f"atmos.{built}", {"mpich": "MPICH", "openmpi": "Open MPI"}
    changes = {'launcher = "mpich"': f'launcher = ["{h3ou}", "mpirun", "--on", "{target}", "-n", "{{processes}}"]', "atmos.{mpi}": program,
               'directory = "run"': f'directory = "on_{target}"', "_out.nc": f"_on_{target}.nc"}
    text = (first / "run.toml").read_text()
    problems = [f"run.toml has no {old}" for old in changes if old not in text]
    for old, new in changes.items():
        text = text.replace(old, new)
    (first / f"on_{target}.toml").write_text(text)
    done = subprocess.run([h3ou, "run", first / f"on_{target}.toml"], capture_output=True, text=True, timeout=200,
                          env={**os.environ, **jobs.ENVIRONMENT, "H3OU_LOG": "whisper"})
    both = f"{titles[target]} [^\"<]* by the MPI adaptor, program built with {titles[built]}"
    for what, file in {f"; runs on {titles[target]}": None, f'joined component=atmos mpi={built} library="{both}"': None, f">{both}<": "report.html"}.items():
        said = done.stdout + done.stderr if not file else (first / f"on_{target}" / file).read_text() if done.returncode == 0 else ""
        if done.returncode or not re.search(what, said):
            problems.append(f"code {done.returncode}, no {what} in {file or 'the log'}\n{done.stdout[-1000:]}{done.stderr[-1000:]}")
    for name in ("atmos", "ocean"):
        if not problems and not filecmp.cmp(first / f"{name}_out.nc", first / f"{name}_on_{target}.nc", shallow=False):
            problems.append(f"{name}_on_{target}.nc differs from the first run's")
    tally.check(f"{program} on {titles[target]}", problems)


def main(source, build):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as top:
        first = None
        for number, options in enumerate(RUNS):
            folder = pathlib.Path(top, str(number))
            record = {} if first else {"H3OU_RECORD": f"{top}/record"}
            done = subprocess.run([f"{source}/samples/atmos_ocean/run", "--build", build, "--out", folder, "--days", "1", "--no-plot",
                                   *options.split()], capture_output=True, text=True, timeout=200, env={**os.environ, **jobs.ENVIRONMENT, **record})
            problems = [f"code {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-1000:]}"] * (done.returncode != 0)
            first = first or folder
            for name in ("atmos_out.nc", "ocean_out.nc"):
                if not problems and not filecmp.cmp(first / name, folder / name, shallow=False):
                    problems.append(f"{name} differs from the first run's")
            if "day 1 of 1" not in done.stdout:
                problems.append("no progress was shown")
            tally.check(options, problems)
        check_alone(tally, source, build, f"{top}/record", first)
        if {"mpich", "openmpi"} <= set(jobs.MPIS) and pathlib.Path(build, "lib/mpi_adaptor").is_dir():
            check_adapted(tally, build, first, "openmpi", "mpich")
            check_adapted(tally, build, first, "mpich", "openmpi")
        if shutil.which("cdo"):
            check_with_cdo(tally, first)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
