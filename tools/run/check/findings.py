# SPDX-License-Identifier: BSD-3-Clause
"""What the library finds of a configuration before a run (h3ou_check_configuration of h3ou_check.h)."""
import ctypes
import os
import pathlib

import run_file

FINDING = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p)


class Component(ctypes.Structure):
    """h3ou_check_component"""
    _fields_ = [("name", ctypes.c_char_p), ("step", ctypes.c_double), ("processes", ctypes.c_int), ("memory", ctypes.c_double),
                ("directory", ctypes.c_char_p)]


class Grid(ctypes.Structure):
    """h3ou_check_grid"""
    _fields_ = [("component", ctypes.c_char_p), ("grid", ctypes.c_char_p), ("file", ctypes.c_char_p)]


class Check(ctypes.Structure):
    """h3ou_check"""
    _fields_ = [("file", ctypes.c_char_p), ("ncomponent", ctypes.c_int), ("component", ctypes.POINTER(Component)),
                ("ngrid", ctypes.c_int), ("grid", ctypes.POINTER(Grid)), ("record", ctypes.c_char_p)]


class Wanted:
    """What is to be checked: the namelist and the folder from which the jobs name files, {component: time step or 0}, {"COMPONENT/GRID":
    file}, the folder of a run that has ended, or None, {component: (processes, MiB that one may use or 0)}, and {component: the folder where it
    runs}."""

    def __init__(self, folder, configuration, steps, grids, record, sizes=None, places=None):
        self.folder, self.configuration, self.steps, self.grids, self.record = folder, configuration, steps, grids, record
        self.sizes, self.places = sizes or {}, places or {}


def library_of(beside):
    """libh3ou.so, where the build or the installation has it; H3OU_LIBRARY goes before it."""
    folder = pathlib.Path(__file__).resolve().parent.parent / beside
    found = sorted(folder.glob("libh3ou.so*"))  # the name without a number belongs to the headers
    path = os.environ.get("H3OU_LIBRARY") or str(found[0] if found else folder / "libh3ou.so")
    try:
        return ctypes.CDLL(path).h3ou_check_configuration
    except (OSError, AttributeError) as e:
        raise run_file.RunError(f"{path}: {e}") from None


def find(library, wanted):
    """[(kind, text)], each once."""
    check, found = library_of(library), []
    components = (Component * len(wanted.steps))(*(Component(n.encode(), s, size[0], size[1] * 2**20, os.fsencode(wanted.places[n]) if n in wanted.places else None) for n, s in wanted.steps.items()
                                                    for size in [wanted.sizes.get(n, (0, 0))]))
    grids = (Grid * len(wanted.grids))(*(Grid(*(w.encode() for w in name.split("/", 1)), os.fsencode(file))
                                         for name, file in wanted.grids.items()))
    record = os.fsencode(pathlib.Path(wanted.record).resolve()) if wanted.record else None
    what = Check(os.fsencode(wanted.configuration), len(components), components, len(grids), grids, record)
    tell = FINDING(lambda kind, text: found.append((kind.decode(), text.decode(errors="replace"))))
    here = os.getcwd()
    os.chdir(wanted.folder)
    try:
        check(ctypes.byref(what), tell)
    finally:
        os.chdir(here)
    return list(dict.fromkeys(found))
