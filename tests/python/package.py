#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""package.py PACKAGES SOURCE WAITIO: the names and arguments that were published, the bindings against the headers, and what
arrays are taken, in one process without MPI. WAITIO: a library that is not libh3ou."""
import ctypes
import datetime
import importlib.util
import inspect
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

PACKAGES, SOURCE, WAITIO = sys.argv[1:4]
sys.path.insert(0, PACKAGES)
import h3ou
from h3ou import arrays, dates, library

os.environ["H3OU_PATIENCE"] = "20"

PUBLISHED = """
h3ou_init(comp_name, config_file_name)
h3ou_get_my_comm()
h3ou_get_my_rank()
h3ou_get_my_size()
h3ou_def_grid(grid_index, comp_name, grid_name, nz)
h3ou_end_grid_def()
h3ou_get_num_of_put_data()
h3ou_get_put_data_name(data_num)
h3ou_get_num_of_get_data()
h3ou_get_get_data_name(data_num)
h3ou_get_vlayer(data_name)
h3ou_set_interpolation_table(my_name, send_comp, send_grid, recv_comp, recv_grid, map_tag, send_index, recv_index, coef)
h3ou_set_interpolation_table_no_index(my_name, send_comp, send_grid, recv_comp, recv_grid, map_tag)
h3ou_set_mapping_table(my_name, send_comp, send_grid, recv_comp, recv_grid, mapping_tag, send_index, recv_index)
h3ou_set_mapping_table_no_index(my_name, send_comp, send_grid, recv_comp, recv_grid, mapping_tag)
h3ou_def_varp(comp_name, data_name, grid_name, num_of_layer)
h3ou_def_varg(comp_name, data_name, grid_name, num_of_layer, send_comp_name, send_data_name, recv_mode, intvl, time_lag, mapping_tag, exchange_tag)
h3ou_end_var_def()
h3ou_init_time(time_array)
h3ou_set_time(my_name, time_array, delta_t)
h3ou_put_data_1d(var_name, data)
h3ou_put_data_25d(var_name, data)
h3ou_get_data_1d(var_name, data)
h3ou_get_data_25d(var_name, data)
h3ou_coupling_end(time_array)
h3ou_end()
h3ou_bcast_global_int(source_name, data)
h3ou_bcast_global_real(source_name, data)
h3ou_bcast_global_double(source_name, data)
h3ou_bcast_model_int(source_name, target_name, data)
h3ou_bcast_model_real(source_name, target_name, data)
h3ou_bcast_model_double(source_name, target_name, data)
h3ou_send_model_int(target_name, target_pe, data)
h3ou_send_model_real(target_name, target_pe, data)
h3ou_send_model_double(target_name, target_pe, data)
h3ou_recv_model_int(source_name, source_pe, data)
h3ou_recv_model_real(source_name, source_pe, data)
h3ou_recv_model_double(source_name, source_pe, data)
h3ou_bcast_local_int(source_pe, data)
h3ou_bcast_local_real(source_pe, data)
h3ou_bcast_local_double(source_pe, data)
h3ou_send_local_int(target_pe, data)
h3ou_send_local_real(target_pe, data)
h3ou_send_local_double(target_pe, data)
h3ou_recv_local_int(source_pe, data)
h3ou_recv_local_real(source_pe, data)
h3ou_recv_local_double(source_pe, data)
h3ou_send_scalar(target_name, val)
h3ou_recv_scalar(target_name, val)
h3ou_send_array(target_name, val)
h3ou_recv_array(target_name, val)
"""


class Names(unittest.TestCase):
    def test_published(self):
        calls = re.findall(r"^(\w+)\((.*)\)$", PUBLISHED, re.M)
        self.assertEqual(len(calls), 51)
        for name, arguments in calls:
            with self.subTest(name=name):
                self.assertIn(name, h3ou.__all__)
                parameters = inspect.signature(getattr(h3ou, name)).parameters
                published = re.findall(r"\w+", arguments)
                self.assertEqual(list(parameters)[:len(published)], published)
                for more in list(parameters)[len(published):]:
                    self.assertIsNot(parameters[more].default, inspect.Parameter.empty, more)

    def test_documented(self):
        for name in h3ou.__all__:
            self.assertTrue(getattr(h3ou, name).__doc__, name)

    def test_error_codes(self):
        listed = re.findall(r"X\((E\w+), (-\d+), ", pathlib.Path(SOURCE, "include/h3ou_errors.h").read_text())
        self.assertEqual({name: int(value) for name, value in listed}, {e.name: e.value for e in h3ou.ErrorCode})


class Bindings(unittest.TestCase):
    """Types of the arguments and of the answer, read from the header."""
    TYPES = {"int": ctypes.c_int, "int64_t": ctypes.c_int64, "double": ctypes.c_double, "const char *": ctypes.c_char_p, "void": None}

    def of(self, declared):
        """The ctypes type of a C declaration, with or without its argument's name."""
        declared = re.sub(r"\b\w+\[\d*\]$", "*", declared.strip()).replace("*const *", "**")  # an array is a pointer
        kind = re.match(r"(const )?(enum |struct )?\w+( \*+)?", declared).group(0).strip()
        if kind == "const char *" or kind in ("int", "int64_t", "double", "void"):
            return self.TYPES[kind]
        return ctypes.c_void_p  # of any other type, a function too

    def test_prototypes(self):
        text = "".join(pathlib.Path(SOURCE, "include", name).read_text() for name in ("h3ou.h", "h3ou_messages.h", "h3ou_collectives.h", "h3ou_restart.h"))
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
        declared = {name: (answer, re.sub(r"\s+", " ", arguments)) for answer, name, arguments in
                    re.findall(r"^H3OU_API ([\w ]+?\**)\s*\b(h3ou_\w+)\(([^;]*)\);", text, re.M)}
        self.assertGreater(len(declared), 35)
        for name, wanted in library.PROTOTYPES.items():
            with self.subTest(name=name):
                answer, arguments = declared[name]
                found = () if arguments == "void" else tuple(self.of(a) for a in arguments.split(", "))
                self.assertEqual(found, wanted)
                self.assertEqual(self.of(answer), library._ANSWERS.get(name, ctypes.c_int))

    def run_with(self, chosen, code):
        env = {**os.environ, "PYTHONPATH": PACKAGES, "H3OU_LIBRARY": chosen}
        return subprocess.run([sys.executable, "-B", "-c", "import h3ou\n" + code], env=env, capture_output=True, text=True,
                              timeout=200)

    def test_no_library(self):
        run = self.run_with("/no/such/libh3ou.so", "h3ou.h3ou_get_my_rank()")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("let H3OU_LIBRARY be its path", run.stderr)
        self.assertEqual(self.run_with("/no/such/libh3ou.so", "print(h3ou.__version__)").returncode, 0)

    def test_older_library(self):
        run = self.run_with(WAITIO, "try:\n    h3ou.h3ou_end_grid_def()\nexcept h3ou.H3ouError as e:\n    print(repr(e.code), e)")
        self.assertIn("ErrorCode.EUNSUPPORTED", run.stdout, run.stderr)
        self.assertIn("h3ou_grid_end is not part of the library", run.stdout)


