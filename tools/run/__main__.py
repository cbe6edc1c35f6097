# SPDX-License-Identifier: BSD-3-Clause
"""h3ou run: starts all jobs of a coupled run as RUN.toml says. Called by the command h3ou, which has read the options:

    run RUN.toml run|dry-run|slurm|pbs OUT PORT QUIET LIBRARY VERSION RECORD STOP_AFTER [UNIVERSE]

UNIVERSE: of h3ou universe, the folder of its libraries, seen from this folder: the jobs are one MPI_COMM_WORLD. LIBRARY: folder of libh3ou.so, or "": the configuration is not checked. VERSION: of h3ou, or "": no report is made. RECORD: folder of the run's record, or "": as RUN.toml says."""
import os
import pathlib
import random
import secrets
import signal
import socket
import sys
import time

sys.path += [str(pathlib.Path(__file__).resolve().parent / room) for room in ("check", "state")]
import batch
import early_stop
import field_files
import findings
import launchers
import places
import progress
import run_file
import run_record
import states
import stop
import universe
import watch


def free_port():
    """A port that nobody listens on, below the range from which the system serves whoever asks for any."""
    while True:
        port = random.randrange(12000, 32000)
        with socket.socket() as s:
            try:
                s.bind(("", port))
                return port
            except OSError:
                pass


def master_of(run):
    """Where the jobs meet: the host of the first job, as the others see it."""
    hosts = [h for job in run.jobs for h in job.hosts]
    if run.master:
        return run.master
    if all(map(run_file.own_host, hosts)):
        return "127.0.0.1"
    first = run.jobs[0].hosts
    return first[0].split(":")[0] if first and not run_file.own_host(first[0]) else os.uname().nodename


def make_folder(run):
    """The run's folder, those of logs, states and time lines, and a secret for this run that only the user reads."""
    log = run.directory / "log"
    try:
        log.mkdir(parents=True, exist_ok=True)
        (run.directory / "setup").mkdir(exist_ok=True)  # with what the last run recorded there
        for name in ("state", "timeline"):
            folder = run.directory / name
            folder.mkdir(exist_ok=True)
            for file in folder.iterdir():
                file.unlink()
        (run.directory / "stop").unlink(missing_ok=True)
        if not run.secret and len(run.jobs) > 1:
            file = run.directory / "secret"
            file.unlink(missing_ok=True)
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as f:
                f.write(secrets.token_hex(32) + "\n")
    except OSError as e:
        raise run_file.RunError(f"{e.filename}: {e.strerror}") from None
    return log


def say_end(show, watched, parts, seconds):
    """The last words: what the components did, which job failed, why, and where more is to be read. Returns the last sentence."""
    for job in watched.jobs:
        show.note(f"job {job.name}: code {job.code} after {job.seconds:.1f} s, {job.path}")
    for line in states.table([states.line_of(c) for c in parts]) if parts else []:
        show.note(line)
    cause = watched.cause()
    stops = [c.head for c in parts if c.head.stop == states.STOPS]
    if watched.is_ended:
        end = "ended by the user"
    elif cause:
        end = f"the run failed: job {cause.name}: {cause.why()}"
    else:
        early = f", stopped early at {stop.dates_of(stops)}: go on from there" if stops else ""
        end = f"{len(watched.jobs)} jobs ended well after {seconds:.1f} s{early}"
    show.note(end)
    return end


def check_configuration(run, starts, library):
    """Finds the errors of the namelist that RUN.toml names, before any job starts. Returns what was found."""
    if not run.configuration or not library:
        return []
    found = findings.find(library, findings.Wanted(run.folder, run.configuration, run.components(), run.grids, run.directory, run.sizes(),
                                                    launchers.places_of(run, starts)))
    for kind, text in found:
        if kind in ("warning", "recorded"):  # the models may be others than those of the record
            print(f"h3ou run: warning: {text}" + (f" (by the record of the last run in {run.directory})" if kind == "recorded" else ""),
                  file=sys.stderr, flush=True)
    errors = [text for kind, text in found if kind == "error"]
    if errors:
        raise run_file.RunError("no job was started: " + "\nh3ou run: ".join(errors))
    return found


def end_run(run, show, watched, begun, found, version):
    """Says how the run ended, keeps it in the run's folder, and makes the report."""
    seconds = time.monotonic() - begun
    end = say_end(show, watched, states.components(run.directory), seconds)
    try:
        run_record.write(run, found, watched, seconds, end)
    except OSError as e:
        show.note(f"{e.filename}: {e.strerror}")
        return
    if run.report and version and watched.asked < 2:
        run_record.report(run, version, show.note)


def start_all(run, starts, more, quiet, found, version, command):
    log = make_folder(run)
    show = watch.Show([s.job.name for s in starts], quiet, progress.Progress(run.directory, run.progress), command)
    for start in starts:
        show.note(f"job {start.job.name}: {start.job.processes} processes, {' '.join(map(str, start.words[:1]))}"
                  + (f", on {','.join(start.job.hosts)}" if start.job.hosts else ""))
    begun = time.monotonic()
    wish = early_stop.EarlyStop(run.directory, run.stop_after, show)
    signal.signal(signal.SIGUSR1, wish.tell)
    watched = watch.Watch(starts, {**os.environ, **more}, log, run.grace, show, wish)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, watched.ask)
    watched.run()
    for line in field_files.make(run.directory):
        show.note(line)
    end_run(run, show, watched, begun, found, version)
    return watched.code()


def main(path, what, out, port, quiet, library, version, record, stop_after, libraries=None):
    command = "run" if libraries is None else "universe"
    try:
        run = run_file.Run(path)
        if libraries is not None:
            universe.prepare(run, pathlib.Path(__file__).resolve().parent / libraries)
        if out:
            run.directory = pathlib.Path(out).resolve()
        run.port = int(port) or run.port
        if record:
            run.record = pathlib.Path(record).resolve()
        if stop_after:
            run.stop_after = run_file.seconds_of(stop_after, "--stop-after")
        if what in ("slurm", "pbs"):
            print({"slurm": batch.slurm, "pbs": batch.pbs}[what](run), end="")
            return 0
        place = (master_of(run), run.port or free_port())
        starts = [launchers.prepare(run, job, pb, place) for pb, job in enumerate(run.jobs)]
        more = launchers.crowded(run, starts)
        if what == "dry-run":
            print(batch.dry_run(run, starts, more), end="")
            return 0
        places.check_folder(run)
        places.check_port(run)
        found = check_configuration(run, starts, library)
        return start_all(run, starts, more, quiet == "quiet", found, version, command)
    except run_file.RunError as e:
        print(f"h3ou {command}: {e}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
