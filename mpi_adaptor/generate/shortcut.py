# SPDX-License-Identifier: BSD-3-Clause
"""One function of a front that calls the real MPI without the back between: functions.txt marks it with a plus.

mpi_adaptor/front/shortcut.h declares what it uses. What the shortcut does not serve goes by the hub (by_hub_NAME): statuses that the program wants
to see, requests while memory is kept for some, long arrays, and unusual arguments.
"""
from wrapper import Refused, Wrapper

ERASED = {"Aint": "intptr_t", "Count": "int64_t", "Offset": "int64_t"}
NUMBERS = ("rank", "tag")


def erased(prototype, handles):
    """The parameters of the real MPI's function, the same for all MPIs."""
    for argument in prototype.arguments:
        kind = argument.type.removeprefix("MPI_")
        if argument.pointers:
            yield "const void *" if argument.constant else "void *"
        else:
            yield "intptr_t" if kind in handles else ERASED.get(kind, kind)


class Shortcut(Wrapper):
    def __init__(self, function, prototype, classes):
        self.conditions, self.fill = [], []
        super().__init__(function, prototype, classes)

    def by_hub(self):
        return f"return by_hub_{self.function.name}({', '.join(u.name for u in self.function.uses)});"

    def handle(self, use, argument, kind):
        name, inner = use.name, f"{use.name}_"
        if not argument.pointers:
            self.before.append(f"intptr_t {inner};")
            self.conditions.append(f"!{kind}_real({name}, &{inner})")
            self.actual.append(inner)
            return
        if kind != "Request":
            raise Refused(f"{self.function.name}: {name}: only requests are returned by a shortcut")
        if not use.is_array and (use.way or "out") == "out":
            self.before.append(f"intptr_t {inner};")
            self.after.append(f"*{name} = Request_own_real(handle_get(&{inner}, 0));")
            self.actual.append(f"&{inner}")
            return
        length = use.allocated or "1"
        if use.is_array:
            self.conditions += [f"(unsigned){length} > SHORTCUT_ARRAY", "shortcut_kept()"]
        else:
            self.conditions.append("shortcut_kept()")
        size = "SHORTCUT_ARRAY" if use.is_array else 1
        self.before.append(f"intptr_t {inner}[{size}], {inner}was[{size}];")
        loop = f"for (int i = 0; i < {length}; i++) {{\n        "
        self.fill.append(f"{loop}if (!Request_real({name}[i], &{inner}was[i]))\n            {self.by_hub()}\n"
                         f"        handle_put({inner}, i, {inner}was[i]);\n    }}")
        self.always.append(f"{loop}if (handle_get({inner}, i) != handle_cut({inner}was[i]))\n"
                           f"            {name}[i] = Request_own_changed_real({name}[i], handle_get({inner}, i));\n    }}")
        self.actual.append(inner)

    def status(self, use):
        self.conditions.insert(0, f"{use.name} != outer_status{'es' if use.is_array else ''}_ignore")
        self.actual.append("shortcut.status_ignore")

    def number(self, use, argument):
        if argument.pointers or use.kind not in NUMBERS:
            raise Refused(f"{self.function.name}: {use.name}: a shortcut passes ranks and tags only")
        self.before.append(f"int {use.name}_;")
        self.conditions.append(f"!{use.kind}_real({use.name}, &{use.name}_)")
        self.actual.append(f"{use.name}_")

    def body(self):
        self.before += [f"if ({' || '.join(self.conditions)})\n        {self.by_hub()}", *self.fill]
        return super().body().replace(f"inner->{self.function.name}(", f"shortcut.call.{self.function.name}(").replace("error_outer(", "error_shortcut(")
