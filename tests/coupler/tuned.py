#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A tuning file, named by the namelist or the environment, chooses the algorithm of a broadcast between four jobs; what is wrong with one
is told. The key sum_order keeps the order of a sum."""
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

TUNING = "&h3ou_tuning inside_latency=0.5, inside_bandwidth=5000, between_latency=20, between_bandwidth=1000 /\n"
NAMES = "abcd"


def run(program, config, env):
    """Four jobs of one process, each a component; config and env: of all, or a function of the component's name."""
    port, started = jobs.free_port(), []
    for pb, name in enumerate(NAMES):
        mpi = jobs.MPIS[pb % len(jobs.MPIS)]
        more = env(name) if callable(env) else env
        started.append(jobs.Job(mpi, [(1, [f"{program}.{mpi}", name, config])], {**jobs.waitio(port, pb, len(NAMES)), "H3OU_LOG": "loud", **more}))
    return jobs.wait_all(started)


def reduction(results):
    """The algorithm of the long reduction."""
    return set(re.findall(r"algorithm call=reduce algorithm=(\w+) members=4 bytes=1048576", "".join(r.err for r in results)))


def algorithms(results):
    """What the long broadcast took, as all processes say."""
    return set(re.findall(r"algorithm call=bcast algorithm=(\w+) members=4 bytes=1048576 segment=(\d+)", "".join(r.err for r in results)))


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        plain, named, tuning, other, empty = (pathlib.Path(folder, n) for n in ("plain", "named", "tuning", "other", "empty"))
        plain.write_text("&h3ou_coupling log_level='LOUD' /\n")
        named.write_text(f"&h3ou_coupling log_level='LOUD', tuning_file='{tuning}', sum_order='ranks' /\n")
        tuning.write_text(TUNING)
        other.write_text(TUNING.replace("=20", "=30"))
        empty.write_text("&h3ou_coupling /\n")
        taken = {}
        for what, config, env in [("neither", plain, {}), ("the model", plain, {"H3OU_COLL_MODEL": "20:1000"}), ("the namelist", named, {}),
                                  ("the environment", plain, {"H3OU_TUNING_FILE": tuning})]:
            results = run(program, config, env)
            taken[what] = algorithms(results)
            wrong = [] if len(taken[what]) == 1 else [f"not one algorithm: {taken[what]}\n{results[0].err[-2000:]}"]
            order = {"neither": {"binary"}, "the namelist": {"linear"}}.get(what)
            if order not in (None, reduction(results)):
                wrong += [f"reduced by {reduction(results)}, not by {order}"]
            tally.check(f"tuned by {what}", jobs.problems_of(results) + wrong)
        same = taken["the model"] == taken["the namelist"] == taken["the environment"] != taken["neither"]
        tally.check("the file says what H3OU_COLL_MODEL says", [] if same else [taken])
        for what, env, said in [("a file that is not there", {"H3OU_TUNING_FILE": f"{folder}/none"}, f"tuning file {folder}/none: No such file"),
                                ("a file without the group", {"H3OU_TUNING_FILE": empty}, "has no group h3ou_tuning"),
                                ("two files", lambda name: {"H3OU_TUNING_FILE": other if name == "c" else tuning}, "different configurations")]:
            results = run(program, plain, env)
            text = "".join(r.err for r in results)
            wrong = [] if said in text and all(r.code for r in results) else [f"'{said}' is not in\n{text[-2000:]}"]
            tally.check(what, wrong + [f"job {i} timed out" for i, r in enumerate(results) if r.timed_out])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
