#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the C of the adaptor: generate.py OUTPUT NAME=INCLUDE=LIBRARY...

For each MPI (its name, the directory of its mpi.h, its library) front_NAME.c, back_NAME.c and own_NAME.h; for all hub_table.h, front_abi.c
and back_abi.c. What is generated is explained in docs/adr/0033-mpi-adaptor.md.
"""
import pathlib
import re
import subprocess
import sys

import beside
import passing
from header import Header
from shortcut import Shortcut, erased
from tables import read_constants, read_functions
from wrapper import Refused, Wrapper

HUB = pathlib.Path(__file__).resolve().parent.parent / "hub"
HEAD = "/* Written by mpi_adaptor/generate/generate.py. */\n"

FORTRAN_HANDLES = {"Comm": "Comm", "Group": "Group", "Win": "Win", "File": "File", "Message": "Message", "Info": "Info",
                   "Errhandler": "Errhandler", "Request": "Request", "Op": "Op", "Type": "Datatype", "Session": "Session"}
# Objects of Open MPI that its mpi.h declares no more: the types MPI_LB and MPI_UB.
REMOVED_OBJECTS = ("ompi_mpi_lb", "ompi_mpi_ub")
# Older names that the standard ABI still has.
DEPRECATED = ("Attr_", "Keyval_")
# Classes of numbers that stand in statuses.
IN_STATUSES = ("rank", "tag")
# Of the standard ABI: what is neither a class of numbers nor a handle.
SENTINELS = """typedef int MPI_Fint;
#define MPI_VERSION 5
#define MPI_SUBVERSION 0
#define MPI_ABI_VERSION 1
#define MPI_ABI_SUBVERSION 0
#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)1)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_ERRCODES_IGNORE ((int *)0)
#define MPI_ARGV_NULL ((char **)0)
#define MPI_ARGVS_NULL ((char ***)0)
#define MPI_UNWEIGHTED ((int *)10)
#define MPI_WEIGHTS_EMPTY ((int *)11)
#define MPI_ERR_LASTCODE 0x3fff
#define MPI_BSEND_OVERHEAD 512
#define MPI_LONG_LONG_INT MPI_LONG_LONG
#define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_T_ENUM_NULL ((MPI_T_enum)0)
#define MPI_T_CVAR_HANDLE_NULL ((MPI_T_cvar_handle)0)
#define MPI_T_PVAR_SESSION_NULL ((MPI_T_pvar_session)0)
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function *)0)
#define MPI_COMM_DUP_FN ((MPI_Comm_copy_attr_function *)1)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function *)0)
#define MPI_TYPE_NULL_COPY_FN ((MPI_Type_copy_attr_function *)0)
#define MPI_TYPE_DUP_FN ((MPI_Type_copy_attr_function *)1)
#define MPI_TYPE_NULL_DELETE_FN ((MPI_Type_delete_attr_function *)0)
#define MPI_WIN_NULL_COPY_FN ((MPI_Win_copy_attr_function *)0)
#define MPI_WIN_DUP_FN ((MPI_Win_copy_attr_function *)1)
#define MPI_WIN_NULL_DELETE_FN ((MPI_Win_delete_attr_function *)0)
#define MPI_CONVERSION_FN_NULL ((MPI_Datarep_conversion_function *)0)""".split("\n")


class Mpi:
    def __init__(self, word):
        self.name, include, library = word.split("=")
        self.header = Header([include])
        self.fortran = fortran_numbers(pathlib.Path(include))
        self.sizes = object_sizes(library)


def fortran_numbers(include):
    """Predefined handles as INTEGERs of Fortran, where these are other numbers than in C: {"COMM_WORLD": 0, ...}"""
    files = [include / name for name in ("mpif-handles.h", "mpif-io-handles.h")]
    text = "".join(f.read_text(encoding="utf-8") for f in files if f.exists())
    return {name: int(value) for name, value in re.findall(r"parameter *\(MPI_(\w+) *= *(\d+)\)", text)}


def object_sizes(library):
    """The sizes of the data objects that a library exports: what programs have copied of them has this size."""
    listing = subprocess.run(["readelf", "--dyn-syms", "-W", library], capture_output=True, text=True, check=True).stdout
    return {m.group(2): int(m.group(1)) for m in re.finditer(r": [0-9a-f]+ +(\d+) OBJECT +\w+ +\w+ +\d+ (\w+)", listing)}


def abi_type(name):
    return "abi_" + name.removeprefix("MPI_") if name.startswith("MPI_") else name


