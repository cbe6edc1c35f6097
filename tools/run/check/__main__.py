# SPDX-License-Identifier: BSD-3-Clause
"""h3ou check: what can be known of a coupled run before any job starts. Called by the command h3ou, which has read the options:

    check RUN.toml|coupling.conf STEPS GRIDS RECORDED GRAPH.svg LIBRARY

STEPS: "atmos=900,ocean=3600", the components and their time steps in seconds, or ""; GRIDS: "ocean/ocean_g=grid.nc,...", files of grids,
or ""; RECORDED: folder of a run that has ended, or ""."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import check_options
import coupling_graph
import findings
import launchers
import places
import run_file


def read_run(path, steps, grids, record):
    """What is to be checked of a RUN.toml, whose jobs must be ready to start, and warnings; what the options gave goes before it."""
    run = run_file.Run(path)
    starts = [launchers.prepare(run, job, pb, ("127.0.0.1", 7777)) for pb, job in enumerate(run.jobs)]
    places.check_folder(run)
    places.check_port(run)
    if not run.configuration:
        raise run_file.RunError(f"{path}:{run.line_of_table('run', 0)}: the key configuration of [run] names the namelist to check: add it")
    wanted = findings.Wanted(run.folder, run.configuration, {**run.components(), **steps}, {**run.grids, **grids}, record or run.directory, run.sizes(),
                             launchers.places_of(run, starts))
    return wanted, places.unknown_hosts(run)


PARTS = ("fields", "plan", "weights", "rings", "transport")


def mib(size):
    """Bytes, as a text, in MiB."""
    return f"{float(size) / 2**20:.0f}"


def main(path, steps, grids, record, picture, library):
    try:
        steps, grids, said = check_options.steps_of(steps), check_options.grids_of(grids), []
        if record and not pathlib.Path(record, "setup").is_dir():
            raise run_file.RunError(f"--recorded: {record} has no folder setup: name the folder of a run that was started by h3ou run")
        if path.endswith(".toml"):
            wanted, said = read_run(path, steps, grids, record)
        else:
            wanted = findings.Wanted(".", path, steps, grids, record)
        found = [*(("warning", text) for text in said), *findings.find(library, wanted)]
        graph = coupling_graph.Graph(found)
        for line in graph.text():
            print(line)
        if picture and graph.pairs:
            pathlib.Path(picture).write_text(graph.svg(), encoding="utf-8")
    except (run_file.RunError, OSError) as e:
        print(f"h3ou check: error: {e}", file=sys.stderr)
        return 1
    for kinds, word in ((("warning",), "warning"), (("recorded", "error"), "error")):
        for text in (text for kind, text in found if kind in kinds):
            print(f"h3ou check: {word}: {text}", file=sys.stderr)
    for kind, text in found:
        if kind == "memory":
            name, processes, least, most, then, peak = text.split("\t")
            print(f"memory of a process of {name}: {mib(least)} to {mib(most)} MiB with {processes} processes; recorded: {mib(peak)} MiB with {then}")
        elif kind == "parts":
            name, processes, *sizes = text.split("\t")
            parts = ", ".join(f"{part} {float(size) / 2**20:.1f}" for part, size in zip(PARTS, sizes))
            print(f"memory of h3ou in a process of {name}: about {mib(sum(map(float, sizes)))} MiB with {processes} processes ({parts})")
    for text in (text for kind, text in found if kind == "note"):
        print(text)
    errors = sum(kind in ("error", "recorded") for kind, _ in found)
    print(f"{len(graph.components)} components, {len(graph.pairs)} pairs of grids, {len(graph.fields)} fields: "
          f"{errors} errors, {sum(kind == 'warning' for kind, _ in found)} warnings")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
