# SPDX-License-Identifier: BSD-3-Clause
"""call_names.py PACKAGES SOURCE: errors name the call that the user made. Each function of h3ou.h is called outside the run, and
its error must begin with its own name. For each public procedure of Fortran, h3ouc.h and Python the sources say which functions of
h3ou.h it calls, and the name that errors give to these in that interface must be the procedure's."""
import ast
import ctypes
import pathlib
import re
import subprocess
import sys
import unittest

PACKAGES, SOURCE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
LIBRARY = ctypes.CDLL(str(PACKAGES.parent / "lib/libh3ou.so.0"))
LIBRARY.h3ou_error.restype = ctypes.c_char_p
FACE_C, FACE_FORTRAN, FACE_H3OUC, FACE_PYTHON = range(4)
# How Fortran's errors name these functions when they have three components: tests/coupler/test_call_names.c.
NAMES_OF_THREE = {f"h3ou_{by}{verb}_arrays": {f"h3ou_{verb}_data_xyz"} for by in ("", "field_") for verb in ("put", "get")}
TYPES = {"int": ctypes.c_int, "int64_t": ctypes.c_int64, "double": ctypes.c_double}


def names_in_errors(face, function):
    """The calls that an error of this function of h3ou.h may name: "a_b/c" names a_b and a_c, TYPE stands for each type."""
    LIBRARY.h3ou_face(face)
    LIBRARY.h3ou_wrong(function.encode())
    names = set()
    for said in LIBRARY.h3ou_error().decode().split(", "):
        first, *others = said.split("/")
        begins = [first[:at.start()] for at in re.finditer("_", first)]
        names |= {first, *(f"{begin}_{other}" for begin in begins for other in others)}
    return {name.replace("TYPE", kind) for name in names for kind in ("int", "float", "double")}


def closure(routines, name, stops):
    """All names in the body of a routine, and in those of the routines that it calls, except what stops."""
    seen, waiting = set(), [name]
    while waiting:
        for word in routines[waiting.pop()] - seen:
            seen.add(word)
            if word in routines and word not in stops:
                waiting.append(word)
    return seen


def call(name, types, context=None):
    """Calls a function of h3ou.h, each number and each element of an array being 1, each text one character."""
    room = (ctypes.c_int * 1024)(*[1] * 1024)
    return getattr(LIBRARY, name)(context, *(ctypes.byref(room) if t is ctypes.c_void_p else t(1) for t in types[1:]))


def functions_of_header():
    """{name: types of its arguments} of the functions of h3ou.h that have a context."""
    text = re.sub(r"/\*.*?\*/", " ", "".join((SOURCE / "include" / name).read_text() for name in ("h3ou.h", "h3ou_messages.h", "h3ou_collectives.h", "h3ou_restart.h")), flags=re.S)
    found = re.findall(r"H3OU_API int (h3ou_\w+)\((?:const )?(h3ou_ctx \*[^;]*)\);", text)
    return {name: [ctypes.c_void_p if "*" in a or "[" in a else TYPES[a.split()[0]] for a in arguments.split(",")]
            for name, arguments in found}


def functions_with_errors():
    return {name for name, types in functions_of_header().items() if call(name, types) < 0}


# Collective calls ask these about comm; their errors are about its number.
ASKED_FIRST = {"h3ou_comm_rank", "h3ou_comm_size"}


