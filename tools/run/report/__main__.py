# SPDX-License-Identifier: BSD-3-Clause
"""h3ou report: one page about a run. Called by the command h3ou, which has read the options, and by h3ou run:

    report RUNDIR FILE.html TRACE.json FIELD,... W.nc,... VERSION

An empty FILE: report.html in RUNDIR; no TRACE: none; no FIELD: maps of all fields that were kept; W.nc: weights that the log does not name."""
import pathlib
import sys

ROOM = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOM), str(ROOM / "check"), str(ROOM / "state")]
import event_trace
import field_files
import report_page
import run_folder


def words_of(text):
    return [word for word in text.split(",") if word]


def main(folder, file, trace, maps, weights, version):
    if not pathlib.Path(folder).is_dir():
        print(f"h3ou report: {folder}: no such folder: give the one that h3ou run was given (key directory, or RUN.out)", file=sys.stderr)
        return 1
    if not list(pathlib.Path(folder, "monitor").glob("*.nc")):  # of a run that was killed, or is not over
        for line in field_files.make(pathlib.Path(folder)):
            print(f"h3ou report: {line}", file=sys.stderr)
    run = run_folder.RunFolder(folder)
    if not run.is_run():
        print(f"h3ou report: {folder}: nothing of a run is in it: give the folder that h3ou run was given (key directory, or RUN.out)", file=sys.stderr)
        return 1
    try:
        page = pathlib.Path(file) if file else run.path / "report.html"
        page.write_text(report_page.Page(run, words_of(maps), words_of(weights), version).html(), encoding="utf-8")
        if trace:
            event_trace.write(run, trace)
    except OSError as e:
        print(f"h3ou report: {e.filename}: {e.strerror}", file=sys.stderr)
        return 1
    for problem in run.problems:
        print(f"h3ou report: warning: {problem}", file=sys.stderr)
    print(page)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