def parameters(prototype, names, rename):
    declared = [a.text(n, rename) for a, n in zip(prototype.arguments, names)]
    if prototype.variadic:
        declared.append("...")
    return ", ".join(declared) or "void"


class Generator:
    def __init__(self, mpis):
        self.mpis = mpis
        self.classes = read_constants(HUB / "constants.txt")
        self.functions, self.aliases = read_functions(HUB / "functions.txt")
        for mpi in mpis:
            mpi.header.adopt(self.functions)
        for name in list(self.functions):
            long = f"{name}_c"
            if any(f"MPI_{long}" in m.header.prototypes for m in mpis) and long not in self.functions:
                self.functions[long] = type(self.functions[name])(long, self.functions[name].uses, self.functions[name].mark.strip("+^"))
        self.hub = {}  # name: the prototype that the slot of the table has
        for name in self.functions:
            found = [m.header.prototypes[f"MPI_{name}"] for m in mpis if f"MPI_{name}" in m.header.prototypes]
            if found:
                self.hub[name] = found[0]

    def names(self, function):
        return [u.name for u in self.functions[function].uses]

    def slot(self, name, pointer):
        prototype = self.hub[name]
        return f"{abi_type(prototype.result)} {pointer}({parameters(prototype, self.names(name), abi_type)})"

    def table(self):
        """hub_table.h: the table, and the constants of the ABI."""
        text = [HEAD, "#ifndef H3OU_HUB_TABLE_H", "#define H3OU_HUB_TABLE_H", '#include "mpi_adaptor/hub/hub_types.h"', ""]
        for group in self.classes.values():
            if group.kind == "sizes":
                text += [f"#define hub_{name} {value}" for name, value in group.values.items()]
            else:
                text += [f"#define ABI_{name} {value}" for name, value in group.values.items()]
        text = list(dict.fromkeys(text))
        short = [n for n in self.hub if self.functions[n].passes]
        handles = {c.name for c in self.classes.values() if c.kind == "handle"}
        text += ["", "#define SHORTCUT_FUNCTIONS(X) " + " ".join(f"X({n})" for n in short), "struct shortcut_calls {"]
        text += [f"    int (*{n})({', '.join(erased(self.hub[n], handles))});" for n in short]
        text += ["};", "", "struct shortcut;", "struct hub {", "    const struct shortcut *shortcut;"]
        text += [*(f"    {self.slot(name, f'(*{name})')};" for name in self.hub), "};", '#include "mpi_adaptor/hub/shortcut.h"', "#endif", ""]
        return "\n".join(text)

    def own(self, mpi):
        """own_NAME.h: the constants of one MPI and those of the ABI, both ways."""
        constants = mpi.header.constants
        text = [HEAD]
        handles = [c for c in self.classes.values() if c.kind == "handle"]
        here = [c for c in handles if f"MPI_{next(iter(c.values))}" in constants]
        text.append(f"#define OWN_CLASSES(X) {' '.join(f'X({c.name})' for c in here if not c.name.startswith('T_'))}")
        for group in here:
            values = group.values.values()
            text.append(f"enum {{ {group.name}_first = {min(values)}, {group.name}_last = {max(values)} }};")
        text += ["", "static inline void predefined_fill(intptr_t *own_of)", "{"]
        for group in here:
            for name, value in group.values.items():
                expansion = constants.get(f"MPI_{name}")
                if expansion is None:
                    continue
                address = re.search(r"&\s*\(?\s*(\w+)", expansion)
                if address:
                    text.append(f"    own_of[{value}] = HANDLE_ADDRESS({address.group(1)});")
                elif f"MPI_{name}" in mpi.header.objects:
                    text.append(f"    own_of[{value}] = HANDLE_VARIABLE(MPI_{name});")
                else:
                    text.append(f"    own_of[{value}] = (intptr_t)(MPI_{name});")
        text += ["}", "", "#define OWN_FORTRAN(X) \\"]
        for group in here:
            text += [f"    X({value}, {mpi.fortran[name]}) \\" for name, value in group.values.items() if name in mpi.fortran]
        text.append("")
        for group in self.classes.values():
            if group.kind in ("number", "bits", "code", "offset"):
                text += number(group, constants)
            elif group.kind == "sizes":
                text += [f"#define own_{n} MPI_{n}" for n in group.values]
                text.append("#define OWN_SIZES(X) " + " ".join(f"X({n})" for n in group.values))
        numbers = [c for c in self.classes.values() if c.kind in ("number", "bits", "code", "offset")]
        text.append("#define OWN_NUMBERS(X) " + " ".join(
            f"X({c.name}, {'abi_Offset' if c.kind == 'offset' else 'int'})" for c in numbers))
        return "\n".join(text) + "\n"

    def wrapped(self, name, mpi):
        return Wrapper(self.functions[name], mpi.header.prototypes[f"MPI_{name}"], self.classes).body()

    def front(self, mpi):
        text = [HEAD, f'#include "mpi_adaptor/front/{mpi.name}.h"', "", "#pragma GCC visibility push(default)", ""]
        names = {n.removeprefix("MPI_"): p for n, p in mpi.header.prototypes.items()}
        for removed, target in self.aliases.items():  # older programs call what the header declares no more
            if target != "!":
                names.setdefault(removed, names[target])
        missing = []
        for name, prototype in names.items():
            target = self.aliases.get(name, name)
            if target == "!" or name.endswith(("_c2f", "_f2c")) or name == target and target in self.functions and self.functions[target].manual:
                continue
            if target in self.functions and self.functions[target].manual:
                body = f"    return MPI_{target}({', '.join(self.names(target))});"
            elif target in self.functions:
                body = Wrapper(self.functions[target], prototype, self.classes).body()
            elif prototype.result == "int" and not prototype.variadic:
                missing.append(name)
                continue
            else:
                continue
            symbol = mpi.header.symbol(name)
            head = f"{prototype.result} P{symbol}({parameters(prototype, self.names(target), str)})"
            if target in self.functions and self.functions[target].passes:
                text.append(self.in_steps(self.functions[target], prototype, head.replace(f"P{symbol}", f"by_hub_{target}", 1), body))
                body = f"    BODY_{target}"
            if f"MPI_{name}" not in mpi.header.prototypes:
                text.append(f"{head};")
            text.append(f"{head}\n{{\n{body}\n}}")
            text.append(weak(symbol))
        text += [refusal(names[name], f"PMPI_{name}", f"MPI_{name}") + weak(f"MPI_{name}") for name in missing]
        text += [refusal(p, f"P{n}", n) + weak(n) for n, p in mpi.header.extensions.items() if p.result == "int" and "_support" not in n]
        return "\n".join(text)

    def in_steps(self, function, prototype, by_hub, body):
        """by_hub_NAME(), and as BODY_NAME what the function does in a front that stands beside the real MPI, and in another one."""
        whole = f"static __attribute__((noinline)) {by_hub}\n{{\n{body}\n}}\n"
        ways = [("#ifdef FRONT_BESIDE", beside.body(function, prototype)),
                ("#else", Shortcut(function, prototype, self.classes).body() if function.is_short else body)]
        if not function.is_short:
            whole = f"#ifdef FRONT_BESIDE\n{whole}#endif\n"
        defined = [f"{line}\n#define BODY_{function.name} " + text.strip().replace("\n", " \\\n") for line, text in ways]
        return "\n".join([whole, *defined, "#endif\n"])

    def objects(self, mpi):
        """The data objects of an MPI whose predefined handles are their addresses, each with the handle of the hub."""
        values = {}
        for group in self.classes.values():
            for name, value in group.values.items() if group.kind == "handle" else ():
                address = re.search(r"&\s*\(?\s*(\w+)", mpi.header.constants.get(f"MPI_{name}", ""))
                if address:
                    values[address.group(1)] = value
        text = [HEAD]
        for name, size in sorted(mpi.sizes.items()):
            if (name in mpi.header.objects or name in REMOVED_OBJECTS) and name not in ("MPI_F_STATUS_IGNORE", "MPI_F_STATUSES_IGNORE") and size >= 8:
                text.append(f"OBJECT({name}, {size}, {values.get(name, 0)})")
        return "\n".join(text) + "\n"

    def back(self, mpi):
        text = [HEAD, f'#include "mpi_adaptor/back/{mpi.name}.h"', ""]
        prototypes = mpi.header.prototypes
        has = [n for n in self.hub if f"MPI_{n}" in prototypes or self.functions[n].mark == "!!"]
        for name in has:
            if not self.functions[name].manual:
                text.append(f"static {self.slot(name, f'outer_{name}')}\n{{\n{self.wrapped(name, mpi)}\n}}\n")
        for name in self.hub:
            if name in has:
                continue
            unused = "".join(f"    (void){n};\n" for n in self.names(name))
            result = f'return hub_refuse("MPI_{name}");' if self.hub[name].result == "int" else "return 0;"
            text.append(f"static {self.slot(name, f'outer_{name}')}\n{{\n{unused}    {result}\n}}\n")
        text += ["const struct hub back_table = {", "    .shortcut = &back_shortcut,", *(f"    .{n} = outer_{n}," for n in self.hub), "};", ""]
        return "\n".join(text)

    def real(self, mpi):
        """The functions of the real MPI that are called, found by name when its library has been opened."""
        names = [n for n in self.hub if f"MPI_{n}" in mpi.header.prototypes]
        text = [HEAD, "struct real {", *(f"    __typeof__({mpi.header.symbol(n)}) *{n};" for n in names), "};", "#define REAL_FUNCTIONS(X) \\"]
        text += [f'    X({n}, "{mpi.header.symbol(n)}") \\' for n in names] + [""]
        text += [f"{self.slot(n, f'outer_{n}')};" for n in self.hub
                 if self.functions[n].manual and (n in names or self.functions[n].mark == "!!")] + [""]
        return "\n".join(text)

    def back_standard(self):
        """back_abi.c, for which every type and number of the real MPI is the hub's."""
        text = [HEAD, "#include PIECE_HEADER", ""]
        text += [f"static {self.slot(name, f'outer_{name}')}\n{{\n{passing.body(self.functions[name], prototype)}\n}}\n"
                 for name, prototype in self.hub.items() if not self.functions[name].manual]
        text += ["const struct hub back_table = {", "    .shortcut = BACK_SHORTCUT,", *(f"    .{n} = outer_{n}," for n in self.hub), "};", ""]
        return "\n".join(text)

    def real_standard(self):
        """The functions of a library of the standard ABI, and which of MPI-4's pieces there are."""
        text = [HEAD, *(f"#define {has}" for has, by in (("HAS_LARGE_COUNTS", "Op_create_c"), ("HAS_SESSIONS", "Session_create_errhandler")) if by in self.hub)]
        text += ["struct real {", *(f"    {self.slot(n, f'(*{n})')};" for n in self.hub), "};", "#define REAL_FUNCTIONS(X) \\"]
        text += [f'    X({n}, "MPI_{n}") \\' for n in self.hub] + [""]
        text += [f"{self.slot(n, f'outer_{n}')};" for n in self.hub if self.functions[n].manual] + [""]
        return "\n".join(text)

    def header(self):
        """abi/mpi.h, for programs that are built for the standard ABI."""
        types = (HUB / "hub_types.h").read_text(encoding="utf-8")
        types = types[types.index("typedef"):types.rindex("#endif")].replace("abi_", "MPI_")
        text = [HEAD, "#ifndef H3OU_STANDARD_ABI_MPI_H", "#define H3OU_STANDARD_ABI_MPI_H", "#include <stdint.h>", "#ifdef __cplusplus",
                'extern "C" {', "#endif", types, *SENTINELS]
        for group in self.classes.values():
            for name, value in group.values.items():
                cast = f"(MPI_{group.name})" if group.kind == "handle" else "(MPI_Offset)" if group.kind == "offset" else ""
                text.append(f"#define MPI_{name} ({cast}{value})")
        text = list(dict.fromkeys(text))
        for name, prototype in self.hub.items():
            arguments = parameters(prototype, self.names(name), str)
            names = [name, *(a for a, target in self.aliases.items() if target == name and a.startswith(DEPRECATED))]
            text += [f"{prototype.result} {p}MPI_{n}({arguments});" for n in names for p in ("", "P")]
        for name, handle in FORTRAN_HANDLES.items():
            text.append(f"MPI_Fint MPI_{name}_c2f(MPI_{handle} handle);\nMPI_{handle} MPI_{name}_f2c(MPI_Fint number);")
            text += [f"int {p}MPI_{name}_toint(MPI_{handle} handle);\nMPI_{handle} {p}MPI_{name}_fromint(int number);" for p in ("", "P")]
        text += [f"int {p}MPI_Pcontrol(int level, ...);\nint {p}MPI_Abi_get_version(int *major, int *minor);\n"
                 f"int {p}MPI_Status_c2f(const MPI_Status *status, MPI_Fint *numbers);\n"
                 f"int {p}MPI_Status_f2c(const MPI_Fint *numbers, MPI_Status *status);" for p in ("", "P")]
        return "\n".join([*text, "#ifdef __cplusplus", "}", "#endif", "#endif", ""])

    def abi(self):
        text = [HEAD, '#include "mpi_adaptor/front/abi.h"', ""]
        for name, prototype in self.hub.items():
            arguments = ", ".join(self.names(name))
            head = self.slot(name, f"PMPI_{name}")
            text.append(f"{head};\n{head}\n{{\n    return hub->{name}({arguments});\n}}")
            text.append(f'__typeof__(PMPI_{name}) MPI_{name} __attribute__((weak, alias("PMPI_{name}")));\n')
            for old in (a for a, target in self.aliases.items() if target == name and a.startswith(DEPRECATED)):
                text.append(f'__typeof__(PMPI_{name}) PMPI_{old} __attribute__((alias("PMPI_{name}")));')
                text.append(f'__typeof__(PMPI_{name}) MPI_{old} __attribute__((weak, alias("PMPI_{name}")));\n')
        return "\n".join(text)


