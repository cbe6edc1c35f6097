# SPDX-License-Identifier: BSD-3-Clause
"""Reports of the sanitizers of addresses and of what C does not define, from all processes that a test driver starts. Standard library only.

The former writes the places of functions as offsets in files. It could write names, but each process in which an MPI leaves memory
would read all debug information for that when it ends, which takes as long as the rest of a small run. Here names are found once, and only for
reports that are shown."""
import atexit
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="h3ou-reports-"))
FOLDER.chmod(0o777)  # for programs that run as another user
# A leak does not change how a process ends.
OPTIONS = os.environ.get("ASAN_OPTIONS", "detect_leaks=1") + f":symbolize=0:log_path={FOLDER}/report:exitcode=0:abort_on_error=1"
# Open MPI formats texts that it keeps. From the C library on, the callers are not known; nothing of h3ou calls this.
KEPT = "__vasprintf_internal"
# What programs do on purpose, to see what the others do.
MEANT = re.compile(r"ERROR: AddressSanitizer: (SEGV|ABRT)\b")
# What C does not define is reported on standard error.
UNDEFINED, SAID = re.compile(r"^.*\.[ch]:\d+:\d+: runtime error: .*$", re.M), []


@functools.lru_cache(maxsize=None)
def find_name(place, file, offset):
    """The function, file and line of a place in a file; the place itself, where nothing is known."""
    told = subprocess.run(["addr2line", "-Cfpe", file, offset], capture_output=True, text=True, check=False)
    return told.stdout.strip() if told.returncode == 0 and not told.stdout.startswith("??") else place


def with_names(report):
    return re.sub(r"\((/[^()]+)\+(0x[0-9a-f]+)\)", lambda place: find_name(*place.group(0, 1, 2)), report)


def find_wrong(report):
    """What a report says, with names; "" if it says nothing but what was meant, or what an MPI keeps."""
    if MEANT.search(report) or "ERROR: " not in report:
        return ""
    named = with_names(report)
    if "ERROR: LeakSanitizer" not in named:
        return named
    leaks = [leak for leak in named.split("\n\n") if re.search(r"^(Direct|Indirect) leak of", leak, re.M) and KEPT not in leak]
    return "memory that nothing points to:\n" + "\n\n".join(leaks) if leaks else ""


def look_at(text):
    """Keeps what standard error says of undefined behaviour."""
    SAID.extend(UNDEFINED.findall(text))


@atexit.register
def fail_of_reports():
    """A driver fails of what a sanitizer reports, also where it expects that its programs fail and does not look at their codes."""
    wrong = SAID + [text for text in (find_wrong(file.read_text(errors="replace")) for file in sorted(FOLDER.iterdir())) if text]
    shutil.rmtree(FOLDER, ignore_errors=True)
    for text in wrong:
        print(f"FAIL a sanitizer reports {text[:4000]}")
    sys.stdout.flush()
    if wrong:
        os._exit(1)
