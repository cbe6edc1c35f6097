#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""wanted.f90 in every way to launch it: puts that nobody wants, what is missing, the first NaN in the log, and time in seconds."""
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_coupling log_level='WHISPER', unknown_put='ignore' /
&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=1 /
&h3ou_var var_put="number", var_get="number", intvl=60, flag='SNP' /
&h3ou_var var_put="value", var_get="value", intvl=60, flag='SNP' /
&h3ou_var var_put="kept", var_get="kept", intvl=60, flag='SNP', missing='keep' /
&h3ou_var var_put="lost", var_get="lost", intvl=60, flag='SNP', missing=-99 /
&h3ou_var var_put="shared", var_get="shared", intvl=60, flag='SNP', missing='keep' /
&h3ou_var var_put="layers", var_get="layers", intvl=60, flag='SNP', layer=2, missing='keep' /
&h3ou_var var_put="mean", var_get="mean", intvl=60, flag='AVR', missing='keep' /
&h3ou_var var_put_vec="wind", var_get_vec="wind", intvl=60, flag='SNP', missing='keep' /
&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=2, method='conservative', missing='keep' /
&h3ou_var var_put="made", var_get="made", intvl=60, flag='SNP' /
"""
# Each field's first NaN: cell, layer, when, and what it is. The shares of "shared" take out its cell 3.
SAID = {"value": (2, 1, "00:00:00", "value"), "kept": (2, 1, "00:00:00", "missing"), "lost": (2, 1, "00:00:00", "missing"),
        "layers": (2, 1, "00:00:00", "missing"), "mean": (2, 1, "00:00:00", "missing"), "wind": (2, 1, "00:00:00", "missing"),
        "made": (2, 1, "00:00:00", "missing")}


# A belt of sin(20 degrees) / 8 of the sphere for each cell; five are served by weights, six by the table.
AREAS = [("A", "0.213763", "")] * 2 + [("B", "0.342020", "0.625000"), ("B", "0.342020", "0.750000")]


def log_problems(text):
    """What is wrong with the lines on NaN of a run in which A has one process: missing ones are whispered, others warned of."""
    lines = re.findall(r'^h3ou A\.0: nan field=(\w+) to=B cell=(\d+) layer=(\d+) time="2001-01-01 ([\d:]+)" taken-as=(\w+)$', text, re.M)
    said = {field: (int(cell), int(layer), when, what) for field, cell, layer, when, what in lines}
    return [] if said == SAID and len(lines) == len(SAID) else [f"said: {lines}"]


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config, strict = pathlib.Path(folder, "c.conf"), pathlib.Path(folder, "strict.conf")
        config.write_text(CONFIG)
        strict.write_text(CONFIG.replace(", unknown_put='ignore'", ""))
        for way in jobs.ways():
            for na, nb in ((1, 1), (1, 3), (3, 2)):
                results = jobs.run(way, (na, program, ["A", config, 0]), (nb, program, ["B", config, 0]))
                problems = jobs.problems_of(results)
                areas = re.findall(r"^h3ou (\w)\.0: area grid=\w_g over-4pi=(\S+)(?: served=(\S+))?$", "".join(r.err for r in results), re.M)
                if sorted(areas) != AREAS:
                    problems.append(f"areas: {areas}")
                if na == 1:
                    problems += log_problems("".join(r.err for r in results))
                tally.check(f"{' '.join(way)} {na}+{nb}", problems)
        for way in jobs.ways()[:2]:
            results = jobs.run(way, (1, program, ["A", strict, 0]), (1, program, ["B", strict, 0]))
            told = "h3ou_put_data: field nothing comes before" in "".join(r.err for r in results)
            tally.check(f"{' '.join(way)} not ignored", [] if told and all(r.code for r in results) else [r.err for r in results])
        late = "component A rank 0 says 7 s after the start, but the sum of the steps is 0 s"
        results = jobs.run(jobs.ways()[0], (1, program, ["A", config, 7]), (1, program, ["B", config, 7]))
        said = "".join(r.err for r in results)
        tally.check("too late", jobs.problems_of(results) + ([] if said.count(f"warning h3ou_set_time_seconds: {late}") == 1 else [said]))
        strict.write_text(CONFIG.replace(", unknown_put", ", strict=.true., unknown_put"))
        results = jobs.run(jobs.ways()[1], (1, program, ["A", strict, 7]), (1, program, ["B", strict, 7]))
        said = "".join(r.err for r in results)
        tally.check("too late, strict", [] if f"error in component A rank 0: h3ou_set_time_seconds: {late}" in said else [said])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
