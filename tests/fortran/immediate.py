#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""immediate.f90: exchanges that are left out and exchanges outside the intervals, also of members."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_var comp_put="A", comp_get="B", grid_put="g", grid_get="g", mapping_tag=1 /
&h3ou_var var_put="snap", var_get="snap", intvl=120, flag='SNP' /
&h3ou_var var_put="mean", var_get="mean", intvl=120, flag='AVR' /
"""
CONF = r"\S*c\.conf"
WRONG = {"left-out": "field snap: A began the step in which it would send the exchange at 120 s after the start without an exchange",
         "nothing": "field snap: A has put no value of snap before it sends it at once",
         "send-name": r"h3ou_send_data_immediately: .* has no field from component 'A' to 'C'",
         "got-again": f"{CONF}:2: field snap: its exchange at 2001-01-01 00:04:00 was got before h3ou_recv_data_immediately replaced it",
         "recv-name": r"h3ou_recv_data_immediately: component 'A' is not mine: this program is 'B'"}

SENT = f"{CONF}:2: h3ou_set_time: component A leaves out an exchange of field snap that was completed for the restart of this time"

# What A puts at the end is 606 in cell 6 and 607 in cell 7, which no cell of B needs; at the start it is -99 in cell 1.
VALUE = r"field snap, cell 6, layer 1: the value 606 put at 2001-01-01 00:06:00 is outside data_range=-99\.5,605"
OUTSIDE = {"": (606, "error"), f"^h3ou A.1: warning {CONF}:2: {VALUE}$": (605, "warning"),
           f"h3ou: error in component A rank 1: {CONF}:2: {VALUE} .range_action='error'.": (605, "error")}

STOPS = {1: "the end of h3ou_init", 4: "the end of h3ou_def_grid", 5: "the beginning of h3ou_end_grid_def",
         7: "the beginning of h3ou_set_interpolation_table", 10: "the end of h3ou_init_time"}

CHECKED = ["h3ou A.0: grid-check from=A/g to=B/g source-cells=7 used=6",
           "h3ou B.0: grid-check from=A/g to=B/g target-cells=7 with-row=6 first-without=7 links=6 row-sums=1..1 negative=0"]


def main(program):
    tally, ways = jobs.Tally(), jobs.ways()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        config.write_text(CONFIG)
        # processes and members of A, then of B
        for way, (pa, na, pb, nb) in [(way, (3, 1, 2, 1)) for way in ways] + [(ways[0], (4, 2, 2, 1)), (ways[-1], (2, 1, 6, 3))]:
            results = jobs.run(way, (pa, program, ["A", config, na, na, "plain"]), (pb, program, ["B", config, nb, na, "plain"]))
            tally.check(f"{' '.join(way)} {na}:{nb} members, {pa}+{pb} processes", jobs.problems_of(results))
        for said, (most, action) in OUTSIDE.items():
            config.write_text(CONFIG.replace("120, flag='SNP'", f"120, flag='SNP', data_range=-99.5,{most}, range_action='{action}'"))
            way = ways[len(action) % len(ways)]
            results = jobs.run(way, (2, program, ["A", config, 1, 1, "plain"]), (1, program, ["B", config, 1, 1, "plain"]))
            lines = [line for r in results for line in r.err.splitlines() if "data_range" in line]
            right = jobs.re.search(said, " ".join(lines)) if said else not lines
            problems = [] if action == "error" and all(r.code for r in results) else jobs.problems_of(results)
            tally.check(f"{' '.join(way)} data_range up to {most}: {action}", problems + ([] if right else [lines, said]))
        for i, (step, where) in enumerate(STOPS.items()):
            config.write_text(f"&h3ou_coupling stop_step={step}, grid_checker=.true. /\n" + CONFIG)
            way = ways[i % len(ways)]
            results = jobs.run(way, (2, program, ["A", config, 1, 1, "plain"]), (1, program, ["B", config, 1, 1, "plain"]))
            said = sorted(line for r in results for line in r.err.splitlines() if "stop" in line)
            right = said == [f'h3ou {me}.0: stopped stop_step={step} at="{where}"' for me in "AB"]
            checked = sorted(line for r in results for line in r.err.splitlines() if "grid-check" in line)
            right = right and checked == (CHECKED if step == 10 else [])
            tally.check(f"{' '.join(way)} stop_step={step}", jobs.problems_of(results) + ([] if right else said + checked))
        config.write_text(CONFIG)
        for i, (how, sentence) in enumerate(WRONG.items()):
            way = ways[i % len(ways)]
            results = jobs.run(way, *((1, program, [me, config, 1, 1, how]) for me in "AB"))
            problems = [] if all(r.code and not r.timed_out and not r.left for r in results) else [[r.code for r in results]]
            said = " ".join(r.err for r in results)
            tally.check(f"{' '.join(way)} {how}", problems + ([] if jobs.re.search(sentence, said) else [said]))
        config.write_text(CONFIG.replace("120,", "120, lag=1,"))
        for i, how in enumerate(("restart", "restart-end", "restart-read")):
            way = ways[i % len(ways)]
            results = jobs.run(way, *((n, program, [me, config, 1, 1, how]) for me, n in (("A", 2), ("B", 1))))
            said = " ".join(r.err for r in results)
            ends = all(r.code and not r.timed_out and not r.left for r in results) and jobs.re.search(SENT, said)
            tally.check(f"{' '.join(way)} {how}", jobs.problems_of(results) if how == "restart-end" else [] if ends else [said])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
