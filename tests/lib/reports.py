# SPDX-License-Identifier: BSD-3-Clause
"""Reports of the address sanitizer, from all processes that a test driver starts with jobs.ENVIRONMENT, and what programs of a jobs.Job say of
undefined behaviour. Standard library only.

The address sanitizer writes the places of functions as offsets in files. It could write names, but each process in which an MPI leaves memory
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
import traceback

FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="h3ou-reports-"))
FOLDER.chmod(0o777)  # for programs that run as another user
# A leak does not change how a process ends, and any other fault does.
OPTIONS = os.environ.get("ASAN_OPTIONS", "detect_leaks=1") + f":symbolize=0:log_path={FOLDER}/report:exitcode=0:abort_on_error=1"
# Functions that lsan.supp names: the sanitizer knows libraries only, without names of functions.
KEPT = re.findall(r"^leak:(__\w+)$", pathlib.Path(__file__).with_name("lsan.supp").read_text(encoding="utf-8"), re.M)
HARMLESS = re.compile(r"WARNING: ASan (doesn't fully support makecontext|is ignoring requested __asan_handle_no_return)")
# The compilers report undefined behaviour on standard error.
UNDEFINED, SAID = re.compile(r"^.*\.[ch]:\d+:\d+: runtime error: .*$", re.M), []


@functools.lru_cache(maxsize=None)
def find_name(place, file, offset):
    """The functions, files and lines of a place in a file; the place itself, where nothing is known."""
    try:
        told = subprocess.run(["addr2line", "-Cfipe", file, offset], capture_output=True, text=True, check=False)
    except OSError:
        return place
    return " ".join(told.stdout.split()) if told.returncode == 0 and not told.stdout.startswith("??") else place


def with_names(report):
    return re.sub(r"\((/[^()]+)\+(0x[0-9a-f]+)\)", lambda place: find_name(*place.group(0, 1, 2)), report)


def find_wrong(report):
    """What a report says, with names; "" if it says nothing but what an MPI keeps, or what does no harm."""
    said = "\n".join(line for line in report.splitlines() if not HARMLESS.search(line))
    if "ERROR: LeakSanitizer" not in said:
        return with_names(said) if re.search(r"\w", said) else ""
    if "SUMMARY: " not in said:
        return ""  # of a process that was killed while it wrote this, when it had ended
    leaks = [leak for leak in with_names(said).split("\n\n")
             if re.search(r"^(Direct|Indirect) leak of", leak, re.M) and not any(name in leak for name in KEPT)]
    return "memory that nothing points to:\n" + "\n\n".join(leaks) if leaks else ""


def look_at(text):
    """Keeps what standard error says of undefined behaviour."""
    SAID.extend(UNDEFINED.findall(text))


def print_wrong():
    """Prints what is wrong; whether something is."""
    wrong = SAID + [text for text in (find_wrong(file.read_text(errors="replace")) for file in sorted(FOLDER.iterdir())) if text]
    for text in wrong:
        print(f"FAIL a sanitizer reports {text[:4000]}")
    return bool(wrong)


@atexit.register
def fail_of_reports():
    """A driver fails of what a sanitizer reports, also where it expects that its programs fail and does not look at their codes."""
    fails = True  # of an exception here, too, which alone would not change how Python ends
    try:
        fails = print_wrong()
    except Exception:  # pylint: disable=broad-except
        traceback.print_exc(file=sys.stdout)
    shutil.rmtree(FOLDER, ignore_errors=True)
    sys.stdout.flush()
    if fails:
        os._exit(1)