class CallNames(unittest.TestCase):
    def compare(self, face, routines, public):
        """routines: {name: words of its body}; public: {name: the names by which a user calls it}."""
        compared, functions = 0, functions_with_errors()
        for name, called_as in sorted(public.items()):
            for function in sorted(closure(routines, name, public) & functions):
                if function in ASKED_FIRST and name not in ASKED_FIRST:
                    continue
                said = names_in_errors(face, function) | NAMES_OF_THREE.get(function, set())
                with self.subTest(call=name, function=function):
                    self.assertTrue(said & called_as, f"errors of {name} name {' and '.join(sorted(said))}")
                compared += 1
        self.assertGreater(compared, 40)

    def test_c(self):
        functions = functions_of_header()
        self.assertGreater(len(functions), 50)
        LIBRARY.h3ou_face(FACE_C)
        for name, types in functions.items():
            with self.subTest(call=name):
                if call(name, types) < 0:
                    self.assertEqual(re.match(r"\w*", LIBRARY.h3ou_error().decode()).group(), name)

    def test_c_in_a_run(self):
        """In a run of one component, before it has told its grids."""
        context, compared = ctypes.c_void_p(), 0
        self.assertEqual(LIBRARY.h3ou_open(b"solo", b"/dev/null", 1, ctypes.byref(context)), 0)
        for name, types in functions_of_header().items():
            if name in ("h3ou_close", "h3ou_grid_end"):  # these would change the state
                continue
            if name in ("h3ou_gatherv", "h3ou_scatterv", "h3ou_allgatherv", "h3ou_alltoallv", "h3ou_reduce_scatter"):
                continue  # two numbers 1 of 4 bytes are a count that no memory has
            with self.subTest(call=name):
                if call(name, types, context) < 0:
                    said = re.match(r"h3ou_\w*|", LIBRARY.h3ou_error().decode()).group()
                    self.assertIn(said, ("", name))
                    compared += said == name
        self.assertEqual(LIBRARY.h3ou_close(context, None, -1), 0)
        self.assertGreater(compared, 30)

    def test_python(self):
        routines, public = {}, {}
        for path in (SOURCE / "src/python/h3ou").glob("*.py"):
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.FunctionDef):
                    routines[node.name] = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)} \
                        | {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
                    if node.name.startswith("h3ou_"):
                        public[node.name] = {node.name}
        self.compare(FACE_PYTHON, routines, public)

    def test_fortran(self):
        texts = [path.read_text().lower() for path in (SOURCE / "src/fortran").glob("h3ou_*.f90")]
        bound = dict(pair for text in texts for pair in re.findall(r"function (c_\w+)\([^)]*\)[\s&]*bind\(c, name='(\w+)'\)", text))
        routines, generics = {}, {}
        for text in texts:
            for block in re.findall(r"^  interface (h3ou_\w+)\n(.*?)^  end interface", text, re.S | re.M):
                for procedure in re.findall(r"procedure (\w+)", block[1]):
                    generics.setdefault(procedure, set()).add(block[0])
            text = text.partition("\ncontains\n")[2]
            for name, body in re.findall(r"^  (?:[\w(), ]* )?(?:subroutine|function) (\w+)\(.*?\n(.*?)^  end (?:subroutine|function)",
                                         text, re.S | re.M):
                words = set(re.findall(r"\w+", re.sub(r"!.*", "", body)))
                routines[name] = {bound.get(word, word) for word in words}
        public = {name: {name} | generics.get(name, set()) for name in routines if name.startswith("h3ou_") or name in generics}
        self.compare(FACE_FORTRAN, routines, public)

    def test_published_c(self):
        text = subprocess.run(["gcc", "-E", "-P", f"-I{SOURCE}/include", f"-I{SOURCE}/src/c", "-I", str(SOURCE), "-DH3OUC_WITHOUT_MPI",
                               str(SOURCE / "src/c/api/h3ouc.c")], capture_output=True, text=True, check=True, timeout=200).stdout
        routines, depth, name, head = {}, 0, None, ""
        for piece in re.findall(r"[{};]|[^{};]+", text):
            if depth == 0:
                found = re.search(r"(\w+)\([^()]*\)\s*$", head)
                name = found.group(1) if found and piece == "{" else None
            elif name:
                routines.setdefault(name, set()).update(re.findall(r"\w+", piece))
            depth += {"{": 1, "}": -1}.get(piece, 0)
            head = piece
        public = {name: {name.removesuffix("_f")} for name in routines if name.startswith("h3ouc_")}
        self.compare(FACE_H3OUC, routines, public)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
