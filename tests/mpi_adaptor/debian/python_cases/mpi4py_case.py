# SPDX-License-Identifier: BSD-3-Clause
"""What the cases of mpi4py share: the job, types, and calls in their blocking and their non-blocking form."""
import unittest

import numpy as np
from mpi4py import MPI

WORLD, SELF = MPI.COMM_WORLD, MPI.COMM_SELF
RANK, SIZE = WORLD.rank, WORLD.size
LEFT, RIGHT = (RANK - 1) % SIZE, (RANK + 1) % SIZE

TYPES = {"b": MPI.SIGNED_CHAR, "h": MPI.SHORT, "i": MPI.INT, "l": MPI.LONG, "q": MPI.LONG_LONG, "B": MPI.UNSIGNED_CHAR, "H": MPI.UNSIGNED_SHORT,
         "I": MPI.UNSIGNED, "L": MPI.UNSIGNED_LONG, "Q": MPI.UNSIGNED_LONG_LONG, "f": MPI.FLOAT, "d": MPI.DOUBLE, "g": MPI.LONG_DOUBLE,
         "F": MPI.C_FLOAT_COMPLEX, "D": MPI.C_DOUBLE_COMPLEX}


class Case(unittest.TestCase):
    def setUp(self):
        for comm in (WORLD, SELF):
            comm.Set_errhandler(MPI.ERRORS_RETURN)

    def refused(self, classes, function, *words, **named):
        """The call fails with one of these classes of errors."""
        with self.assertRaises(MPI.Exception) as caught:
            function(*words, **named)
        self.assertIn(caught.exception.Get_error_class(), classes, (function, caught.exception.Get_error_string()))
        self.assertTrue(caught.exception.Get_error_string())

    def same(self, got, expected):
        np.testing.assert_array_equal(got, expected)


def forms(comm):
    """Both forms of a collective call: name of the blocking one and its arguments."""
    def blocking(name, *words, **named):
        getattr(comm, name)(*words, **named)

    def started(name, *words, **named):
        getattr(comm, "I" + name[0].lower() + name[1:])(*words, **named).Wait()
    return blocking, started
