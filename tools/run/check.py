# SPDX-License-Identifier: BSD-3-Clause
"""h3ou check: what can be known of a coupled run before any job starts. Called by the command h3ou, which has read the options:

    check RUN.toml|coupling.conf STEPS GRAPH.svg LIBRARY

STEPS: "atmos=900,ocean=3600", the components and their time steps in seconds, or ""."""
import ctypes
import os
import pathlib
import sys

import coupling_graph
import launchers
import run_file

FINDING = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p)


def steps_of(text):
    """{component: seconds or 0} of the option --steps."""
    found = {}
    for word in filter(None, text.split(",")):
        name, _, seconds = word.partition("=")
        try:
            found[name] = float(seconds or 0)
        except ValueError:
            found[name] = -1.0
        if not name or found[name] < 0:
            raise run_file.RunError(f"--steps: '{word}': COMPONENT=SECONDS, or COMPONENT alone")
    return found


def library_of(beside):
    """libh3ou.so, where the build or the installation has it; H3OU_LIBRARY goes before it."""
    folder = pathlib.Path(__file__).resolve().parent / beside
    found = sorted(folder.glob("libh3ou.so*"))  # the name without a number belongs to the headers
    path = os.environ.get("H3OU_LIBRARY") or str(found[0] if found else folder / "libh3ou.so")
    try:
        return ctypes.CDLL(path).h3ou_check_configuration
    except (OSError, AttributeError) as e:
        raise run_file.RunError(f"{path}: {e}") from None


def findings_of(library, folder, configuration, steps):
    """[(kind, text)] of the library's check, made in the folder from which the jobs name files."""
    check, found = library_of(library), []
    names = (ctypes.c_char_p * len(steps))(*(n.encode() for n in steps))
    seconds = (ctypes.c_double * len(steps))(*steps.values())
    tell = FINDING(lambda kind, text: found.append((kind.decode(), text.decode(errors="replace"))))
    here = os.getcwd()
    os.chdir(folder)
    try:
        check(os.fsencode(configuration), len(steps), names, seconds, tell)
    finally:
        os.chdir(here)
    return found


def read_run(path, steps):
    """The folder and the configuration of a RUN.toml, whose jobs must be ready to start; steps: those that the option gave, added to."""
    run = run_file.Run(path)
    for pb, job in enumerate(run.jobs):
        launchers.prepare(run, job, pb, ("127.0.0.1", 7777))
    if not run.configuration:
        raise run_file.RunError(f"{path}:{run.line_of_table('run', 0)}: the key configuration of [run] names the namelist to check: add it")
    for name, step in run.components().items():
        steps.setdefault(name, step)
    return run.folder, run.configuration


def main(path, steps, picture, library):
    try:
        known = steps_of(steps)
        folder, configuration = read_run(path, known) if path.endswith(".toml") else (".", path)
        findings = findings_of(library, folder, configuration, known)
        graph = coupling_graph.Graph(findings)
        for line in graph.text():
            print(line)
        if picture and graph.pairs:
            pathlib.Path(picture).write_text(graph.svg(), encoding="utf-8")
    except (run_file.RunError, OSError) as e:
        print(f"h3ou check: error: {e}", file=sys.stderr)
        return 1
    errors = [t for kind, t in findings if kind == "error"]
    warnings = [t for kind, t in findings if kind == "warning"]
    for kind, texts in (("warning", warnings), ("error", errors)):
        for text in texts:
            print(f"h3ou check: {kind}: {text}", file=sys.stderr)
    print(f"{len(graph.components)} components, {len(graph.pairs)} pairs of grids, {len(graph.fields)} fields: "
          f"{len(errors)} errors, {len(warnings)} warnings")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
