#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""longer.py LONGER: a message that is longer than what awaits it ends the run with a sentence of h3ou, not of the MPI."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

# mode: who awaits, for what, from whom
MODES = {"leader": (0, "h3ouc_recv_TYPE/TYPE_array/array_TYPE", "A rank 0"), "model": (1, "h3ouc_recv_model_int/float/double", "A rank 0"), "inside": (1, "h3ouc_recv_model_int/float/double", "B rank 0"),
         "posted": (1, "h3ouc_irecv_model_int/float/double", "A rank 0"), "broadcast": (0, "broadcast on Model of A and B: broadcast", "A rank 0")}


def problems(results, mode, n):
    rank, call, sender = MODES[mode]
    # MPICH does not tell how long a message was for which a receive was posted.
    length = rf"({8 * n} bytes|more)" if mode == "posted" else f"{8 * n} bytes"
    said = (rf"error in component B rank {rank}: {call}: the message from component {sender} has {length}, but component B rank {rank} "
            rf"awaits {4 * n} bytes: give both calls the same number and type of elements")
    found = [f"job {i}: code {r.code}, left {r.left}" for i, r in enumerate(results) if r.timed_out or r.code == 0 or r.left]
    text = "".join(r.err for r in results)
    found += [] if re.search(said, text) else [f"does not say: {said}"]
    found += [f"says: {line}" for line in text.splitlines() if re.search("Fatal error|error stack|MPI_ERR_TRUNC", line)]
    return found + [text[-1500:]] if found else []


def main(program):
    tally = jobs.Tally()
    cases = [(way, mode, n) for way in jobs.ways() for mode in (MODES if way[0] == "mpmd" else ("model", "leader"))
             for n in ((100, 500000) if mode in ("model", "posted") else (100,))]
    everything = jobs.side_by_side(
        lambda way, mode, n: jobs.run(way, (1, program, ["A", mode, n]), (2, program, ["B", mode, n])), cases)
    for (way, mode, n), results in zip(cases, everything):
        tally.check(f"{' '.join(way)} {mode} {n}", problems(results, mode, n))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
