# SPDX-License-Identifier: BSD-3-Clause
"""atmos.f90 once more, in Python: an error that is not caught ends the run in every job."""
import h3ou
import numpy as np

CELLS, STEP = 24, 1800

h3ou.h3ou_init("atmos", "coupling.conf")
rank, nproc = h3ou.h3ou_get_my_rank(), h3ou.h3ou_get_my_size()
mine = np.arange(rank + 1, CELLS + 1, nproc)
h3ou.h3ou_def_grid(mine, "atmos", "ring24", 1)
h3ou.h3ou_end_grid_def()

cells = np.arange(1, CELLS + 1)
h3ou.h3ou_set_interpolation_table_no_index("atmos", "ocean", "ring12", "atmos", "ring24", 1)
h3ou.h3ou_set_interpolation_table("atmos", "atmos", "ring24", "ocean", "ring12", 1, cells, (cells + 1) // 2, np.full(CELLS, 0.5))

time = np.array([2026, 1, 1, 0, 0, 0], np.int32)
h3ou.h3ou_init_time(time)
air, sst, heat = np.full(mine.size, 285.0), np.full(mine.size, 285.0), np.zeros(mine.size)
h3ou.h3ou_put_data_1d("heat", heat)
for i in range(48):
    h3ou.h3ou_set_time("atmos", time, STEP)
    h3ou.h3ou_get_data_1d("sst", sst)
    heat = 20 * (air - sst)
    air -= heat * STEP / 1e6
    h3ou.h3ou_put_data_1d("heat", heat)
    h3ou.h3ou_inc_calendar(time, STEP)
h3ou.h3ou_coupling_end(time)
