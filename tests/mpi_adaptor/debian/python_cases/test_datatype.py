# SPDX-License-Identifier: BSD-3-Clause
"""Datatypes: every constructor with what it is decoded to, extents, names, attributes, packing."""
import unittest

import numpy as np
from mpi4py import MPI

from mpi4py_case import SELF, TYPES, Case

F90 = (MPI.COMBINER_F90_INTEGER, MPI.COMBINER_F90_REAL, MPI.COMBINER_F90_COMPLEX)


class Predefined(Case):
    def test_sizes(self):
        for code, kind in TYPES.items():
            self.assertEqual((kind.Get_size(), kind.extent, kind.lb), (np.dtype(code).itemsize, np.dtype(code).itemsize, 0), kind.name)
        for bits in (8, 16, 32, 64):
            self.assertEqual(getattr(MPI, f"INT{bits}_T").size * 8, bits)
            self.assertEqual(getattr(MPI, f"UINT{bits}_T").size * 8, bits)
        others = {"CHAR": 1, "WCHAR": 4, "BYTE": 1, "PACKED": 1, "C_BOOL": 1, "AINT": 8, "OFFSET": 8, "COUNT": 8, "CHARACTER": 1, "LOGICAL": 4,
                  "INTEGER": 4, "REAL": 4, "DOUBLE_PRECISION": 8, "COMPLEX": 8, "DOUBLE_COMPLEX": 16, "INTEGER1": 1, "INTEGER2": 2, "INTEGER4": 4,
                  "INTEGER8": 8, "REAL4": 4, "REAL8": 8, "COMPLEX8": 8, "COMPLEX16": 16, "C_LONG_DOUBLE_COMPLEX": 32, "FLOAT_INT": 8,
                  "DOUBLE_INT": 12, "LONG_INT": 12, "SHORT_INT": 6, "TWOINT": 8, "LONG_DOUBLE_INT": 20}
        for name, size in others.items():
            kind = getattr(MPI, name)
            self.assertEqual(kind.Get_size(), size, name)
            self.assertTrue(kind.is_predefined and kind.is_named)
            self.assertEqual(kind.Get_envelope(), (0, 0, 0, MPI.COMBINER_NAMED))
            self.assertEqual(kind.combiner, MPI.COMBINER_NAMED)
        self.assertEqual((MPI.DOUBLE_INT.Get_extent(), MPI.SHORT_INT.Get_true_extent()), ((0, 16), (0, 8)))

    def test_names(self):
        self.assertEqual((MPI.DOUBLE.Get_name(), MPI.INT.name, MPI.C_DOUBLE_COMPLEX.name), ("MPI_DOUBLE", "MPI_INT", "MPI_C_DOUBLE_COMPLEX"))

    def test_numbers_of_fortran(self):
        for kind in (MPI.INT, MPI.DOUBLE, MPI.BYTE, MPI.DATATYPE_NULL, MPI.REAL8):
            self.assertEqual(MPI.Datatype.f2py(kind.py2f()), kind)

    def test_matching_size(self):
        for kind, size, expected in ((MPI.TYPECLASS_INTEGER, 4, 4), (MPI.TYPECLASS_REAL, 8, 8), (MPI.TYPECLASS_COMPLEX, 16, 16), (MPI.TYPECLASS_INTEGER, 2, 2)):
            self.assertEqual(MPI.Datatype.Match_size(kind, size).size, expected)


