# SPDX-License-Identifier: BSD-3-Clause
"""One function of the adaptor: from the outer MPI (whose types it takes) to the inner one (which it calls).

The same text makes fronts and backs. In a front the outer MPI is the program's and the inner one the hub; in a back the hub is
the outer one. mpi_adaptor/piece declares outer_Comm, inner_Comm, Comm_inner(), Comm_outer() and so on for both.
"""
OPAQUE = {"T_enum", "T_cvar_handle", "T_pvar_session", "T_event_registration", "T_event_instance", "T_cb_safety", "T_source_order"}

# Numbers of 64 bits, which are long in one mpi.h and long long in another.
LONG = {"Aint", "Offset", "Count"}


class Refused(Exception):
    """functions.txt does not fit a prototype."""


class Wrapper:
    def __init__(self, function, prototype, classes):
        self.function, self.prototype, self.classes = function, prototype, classes
        self.handles = {c.name for c in classes.values() if c.kind == "handle"}
        self.before, self.after, self.always, self.actual, self.free = [], [], [], [], []
        self.last = []  # of `after`, when the request is there
        if len(function.uses) != len(prototype.arguments):
            raise Refused(f"{function.name}: functions.txt names {len(function.uses)} arguments, mpi.h {len(prototype.arguments)}")
        for use, argument in zip(function.uses, prototype.arguments):
            self.convert(use, argument)
        self.after += self.last

    def convert(self, use, argument):
        kind = argument.type.removeprefix("MPI_")
        name = use.name
        if kind in self.handles:
            self.handle(use, argument, kind)
        elif kind == "Status":
            self.status(use)
        elif kind in OPAQUE:
            self.actual.append(f"(void *){name}" if argument.pointers or kind not in ("T_cb_safety",) else name)
        elif use.kind.startswith("text."):
            self.text(use)
        elif use.kind in ("buffer", "weights"):
            self.actual.append(f"{use.kind}_inner({name})")
        elif use.kind:
            if use.kind not in self.classes:
                raise Refused(f"{self.function.name}: {name}: no class {use.kind} in constants.txt")
            self.number(use, argument)
        elif argument.pointers and kind in LONG:
            self.actual.append(f"(void *){name}")
        else:
            self.actual.append(name)

    def handle(self, use, argument, kind):
        name, inner = use.name, f"{use.name}_"
        if not argument.pointers:
            self.actual.append(f"{kind}_inner({name})")
        elif use.is_array:
            self.array(use, kind, argument)
        elif (use.way or "out") == "out":
            self.before.append(f"inner_{kind} {inner} = inner_{kind}_none;")
            self.after.append(f"*{name} = {kind}_outer_new({inner});")
            self.actual.append(f"&{inner}")
        else:
            self.before.append(f"inner_{kind} {inner} = {kind}_inner(*{name}), {inner}was = {inner};")
            self.always.append(f"if ({inner} != {inner}was)\n        *{name} = {kind}_outer_changed(*{name}, {inner});")
            self.actual.append(f"&{inner}")

    def scratch(self, use, c_type):
        inner = f"{use.name}_"
        self.before.append(f"int {inner}n = {use.name} ? (int)({use.allocated}) : 0;")
        self.before.append(f"{c_type} *{inner} = SCRATCH({c_type}, {inner}n);")
        self.free.append(f"SCRATCH_FREE({inner}, {inner}n);")
        self.actual.append(f"{use.name} ? {inner} : NULL")
        return inner

    def kept(self, use, kind):
        """An array that the inner MPI may use until the request completes."""
        inner = f"{use.name}_"
        self.before.append(f"int {inner}n = {use.name} ? (int)({use.allocated}) : 0;")
        self.before.append(f"inner_{kind} *{inner} = scratch_get(SCRATCH_BYTES(inner_{kind}, {inner}n));")
        self.before.append(f"for (int i = 0; i < {inner}n; i++)\n        {inner}[i] = {kind}_inner({use.name}[i]);")
        self.always.append(f"if (result_ != 0)\n        free({inner});")
        self.last.append(f"kept_until({inner}, (intptr_t)*request);")
        self.actual.append(f"{use.name} ? {inner} : NULL")

    def array(self, use, kind, argument):
        name, way = use.name, use.way or "in"
        if way == "kept":
            self.kept(use, kind)
            return
        inner = self.scratch(use, f"inner_{kind}")
        loop = f"for (int i = 0; i < {inner}n; i++)"
        if way == "out":
            self.after.append(f"{loop}\n        {name}[i] = {kind}_outer_new({inner}[i]);")
            return
        self.before.append(f"{loop}\n        {inner}[i] = {kind}_inner({name}[i]);")
        if way == "inout":
            self.always.append(f"{loop}\n        if ({inner}[i] != {kind}_inner({name}[i]))\n"
                               f"            {name}[i] = {kind}_outer_changed({name}[i], {inner}[i]);")

    def status(self, use):
        name, inner = use.name, f"{use.name}_"
        if use.is_array:
            self.before.append(f"int {inner}n = {name} == outer_statuses_ignore ? 0 : (int)({use.allocated});")
            self.before.append(f"inner_Status *{inner} = SCRATCH(inner_Status, {inner}n);")
            self.before.append(f"for (int i = 0; i < {inner}n; i++)\n        status_clear(&{inner}[i]);")
            self.free.append(f"SCRATCH_FREE({inner}, {inner}n);")
            self.always.append(f"if ({inner}n > 0)\n        statuses_outer({name}, {inner}, {use.used}, result_);")
            self.actual.append(f"{name} == outer_statuses_ignore ? inner_statuses_ignore : {inner}")
        elif use.way in ("in", "inout"):
            self.before.append(f"inner_Status {inner};")
            self.before.append(f"status_count_inner(&{inner}, {name});")
            if use.way == "inout":
                self.after.append(f"status_count_outer({name}, &{inner});")
            self.actual.append(f"&{inner}")
        else:
            # A probe or a test that has found nothing leaves the program's status as it was, as MPIs do, though what it is then is undefined.
            flag = next((f" && (result_ != 0 || *{u.name})" for u in self.function.uses if u.name == "flag"), "")
            self.before.append(f"inner_Status {inner};")
            self.before.append(f"if ({name} != outer_status_ignore)\n        status_clear(&{inner});")
            self.always.append(f"if ({name} != outer_status_ignore{flag})\n        status_outer({name}, &{inner});")
            self.actual.append(f"{name} == outer_status_ignore ? inner_status_ignore : &{inner}")

    def text(self, use):
        size = use.kind.removeprefix("text.")
        name, inner = use.name, f"{use.name}_"
        self.before.append(f"char {inner}[inner_{size} + 1] = \"\";")
        length = next((u.name for u in self.function.uses if u.name == "resultlen"), "NULL")
        self.after.append(f"text_outer({name}, outer_{size}, {inner}, {length});")
        self.actual.append(inner)

    def number(self, use, argument):
        name, kind, inner = use.name, use.kind, f"{use.name}_"
        if not argument.pointers:
            self.actual.append(f"{kind}_inner({name})")
        elif use.is_array and use.way == "in":
            inner = self.scratch(use, "int")
            self.before.append(f"for (int i = 0; i < {inner}n; i++)\n        {inner}[i] = {kind}_inner({name}[i]);")
        elif use.is_array:
            self.after.append(f"for (int i = 0; {name} && i < {use.used}; i++)\n        {name}[i] = {kind}_outer({name}[i]);")
            self.actual.append(name)
        elif use.way == "inout":
            self.before.append(f"int {inner} = {kind}_inner(*{name});")
            self.after.append(f"*{name} = {kind}_outer({inner});")
            self.actual.append(f"&{inner}")
        elif argument.type.removeprefix("MPI_") in LONG:  # constants are int
            self.after.append(f"if (*{name} == (int)*{name})\n        *{name} = {kind}_outer((int)*{name});")
            self.actual.append(f"(void *){name}")
        else:
            self.after.append(f"*{name} = {kind}_outer(*{name});")
            self.actual.append(name)

    def body(self):
        call = f"inner->{self.function.name}({', '.join(self.actual)})"
        if self.prototype.result != "int":
            return f"    return {call};"
        if not (self.after or self.always or self.free):
            declared = "".join(f"    {line}\n" for line in self.before)
            return f"{declared}    return error_outer({call});"
        text = [*self.before, f"int result_ = {call};", *self.always]
        if self.after:
            text += ["if (result_ == 0) {", *(f"    {line.replace(chr(10), chr(10) + '    ')}" for line in self.after), "}"]
        text += [*self.free, "return error_outer(result_);"]
        return "\n".join(f"    {line}" for line in text)