def refusal(prototype, name, told):
    """A function of the program's MPI that the hub has not."""
    unnamed = [f"unused{i}" for i in range(len(prototype.arguments))]
    used = "".join(f"    (void){u};\n" for u in unnamed)
    return (f"int {name}({parameters(prototype, unnamed, str)})\n{{\n{used}"
            f'    return error_outer(hub_refuse("{told}"));\n}}\n')


def weak(symbol):
    return f'__typeof__(P{symbol}) {symbol} __attribute__((weak, alias("P{symbol}")));\n'


def number(group, constants):
    """Two functions for a class of numbers: RANK_hub(own) and RANK_own(hub)."""
    have = {n: v for n, v in group.values.items() if f"MPI_{n}" in constants}
    c_type = "abi_Offset" if group.kind == "offset" else "int"
    if group.kind == "code":
        yield from code(group, have)
        return
    yield f"static inline {c_type} {group.name}_hub({c_type} own)\n{{"
    if group.kind == "bits":
        yield "    return " + " | ".join(f"((own & MPI_{n}) ? {v} : 0)" for n, v in have.items()) + ";\n}"
        yield f"static inline int {group.name}_own(int hub)\n{{"
        yield "    return " + " | ".join(f"((hub & {v}) ? MPI_{n} : 0)" for n, v in have.items()) + ";\n}\n"
        return
    yield "    switch (own) {"
    yield from (f"    case MPI_{n}: return {v};" for n, v in have.items())
    yield "    default: return own;\n    }\n}"
    yield f"static inline {c_type} {group.name}_own({c_type} hub)\n{{\n    switch (hub) {{"
    yield from (f"    case {v}: return MPI_{n};" for n, v in have.items())
    yield "    default: return hub;\n    }\n}\n"
    if group.name in IN_STATUSES:
        yield from number_of_status(group, have)