class Constructed(Case):
    """A type, its combiner, its numbers, its size and extent."""

    def check(self, kind, combiner, numbers, size, extent=None, bases=1):
        with self.subTest(combiner=combiner):
            self.assertEqual(kind.Get_size(), size)
            if extent is not None:
                self.assertEqual(kind.Get_extent(), extent)
            envelope, (integers, addresses, types) = kind.Get_envelope(), kind.Get_contents()
            self.assertEqual((envelope[3], kind.combiner), (combiner, combiner))
            self.assertEqual(envelope[:3], (len(integers), len(addresses), len(types)))
            self.assertEqual((list(integers), list(addresses), len(types)), (*numbers, bases))
            base, what, words = kind.decode()
            self.assertEqual(what, {v: n for n, v in vars(MPI).items() if n.startswith("COMBINER_")}[combiner].removeprefix("COMBINER_"))
            self.assertTrue(words)
            # What the decoded words make is the same again.
            if combiner == MPI.COMBINER_STRUCT:
                again = MPI.Datatype.Create_struct(**words)
            elif combiner in F90:
                again = getattr(MPI.Datatype, "Create_" + what.lower())(**words)
            else:
                again = getattr(base, "Create_" + what.lower())(**words)
            self.assertEqual((again.size, again.Get_extent(), again.envelope, again.contents[:2]), (kind.size, kind.Get_extent(), kind.envelope, kind.contents[:2]))
            for made in (again, kind):
                if combiner not in F90:
                    made.Commit().Free()
                    self.assertEqual(made, MPI.DATATYPE_NULL)

    def test_dup(self):
        kind = MPI.INT.Dup()
        self.assertFalse(kind.is_predefined or kind.is_named)
        self.assertEqual((kind.combiner, kind.size, kind.Get_contents()[2]), (MPI.COMBINER_DUP, 4, [MPI.INT]))
        kind.Free()

    def test_rows(self):
        self.check(MPI.INT.Create_contiguous(5), MPI.COMBINER_CONTIGUOUS, ([5], []), 20, (0, 20))
        self.check(MPI.INT.Create_vector(3, 2, 4), MPI.COMBINER_VECTOR, ([3, 2, 4], []), 24, (0, 40))
        self.check(MPI.INT.Create_hvector(3, 2, 20), MPI.COMBINER_HVECTOR, ([3, 2], [20]), 24, (0, 48))
        self.check(MPI.SHORT.Create_resized(-2, 10), MPI.COMBINER_RESIZED, ([], [-2, 10]), 2, (-2, 10))

    def test_indexed(self):
        self.check(MPI.INT.Create_indexed([1, 2], [3, 5]), MPI.COMBINER_INDEXED, ([2, 1, 2, 3, 5], []), 12, (12, 16))
        self.check(MPI.INT.Create_hindexed([1, 2], [4, 16]), MPI.COMBINER_HINDEXED, ([2, 1, 2], [4, 16]), 12, (4, 20))
        self.check(MPI.INT.Create_indexed_block(2, [0, 4]), MPI.COMBINER_INDEXED_BLOCK, ([2, 2, 0, 4], []), 16, (0, 24))
        self.check(MPI.INT.Create_hindexed_block(2, [0, 12]), MPI.COMBINER_HINDEXED_BLOCK, ([2, 2], [0, 12]), 16, (0, 20))

    def test_struct(self):
        kind = MPI.Datatype.Create_struct([1, 2, 1], [0, 8, 24], [MPI.INT, MPI.DOUBLE, MPI.CHAR])
        self.check(kind, MPI.COMBINER_STRUCT, ([3, 1, 2, 1], [0, 8, 24]), 21, bases=3)

    def test_arrays(self):
        for order in (MPI.ORDER_C, MPI.ORDER_F):
            kind = MPI.INT.Create_subarray([4, 6], [2, 3], [1, 2], order)
            self.check(kind, MPI.COMBINER_SUBARRAY, ([2, 4, 6, 2, 3, 1, 2, order], []), 24, (0, 96))
            words = ([MPI.DISTRIBUTE_BLOCK, MPI.DISTRIBUTE_CYCLIC], [MPI.DISTRIBUTE_DFLT_DARG] * 2, [2, 2])
            kind = MPI.INT.Create_darray(4, 1, [4, 6], *words, order)
            self.check(kind, MPI.COMBINER_DARRAY, ([4, 1, 2, 4, 6, *words[0], *words[1], *words[2], order], []), 24, (0, 96))
        kind = MPI.DOUBLE.Create_darray(2, 0, [5, 3], [MPI.DISTRIBUTE_NONE, MPI.DISTRIBUTE_CYCLIC], [MPI.DISTRIBUTE_DFLT_DARG, 2], [1, 2])
        self.assertEqual(kind.size, 80)
        kind.Free()

    def test_fortran(self):
        self.check(MPI.Datatype.Create_f90_integer(6), MPI.COMBINER_F90_INTEGER, ([6], []), 4, bases=0)
        self.check(MPI.Datatype.Create_f90_real(12, 200), MPI.COMBINER_F90_REAL, ([12, 200], []), 8, bases=0)
        self.check(MPI.Datatype.Create_f90_complex(6, 30), MPI.COMBINER_F90_COMPLEX, ([6, 30], []), 8, bases=0)

    def test_nested(self):
        inner = MPI.DOUBLE.Create_vector(2, 1, 3)
        outer = inner.Create_contiguous(2).Commit()
        _, _, (seen,) = outer.Get_contents()
        self.assertEqual((seen.combiner, seen.size), (MPI.COMBINER_VECTOR, 16))
        seen.Free()
        inner.Free()
        self.assertEqual(outer.true_extent, 64)
        outer.Free()

    def test_numbers_of_fortran(self):
        kind = MPI.INT.Create_contiguous(3)
        self.assertEqual(MPI.Datatype.f2py(kind.py2f()), kind)
        kind.Free()


