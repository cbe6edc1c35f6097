# SPDX-License-Identifier: BSD-3-Clause
"""What h3ou run knows of a run and its report shows: run.json in the run's folder; and the report at the end of a run."""
import json
import pathlib
import shlex
import subprocess
import sys
import time

MOST_SECONDS = 120  # for the report of a run


def write(run, findings, watched, seconds, end):
    """Jobs, times, the coupling graph, and the sentence with which the run ended."""
    jobs = [{"name": job.name, "processes": job.start.job.processes, "command": shlex.join(map(str, job.start.words)),
             "hosts": ", ".join(job.start.job.hosts), "code": job.code, "seconds": round(job.seconds, 3)} for job in watched.jobs]
    about = {"file": str(run.path.resolve()), "began": time.time() - seconds, "seconds": seconds, "end": end, "jobs": jobs,
             "graph": [f for f in findings if f[0] in ("pair", "field")]}
    (run.directory / "run.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def report(run, version, note):
    """Makes the report, by a process of its own, so that nothing in it changes how the run ended."""
    command = [sys.executable, "-B", str(pathlib.Path(__file__).resolve().parent / "report"), str(run.directory), "", "", "", "", version]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=MOST_SECONDS, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as e:
        note(f"no report: {e}")
        return
    for line in done.stderr.splitlines()[-5:]:
        note(line.removeprefix("h3ou report: "))
    if done.returncode == 0:
        note(f"report: {done.stdout.strip()}")
