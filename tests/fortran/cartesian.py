#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""cartesian.f90 in every way to launch it: vectors as three Cartesian components."""
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs


def pair(tag):
    return f'&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag={tag} /\n'


def vector(name, put="xyz", get="xyz", layer=2, more=""):
    return f"&h3ou_var var_put_{put}='{name}', var_get_{get}='{name}', intvl=60, flag='SNP', layer={layer}{more} /\n"


CONFIG = (pair(1) + vector("kept") + vector("lowered", get="vec") + vector("raised", put="vec") + vector("halo")
          + vector("single", layer=1) + vector("holed", more=", missing='keep'") + vector("radial", layer=1)
          + vector("share", layer=1, more=", missing=-99") + pair(2) + vector("lowered_2", get="vec"))


EAST = (r"h3ou (\w).0: warning .*: grid (\w)_g of component \w has no angle and is not regular in longitude and latitude: the two "
        r"components of vector (\w+) are taken as local east and north; if they have other directions, give angle to h3ou_def_grid\n")


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config, wrong = pathlib.Path(folder, "c.conf"), pathlib.Path(folder, "wrong.conf")
        config.write_text(CONFIG)
        wrong.write_text(CONFIG.replace("var_put_xyz='kept'", "var_put_vec='kept'"))
        for way in jobs.ways():
            for na, nb in ((1, 1), (3, 2)):
                results = jobs.run(way, (na, program, ["A", config]), (nb, program, ["B", config]))
                tally.check(f"{' '.join(way)} {na}+{nb}", jobs.problems_of(results))
        for directions, way in (("", jobs.ways()[0]), ("east", jobs.ways()[-1]), ("skewed", jobs.ways()[0]), ("skewed", jobs.ways()[-1])):
            results = jobs.run(way, (2, program, ["A", config, directions]), (1, program, ["B", config, directions]))
            said = "".join(r.err for r in results)
            told = sorted(re.findall(EAST, said))  # in one job both write to one stream
            found = jobs.problems_of(results)
            if told != ([("A", "A", "raised"), ("B", "B", "lowered")] if directions == "skewed" else []):
                found.append(said[-2000:])
            tally.check(f"directions: {directions or 'an angle'} ({' '.join(way)})", found)
        results = jobs.run(jobs.ways()[0], (1, program, ["A", wrong]), (1, program, ["B", wrong]))
        said = "".join(r.err for r in results)
        tally.check("two components are no three", [] if re.search("field kept is a vector \\(var_put_vec", said) else [said])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
