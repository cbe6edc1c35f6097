#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""make_reference.py [--check]: writes fortran.md, c.md and python.md beside itself from the comments of the sources. --check
writes nothing, and returns 1 when a page is not what would be written. Run it after a change of a public call or its comment:

    python3 docs/reference/make_reference.py

A comment stands before the procedure (in Python: is its docstring). It has sentences; then an indented line `name: meaning` for
each argument, continued by lines that are indented further; then paragraphs that begin with `Collective:`, `Returns:` or `Errors:`;
then `Example:` and indented lines. A comment that begins with `As NAME` takes from NAME the arguments and paragraphs that it lacks.
In a header one comment serves all prototypes up to the next blank line.
"""
import ast
import pathlib
import re
import sys
import textwrap
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
NOTE = "<!-- Written by docs/reference/make_reference.py from the comments of the sources: change those, and run it again. -->"
PARAGRAPHS = "Collective", "Returns", "Errors"


@dataclass
class Argument:
    name: str
    declared: str  # type, shape and intent, as the language says them


@dataclass
class Entry:
    """A procedure of a face, or several that one comment serves."""
    names: list
    shown: str  # signature, or signatures
    arguments: list
    comment: str
    also: list = field(default_factory=list)  # specific procedures behind a generic name
    text: str = ""
    meaning: dict = field(default_factory=dict)
    paragraphs: dict = field(default_factory=dict)
    example: str = ""

    def __post_init__(self):
        self.text, self.meaning, self.paragraphs, self.example = parse(self.comment)


def parse(comment):
    """(text, {argument: meaning}, {keyword: paragraph}, example) of a comment without its prefixes."""
    body, _, example = comment.partition("\nExample:\n")
    text, meaning, paragraphs, add = [], {}, {}, None
    for line in body.splitlines():
        item = not paragraphs and re.match(r"  (\w+(?:, \w+)*): (.*)", line)
        head = re.match(rf"({'|'.join(PARAGRAPHS)}): (.*)", line)
        if item:
            names, said = item.group(1).split(", "), [item.group(2)]
            meaning |= dict.fromkeys(names, said)
            add = said.append
        elif head:
            said = paragraphs[head.group(1)] = [head.group(2)]
            add = said.append
        elif not line.strip():
            add = None
            text.append("")
        elif add:
            add(line.strip())
        else:
            text.append(line)
    whole = {name: " ".join(said) for name, said in meaning.items()}
    return ("\n".join(text).strip(), whole, {name: " ".join(said) for name, said in paragraphs.items()},
            textwrap.dedent(example).strip())


def inherit(entries):
    """Gives each `As NAME` what it does not say itself."""
    known = {name: e for e in entries for name in e.names}
    for e in entries:
        seen, model = set(), e
        while (found := re.match(r"As (\w+)\b", model.text)) and found.group(1) in known and found.group(1) not in seen:
            seen.add(found.group(1))
            model = known[found.group(1)]
            e.meaning = model.meaning | e.meaning
            e.paragraphs = model.paragraphs | e.paragraphs
    return entries


# C ---------------------------------------------------------------------------------------------------------------------------

def c_comment(block):
    lines = re.sub(r"^/\*|\*/$", "", block.strip()).splitlines()
    return "\n".join([lines[0].strip()] + [re.sub(r"^\s*\* ?", "", line).rstrip() for line in lines[1:]]).strip()


def c_arguments(text):
    for one in re.split(r",(?![^(]*\))", text.strip()):
        name = re.search(r"(\w+)(?:\[[^\]]*\])*$", one.strip())
        if name and one.strip() != "void":
            yield Argument(name.group(1), " ".join(one.split()))


def merge(arguments, others):
    """Adds the arguments of another prototype; one of the same name and another type is one argument."""
    known = {a.name: a for a in arguments}
    for a in others:
        if a.name not in known:
            arguments.append(a)
        elif a.declared not in known[a.name].declared.split("; "):
            known[a.name].declared += f"; {a.declared}"


PROTOTYPE = r"(?:H3OU_API|static inline)\s+([^;{}#]*?\b(\w+)\(([^;{}]*)\))\s*(?:;|(?=\{))"


def c_entries(header):
    text = re.sub(r"[ ]*\\\n", "\n", (SOURCE / "include" / header).read_text(encoding="utf-8")).replace("##", "")
    text = text[text.index("*/", text.index("\n/*")) + 2:]
    entries = []
    for block in re.split(r"\n\s*\n", text):
        comment = None
        for token in re.finditer(rf"(?P<comment>/\*.*?\*/)|{PROTOTYPE}", block, re.S):
            if token.group("comment"):
                at_line_end = block[:token.start()].rpartition("\n")[2].strip()
                comment = comment if at_line_end else c_comment(token.group("comment"))
                continue
            shown, name, arguments = " ".join(token.group(2).split()), token.group(3), list(c_arguments(token.group(4)))
            if entries and entries[-1].comment is comment and comment is not None:
                last = entries[-1]
                last.names.append(name)
                last.shown += f"\n{shown};"
                merge(last.arguments, arguments)
            else:
                entries.append(Entry([name], f"{shown};", arguments, comment or ""))
    return entries


def c_types(header):
    text = (SOURCE / "include" / header).read_text(encoding="utf-8")
    return re.findall(r"^(?:typedef [^\n]*\{\n(?:(?! *X\(|#).*\n)*?\}[^\n]*;|typedef [^\n{]*;[^\n]*|enum \w+ \{[^\n]*\};)$", text, re.M)


def c_about(header):
    text = (SOURCE / "include" / header).read_text(encoding="utf-8")
    return c_comment(re.search(r"\n(/\*\n.*?\*/)", text, re.S).group(1))


HEADERS = "h3ou.h", "h3ou_messages.h", "h3ou_collectives.h", "h3ou_restart.h", "h3ou_check.h", "h3ouc.h", "waitio.h", "waitio_mpi.h"


# Fortran ---------------------------------------------------------------------------------------------------------------------

def joined(path):
    """Lines with their continuations."""
    lines = []
    for line in (SOURCE / "src/fortran" / path).read_text(encoding="utf-8").splitlines():
        if lines and lines[-1].endswith("&") and not lines[-1].lstrip().startswith("!"):
            lines[-1] = lines[-1][:-1].rstrip() + " " + line.strip()
        else:
            lines.append(line.rstrip())
    return lines


def f_declarations(lines):
    """{name: declaration} up to the first statement that is none."""
    found = {}
    for line in lines:
        line = line.strip()
        declared = re.match(r"((?:integer|real|logical|character|type|class)\b.*?)\s*::\s*(.*)", line)
        if not declared:
            if line and not line.startswith("!") and not line.startswith("import"):
                break
            continue
        for item in re.findall(r"(\w+)(\([^()]*(?:\([^()]*\)[^()]*)*\))?", declared.group(2)):
            found[item[0].lower()] = declared.group(1) + (f", {item[0]}{item[1]}" if item[1] else "")
    return found


HEADING = (r"^ +((?:(?:integer|real|logical|character)(?:\([\w ]+\))? )?(?:subroutine|function)) (\w+)\((.*?)\)"
           r"(?: result\((\w+)\))?(?: bind\(.*\))?$")


def f_procedures(path):
    """{name: Entry} of all procedures and generic names of a module, whether public or not."""
    lines, entries, comment, generic = joined(path), {}, [], None
    for i, line in enumerate(lines):
        stripped = line.strip()
        if stripped.startswith("!>") or comment and stripped.startswith("!>"):
            comment.append(re.sub(r"^!> ?", "", stripped))
            continue
        heading = re.match(HEADING, line)
        if heading and not stripped.startswith("end "):
            kind, name, arguments, _ = heading.groups()
            declared = f_declarations(lines[i + 1:])
            listed = [Argument(a, declared.get(a.lower(), "")) for a in re.findall(r"\w+", arguments)]
            entries.setdefault(name, Entry([name], f"{kind} {name}({arguments})", listed, "\n".join(comment)))
        elif named := re.match(r"^  interface (\w+)$", line):
            generic = Entry([named.group(1)], f"call {named.group(1)}(...)", [], "\n".join(comment))
            entries[named.group(1)] = generic
        elif generic and (specific := re.match(r"^    module procedure (\w+)$", line)):
            generic.also.append(specific.group(1))
        comment = []
    for e in entries.values():
        finish_generic(e, entries)
    return entries


def finish_generic(entry, entries):
    """A generic name shows the call of each specific procedure, and all their arguments."""
    if not entry.also:
        return
    shown, declared = [], {}
    for name in entry.also:
        specific = entries[name]
        shown.append(specific.shown.replace(f"subroutine {name}", f"call {entry.names[0]}"))
        for a in specific.arguments:
            declared.setdefault(a.name, []).append(a.declared)
    entry.shown = "\n".join(dict.fromkeys(shown))
    entry.arguments = [Argument(name, "; ".join(dict.fromkeys(types))) for name, types in declared.items()]


def f_public(path):
    """[(heading, names)]: what a module publishes, below the comment that stands before it."""
    groups = []
    for line in joined(path):
        if re.match(r"^  ! [A-Z]", line):
            groups.append((line.strip("! "), []))
        elif found := re.match(r"^  public :: (.*)", line):
            if not groups:
                groups.append(("Calls", []))
            groups[-1][1].extend(re.findall(r"\w+", found.group(1)))
        elif line == "contains":
            break
    return groups


def f_groups(module):
    """[(heading, entries)] of h3ou_api or waitio_mpif90."""
    files = {"h3ou_api": ("h3ou_api.f90", "h3ou_fields_generated.f90", "h3ou_beside_generated.f90", "h3ou_collectives_generated.f90"),
             "waitio_mpif90": ("waitio_mpif90.f90",)}[module]
    known, constants = {}, set()
    for path in files:
        known |= f_procedures(path)
        constants |= {name for line in joined(path) if line.startswith("  integer, parameter, public :: ") for name in re.findall(r"(\w+) =", line)}
    inherit(list(known.values()))
    return [(heading, [known[name] for name in dict.fromkeys(names) if name in known]) for heading, names in f_public(files[0])], \
        [name for _, names in f_public(files[0]) for name in names if name not in known and name not in constants]


# Python ----------------------------------------------------------------------------------------------------------------------

def p_comment(node):
    """The docstring with the indentation of its items (inspect.cleandoc would remove it where all lines are items)."""
    return "\n".join(line.removeprefix("    ") for line in (ast.get_docstring(node, clean=False) or "").splitlines()).strip()


def p_entries(path):
    tree = ast.parse((SOURCE / "src/python/h3ou" / path).read_text(encoding="utf-8"))
    entries = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("h3ou_"):
            defaults = [None] * (len(node.args.args) - len(node.args.defaults)) + node.args.defaults
            arguments = [Argument(a.arg, "" if d is None else f"default {ast.unparse(d)}") for a, d in zip(node.args.args, defaults)]
            entries.append(Entry([node.name], f"{node.name}({ast.unparse(node.args)})", arguments, p_comment(node)))
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            entries.append(Entry([node.name], f"class {node.name}", [], p_comment(node)))
    return entries


MODULES = {"The run": "run.py", "Grids and tables": "grids.py", "Time and fields": "fields.py",
           "Communication beside the exchange": "beside.py",
           "Collective calls": "collectives.py", "Errors": "error.py"}


# Pages -----------------------------------------------------------------------------------------------------------------------

def prose(text):
    return text.replace("*", "\\*")


def cell(text):
    return text.replace("|", "\\|")


def write_entry(entry, language, level):
    lines = [f"{'#' * level} {', '.join(f'`{n}`' for n in entry.names)}", "", f"```text\n{entry.shown}\n```", "", prose(entry.text), ""]
    if entry.arguments:
        lines += ["| argument | declared | meaning |", "|---|---|---|"]
        lines += [f"| `{a.name}` | {f'`{cell(a.declared)}`' if a.declared else ''} | {cell(prose(entry.meaning.get(a.name, '')))} |"
                  for a in entry.arguments] + [""]
    lines += [f"**{name}.** {prose(entry.paragraphs[name])}\n" for name in PARAGRAPHS if name in entry.paragraphs]
    if entry.example:
        lines += [f"```{language}", entry.example, "```", ""]
    return lines


def page(title, about, groups, language):
    lines = [f"# {title}", "", NOTE, "", about.strip(), ""]
    for heading, before, entries in groups:
        lines += [f"## {heading}", ""] + ([before.strip(), ""] if before else [])
        for entry in entries:
            lines += write_entry(entry, language, 3)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"


def c_groups():
    groups, everything = [], [e for header in HEADERS for e in c_entries(header)]
    inherit(everything)
    for header in HEADERS:
        names = {n for e in c_entries(header) for n in e.names}
        types = c_types(header)
        about = c_about(header) + ("\n\n```text\n" + "\n\n".join(types) + "\n```" if types else "")
        groups.append((f"`{header}`", about, [e for e in everything if set(e.names) <= names]))
    return groups


def errors():
    text = (SOURCE / "include/h3ou_errors.h").read_text(encoding="utf-8")
    rows = re.findall(r'X\((\w+), (-?\d+), "(.*?)"\)', text)
    return "\n".join(["| name | value | text |", "|---|---|---|"] + [f"| `H3OU_{n}`, `WAITIO_{n}` | {v} | {t} |" for n, v, t in rows if v != "0"])


def fortran_groups():
    return [(heading, "", entries) for heading, entries in f_groups("h3ou_api")[0]] + \
        [(f"`waitio_mpif90`: {heading}", "", entries) for heading, entries in f_groups("waitio_mpif90")[0] if entries]


def python_groups():
    everything = inherit([e for path in MODULES.values() for e in p_entries(path)])
    return [(heading, "", [e for e in everything if e.names[0] in {x.names[0] for x in p_entries(path)}])
            for heading, path in MODULES.items()]


COMMON = "What the calls do together is in the [user's guide](../user-guide.md); words are in the [glossary](../glossary.md). "


def pages():
    """{file name: text}"""
    return {
        "fortran.md": page("Fortran reference", COMMON + "The module `h3ou_api` couples; the module `waitio_mpif90` has the calls of "
                           "MPI between jobs. An error of a call of `h3ou_api` ends the run in every job, with one sentence. Data of "
                           "`real(c_double)` is `real(8)`, of `real(c_float)` `real(4)`, of `integer(c_int)` the default integer.",
                           fortran_groups(), "fortran"),
        "c.md": page("C reference", COMMON + "`h3ou.h` couples, and returns errors; `h3ouc.h` has the published calls, which end the "
                     "run on an error; `waitio.h` is the transport alone, and `waitio_mpi.h` has the calls of MPI over it. The errors:\n\n"
                     + errors(), c_groups(), "c"),
        "python.md": page("Python reference", COMMON + "`import h3ou` gives these functions. An error is raised as `H3ouError`; one that is "
                          "not caught ends the run in every job.", python_groups(), "python")}


def main():
    stale = []
    for name, text in pages().items():
        path = HERE / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if "--check" not in sys.argv:
                path.write_text(text, encoding="utf-8")
    if stale and "--check" in sys.argv:
        print(f"{', '.join(stale)}: run python3 docs/reference/make_reference.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