class Exported:
    """An array of another library, which gives its memory by DLPack alone."""
    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **more):
        return self.array.__dlpack__(**more)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __setitem__(self, where, what):
        self.array[where] = what


class Fixed(Exported):
    def __setitem__(self, where, what):
        raise TypeError("it is for ever")


class Broken(Exported):
    def __dlpack_device__(self):
        raise ValueError("not on a device that can be read")


class Interfaced:
    """The same by the array interface."""
    def __init__(self, array):
        self.array, self.__array_interface__ = array, array.__array_interface__


class Hidden:
    """An array in the memory of a device that can be reached from there only."""
    __cuda_array_interface__ = {}


class OnDevice:
    """PyTorch's way to and from a device."""
    def __init__(self, far):
        self.far = far

    def __dlpack__(self, **more):
        raise RuntimeError("this is no memory of the host")

    def __dlpack_device__(self):
        return (2, 0)

    def cpu(self):
        return Exported(np.array(self.far, np.float32))

    def copy_(self, host):
        self.far = host.array.tolist()


class Alone(unittest.TestCase):
    """One component in one process: what arrays are taken and how they come back."""
    @classmethod
    def try_comm(cls):
        """A communicator is taken as mpi4py has it, and needs an MPI that runs."""
        asked = []

        class Comm:
            def py2f(self):
                asked.append(self)
                return 7

        for comm in (7, Comm()):
            with cls.assertRaises(cls(), h3ou.H3ouError) as caught:
                h3ou.h3ou_init("alone", cls.config, comm=comm)
            assert "comm is given, but this process runs no MPI" in caught.exception.text, caught.exception
            h3ou.h3ou_end()
        assert len(asked) == 1

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.config = pathlib.Path(cls.folder.name, "c.conf")
        cls.config.write_text("! the simple mode\n")
        with cls.assertRaises(cls(), h3ou.H3ouError) as caught:
            h3ou.h3ou_get_my_rank()
        assert caught.exception.code == h3ou.ErrorCode.ESTATE, caught.exception
        cls.try_comm()
        h3ou.h3ou_init("alone", cls.config)
        cls.addClassCleanup(h3ou.h3ou_end)

    def refused(self, said, code, called, *arguments, **more):
        with self.assertRaises(h3ou.H3ouError) as caught:
            called(*arguments, **more)
        self.assertRegex(caught.exception.text, said)
        self.assertEqual(str(caught.exception), caught.exception.text)
        self.assertEqual(caught.exception.code, h3ou.ErrorCode[code])

    def test_place(self):
        self.assertEqual((h3ou.h3ou_get_my_rank(), h3ou.h3ou_get_my_size(), h3ou.h3ou_get_my_name()), (0, 1, "alone"))
        self.assertTrue(h3ou.h3ou_is_coupled())
        self.assertEqual(h3ou.h3ou_get_num_of_put_data() + h3ou.h3ou_get_num_of_get_data(), 0)
        self.refused("there is no field number 1", "EARG", h3ou.h3ou_get_put_data_name, 1)
        self.refused("no component 'nobody'", "ENAME", h3ou.h3ou_bcast_global_int, "nobody", [1])

    def test_a_second_init(self):
        self.refused("called already", "ESTATE", h3ou.h3ou_init, "alone", self.config)

    def test_types(self):
        name = "alone"
        for called in h3ou.h3ou_bcast_global_int, h3ou.h3ou_bcast_global_double:
            data = np.array([1, 2, 3])
            if called is h3ou.h3ou_bcast_global_int:
                self.assertEqual(called(name, data), [1, 2, 3])
            else:
                self.refused("values of type float64 are not int64", "EARG", called, name, data)
        self.refused("values of type float64 are not int32", "EARG", h3ou.h3ou_bcast_global_int, name, np.zeros(2))
        self.refused("cannot hold 3000000000", "EARG", h3ou.h3ou_bcast_global_int, name, np.array([3000000000]))
        self.refused("cannot hold -3000000000", "EARG", h3ou.h3ou_send_local_int, 0, [-3000000000])
        self.refused("cannot hold what comes", "EARG", h3ou.h3ou_bcast_global_int, name, np.zeros(2, np.int16))
        self.refused("of type complex128", "EARG", h3ou.h3ou_send_array, name, [1j])
        self.refused("of type object", "EARG", h3ou.h3ou_send_scalar, name, None)
        fixed = np.zeros(3)
        fixed.flags.writeable = False
        self.refused("read-only", "EARG", h3ou.h3ou_bcast_global_double, name, fixed)
        self.refused("masked values", "EARG", h3ou.h3ou_send_local_double, 0, np.ma.masked_equal([1.0, 2.0], 2))
        self.refused("comp_name must be a string", "EARG", h3ou.h3ou_def_grid, [1], 7, "g", 1)
        self.assertEqual(list(h3ou.h3ou_bcast_global_int(name, [])), [])

    def test_filling(self):
        """A broadcast from myself: what is given comes back, through the copies that other layouts need."""
        given = np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
        for data in (given.copy(), np.asfortranarray(given), given.astype(">f8"), np.repeat(given, 2, axis=1)[:, ::2]):
            self.assertEqual(h3ou.h3ou_bcast_local_double(0, data), given.tolist())
            self.assertEqual(data.tolist(), given.tolist())
        half = np.array([0.1], np.float64)
        self.assertEqual(h3ou.h3ou_bcast_local_real(0, half)[0], np.float32(0.1))  # as it travelled
        self.assertEqual(h3ou.h3ou_bcast_local_int(0, np.array(7)), 7)
        answer = h3ou.h3ou_bcast_local_int(0, [1, 2])
        self.assertEqual((type(answer), answer, type(answer[0])), (list, [1, 2], int))
        self.assertEqual(h3ou.h3ou_bcast_global_string("alone", "a word  "), "a word")
        self.refused("rank 1: component alone has 1 processes", "EARG", h3ou.h3ou_bcast_local_int, 1, [1])

    def test_exported(self):
        """Arrays that are not NumPy's: their memory itself is filled; what is on a device goes over the host."""
        name, kept = "alone", np.array([1.0, 2.0, 3.0])
        for kind in Exported, Interfaced:
            self.assertTrue(np.shares_memory(arrays.given(kind(kept), arrays.DOUBLE, "x"), kept))
            filled = arrays.Filled(kind(kept), arrays.DOUBLE, "x")
            self.assertTrue(np.shares_memory(filled.buffer, kept))
            self.assertEqual(h3ou.h3ou_bcast_local_double(0, kind(kept)), kept.tolist())
        for other in np.arange(6.0)[::2], np.arange(3, dtype=np.float32), np.arange(3.0)[::-1]:
            wanted = other.tolist()
            filled = arrays.Filled(Exported(other), arrays.DOUBLE, "x")
            filled.buffer *= 2
            filled.give()
            self.assertEqual(other.tolist(), [2 * w for w in wanted])
        device = OnDevice([1.0, 2.0])
        self.assertEqual(arrays.given(device, arrays.DOUBLE, "x").tolist(), [1, 2])
        filled = arrays.Filled(device, arrays.DOUBLE, "x")
        filled.buffer[:] = 7
        filled.give()
        self.assertEqual(device.far, [7, 7])
        with self.assertRaises(h3ou.H3ouError):
            h3ou.h3ou_send_array(name, Exported(np.array([1j])))
        put, get = h3ou.h3ou_put_data_1d, h3ou.h3ou_get_data_1d
        self.refused("Hidden.* is in a device's memory, and has no method .* pass a copy on the host", "EARG", put, "t", Hidden())
        self.refused("Fixed.* cannot be filled: it is for ever", "EARG", get, "t", Fixed(kept))
        self.refused("not on a device that can be read", "EARG", put, "t", Broken(kept))
        self.refused("are not float64: convert them", "EARG", put, "t", Exported(np.array([1j])))
        self.refused(r"not \(cells\)", "ESIZE", put, "t", Exported(np.zeros((2, 2))))

    @unittest.skipUnless(importlib.util.find_spec("torch"), "no PyTorch here")
    def test_torch(self):
        import torch
        kept = torch.arange(6, dtype=torch.float64)
        for tensor in kept, kept.reshape(3, 2).T, kept[::2], kept.to(torch.float32), torch.zeros(0, dtype=torch.float64):
            wanted = tensor.tolist()
            filled = arrays.Filled(tensor, arrays.DOUBLE, "x", None, "F")
            filled.buffer += 1
            filled.give()
            self.assertEqual(tensor.tolist(), (np.array(wanted) + 1).tolist())
        self.assertEqual(arrays.given(kept, arrays.DOUBLE, "x").ctypes.data, kept.data_ptr())
        self.assertEqual(arrays.Filled(kept, arrays.DOUBLE, "x").buffer.ctypes.data, kept.data_ptr())
        learned = torch.zeros(2, dtype=torch.float64, requires_grad=True)
        self.refused("detach", "EARG", h3ou.h3ou_put_data_1d, "t", learned)
        self.refused("cannot be filled", "EARG", h3ou.h3ou_get_data_1d, "t", learned)
        self.refused("torch.Tensor.* cannot be read", "EARG", h3ou.h3ou_put_data_1d, "t", kept.to("meta"))
        self.refused("torch.Tensor.* cannot be read", "EARG", h3ou.h3ou_put_data_1d, "t", kept.to(torch.bfloat16))

    def test_fields(self):
        # Shapes are looked at before the library is asked, which knows no field here.
        put, get = h3ou.h3ou_put_data_1d, h3ou.h3ou_get_data_25d
        self.refused(r"shape \(2, 3\), not \(cells\)", "ESIZE", put, "t", np.zeros((2, 3)))
        self.refused(r"shape \(3,\), not \(cells, layers\)", "ESIZE", get, "t", np.zeros(3))
        self.refused("must be a NumPy array", "EARG", get, "t", ((0.0,),))
        self.refused("data_vector has the shape", "ESIZE", put, "t", np.zeros(3), data_vector=np.zeros(2))
        self.refused("share has the shape", "ESIZE", h3ou.h3ou_put_data_25d, "t", np.zeros((3, 2)), share=np.zeros(2))
        self.refused(r"the arrays have the shapes \(3,\), \(2,\)", "ESIZE", put, "t", np.zeros(3), np.zeros(2), np.zeros(3))
        self.refused("field t comes before h3ou_init_time", "ESTATE", put, "t", np.zeros(3), np.zeros(3), np.zeros(3))
        self.refused("field t comes before h3ou_init_time", "ESTATE", put, "t", np.zeros(3))
        self.refused("h3ou_send_data_immediately: recv_comp '' must have 1 to 64 characters", "EARG",
                     h3ou.h3ou_send_data_immediately, "alone", "")
        self.refused("h3ou_recv_data_immediately comes before h3ou_init_time", "ESTATE",
                     h3ou.h3ou_recv_data_immediately, "other", "alone")

    def test_grids_and_tables(self):
        grid, table = h3ou.h3ou_def_grid, h3ou.h3ou_set_interpolation_table
        self.refused(r"shape \(1, 2\), not \(cells\)", "ESIZE", grid, [[1, 2]], "alone", "g", 1)
        self.refused("lon and lat must be given together", "EARG", grid, [1, 2], "alone", "g", 1, lon=[0, 1])
        self.refused(r"lat has the shape \(3,\), not \(2,\)", "ESIZE", grid, [1, 2], "alone", "g", 1, [0, 1], [0, 1, 2])
        self.refused(r"lat_corners has the shape \(2, 3\), not \(2, 4\)", "ESIZE", grid, [1, 2], "alone", "g", 1,
                     lon_corners=np.zeros((2, 4)), lat_corners=np.zeros((2, 3)))
        self.refused("need shape", "EARG", grid, [1, 2], "alone", "g", 1, cyclic=True)
        names = "alone", "alone", "g", "other", "h", 1
        self.refused("given together, with one size", "EARG", table, *names, [1, 2], [1, 2], [1.0])
        self.refused("given together, with one size", "EARG", table, *names, [1, 2])
        self.refused("coef_cos and coef_sin must be given together", "EARG", table, *names, [1], [1], [1.0], coef_cos=[1.0])
        self.refused("1 to 64 characters", "EARG", table, *names[:-2], "", 1, [1], [1], [1.0])

    def test_geometry(self):
        """Each array reaches the library: it says what is wrong with the second of three cells."""
        def grid(name, **more):
            h3ou.h3ou_def_grid([7, 8, 9], "alone", name, 1, **more)

        lon, lat, corners = np.array([0, 120, 240]), np.array([10.0, 20.0, 30.0]), np.array([[0.0, 5.0, 5.0, 0.0]] * 3)
        grid("all", lon=lon, lat=lat, lon_corners=np.asfortranarray(corners), lat_corners=corners, mask=[True, False, True],
             area=[1, 2, 3], angle=[0.0, 0.1, 0.2], shape=(3, 1), cyclic=True, fold=False, edges="latitude")
        self.refused("cell 8: longitude 120, latitude 95 degrees", "EARG", grid, "centres", lon=lon, lat=[10, 95, 30])
        self.refused("cell 8: longitude 120, latitude 20 radians", "EARG", grid, "units", lon=lon, lat=lat * [0, 1, 0],
                     units="radians")
        self.refused("'degrees' or 'radians', not 'grads'", "EARG", grid, "grads", lon=lon, lat=lat, units="grads")
        self.refused("3 to 1000 corners, not 2", "EARG", grid, "corners", lon_corners=corners[:, :2], lat_corners=corners[:, :2])
        self.refused("cell 8: an area of -2 steradians", "EARG", grid, "area", area=[1, -2, 3])
        self.refused(r"mask has the shape \(2,\), not \(3,\)", "ESIZE", grid, "mask", mask=[1, 0])
        self.refused("not 'grads'", "EARG", grid, "angle", angle=[0, 1, 2], units="grads")
        self.refused("0 x 3 cells", "EARG", grid, "shape", shape=(0, 3))
        self.refused("'great_circle' or 'latitude', not 'loxodrome'", "EARG", grid, "edges", edges="loxodrome")

    @unittest.skipUnless(importlib.util.find_spec("cftime"), "cftime is not installed")
    def test_cftime(self):
        import cftime
        date = cftime.datetime(2001, 2, 30, 23, 0, 0, calendar="360_day")
        self.assertEqual(dates.six(date, "time_array").tolist(), [2001, 2, 30, 23, 0, 0])
        self.assertEqual(h3ou.h3ou_inc_time(date, 3600), cftime.datetime(2001, 3, 1, calendar="360_day"))
        self.assertEqual(dates.six(np.array(date, object), "time_array").tolist(), [2001, 2, 30, 23, 0, 0])

    def test_time(self):
        time = np.array([2001, 2, 28, 23, 59, 59])
        self.assertIs(h3ou.h3ou_inc_time(time, 1), time)
        self.assertEqual(time.tolist(), [2001, 3, 1, 0, 0, 0])
        for date, later in ((datetime.datetime(2001, 2, 28, 23, 59, 59), datetime.datetime(2001, 3, 1)),
                            (np.datetime64("2001-02-28T23:59:59"), np.datetime64("2001-03-01T00:00:00")),
                            (np.array("2001-02-28T23:59:59", "M8[ns]"), np.datetime64("2001-03-01"))):
            self.assertEqual(dates.six(date, "time_array").tolist(), [2001, 2, 28, 23, 59, 59])
            self.assertEqual(h3ou.h3ou_inc_time(date, 1), later)
        self.assertEqual(dates.six(datetime.date(2001, 2, 28), "d").tolist(), [2001, 2, 28, 0, 0, 0])
        listed = [2001, 2, 28, 23, 59, 59]
        self.assertEqual((h3ou.h3ou_inc_time(listed, 1), listed), ([2001, 3, 1, 0, 0, 0],) * 2)
        self.refused("NaT is no date", "ETIME", h3ou.h3ou_init_time, np.datetime64("NaT"))
        self.refused("fraction of a second", "ETIME", h3ou.h3ou_init_time, datetime.datetime(2001, 1, 1, microsecond=1))
        self.refused("5 elements, not 6", "ESIZE", h3ou.h3ou_init_time, [2001, 1, 1, 0, 0])
        no_date = np.array([2001, 2, 29, 0, 0, 0])
        self.assertEqual(h3ou.h3ou_inc_time(no_date, 1).tolist(), [2001, 3, 1, 0, 0, 1])
        last = np.array([2000, 1, 31, 12, 0, 0])
        self.assertIs(h3ou.h3ou_inc_months(last, 13), last)
        self.assertEqual(last.tolist(), [2001, 2, 28, 12, 0, 0])
        listed = [2001, 3, 31, 0, 0, 0]
        self.assertEqual((h3ou.h3ou_inc_months(listed, -13), listed), ([2000, 2, 29, 0, 0, 0],) * 2)
        self.refused("is no date", "ETIME", h3ou.h3ou_inc_months, [2001, 2, 29, 0, 0, 0], 1)


