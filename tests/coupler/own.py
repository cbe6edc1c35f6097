#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""own.c: a component that exchanges with itself, alone and as members in one job and in two; what can never be answered is said."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_var comp_put="S", comp_get="S", grid_put="from", grid_get="to", mapping_tag=1 /
&h3ou_var var_put="each", var_get="each", intvl=60, flag='SNP' /
&h3ou_var var_put="late", var_get="late", intvl=60, lag=-2, flag='SNP' /
&h3ou_var var_put="rare", var_get="rare", intvl=60, flag='SNP' /
&h3ou_var var_put="never", var_get="never", intvl=60, flag='SNP' /
&h3ou_var var_put="order", var_get="order", lag=0, flag='SNP' /
&h3ou_var var_put="now", var_get="now", intvl=3600, flag='SNP' /
"""
WRONG = {
    "get-first": "h3ou_get: c.conf:6: field order: component S gets it from itself with lag=0, and has not put order since",
    "recv-first": "h3ou_recv_now: field each: component S receives it from itself, and has not called h3ou_send_now before",
    "send-often": "h3ou_send_now: field each: component S sends it to itself, and has called this 4 times without h3ou_recv_now",
}


def start(program, mpi, procs, arguments, env=None):
    return jobs.Job(mpi, [(procs, [f"{program}.{mpi}", *arguments])], {"H3OU_PATIENCE": 60, **(env or {})})


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        config.write_text(CONFIG)
        for mpi in jobs.MPIS:
            # Few cells, and messages that no MPI sends before somebody receives them.
            for procs, cells, what in ((1, 7, "all"), (1, 60000, "all"), (3, 120000, "all"), (3, 9, "to-one"), (4, 2, "all")):
                results = jobs.wait_all([start(program, mpi, procs, [config, cells, 1, what])])
                tally.check(f"{mpi} {procs} {what}, {cells} cells", jobs.problems_of(results))
            results = jobs.wait_all([start(program, mpi, 5, [config, 11, 2, "all"], {"H3OU_MEMBERS": 2})])
            tally.check(f"{mpi} two members", jobs.problems_of(results))
        port = jobs.free_port()
        results = jobs.wait_all([start(program, jobs.MPIS[-i], 1 + i, [config, 60000, 2, "all"], jobs.waitio(port, i, 2)) for i in range(2)])
        tally.check("two members, each a job", jobs.problems_of(results))
        for i, (what, sentence) in enumerate(WRONG.items()):
            mpi = jobs.MPIS[i % len(jobs.MPIS)]
            [result] = jobs.wait_all([start(program, mpi, 1 + i, [config, 12, 1, what])])
            said = result.err.replace(str(config), "c.conf")
            tally.check(f"{mpi} {what}", [] if sentence in said and result.code and not result.timed_out and not result.left else [said])
        config.write_text(CONFIG.replace("lag=-2", "lag=1"))
        [result] = jobs.wait_all([start(program, jobs.MPIS[0], 2, [config, 12, 1, "all"])])
        sentence = "c.conf:3: h3ou_var: lag=1 inside component S: it would wait for what it has yet to put itself"
        tally.check("lag=1", [] if sentence in result.err.replace(str(config), "c.conf") and not result.timed_out else [result.err])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
