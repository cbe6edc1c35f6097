#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs semantics_probe in the configuration of each table, in every way to launch it, and compares line by line."""
import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import jobs

CONFIG = """ &h3ou_coupling
    log_level = "SILENT"
    second_put = "{second_put}"
    bundle = "always"
 /
"""
PAIR = """&h3ou_var comp_put="{0}", comp_get="{1}", grid_put="{0}_g", grid_get="{1}_g", mapping_tag=1 /
&h3ou_var var_put="{0}_v", var_get="{0}_v", grid_intpl_tag=1, intvl={intvl}, lag={lag}, layer=1, flag='{flag}' /
"""


def parse(table):
    header, _, *rows = table.read_text().splitlines()
    config, args, procs = CONFIG, {}, {}
    for a, b, lag, flag, intvl in re.findall(r"(\w)->(\w): lag=(-?\d+) flag=(\w+) intvl=(\d+)", header):
        config += PAIR.format(a, b, lag=lag, flag=flag, intvl=intvl)
    for name, dt, steps, n in re.findall(r"(\w): dt=(\d+) steps=(\d+) procs=(\d+)", header):
        args[name], procs[name] = (dt, steps), int(n)
    return config, args, procs, sorted(rows)


def main(probe):
    tally = jobs.Tally()
    tables = sorted(HERE.glob("*.txt"))
    tables = [t for t in tables if t.name != "CMakeLists.txt"]
    assert len(tables) == 6
    for number, table in enumerate(tables):
        config, args, procs, expected = parse(table)
        for way in jobs.ways():
            with tempfile.TemporaryDirectory() as folder:
                # The same with fields that leave in put.
                second_put = ["replace", "error"][(number + jobs.ways().index(way)) % 2]
                pathlib.Path(folder, "coupling.conf").write_text(config.replace("{second_put}", second_put))
                os.chdir(folder)
                a, b = ((procs[me], probe, [me, other, *args[me], "1"]) for me, other in ("AB", "BA"))
                results = jobs.run(way, a, b)
                os.chdir("/")
            problems = jobs.problems_of(results)
            got = sorted(line for r in results for line in r.out.splitlines())
            if got != expected:
                problems += [f"- {line}" for line in expected if line not in got] + [f"+ {line}" for line in got if line not in expected]
            tally.check(f"{table.stem} {' '.join(way)}", problems)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
