#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bindings.py SOURCE: what Fortran believes of C functions and structs, compared with the headers that declare them. A compiler
sees one side only: an argument too many, a value for a reference, or a member of another type goes unnoticed until it is used."""
import pathlib
import re
import sys

SIDES = (("src/fortran/h3ou_c.f90", "include/h3ou.h include/h3ou_messages.h include/h3ou_collectives.h include/h3ou_restart.h", {"c_arrays": "h3ou_arrays"}),
         ("src/fortran/namelist.f90", "coupler/config/config.h coupler/config/interval_flag.h coupler/config/interval.h",
          {"config_remap": "h3ou__config_remap", "config_pair": "h3ou__config_pair", "config_var": "h3ou__config_var",
           "config_members": "h3ou__config_members", "config_monitor": "h3ou__config_monitor", "config_interval": "h3ou__interval",
           "config_description": "h3ou__config_description"}),
         ("src/fortran/namelist_groups.f90", "coupler/config/config.h", {}))
C_TYPES = {"int": "c_int", "int64_t": "c_int64_t", "double": "c_double", "float": "c_float", "char": "c_char", "bool": "c_bool"}


class Wrong(Exception):
    pass


# A type is (name, how, is_const, size): how is "value", "array" or "pointer" (of pointers: "pointers"); size of an array in a struct.
def c_variable(text, structs, sizes):
    """(name, type) of `const int index[]`, `h3ou_ctx **out`..."""
    found = re.fullmatch(r"(const\s+)?(?:enum\s+)?(\w+)\s*(\**)\s*(?:const\s+)?(\w+)\s*(?:\[(.*)\])?", text.strip())
    if not found:
        raise Wrong(f"cannot read '{text.strip()}'")
    const, base, stars, name, size = found.groups()
    depth = len(stars) + (size is not None)
    base = next((f for f, c in structs.items() if c == base), C_TYPES.get(base, "opaque"))
    return name, (base, ("value", "pointer", "pointers")[depth], bool(const), eval(size, {}, sizes) if size else None)


def c_members(text, structs, sizes):
    members = []
    for statement in filter(str.strip, text.split(";")):
        first, *more = statement.split(",")
        base = re.match(r"\s*(?:const\s+)?\w+", first).group(0)
        members += [c_variable(piece, structs, sizes) for piece in [first, *(f"{base} {m}" for m in more)]]
    return members


def read_header(text, structs):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    sizes = {name: int(value) for name, value in re.findall(r"(\w+) = (\d+)", " ".join(re.findall(r"enum \{(.*?)\}", text, re.S)))}
    text = re.sub(r"__attribute__\s*\(\(.*?\)\)+", " ", text)
    functions = {}
    for kind, name, arguments in re.findall(r"\b(\w+)[\s*]+(h3ou_\w+)\(([^()]*)\)\s*;", text):
        arguments = [] if arguments.strip() == "void" else arguments.split(",")
        functions[name] = (kind, [c_variable(a, structs, sizes)[1] for a in arguments])
    members = {f: c_members(re.search(r"typedef struct " + c + r"\s*\{(.*?)\}", text, re.S).group(1), structs, sizes)
               for f, c in structs.items()}
    return functions, members


def fortran_declarations(text, sizes):
    """{name: type} of the lines `type(kind), attributes :: name, name(size)`, in their order."""
    found = {}
    for head, names in re.findall(r"^\s*((?:integer|real|character|logical|type)\b[^:\n]*?)::([^\n!]*)", text, re.M):
        base = re.search(r"\((?:kind=)?(\w+)\)", head).group(1)
        for name, size in re.findall(r"(\w+)\s*(?:\(([^)]*)\))?", names):
            how = "value" if "value" in head else "pointer"
            size = eval(size, {}, sizes) if size and size != "*" else None
            found[name] = (base, how, "intent(in)" in head.replace(" ", ""), size)
    return found


def read_fortran(text, structs):
    text = re.sub(r"&\s*\n\s*", " ", text)
    sizes = {"name_len": 64, **{name: int(value) for name, value in re.findall(r"(\w+_len) = (\d+)", text)}}  # name_len: namelist_words.f90
    functions = {}
    for block in re.findall(r"^  interface\n(.*?)^  end interface", text, re.S | re.M):
        for kind, arguments, name, body in re.findall(
                r"(subroutine|integer\(c_int\) function) \w+\(([^)]*)\)\s*bind\(C, name='(\w+)'\)(.*?)end (?:function|subroutine)", block, re.S):
            declared = fortran_declarations(body, sizes)
            functions[name] = (kind, [declared.get(a.strip(), ("undeclared", "", False, None)) for a in arguments.split(",") if a.strip()])
    members = {f: list(fortran_declarations(re.search(r"type, bind\(C\) :: " + f + r"\n(.*?)end type", text, re.S).group(1),
                                            sizes).items()) for f in structs}
    return functions, members


def fits(mine, theirs):
    """An argument: does Fortran pass what C takes?"""
    base, how, is_const, _ = mine
    c_base, c_how, c_const, _ = theirs
    if base in ("c_ptr", "c_funptr"):
        return c_how == ("pointer" if how == "value" else "pointers")
    return base == c_base and how == c_how and (how == "value" or is_const == c_const)


def compare_function(name, mine, theirs):
    kind, arguments = mine
    c_kind, c_arguments = theirs
    if (kind == "subroutine") != (c_kind == "void") or c_kind not in ("void", "int"):
        return [f"{name}: a {kind}, in C it returns {c_kind}"]
    if len(arguments) != len(c_arguments):
        return [f"{name}: {len(arguments)} arguments, in C {len(c_arguments)}"]
    return [f"{name}: argument {i} is {a}, in C {b}" for i, (a, b) in enumerate(zip(arguments, c_arguments), 1) if not fits(a, b)]


def same_member(mine, theirs):
    (name, (base, _, _, size)), (c_name, (c_base, c_how, _, c_size)) = mine, theirs
    is_address = c_how == "pointers" or (c_how == "pointer" and not c_size)
    return name == c_name and size == c_size and (base == "c_ptr" if is_address else base == c_base)


def compare(fortran, header, structs):
    """Lines about what differs; the number of functions and structs compared."""
    functions, members = read_fortran(fortran, structs)
    c_functions, c_structs = read_header(header, structs)
    broken = []
    for name, mine in functions.items():
        broken += compare_function(name, mine, c_functions[name]) if name in c_functions else [f"{name}: not in the header"]
    for name in structs:
        mine, theirs = members[name], c_structs[name]
        if len(mine) != len(theirs):
            broken.append(f"{name}: {len(mine)} members, in C {len(theirs)}")
        broken += [f"{name}: {a}, in C {b}" for a, b in zip(mine, theirs) if not same_member(a, b)]
    return broken, len(functions) + len(structs)


# What must be found: (where Fortran is changed, from, to).
MISTAKES = (("type(c_ptr), value :: c, time\n", "type(c_ptr), value :: c\n integer(c_int), value :: time\n"),
            ("integer(c_int), value :: nensemble\n", "integer(c_int), intent(in) :: nensemble\n"),
            ("real(c_double), intent(in) :: area(*)", "real(c_float), intent(in) :: area(*)"),
            ("function c_time_init(c, time) bind", "function c_time_init(c) bind"),
            ("integer(c_int), intent(inout) :: time(6)", "integer(c_int), intent(in) :: time(6)"),
            ("name='h3ou_grid_halo'", "name='h3ou_grid_hallo'"),
            ("    integer(c_int64_t) :: nshare\n", "    integer(c_int) :: nshare\n"),
            ("    integer(c_int64_t) :: extent(3)\n", "    integer(c_int64_t) :: extent(2)\n"))


def main(source):
    broken, number = [], 0
    for fortran, header, structs in SIDES:
        texts = ["\n".join(pathlib.Path(source, file).read_text() for file in files.split()) for files in (fortran, header)]
        found, compared = compare(*texts, structs)
        broken += [f"{fortran} and {header}: {line}" for line in found]
        number += compared
        for right, wrong in MISTAKES if fortran == SIDES[0][0] else ():
            if texts[0].count(right) == 0 or not compare(texts[0].replace(right, wrong, 1), texts[1], structs)[0]:
                broken.append(f"not found: {right.strip()} -> {wrong.strip()}")
    print("\n".join([*broken, f"{number} functions and structs compared, {len(broken)} differ"]))
    return 1 if broken or number < 50 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
