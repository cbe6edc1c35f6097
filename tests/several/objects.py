# SPDX-License-Identifier: BSD-3-Clause
"""objects.py NAMES CONFIG PAIRS: the components of several.c, as AB, in each process of a job, as objects of the Python package; it
prints the same lines."""
import sys

import h3ou
import numpy as np

STEPS, STEP = 7, 600


def size_of(name):
    return 60 + ord(name) - ord("A")


class Model:
    def __init__(self, name, config):
        self.name, self.run, self.time = name, h3ou.Component(name, config), [2000, 1, 1, 0, 0, 0]

    def define(self, pairs):
        size, rank = self.run.h3ou_get_my_size(), self.run.h3ou_get_my_rank()
        self.cell = np.array([i for i in range(1, size_of(self.name) + 1) if i % size == rank], dtype=np.int32)
        self.state = self.cell + 0.125 * ord(self.name)
        self.run.h3ou_def_grid(self.cell, self.name, f"{self.name}_g", 1)
        self.run.h3ou_end_grid_def()
        for one, other in pairs:
            table = ()
            if self.name == one:
                i = np.arange(3 * size_of(other))
                table = (7 * i + 3) % size_of(one) + 1, i // 3 + 1, 1.0 / (3 + i % 5)
            if self.name in (one, other):
                self.run.h3ou_set_interpolation_table(self.name, one, f"{one}_g", other, f"{other}_g", 1, *table)

    def put_all(self, initial=False):
        for k in range(self.run.h3ou_get_num_of_put_data()):
            name = self.run.h3ou_get_put_data_name(k)
            if not (initial and name.startswith("now")):
                self.run.h3ou_put_data_1d(name, self.state * (1.0 + (k + 1) / 16.0))

    def step(self):
        self.run.h3ou_set_time(self.name, self.time, STEP)
        self.time = self.run.h3ou_inc_time(self.time, STEP)
        total, data = np.zeros(len(self.cell)), np.zeros(len(self.cell))
        for k in range(self.run.h3ou_get_num_of_get_data()):
            if self.run.h3ou_get_data_1d(self.run.h3ou_get_get_data_name(k), data):
                total += data / (k + 2)
        self.state = 0.5 * self.state + 0.25 * total + 0.01 * self.cell
        self.put_all()


def main(names, config, pairs):
    h3ou.h3ou_announce(list(names))
    models = [Model(name, config) for name in names]
    for m in models:
        m.define(pairs.split(","))
    for m in models:
        m.run.h3ou_init_time(m.time)
        m.put_all(initial=True)
    for _ in range(STEPS):
        for m in models:
            m.step()
    for m in models:
        sys.stdout.write("".join(f"{m.name} {cell} {value.hex()}\n" for cell, value in zip(m.cell, m.state)))
        m.run.h3ou_coupling_end()
    sys.stdout.flush()


main(*sys.argv[1:])
