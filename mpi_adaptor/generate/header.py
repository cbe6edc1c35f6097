# SPDX-License-Identifier: BSD-3-Clause
"""The prototypes and constants of an mpi.h, by the C preprocessor and pycparser."""
import copy
import pathlib
import re
import subprocess

from pycparser import c_ast, c_generator, c_parser

# Debian installs pycparser's empty libc headers here; without them the system's own headers would have to be parsed.
FAKE_LIBC = "/usr/share/python3-pycparser/fake_libc_include"
# An MPI may have extensions in a header of their own.
HEADERS = "#include <mpi.h>\n#if __has_include(<mpi-ext.h>)\n#include <mpi-ext.h>\n#endif\n"
DEFINED = ["__attribute__(x)=", "__extension__=", "__restrict=", "__inline="]


class Argument:
    """One parameter: its type's name ("MPI_Comm", "int", "void"), whether it is a pointer or an array, and its node."""

    def __init__(self, node):
        self.node = node
        self.name = node.name
        self.pointers = 0
        self.constant = False
        inner = node.type
        while isinstance(inner, (c_ast.PtrDecl, c_ast.ArrayDecl)):
            self.pointers += 1
            inner = inner.type
        self.constant = "const" in (getattr(inner, "quals", None) or [])
        self.type = " ".join(inner.type.names) if isinstance(inner, c_ast.TypeDecl) else ""

    def text(self, name, rename):
        """The declaration of the parameter as `name`, the types renamed."""
        node = renamed(self.node, name, rename)
        return c_generator.CGenerator().visit(node)


class Prototype:
    def __init__(self, decl):
        self.name = decl.name
        function = decl.type
        self.result = c_generator.CGenerator().visit(c_ast.Typename(None, [], None, function.type)).strip()
        self.result = re.sub(rf"\s*\b{decl.name}\b", "", self.result).strip()
        params = function.args.params if function.args else []
        self.variadic = any(isinstance(p, c_ast.EllipsisParam) for p in params)
        params = [p for p in params if not isinstance(p, c_ast.EllipsisParam)]
        self.arguments = [Argument(p) for p in params]
        if len(self.arguments) == 1 and self.arguments[0].type == "void" and not self.arguments[0].pointers:
            self.arguments = []


def renamed(node, name, rename):
    node = copy.deepcopy(node)
    inner = node.type
    while isinstance(inner, (c_ast.PtrDecl, c_ast.ArrayDecl)):
        inner = inner.type
    node.name = inner.declname = name
    inner.type.names = [rename(n) for n in inner.type.names]
    return node


def preprocess(compiler, include, text, *options):
    command = [*compiler, "-E", "-std=c17", *options, *(f"-D{d}" for d in DEFINED), "-nostdinc", "-I", FAKE_LIBC]
    command += [f"-I{path}" for path in include] + ["-xc", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


class Header:
    """What one mpi.h declares: prototypes by name, and the expansion of each macro or enumerator that starts with MPI_."""

    def __init__(self, include, compiler=("gcc",)):
        if not pathlib.Path(FAKE_LIBC).is_dir():
            raise FileNotFoundError(f"{FAKE_LIBC}: install python3-pycparser of Debian")
        tree = c_parser.CParser().parse(preprocess(compiler, include, HEADERS, "-P"))
        self.prototypes, self.extensions, self.constants = {}, {}, {}
        for node in tree.ext:
            if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
                if node.name.startswith("MPI_"):
                    self.prototypes[node.name] = Prototype(node)
                elif node.name.startswith("MPIX_"):
                    self.extensions[node.name] = Prototype(node)
        self.objects = [node.name for node in tree.ext
                        if isinstance(node, c_ast.Decl) and isinstance(node.type, (c_ast.TypeDecl, c_ast.PtrDecl))
                        and "extern" in node.storage]
        self._read_enumerators(tree)
        names = re.findall(r"^#define (MPI_\w+)(?= )", preprocess(compiler, include, "#include <mpi.h>\n", "-dM"), re.M)
        asked = "".join(f'@"{name}" {name}\n' for name in names)
        expanded = preprocess(compiler, include, "#include <mpi.h>\n" + asked, "-P")
        for name, value in re.findall(r'^@"(\w+)" (.*)$', expanded, re.M):
            self.constants[name] = value.strip()
        for name in self.objects:
            if name.startswith("MPI_"):
                self.constants.setdefault(name, name)

    def adopt(self, functions):
        """Takes the extensions that are functions of later versions of MPI for these: MPIX_Bcast_init for MPI_Bcast_init."""
        self.adopted = {name for name in functions if f"MPIX_{name}" in self.extensions and f"MPI_{name}" not in self.prototypes}
        for name in self.adopted:
            self.prototypes[f"MPI_{name}"] = self.extensions.pop(f"MPIX_{name}")

    def symbol(self, name):
        """What the library calls a function, whose name is given without MPI_."""
        return f"{'MPIX' if name in self.adopted else 'MPI'}_{name}"

    def _read_enumerators(self, tree):
        constants = self.constants

        class Visitor(c_ast.NodeVisitor):
            def visit_Enumerator(self, node):
                if node.name.startswith("MPI_"):
                    constants[node.name] = node.name

        Visitor().visit(tree)
