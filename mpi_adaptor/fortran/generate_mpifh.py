#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""generate_mpifh.py MPICC OUT.c: the Fortran bindings (mpif.h, use mpi) of Open MPI over its C functions.

The prototypes are those of the MPI's own mpi.h. A function mpi_send_ takes what gfortran passes: addresses, INTEGER handles, lengths of
texts after all other arguments. Functions that need more than a conversion of each argument are in special_calls.c."""
import re
import subprocess
import sys

HANDLES = "Comm Datatype Errhandler File Group Info Message Op Request Win".split()
FORTRAN_NAME = {"Datatype": "Type"}  # MPI_Type_c2f, not MPI_Datatype_c2f
# Handles that a function takes and gives back; other pointers to one handle are results only.
IN_AND_OUT = re.compile(r"MPI_(\w+_free|\w+_free_keyval|Comm_disconnect|Type_commit|Wait|Test|Start|Cancel|Mrecv|Imrecv|File_close)$")
# How many handles an array has, as an expression in the Fortran arguments.
COUNTS = {"Waitall": "*count", "Waitany": "*count", "Waitsome": "*incount", "Testall": "*count", "Testany": "*count", "Testsome": "*incount",
          "Startall": "*count", "Type_create_struct": "*count", "Type_get_contents": "*max_datatypes", "Alltoallw": "peers(*comm)",
          "Ialltoallw": "peers(*comm)", "Neighbor_alltoallw": None, "Ineighbor_alltoallw": None,
          "Alltoallw_init": "peers(*comm)", "Neighbor_alltoallw_init": None}
# Numbers of places, which Fortran counts from 1: a place, or as many places as another argument says.
PLACES = {"Waitany": "index", "Testany": "index", "Waitsome": "array_of_indices", "Testsome": "array_of_indices"}
PLACE_COUNTS = {"Waitsome": "outcount", "Testsome": "outcount"}
SENTINELS = {"sourceweights": "weights_of", "destweights": "weights_of", "weights": "weights_of", "array_of_errcodes": "errcodes_of"}
# Room for texts that a function returns.
ROOMS = {"Get_processor_name": "MPI_MAX_PROCESSOR_NAME", "Get_library_version": "MPI_MAX_LIBRARY_VERSION_STRING", "Error_string": "MPI_MAX_ERROR_STRING",
         "Comm_get_name": "MPI_MAX_OBJECT_NAME", "Type_get_name": "MPI_MAX_OBJECT_NAME", "Win_get_name": "MPI_MAX_OBJECT_NAME",
         "Open_port": "MPI_MAX_PORT_NAME", "Lookup_name": "MPI_MAX_PORT_NAME", "Info_get": "MPI_MAX_INFO_VAL", "Info_get_nthkey": "MPI_MAX_INFO_KEY",
         "File_get_view": "MPI_MAX_DATAREP_STRING"}
# Written by hand, or not of Fortran.
SPECIAL = re.compile(r"MPI_(T_\w+|\w+_[fc]2[fc]|Init|Init_thread|Pcontrol|W(time|tick)|Aint_(add|diff)|(Comm|Type|Win)_(create_keyval|[gs]et_attr)|Keyval_create"
                     r"|Attr_(get|put)|Op_create|(Comm|Win|File)_create_errhandler|Grequest_start|Register_datarep|Comm_spawn(_multiple)?|Alloc_mem|Free_mem|Get_address"
                     r"|Win_(allocate|allocate_shared|shared_query)|Buffer_detach|\w+_(DUP|NULL_COPY|NULL_DELETE)_FN|DUP_FN|NULL_COPY_FN|NULL_DELETE_FN|CONVERSION_FN_NULL"
                     r"|Address|Errhandler_(create|[gs]et)|Type_(extent|hindexed|hvector|lb|struct|ub))$")


def prototypes(mpicc):
    text = subprocess.run([mpicc, "-E", "-P", "-D__attribute__(x)=", "-include", "mpi.h", "-include", "mpi-ext.h", "-xc", "/dev/null"], capture_output=True, text=True, check=True).stdout
    found = {}
    for name, arguments in re.findall(r"\bint\s+(MPI_\w+|MPIX_\w+_init)\s*\(([^;{()]*)\)\s*;", text):
        if SPECIAL.match(name):
            continue
        words = [re.sub(r"\s+", " ", a).strip() for a in arguments.split(",")]
        found[name] = [split(a) for a in words if a != "void"]
    return found


def split(argument):
    """(type, name, brackets) of an argument."""
    match = re.fullmatch(r"(.*?)(\w+)\s*((?:\[\d*\])*)", argument)
    return match.group(1).strip(), match.group(2), match.group(3)


class Binding:
    """Collects the pieces of one function."""

    def __init__(self, name, arguments):
        self.name = name
        self.prefix, self.short = name.split("_", 1)
        self.parameters, self.lengths, self.before, self.call, self.after = [], [], [], [], []
        for kind, argument, brackets in arguments:
            self.add(kind, argument, brackets)

    def handle(self, kind):
        match = re.fullmatch(r"(?:const )?MPI_(\w+?)\s*\*?", kind)
        return match.group(1) if match and match.group(1) in HANDLES else None

    def add(self, kind, a, brackets):
        plain, handle = kind.replace("const ", "").strip(), self.handle(kind)
        is_many = bool(brackets)
        if handle and is_many:
            self.add_handles(handle, a, kind.startswith("const"))
        elif handle:
            self.add_handle(handle, a, "*" in kind)
        elif plain in ("MPI_Status", "MPI_Status *"):
            self.take("void *", a, f"{'statuses' if is_many or a.startswith('array') else 'status'}_of({a})")
        elif plain == "char *" or (plain == "char" and is_many):
            self.add_text(a, kind.startswith("const"))
        elif plain == "void *":
            self.take("void *", a, f"buffer_of({a})")
        elif a in SENTINELS:
            self.take("MPI_Fint *", a, f"{SENTINELS[a]}({a})")
        elif plain == "int" and brackets == "[][3]":
            self.take("MPI_Fint *", a, f"(int(*)[3]){a}")
        elif plain in ("int", "MPI_Aint", "MPI_Offset", "MPI_Count") and not is_many:
            self.take(f"{plain.replace('int', 'MPI_Fint') if plain == 'int' else plain} *", a, "*" + a)
        elif plain in ("int *", "MPI_Aint *", "MPI_Offset *", "MPI_Count *", "int", "MPI_Aint"):
            self.take(plain.rstrip(" *") + " *", a, a)
        else:
            raise ValueError(f"{self.name}: {kind} {a}{brackets}: no conversion is known")
        if a == "flag" and "*" in kind:
            self.after.append("if (!err) *flag = *flag != 0;")

    def take(self, kind, a, value):
        self.parameters.append(f"{kind}{a}")
        self.call.append(value)

    def add_handle(self, handle, a, is_result):
        convert = FORTRAN_NAME.get(handle, handle)
        if not is_result:
            self.take("MPI_Fint *", a, f"PMPI_{convert}_f2c(*{a})")
            return
        start = f"PMPI_{convert}_f2c(*{a})" if IN_AND_OUT.match(self.name) else "0"
        self.before.append(f"MPI_{handle} c_{a} = {start};")
        self.take("MPI_Fint *", a, f"&c_{a}")
        self.after.append(f"if (!err) *{a} = PMPI_{convert}_c2f(c_{a});")

    def add_handles(self, handle, a, is_input):
        convert = FORTRAN_NAME.get(handle, handle)
        count = COUNTS[self.short] or f"neighbours(*comm, {int(a.startswith('recv'))})"
        result_only = self.short == "Type_get_contents"
        # In place, the send types are not looked at.
        given = f"!is_in_place(sendbuf)" if a == "sendtypes" else "1"
        self.before += [f"int n_{a} = {given} ? {count} : 0;", f"MPI_{handle} *c_{a} = handles(n_{a}, sizeof *c_{a});",
                        f"if (!c_{a}) {{ finish(ierr, MPI_ERR_NO_MEM); return; }}"]
        if not result_only:
            self.before.append(f"for (int i = 0; i < n_{a}; i++) c_{a}[i] = PMPI_{convert}_f2c({a}[i]);")
        self.take("MPI_Fint *", a, f"c_{a}")
        if not is_input:
            made = "n_" + a
            if result_only:  # only so many as the type was made of
                self.before.append("int made = 0, unused;")
                self.after.append("if (!err) err = PMPI_Type_get_envelope(PMPI_Type_f2c(*mtype), &unused, &unused, &made, &unused);")
                made = "(err ? 0 : made)"
            self.after.append(f"for (int i = 0; i < {made}; i++) {a}[i] = PMPI_{convert}_c2f(c_{a}[i]);")
        self.after.append(f"free(c_{a});")

    def add_text(self, a, is_input):
        self.lengths.append(f"int l_{a}")
        self.parameters.append(f"char *{a}")
        self.call.append(f"c_{a}")
        if is_input:
            self.before += [f"char *c_{a} = text_to_c({a}, l_{a});", f"if (!c_{a}) {{ finish(ierr, MPI_ERR_NO_MEM); return; }}"]
            self.after.append(f"free(c_{a});")
        else:
            self.before.append(f"char c_{a}[{ROOMS[self.short]} + 1] = \"\";")
            found = " && *flag" if self.short == "Info_get" else ""
            self.after.append(f"if (!err{found}) text_to_fortran(c_{a}, {a}, l_{a});")

    def places(self):
        if self.short not in PLACES:
            return []
        name = PLACES[self.short]
        if self.short not in PLACE_COUNTS:
            return [f"if (!err && *{name} != MPI_UNDEFINED) ++*{name};"]
        # With MPI_ERR_IN_STATUS the places were set, too.
        count = PLACE_COUNTS[self.short]
        return [f"if ((!err || is_in_status(err)) && *{count} != MPI_UNDEFINED) for (int i = 0; i < *{count}; i++) {name}[i]++;"]

    def lines(self):
        low = self.short.lower()
        mpi = self.prefix.lower()
        yield f"H3OU_NAMES_OF({mpi}, {self.prefix}, {low}, {self.short.upper()}, {self.short})"
        yield f"void p{mpi}_{low}_({', '.join([*self.parameters, 'MPI_Fint *ierr', *self.lengths])})"
        yield "{"
        yield from ("    " + line for line in self.before)
        # The length of a value in Fortran is that of the variable.
        call = [("MPI_MAX_INFO_VAL < *valuelen ? MPI_MAX_INFO_VAL : *valuelen" if c == "*valuelen" and self.short == "Info_get" else c) for c in self.call]
        yield f"    int err = P{self.name}({', '.join(call)});"
        yield from ("    " + line for line in self.after + self.places())
        yield "    finish(ierr, err);"
        yield "}"
        yield ""


# Bytes of an element, by the names that the interface of MPI_SIZEOF has for its kinds.
ELEMENTS = {"character": 1, "complex32": 8, "complex64": 16, "complex128": 32, "int8": 1, "int16": 2, "int32": 4, "int64": 8, "logical": 4,
            "real32": 4, "real64": 8, "real128": 16}


def sizes():
    """MPI_SIZEOF of scalars and arrays of each kind."""
    for kind, size in ELEMENTS.items():
        yield f"void pmpi_sizeof_{kind}_scalar_(void *x, MPI_Fint *size, MPI_Fint *ierr) {{ (void)x; *size = {size}; finish(ierr, MPI_SUCCESS); }}"
        for shape in ["scalar", *(f"r{rank}" for rank in range(1, 16))]:
            yield f"H3OU_ALIAS(mpi_sizeof_{kind}_{shape}_, pmpi_sizeof_{kind}_scalar_)"
            if shape != "scalar":
                yield f"H3OU_ALIAS(pmpi_sizeof_{kind}_{shape}_, pmpi_sizeof_{kind}_scalar_)"


def main(mpicc, out):
    lines = ["/* SPDX-License-Identifier: BSD-3-Clause */", "/* Written by generate_mpifh.py. */", '#include "fortran_call.h"', ""]
    for name, arguments in sorted(prototypes(mpicc).items()):
        lines += Binding(name, arguments).lines()
    lines += [*sizes(), ""]
    with open(out, "w", encoding="utf-8") as f:
        f.write("\n".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
