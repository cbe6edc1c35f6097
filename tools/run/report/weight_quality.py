# SPDX-License-Identifier: BSD-3-Clause
"""How good the weights of a run are: what h3ou weights report computes of the files that the log names, or the user."""
import json
import pathlib
import subprocess
import tempfile

import field_files

MOST, MOST_SECONDS, MOST_BYTES = 8, 60, 1 << 28
HEADS = ["file", "method", "links", "target cells", "left over", "rows sum to 1 within", "target covered", "mean misfit", "largest misfit"]


def files_of(folder, wanted):
    """The files whose weights are shown, each once; the log names them as the jobs do, from their folder."""
    found = [pathlib.Path(w) for w in wanted]
    places = [folder.path, pathlib.Path(folder.about.get("file", folder.path)).parent]
    for event in folder.of("cache-written", "weights"):
        found += [p for p in (place / event.keys.get("file", "") for place in places) if p.is_file()][:1]
    return list(dict.fromkeys(p.resolve() for p in found))


def number(value, form="{:.1e}"):
    return "–" if value is None else form.format(value)


def row_of(path, program):
    """A row for HEADS; raises OSError or ValueError with a sentence."""
    if not path.is_file():
        raise ValueError(f"{path}: no such file")
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path}: large weights are looked at by h3ou weights report")
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch, "report.json")
        done = subprocess.run([str(program), "weights", "report", str(path), "--json", str(out)], capture_output=True, text=True, errors="replace",
                              timeout=MOST_SECONDS, check=False, stdin=subprocess.DEVNULL)
        if done.returncode:
            raise ValueError(done.stderr.strip().removeprefix("h3ou weights report: ")[:400] or f"{path}: code {done.returncode}")
        of = json.loads(out.read_text(encoding="utf-8"))
    misfits = of["functions"].values()
    return [path.name, of["method"] or "unknown", of["links"], of["target"]["cells"], of["left_over"]["cells"], number(of["row_sum_misfit"]),
            number(of["target"]["covered_share"], "{:.4%}"), number(max((f["mean"] for f in misfits if f["mean"] is not None), default=None)),
            number(max((f["max"] for f in misfits if f["max"] is not None), default=None))]


def rows(folder, wanted):
    """The rows of all files, and for those that cannot be read a sentence among the folder's problems."""
    found, program = [], field_files.command()
    files = files_of(folder, wanted)
    if files and not program:
        folder.problems.append("the quality of weights is not shown: h3ou was not found")
        return []
    if len(files) > MOST:
        folder.problems.append(f"the quality of the first {MOST} of {len(files)} files of weights is shown; --weights FILE,... chooses others")
    for path in files[:MOST]:
        try:
            found.append(row_of(path, program))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, subprocess.TimeoutExpired) as e:
            folder.problems.append(str(e))
    return found
