#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""refused.f90, case by case: the run ends, and says why. The MPIs take turns."""
import itertools
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

LATER = " is not part of this version"
CASES = {
    "before-init": "comes before h3ou_init, or after the end",
    "comm-early": "h3ou_init: comm is given, but MPI does not run: call MPI_Init before",
    "comm-null": "h3ou_init: comm is MPI_COMM_NULL: a process that takes no part",
    "ensemble": "component 'solo': job 0 holds 4 members, but has only 1 processes of it",
    "own-words": r"component solo rank 0: the model has no more salt\n",
    "not-mine": "h3ou_get_mpi_parameter: no component 'other' was started",
    "unknown-component": "h3ou_get_model_id: no component 'sole' was started",
    "no-such-field": "h3ou_get_put_data_name: there is no field number 1, the configuration gives this component 0 of them",
    "short-time": "a time array of fewer than 6 elements",
    "no-date": "h3ou_inc_time: 2001-02-29 00:00:00 is no date",
    "rotated-table": "entry 1: coef_cos=1 and coef_sin=1 are not the cosine and sine of an angle",
    "half-rotated": "coef_cos and coef_sin must be given together",
    "ragged-rotated": "coef_cos and coef_sin must be given together, with coef and of its size",
    "lone-lon": "h3ou_def_grid: grid g: lon and lat go together",
    "lone-corners": "h3ou_def_grid: grid g: lon_corners and lat_corners go together",
    "short-centres": "h3ou_def_grid: grid g: lon and lat must have the size of grid_index",
    "short-corners": r"h3ou_def_grid: grid g: lon_corners and lat_corners must be \(corner, cell\)",
    "short-mask": r"h3ou_def_grid: grid g: mask must have the size of grid_index, \d+, not \d+",
    "short-area": "h3ou_def_grid: grid g: area must have the size of grid_index",
    "short-angle": "h3ou_def_grid: grid g: angle must have the size of grid_index",
    "beyond": "grid g, cell 15: longitude 90.01, latitude 90.01 degrees is not on the sphere",
    "not-finite": "grid g, cell 13: longitude -?nan, latitude -?nan degrees is not on the sphere",
    "radians": "grid g, cell 11: longitude 1, latitude 2 radians is not on the sphere",
    "units": "grid g: units are 'degrees' or 'radians', not 'degree'",
    "two-corners": "grid g: cells have 3 to 1000 corners, not 2",
    "area": "grid g, cell 18: an area of -1 steradians, which must be a number above 0",
    "edges": "grid g: edges are 'great_circle' or 'latitude', not 'rhumb'",
    "shape": "grid g: a shape of 0 x 4 cells: both numbers must be 1 or more",
    "local-shape": "grid g: a local shape of 3 x 3 cells does not fit the 8 cells of this process; leave the halo out",
    "negative-halo": "grid g: a halo of width -1",
    "lone-shape": "h3ou_def_grid: grid g: shape and position go together",
    "short-position": r"h3ou_def_grid: grid g: position must be \(indices of shape but that of the layers, cell\)",
    "two-layers": "h3ou_def_grid: grid g: an extent of -1: extents are 0 or more, and one may be -1, which stands for the layers",
    "outside": "h3ou_def_grid: grid g: cell 14 stands outside of the array: index 2 of its position is number 3 of 2",
    "one-place": "h3ou_def_grid: grid g: the cells 12 and 14 stand in one place of the array",
    "two-layouts": "grid g has positions of its cells, and local_shape or halo: give one of both",
    "lone-halo": "grid g has a halo, but .* there is no grid_shape",
    "no-rows": "grid g has a halo, but .* their indices are no rows of grid_shape",
    "ragged-table": "send_index, recv_index and coef must be given together, with one size",
    "half-table": "send_index, recv_index and coef must be given together, with one size",
    "grid-sizes": "h3ou_get_num_of_send_grid.*no pair of grids from component 'solo' to 'solo'",
    "grid-sizes-recv": "h3ou_get_num_of_recv_grid.*no pair of grids from component 'solo' to 'solo'",
    "send-now": "h3ou_send_data_immediately comes before h3ou_init_time",
    "recv-now": "h3ou_recv_data_immediately comes before h3ou_init_time",
    "no-exchange": "h3ou_set_time comes before h3ou_init_time",
    "half-second": "h3ou_set_time_seconds: the time step is -0.5 s, it must be above 0",
    "put-vector": "field f comes before h3ou_init_time",
    "put-share": "field f comes before h3ou_init_time",
    "put-short-share": "h3ou_put_data: field f: share has 1 values, it must have 8",
    "put-short-vector": "h3ou_put_data: field f: data_vector has 3 values, it must have 8",
    "put-layers": "field f comes before h3ou_init_time",
    "get-vector": "field f comes before the first h3ou_set_time",
    "get-layers": "field f comes before the first h3ou_set_time",
    "get-vector-layers": "h3ou_get_data: field f: data_vector has 8 values, it must have 4",
    "started-section": "h3ou_isend_model_int of an array section with gaps" + LATER,
    "started-section-recv": "h3ou_irecv_model_double of an array section with gaps" + LATER,
}


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        config.write_text("&h3ou_coupling strict=.true. /\n")  # the simple mode
        for name in jobs.MPIS:
            done = jobs.wait_all([jobs.Job(name, [(1, [f"{program}.{name}", "none", config])])])
            tally.check(f"{name}: nothing wrong", jobs.problems_of(done))
        mpis = itertools.cycle(jobs.MPIS)
        cases = [(next(mpis), case) for case in CASES]
        everything = jobs.side_by_side(
            lambda mpi, case: jobs.wait_all([jobs.Job(mpi, [(1, [f"{program}.{mpi}", case, config])], jobs.PATIENT)]), cases)
        for (name, case), [r] in zip(cases, everything):
            said = CASES[case]
            problems = []
            if r.timed_out or r.code == 0 or r.left:
                problems.append(f"code {r.code}, timed out {r.timed_out}, left {r.left}")
            if not re.search("h3ou: error in .*" + said, r.err):
                problems.append(f"does not say: {said}")
            tally.check(f"{name}: {case}", problems and problems + [r.out[-500:] + r.err[-1000:]])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
