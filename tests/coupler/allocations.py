#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""allocations.c: in one job and over two, in memory of both and otherwise, each field by itself and with others."""
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

STEP, LAYERS = 60, 12
# What the namelist says of the fields of allocations.c, beside a lag of one step and the last value of each step.
FIELDS = {"plain": "", "layers": f"layer={LAYERS}", "now": "lag=0", "early": "lag=-2", "ahead": 'second_put="error"', "alone": 'bundle="never"',
          "mask": "", "shares": "", "mask_layers": f"layer={LAYERS}", "shares_layers": f"layer={LAYERS}",
          "nan": "missing=-1e30", "nan_layers": f"missing=-1e30, layer={LAYERS}", "single": f"type='real4', layer={LAYERS}", "rounded": "type='real4'",
          "halo": f"layer={LAYERS}", "vector": "", "vector_layers": f"layer={LAYERS}",
          "mean": f"intvl={2 * STEP}, flag='AVR', layer={LAYERS}", "mean_mask": f"intvl={2 * STEP}, flag='AVR'", "least": f"intvl={2 * STEP}, flag='MIN'",
          "linear": f"intvl={4 * STEP}, flag='INT'"}


def variable(who, name, keys):
    given = {"lag": -1, "flag": "'SNP'", "second_put": "'replace'", **({} if "lag=0" in keys else {"intvl": STEP})}
    more = [f"{k}={v}" for k, v in given.items() if f"{k}=" not in keys] + ([keys] if keys else [])
    kind = "_vec" if name.startswith("vector") else ""
    return f'&h3ou_var var_put{kind}="{who}_{name}", var_get{kind}="{who}_{name}", {", ".join(more)} /\n'


def namelist(bundle):
    text = f'&h3ou_coupling bundle="{bundle}" /\n'
    for who, other in ("AB", "BA"):
        text += f'&h3ou_var comp_put="{who}", comp_get="{other}", grid_put="g", grid_get="g", mapping_tag=1 /\n'
        text += "".join(variable(who, *field) for field in FIELDS.items())
    return text


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")

        def run(way, memory, counted):
            return jobs.run(way, *[(1, program, [me, config, counted]) for me in "AB"], env={"H3OU_SHARED_MEMORY": memory})
        for bundle in ("never", "always"):
            config.write_text(namelist(bundle))
            for way in jobs.ways():
                for memory, counted in ((1, "waitio"), (0, "h3ou")):
                    tally.check(f"{' '.join(way)}, bundle {bundle}, memory {memory}", jobs.problems_of(run(way, memory, counted)))
        first = run(("mpmd", jobs.MPIS[0]), 1, "first")
        found = len(re.findall(r"[1-9]\d* calls of the heap", first[0].out)) == 2 and "libh3ou" in first[0].out
        tally.check("the calls of the first steps are found", [] if first[0].code == 1 and found else [r.out + r.err for r in first])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