class Leaving(unittest.TestCase):
    """The hooks of a process: each in one of its own."""
    def run_code(self, code):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "c.conf").write_text("")
            return subprocess.run([sys.executable, "-B", "-c", "import sys\nimport h3ou\n" + code], cwd=folder, timeout=200,
                                  env={**os.environ, "PYTHONPATH": PACKAGES}, capture_output=True, text=True)

    def test_hooks_are_put_back(self):
        run = self.run_code("mine = sys.excepthook = lambda *a: print('mine')\nh3ou.h3ou_init('a', 'c.conf')\n"
                            "assert sys.excepthook is not mine\nh3ou.h3ou_end()\nassert sys.excepthook is mine\n"
                            "h3ou.h3ou_end()\nraise ValueError")
        self.assertEqual((run.returncode, run.stdout.strip(), run.stderr.count("error in component")), (1, "mine", 0), run.stderr)

    def test_going_on_alone(self):
        run = self.run_code("try:\n    h3ou.h3ou_init('a', 'no.conf')\nexcept h3ou.H3ouError as e:\n"
                            "    print(e.code.name)\n    h3ou.h3ou_end()\nprint('goes on')")
        self.assertEqual((run.returncode, run.stdout), (0, "EFILE\ngoes on\n"), run.stderr)

    def test_the_end_forgotten(self):
        run = self.run_code("h3ou.h3ou_init('a', 'c.conf')\nprint('all done')")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("error in component a rank 0: the program ended without h3ou_coupling_end", run.stderr)
        self.assertEqual(run.stdout, "all done\n")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