class Properties(Case):
    def test_extents(self):
        kind = MPI.INT.Create_resized(-4, 16)
        self.assertEqual((kind.lb, kind.ub, kind.extent, kind.true_lb, kind.true_ub, kind.true_extent), (-4, 12, 16, 0, 4, 4))
        self.assertEqual((kind.Get_true_extent(), kind.Get_extent()), ((0, 4), (-4, 16)))
        kind.Free()

    def test_name(self):
        kind = MPI.INT.Create_contiguous(2)
        self.assertEqual(kind.name, "")
        kind.Set_name("two numbers")
        self.assertEqual((kind.Get_name(), kind.name), ("two numbers",) * 2)
        kind.Free()

    def test_attributes(self):
        calls = []

        def copy(kind, keyval, value):
            calls.append(("copy", kind.size, value))
            return value + 1

        def delete(kind, keyval, value):
            calls.append(("delete", kind.size, value))
        for copying in (copy, None, True, False):
            calls.clear()
            key = MPI.Datatype.Create_keyval(copying, delete)
            kind = MPI.INT.Create_contiguous(3)
            self.assertIsNone(kind.Get_attr(key))
            kind.Set_attr(key, 7)
            self.assertEqual(kind.Get_attr(key), 7)
            double = kind.Dup()
            self.assertEqual(double.Get_attr(key), {copy: 8, True: 7}.get(copying))
            double.Free()
            kind.Delete_attr(key)
            self.assertIsNone(kind.Get_attr(key))
            kind.Free()
            self.assertEqual(MPI.Datatype.Free_keyval(key), MPI.KEYVAL_INVALID)
            if copying is copy:
                self.assertEqual(calls, [("copy", 12, 7), ("delete", 12, 8), ("delete", 12, 7)])

    def test_packing(self):
        for code, kind in TYPES.items():
            given, room, got = np.arange(5).astype(code), bytearray(400), np.zeros(5, code)
            self.assertGreaterEqual(kind.Pack_size(5, SELF), given.nbytes)
            end = kind.Pack(given, room, 0, SELF)
            end = kind.Pack(given, room, end, SELF)
            self.assertGreaterEqual(end, 2 * given.nbytes)
            self.assertEqual(kind.Unpack(room, end // 2, got, SELF), end)
            self.same(got, given)

    def test_external(self):
        for code in "bhiqBHIQfd":
            given, room, got = np.arange(3).astype(code), bytearray(24), np.zeros(3, code)
            self.assertEqual(TYPES[code].Pack_external_size("external32", 3), given.nbytes)
            self.assertEqual(TYPES[code].Pack_external("external32", given, room, 0), given.nbytes)
            self.assertEqual(room[:given.nbytes], given.astype(np.dtype(code).newbyteorder(">")).tobytes())
            TYPES[code].Unpack_external("external32", room, 0, got)
            self.same(got, given)


if __name__ == "__main__":
    unittest.main()
