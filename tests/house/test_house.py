#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The checker of the house must be able to fail: each rule is broken once in a small bad house, and must be reported there."""
import pathlib
import tempfile
import unittest

import house

SPDX = "/* SPDX-License-Identifier: BSD-3-Clause */\n"
ARROWS = {"base": [], "os": ["base"], "mpi": ["base"], "waitio/conduit": ["os", "base"],
          "waitio": ["waitio/conduit", "os", "base"], "interp/grid": ["base"], "interp/file": ["interp/grid", "base"],
          "tools/cli": ["base"], "tools/weights": ["tools/cli", "interp/grid", "base"]}


class BadHouse(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        for path in ("src/c/base/error.h", "src/c/os/clock.h", "src/c/waitio/conduit/conduit.h", "interp/grid/cells.h", "src/c/waitio/group.h",
                     "include/h3ou.h"):
            self.write(path, SPDX)

    def write(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def broken(self, arrows=None):
        return house.check_sources(self.root, arrows or ARROWS)

    def reports(self, *words, arrows=None):
        lines = self.broken(arrows)
        self.assertEqual(len(lines), 1, lines)
        for word in words:
            self.assertIn(word, lines[0])

    def test_good_house(self):
        self.write("src/c/waitio/group.c", SPDX + '#include "waitio/group.h"\n#include "os/clock.h"\n#include "h3ou.h"\n')
        self.write("src/c/waitio/conduit/tcp.c", SPDX + '#include "waitio/conduit/conduit.h"\n#include "base/error.h"\n')
        self.write("src/c/mpi/backend.c", SPDX + "#include <mpi.h>\n")
        self.assertEqual(self.broken(), [])

    def test_arrow_upwards(self):
        self.write("src/c/os/clock.c", SPDX + '#include "waitio/group.h"\n')
        self.reports("src/c/os/clock.c:2", "no arrow leads to waitio")

    def test_rooms_at_the_top(self):
        self.write("interp/file/gridfile.c", SPDX + '#include "interp/grid/cells.h"\n#include "base/error.h"\n')
        self.assertEqual(self.broken(), [])
        self.write("interp/grid/cells.c", SPDX + '#include "interp/file/gridfile.h"\n')
        self.write("interp/file/gridfile.h", SPDX)
        self.reports("interp/grid/cells.c:2", "no arrow leads to interp/file")

    def test_two_files_of_a_name(self):
        self.write("src/c/os/error.h", SPDX)
        self.reports("error.h", "has the same name")

    def test_function_that_nobody_calls(self):
        self.write("src/c/os/clock.h", SPDX + "int h3ou__tick(int n);\n/* As h3ou__tick. */\nstatic inline int h3ou__tock(int n)\n{\n}\n")
        self.write("src/c/os/clock.c", SPDX + "int h3ou__tick(int n)\n{\n    return h3ou__tock(n);\n}\n")
        self.reports("src/c/os/clock.h:2", "nobody calls h3ou__tick()")
        self.write("src/c/waitio/group.c", SPDX + "int group(void)\n{\n    return h3ou__tick(1);\n}\n")
        self.assertEqual(self.broken(), [])

    def test_variant_asked_by_name(self):
        self.write("interp/methods/laf.c", SPDX + 'const h3ou__method h3ou__method_laf = {\n    .name = "laf",\n};\n')
        self.write("interp/file/weight_esmf.c", SPDX + 'const h3ou__weight_format h3ou__weight_esmf = {\n    .name = "esmf",\n};\n')
        arrows = ARROWS | {"interp/methods": ["base"]}
        self.write("tools/weights/make.c", SPDX + 'static const char *const text = "as laf and esmf do";\n')
        self.assertEqual(self.broken(arrows), [])
        self.write("tools/weights/make.c", SPDX + 'int is(const char *name)\n{\n    return !strcmp(name, "laf");\n}\n')
        self.reports("tools/weights/make.c:4", "'laf'", arrows=arrows)
        self.write("tools/weights/make.c", SPDX + '#define FORMATS "scrip|esmf"\n')
        self.reports("tools/weights/make.c:2", "'esmf'", arrows=arrows)

    def test_crowded_room(self):
        for i in range(21):
            self.write(f"src/c/os/part{i}.c", SPDX)
        self.reports("os: 21 source files")

    def test_conduit_below(self):
        self.write("src/c/waitio/conduit/tcp.c", SPDX + '#include "waitio/group.h"\n')
        self.reports("src/c/waitio/conduit/tcp.c:2", "no arrow leads to waitio")

    def test_header_counts_too(self):
        self.write("src/c/base/error.h", SPDX + '#  include "os/clock.h"\n')
        self.reports("src/c/base/error.h:2")

    def test_missing_header(self):
        self.write("src/c/os/clock.c", SPDX + '#include "clock.h"\n')
        self.reports("src/c/os/clock.c:2", "neither in include/ nor in a room")

    def test_mpi_in_the_library(self):
        self.write("src/c/os/clock.c", SPDX + "#include <mpi.h>\n")
        self.reports("only src/c/mpi/backend.c")

    def test_mpi_in_a_tool(self):
        self.write("tools/pingpong/mpi/helper.c", SPDX + "#include <mpi.h>\n")
        self.assertEqual(self.broken(), [])
        self.write("tools/cli/main.c", SPDX + "#include <mpi.h>\n")
        self.reports("tools/cli/main.c:2", "only src/c/mpi/backend.c")

    def test_mpi_program_looks_inside(self):
        self.write("tools/pingpong/mpi/helper.c", SPDX + '#include "base/error.h"\n')
        self.reports("tools/pingpong/mpi/helper.c:2", "no arrow leads to base")

    def test_mpi_program_of_a_room(self):
        self.write("tools/cli/options.h", SPDX)
        self.write("tools/weights/mpi/helper.c", SPDX + '#include "tools/cli/options.h"\n')
        self.assertEqual(self.broken(), [])
        self.write("tools/cli/mpi/helper.c", SPDX + '#include "interp/grid/cells.h"\n')
        self.write("interp/grid/cells.h", SPDX)
        self.reports("tools/cli/mpi/helper.c:2", "no arrow leads to interp/grid")

    def test_folder_without_floor(self):
        self.write("src/c/attic/box.c", SPDX)
        self.reports("src/c/attic/box.c", "h3ou_room")

    def test_public_header_looks_inside(self):
        self.write("include/h3ou.h", SPDX + '#include "base/error.h"\n')
        self.reports("include/h3ou.h:2", "include/ may not include")

    def test_rooms_of_tools(self):
        self.write("tools/cli/options.h", SPDX)
        self.write("tools/weights/report.c", SPDX + '#include "interp/grid/cells.h"\n#include "tools/cli/options.h"\n')
        self.write("tools/cli/options.c", SPDX + '#include "tools/cli/options.h"\nvoid f(void)\n{\n    exit(1);\n}\n')
        self.assertEqual(self.broken(), [])
        self.write("tools/cli/options.c", SPDX + '#include "interp/grid/cells.h"\n')
        self.reports("tools/cli/options.c:2", "no arrow leads to interp/grid")

    def test_tool_without_room(self):
        self.write("tools/main.c", SPDX)
        self.reports("tools/main.c", "h3ou_room")

    def test_tool_with_a_name_of_the_library(self):
        self.write("src/c/waitio/group.c", SPDX)
        self.write("tools/cli/group.c", SPDX)
        self.reports("group.c", "has the same name")

    def test_crowded_room_of_tools(self):
        for i in range(21):
            self.write(f"tools/weights/part{i}.c", SPDX)
        self.reports("tools/weights: 21 source files")

    def test_circle(self):
        arrows = dict(ARROWS, base=["waitio"])
        self.assertTrue(any("circle" in line for line in self.broken(arrows)))

    def test_unknown_arrow(self):
        self.reports("cellar", "no room of the house", arrows=dict(ARROWS, os=["base", "cellar"]))

    def test_spdx(self):
        self.write("src/fortran/h3ou_api.f90", "module h3ou_api\nend module\n")
        self.reports("src/fortran/h3ou_api.f90:1", "SPDX")
        self.write("src/fortran/h3ou_api.f90", "! SPDX-License-Identifier: BSD-3-Clause\nmodule h3ou_api\nend module\n")
        self.write("samples/run", "#!/bin/sh\necho\n")
        self.reports("samples/run:1", "SPDX")

    def test_long_file(self):
        self.write("src/c/os/long.c", SPDX + "int x;\n" * 800)
        self.reports("src/c/os/long.c", "801 lines")

    def test_long_functions(self):
        body = "    x++;\n" * 81
        self.write("src/c/os/long.c", SPDX + "void f(void)\n{\n" + body + "}\n")
        self.reports("src/c/os/long.c:3", "a function of 81 lines")
        self.write("src/c/os/long.c", SPDX)
        self.write("src/fortran/h3ou_x.f90", "! SPDX-License-Identifier: BSD-3-Clause\nmodule h3ou_x\ncontains\n"
                   "integer function f(x)\n" + "x = x + 1\n" * 81 + "end function f\nend module\n")
        self.reports("src/fortran/h3ou_x.f90:4", "a function of 81 lines")

    def test_library_ends_or_prints(self):
        self.write("src/c/os/clock.c", SPDX + 'void f(void)\n{\n    /* exit(1) */ log("exit(1)");\n}\n')
        self.assertEqual(self.broken(), [])
        self.write("src/c/os/clock.c", SPDX + "void f(void)\n{\n    exit (1);\n}\n")
        self.reports("src/c/os/clock.c:4", "exit()")
        self.write("src/c/os/clock.c", SPDX + 'void f(void)\n{\n    printf("x");\n    ops->abort(1);\n}\n')
        self.reports("src/c/os/clock.c:4", "printf()")

    def test_unfinished(self):
        self.write("src/c/os/clock.c", SPDX + "/* TO" + "DO: later */\n")
        self.reports("src/c/os/clock.c:2", "unfinished")


class Libraries(unittest.TestCase):
    def test_symbols(self):
        self.assertEqual(house.check_symbols("libh3ou.so.0.1.0", ["h3ou_open", "h3ouc_init", "H3OU_0", "_edata"]), [])
        self.assertEqual(len(house.check_symbols("libh3ou.so.0.1.0", ["h3ou__secret", "main"])), 2)
        self.assertEqual(house.check_symbols("libwaitio.so.0", ["waitio_init", "waitio__join", "truef", "h3ou__fail"]), [])
        self.assertEqual(len(house.check_symbols("libwaitio.so.0", ["h3ou_open"])), 1)
        self.assertEqual(len(house.check_symbols("libother.so", ["x"])), 1)

    def test_needed(self):
        self.assertEqual(house.check_needed("libh3ou.so.0", ["libwaitio.so.0", "libgfortran.so.5", "libc.so.6"]), [])
        self.assertEqual(len(house.check_needed("libh3ou.so.0", ["libmpi.so.40"])), 1)
        self.assertEqual(len(house.check_needed("libh3ou_fortran.so.0", ["libmpichfort.so.12", "libmpi_mpifh.so.40"])), 2)
        self.assertEqual(house.check_needed("libh3ou.so.0", ["libnetcdf.so.19"]), [])
        self.assertEqual(len(house.check_needed("libwaitio.so.0", ["libnetcdf.so.19"])), 1)
        self.assertEqual(len(house.check_needed("libh3ou_fortran.so.0", ["libnetcdf.so.19"])), 1)
        self.assertEqual(len(house.check_needed("libwaitio.so.0", ["libgfortran.so.5"])), 1)
        self.assertEqual(len(house.check_needed("libh3ou_mpi_mpich.so", ["libwaitio.so.0"])), 1)
        self.assertEqual(house.check_needed("libh3ou_mpi_mpich.so", ["libmpich.so.12"]), [])

    def test_arrows_file(self):
        self.assertEqual(house.read_arrows("base:;os:base;waitio:waitio/conduit;os;base\n"),
                         {"base": [], "os": ["base"], "waitio": ["waitio/conduit", "os", "base"]})


if __name__ == "__main__":
    unittest.main(verbosity=1)
