# SPDX-License-Identifier: BSD-3-Clause
"""NetCDF files of the fields that a run's processes kept, made by h3ou fields."""
import pathlib
import shutil
import subprocess


def command():
    """The command h3ou of this build or installation, in the folder bin that is next above this file; None: there is none."""
    for folder in pathlib.Path(__file__).resolve().parents:
        if (folder / "bin/h3ou").is_file():
            return folder / "bin/h3ou"
    return shutil.which("h3ou")


def make(directory):
    """Makes the files, if some field was kept; returns what is to be said."""
    if not (directory / "monitor/raw").is_dir():
        return []
    program = command()
    if not program:
        return [f"h3ou fields {directory} makes NetCDF files of the fields that were monitored: h3ou was not found"]
    done = subprocess.run([program, "fields", directory], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    made = sum(line.startswith(f"{directory}/monitor/") for line in done.stdout.splitlines())
    said = [f"{made} files of monitored fields: {directory}/monitor"] if made else []
    return said + done.stderr.splitlines()
