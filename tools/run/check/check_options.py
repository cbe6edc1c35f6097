# SPDX-License-Identifier: BSD-3-Clause
"""Texts of the options of h3ou check, which h3ou convert-config has too."""
import pathlib

import run_file


def pairs_of(option, text, what):
    """{name: value} of NAME=VALUE,NAME=VALUE; what: how the user is told that one is written."""
    found = {}
    for word in filter(None, text.split(",")):
        name, _, value = word.partition("=")
        found[name] = value
        if not name:
            raise run_file.RunError(f"{option}: '{word}': {what}")
    return found


def steps_of(text):
    """{component: seconds or 0} of the option --steps."""
    what, found = "COMPONENT=SECONDS, or COMPONENT alone", {}
    for name, seconds in pairs_of("--steps", text, what).items():
        try:
            found[name] = float(seconds or 0)
        except ValueError:
            found[name] = -1.0
        if found[name] < 0:
            raise run_file.RunError(f"--steps: '{name}={seconds}': {what}")
    return found


def grids_of(text):
    """{"COMPONENT/GRID": file} of the option --grids."""
    what = "COMPONENT/GRID=FILE"
    found = pairs_of("--grids", text, what)
    for name, file in found.items():
        if "/" not in name or not file:
            raise run_file.RunError(f"--grids: '{name}={file}': {what}")
    return {name: str(pathlib.Path(file).resolve()) if pathlib.Path(file).exists() else file  # the name of a grid, like r360x180
            for name, file in found.items()}
