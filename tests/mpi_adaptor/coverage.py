#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""coverage.py [--table] NAME=INCLUDE...: which case of tests/mpi_adaptor calls each function of MPI that an mpi.h declares.

INCLUDE is the directory of that MPI's mpi.h. A function without a case in C, or without one in Fortran where it is a function of Fortran, is
told, and the exit code is 1. --table prints all functions with their cases."""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "mpi_adaptor/generate"))
from header import Header

# Functions without a case in C: a pattern and the reason.
WITHOUT_C = {
    r"MPI_T_(event_(get_info|handle_\w+|callback_\w+|register_callback|set_dropped_handler|read|copy|get_timestamp|get_source)|source_get_(info|timestamp))":
        "no MPI here has an event, nor a source of events; the front refuses it",
    r"MPI_Status_(f082f|f2f08)": "MPICH 4.0.2 declares it, but no library of C has it",
}
# Functions of C only.
NOT_OF_FORTRAN = re.compile(r"MPI_(T_\w+|\w+_[cf]2[cf]|Status_\w*f08\w*|Info_create_env|\w+_c)$")
# The faces of Fortran: the macro, and the programs that are not of this face.
FACES = {"mpif.h": ("-DWITH_HEADER", "f08_cases.F90"), "mpi": ("-DWITH_MODULE", "f08_cases.F90"), "mpi_f08": ("-DWITH_F08", "fortran_cases.F90")}
# Functions without a case in Fortran.
WITHOUT_FORTRAN = {
    r"MPI_Comm_join": "needs a socket, which Fortran has not",
    r"MPI_Init": "MPI_Init_thread is called; a case of C calls it",
    r"MPI_(P(send|recv)_init|Info_get_string|Isendrecv|Isendrecv_replace|Parrived|Pready\w*|Session_\w+|Comm_idup_with_info|\w+_from_\w*(group|groups|pset))":
        "of MPI-4: Fortran programs of MPICH call it in MPICH's own library, those of Open MPI have none",
}
WITHOUT_F08 = WITHOUT_FORTRAN | {
    r"MPI_(Address|Attr_\w+|Keyval_\w+|Errhandler_(create|get|set)|Type_(extent|hindexed|hvector|lb|struct|ub))": "removed before there was mpi_f08",
    r"MPI_(Barrier|Bcast|(All)?[gG]atherv?|Scatterv?|Alltoall[vw]?|(All)?[rR]educe|Reduce_scatter(_block)?|(Ex)?[sS]can|Neighbor_\w+)_init":
        "of MPI-4: other modules have them in Open MPI",
    r"MPI_Register_datarep": "neither MPI converts; called by the other faces",
}


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    return re.sub(r'"(\\.|[^"\\\n])*"', lambda m: m.group() if re.fullmatch(r'"\w+"', m.group()) else '""', text)


def calls(body):
    """The functions of MPI that a piece of C calls; tools for profiling call PMPI_..., and persistent collective calls have a macro."""
    found = {name.removeprefix("P") for name in re.findall(r"\b(P?MPI_\w+)\s*\(", body)}
    return found | {f"MPI_{name}_init" for name in re.findall(r"\bINIT\((\w+)\)", body)}


def cases_of_file(path):
    """{function of MPI: {case, ...}} of one file: a case calls what the functions call that it names. What no case names is of all."""
    text = without_comments(path.read_text(encoding="utf-8"))
    bodies = {m.group(1): m.group(2) for m in re.finditer(r"^\w[\w \*]*?\b(\w+)\([^;{]*\)\n\{(.*?)^\}", text, re.M | re.S)}
    cases = dict(re.findall(r'\{"(\w+)", (\w+)\}', text))
    found = {}
    for case, function in cases.items():
        reached, waiting = set(), {function}
        while waiting:
            name = waiting.pop()
            reached.add(name)
            waiting |= {other for other in re.findall(r"\w+", bodies.get(name, "")) if other in bodies} - reached
        for name in reached:
            for call in calls(bodies.get(name, "")):
                found.setdefault(call, set()).add(case)
    if not cases:
        for call in calls(text):
            found.setdefault(call, set()).add(path.name)
    return found


def cases_of_c():
    found = {}
    for path in sorted(HERE.glob("*.c")):
        for call, cases in cases_of_file(path).items():
            found.setdefault(call, set()).update(cases)
    # What is compiled again with -DLARGE_COUNTS.
    large = (HERE / "large_count.h").read_text(encoding="utf-8").replace("\\\n", " ")
    for name in re.findall(r"^#define MPI_(\w+).*?\bMPI_\1_c\b", large, re.M):
        found.setdefault(f"MPI_{name}_c", set()).update(f"{case} (large_cases)" for case in found.get(f"MPI_{name}", ()))
    return {name: cases for name, cases in found.items() if cases}


def cases_of_fortran(face):
    """{function of MPI in small letters: {subroutine of the cases, ...}} of what is compiled for that face."""
    macro, other = FACES[face]
    found = {}
    for path in sorted(p for p in HERE.glob("*.F90") if p.name != other):
        done = subprocess.run(["gcc", "-E", "-traditional", "-P", macro, "-xc", path], capture_output=True, text=True, check=True)
        text = re.sub(r"'[^'\n]*'|!.*", "", done.stdout).lower()
        for name, body in re.findall(r"^ *(?:subroutine|program|logical function) (\w+)(.*?)^ *(?:end subroutine|end program|end function)", text, re.M | re.S):
            for call in re.findall(r"\b(mpi_\w+)\s*(?:\(|$)", body, re.M):
                found.setdefault(call, set()).add(name)
    return found


def excuse(name, reasons, cases):
    """The reason why no case calls it; a sentence if there is none, or if a case does."""
    reason = next((reason for pattern, reason in reasons.items() if re.fullmatch(pattern, name)), None)
    if bool(cases) == bool(reason):
        return reason, f"{name}: a case calls it, and coverage.py says why none does" if cases else f"{name}: no case calls it"
    return reason, None


def main(words):
    with_table = "--table" in words
    functions = set()
    for word in words:
        if "=" in word:
            functions |= set(Header([word.split("=", 1)[1]]).prototypes)
    c, missing = cases_of_c(), []
    faces = {face: cases_of_fortran(face) for face in FACES}
    for name in sorted(functions):
        reason, sentence = excuse(name, WITHOUT_C, c.get(name))
        missing += [f"{sentence} in C"] if sentence else []
        line = f"{name}: {', '.join(sorted(c.get(name, [reason or '-'])))}"
        if not NOT_OF_FORTRAN.match(name):
            for face, fortran in faces.items():
                reason, sentence = excuse(name, WITHOUT_F08 if face == "mpi_f08" else WITHOUT_FORTRAN, fortran.get(name.lower()))
                missing += [f"{sentence} by {face}"] if sentence else []
                line += f"; {face}: {', '.join(sorted(fortran.get(name.lower(), [reason or '-'])))}"
        if with_table:
            print(line)
    print("\n".join(missing), end="\n" if missing else "")
    print(f"{len(functions)} functions of MPI, {len(missing)} without a case")
    return bool(missing) or len(functions) < 500


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