def number_of_status(group, have):
    """The same for statuses, without a branch: MPI leaves parts of some unset, and what was not set may be passed on but not looked at."""
    for to, argument in (("hub", "own"), ("own", "hub")):
        terms = [(f"MPI_{n}", f"{v}") if to == "hub" else (f"{v}", f"MPI_{n}") for n, v in have.items()]
        changes = " + ".join(f"(({b} - ({a})) & -({argument} == ({a})))" for a, b in terms)
        yield f"static inline int {group.name}_of_status_{to}(int {argument})\n{{\n    return {argument} + {changes};\n}}\n"


def code(group, have):
    """Error classes: success is not looked for among them."""
    for to, argument in (("hub", "own"), ("own", "hub")):
        yield f"static __attribute__((noinline, cold, unused)) int {group.name}_{to}_other(int {argument})\n{{\n    switch ({argument}) {{"
        yield from (f"    case MPI_{n}: return {v};" if to == "hub" else f"    case {v}: return MPI_{n};" for n, v in have.items())
        yield f"    default: return own_error_{to}({argument});\n    }}\n}}"
        yield f"static inline int {group.name}_{to}(int {argument})\n{{"
        yield f"    return {argument} == 0 ? 0 : {group.name}_{to}_other({argument});\n}}\n"


def main(arguments):
    output = pathlib.Path(arguments[0])
    generator = Generator([Mpi(word) for word in arguments[1:]])
    written = {"hub_table.h": generator.table(), "front_abi.c": generator.abi(), "back_abi.c": generator.back_standard(),
               "real_abi.h": generator.real_standard(), "abi/mpi.h": generator.header()}
    for mpi in generator.mpis:
        written[f"own_{mpi.name}.h"] = generator.own(mpi)
        written[f"real_{mpi.name}.h"] = generator.real(mpi)
        written[f"objects_{mpi.name}.h"] = generator.objects(mpi)
        written[f"front_{mpi.name}.c"] = generator.front(mpi)
        written[f"back_{mpi.name}.c"] = generator.back(mpi)
    (output / "abi").mkdir(parents=True, exist_ok=True)
    for name, text in written.items():
        (output / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Refused as e:
        sys.exit(f"generate.py: {e}")
