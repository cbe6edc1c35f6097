#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""generate_refusals.py HUB_TABLE.h LAYER_FUNCTIONS.h OUT.c: every function of the table that takes a communicator, group or request and that
the universe has no own of: it goes to the job's MPI, and refuses what is over several jobs."""
import pathlib
import re
import sys

CHECKS = {"abi_Comm": "universe_comm_of({0}) != NULL", "abi_Group": "universe_is_own({0})", "abi_Request": "universe_is_own({0})",
          "abi_Comm *": "", "abi_Group *": "", "abi_Request *": "universe_is_own(*{0})"}
ONLY_RESULTS = re.compile(r"new|request$")


def functions(table):
    body = table[table.index("struct hub {"):]
    return re.findall(r"^    (\S+) \(\*(\w+)\)\((.*)\);$", body, re.M)


def arguments(text):
    found = []
    for argument in [] if text == "void" else re.split(r",\s*(?![^()]*\))", text):
        match = re.fullmatch(r"(.*?)(\w+)((?:\[\d*\])*)", argument.strip())
        if match:
            found.append((match.group(1).strip(), match.group(2), match.group(3)))
    return found


def check(kind, name, brackets, function):
    """The expression that is true when an argument is over several jobs; None: it cannot be."""
    if brackets or kind not in CHECKS:
        return None
    if kind == "abi_Request *" and (function.startswith(("I", "R")) or function.endswith("_init")):
        return None
    return CHECKS[kind].format(name) or None


def main():
    table, layer = (pathlib.Path(a).read_text(encoding="utf-8") for a in sys.argv[1:3])
    own = set(re.findall(r"\bX\((\w+)\)", layer[layer.index("#define UNIVERSE_LAYER"):]))
    text, names = ['/* Written by universe/generate_refusals.py. */', '#include "universe/world/layer.h"', ""], []
    unknown = own - {name for _, name, _ in functions(table)}
    if unknown:
        sys.exit(f"layer_functions.h names functions that the table has not: {', '.join(sorted(unknown))}")
    for result, name, inside in functions(table):
        given = arguments(inside)
        checks = [c for c in (check(*a, name) for a in given) if c]
        if name in own or not checks or result != "int" or "..." in inside:
            continue
        names.append(name)
        comm = next((f"universe_comm_of({n})" for k, n, b in given if k == "abi_Comm" and not b), "NULL")
        text.append(f"static int refused_{name}({inside})\n{{\n    if (__builtin_expect({' || '.join(checks)}, 0))\n"
                    f'        return universe_refuse({comm}, "MPI_{name}", "it is not possible over several jobs");\n'
                    f"    return universe.mpi->{name}({', '.join(n for _, n, _ in given)});\n}}\n")
    text += ["void universe_refusals_fill(struct hub *table)", "{", *(f"    table->{n} = refused_{n};" for n in names), "}", ""]
    pathlib.Path(sys.argv[3]).write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
