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
    "ensemble": "nensemble=4: ensembles are not part of this version",
    "not-mine": "no component 'other' was started",
    "unknown-component": "no component 'sole' was started",
    "no-such-field": "there is no field number 1",
    "short-time": "a time array of fewer than 6 elements",
    "no-date": "2001-2-29 0:0:0 is no date",
    "rotated-table": r"vector interpolation \(coef_cos, coef_sin\)" + LATER,
    "ragged-table": "send_index, recv_index and coef must be given together, with one size",
    "half-table": "send_index, recv_index and coef must be given together, with one size",
    "grid-sizes": "h3ou_get_num_of_send_grid" + LATER,
    "grid-sizes-recv": "h3ou_get_num_of_recv_grid" + LATER,
    "send-now": "h3ou_send_data_immediately" + LATER,
    "recv-now": "h3ou_recv_data_immediately" + LATER,
    "no-exchange": "h3ou_set_time with is_exchange=.false." + LATER,
    "put-vector": "h3ou_put_data with data_vector" + LATER,
    "get-vector": "h3ou_get_data with data_vector" + LATER,
    "get-vector-layers": "h3ou_get_data with data_vector" + LATER,
    "started-section": "h3ou_isend_model_int of an array section with gaps" + LATER,
    "started-section-recv": "h3ou_irecv_model_double of an array section with gaps" + LATER,
}


def main(program):
    tally = jobs.Tally()
    mpi = itertools.cycle(jobs.MPIS)
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        config.write_text("")  # the simple mode
        for name in jobs.MPIS:
            done = jobs.wait_all([jobs.Job(name, [(1, [f"{program}.{name}", "none", config])])], 20)
            tally.check(f"{name}: nothing wrong", jobs.problems_of(done))
        for case, said in CASES.items():
            name = next(mpi)
            [r] = jobs.wait_all([jobs.Job(name, [(1, [f"{program}.{name}", case, config])])], 20)
            problems = []
            if r.timed_out or r.code == 0 or r.left:
                problems.append(f"code {r.code}, timed out {r.timed_out}, left {r.left}")
            if not re.search("h3ou: error in .*" + said, r.err):
                problems.append(f"does not say: {said}")
            tally.check(f"{name}: {case}", problems and problems + [r.out[-500:] + r.err[-1000:]])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
