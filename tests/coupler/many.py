#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Thousands of fields between two components: their names are asked for, and each is exchanged once."""
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

FIELDS = 2000


def namelist():
    lines = ['&h3ou_coupling log_level="SILENT" /']
    for me, other in (("a", "b"), ("b", "a")):
        lines.append(f'&h3ou_var comp_put="{me}", comp_get="{other}", grid_put="g", grid_get="g", mapping_tag=1 /')
        names = [(f"{me}_{i:04}", f"{me}_{i:04}") for i in range(1, FIELDS + 1)] + [(f"{me}_0001", f"{me}_twice")]
        lines += [f'&h3ou_var var_put="{put}", var_get="{get}", intvl=600, lag=-1, layer=1, flag="SNP" /' for put, get in names]
    return "\n".join(lines) + "\n"


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "many.conf")
        config.write_text(namelist())
        for way in jobs.ways()[:len(jobs.MPIS) + 1]:
            a, b = ((1, program, [me, other, str(config), str(FIELDS)]) for me, other in (("a", "b"), ("b", "a")))
            results = jobs.run(way, a, b)
            said = "".join(r.out for r in results)
            problems = jobs.problems_of(results)
            if not problems and not all(re.search(f"{me}: {FIELDS} fields", said) for me in "ab"):
                problems = [f"not all was exchanged: {said}"]
            tally.check(f"{FIELDS} fields ({' '.join(way)})", problems)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
