#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""calls.py CALLS SOURCE: calls.c in every way to launch it; the published names; an error ends the run."""
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=1 /
&h3ou_var var_put="A_v", var_get="A_v", intvl=3600, lag=-1, layer=1, flag='SNP' /
&h3ou_var var_put="A_w", var_get="A_w", intvl=7200, lag=-1, layer=3, flag='SNP' /
&h3ou_var comp_put="B", comp_get="A", grid_put="B_g", grid_get="A_g", mapping_tag=1 /
&h3ou_var var_put="B_v", var_get="B_v", intvl=3600, lag=-1, layer=1, flag='SNP' /
&h3ou_var var_put="B_w", var_get="B_w", intvl=7200, lag=-1, layer=3, flag='SNP' /
"""
# name(number of arguments); T: int, float, double
PUBLISHED = """init 2, end 0, init_simple 1, get_mpi_parameter 5, get_my_comm 0, get_my_rank 0, get_my_size 0, def_grid 5, end_grid_def 0,
set_interpolation_table 10, set_interpolation_table_no_index 6, init_time 1, set_time 3, inc_calendar 2, put_data_1d 2,
put_data_25d 2, get_data_1d 3, get_data_25d 3, get_num_of_put_data 0, get_put_data_name 2, get_num_of_get_data 0,
get_get_data_name 2, send_array_int 4, send_array_double 4, recv_array_int 4, recv_array_double 4, coupling_end 2, bcast_global_T 3,
bcast_model_T 4, send_T 2, recv_T 2, send_T_array 3, recv_T_array 3, isend_model_T 4, irecv_model_T 4, isend_waitall 0,
irecv_waitall 0, send_model_T 4, recv_model_T 4"""


def published():
    for name, n in re.findall(r"(\w+) (\d+)", PUBLISHED):
        for kind in ("int", "float", "double") if "_T" in name else ("",):
            yield f"h3ouc_{name.replace('_T', '_' + kind)}", int(n)


def declared(source):
    """What a compiler sees of the header, its macros done."""
    text = re.sub(r"/\*.*?\*/", " ", pathlib.Path(source, "include/h3ouc.h").read_text(), flags=re.S).replace("\\\n", " ")
    body = re.search(r"#define H3OUC_BESIDE\(NAME, TYPE\)(.*)\n", text).group(1)
    text += "".join(body.replace("##NAME##", kind).replace("##NAME", kind) for kind in ("int", "float", "double"))
    calls = re.findall(r"(?:void|int|MPI_Comm) (h3ouc_\w+)\(([^)]*)\)", text)
    return {name: 0 if arguments == "void" else arguments.count(",") + 1 for name, arguments in calls}


def main(program, source):
    tally = jobs.Tally()
    found = declared(source)
    tally.check("published names", [f"{name}: {found.get(name)} arguments, not {n}" for name, n in published() if found.get(name) != n])
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        config.write_text(CONFIG)
        for way in jobs.ways():
            for na, nb in ((1, 1), (2, 2), (1, 3)):
                results = jobs.run(way, (na, program, ["A", config]), (nb, program, ["B", config]))
                tally.check(f"{' '.join(way)} {na}+{nb}", jobs.problems_of(results))
            results = jobs.run(way, (2, program, ["A", "simple"]), (1, program, ["B", "simple"]))
            tally.check(f"{' '.join(way)} simple", jobs.problems_of(results))
        for way in jobs.ways():
            results = jobs.run(way, (1, program, ["A", config, "A_u"]), (2, program, ["B", config]), jobs.PATIENT)
            said = r"error in component A rank 0: h3ouc_put_data_1d/25d: .*no field 'A_u' to put, did you mean 'A_v'"
            problems = [f"job {i}: code {r.code}, left {r.left}" for i, r in enumerate(results)
                        if r.timed_out or r.code == 0 or r.left or "no field 'A_u'" not in r.err]
            if not re.search(said, results[0].err):
                problems.append(f"does not say: {said}")
            tally.check(f"{' '.join(way)} a wrong name", problems and problems + [r.err[-600:] for r in results])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
