# SPDX-License-Identifier: BSD-3-Clause
"""Joining and leaving the run, questions about my place in it, and the end of a program that fails."""
import atexit
import ctypes
import os
import sys
import traceback

from . import library
from .dates import six
from .error import ErrorCode, H3ouError
from .library import call, text

PROGRAM = 1  # the code of an error that is none of the library's


class _Run:
    """The contexts of this process, and the one that the calls are about. They are kept after a failed call, so that the other
    jobs can be told of the error."""

    def __init__(self):
        self.ctx = None  # ctypes.c_void_p
        self.open = {}  # by the component's name
        self.announced = ()
        self.pid = None  # a forked child is not in the run
        self.handler = None  # C keeps the pointer: so must we the object
        self.former_hook = None

    def is_open(self):
        return self.ctx is not None and self.pid == os.getpid()

    def keep(self, name, ctx):
        self.ctx = self.open[name] = ctx
        self.pid = os.getpid()
        if self.former_hook is None:
            atexit.register(_at_exit)
            self.former_hook, sys.excepthook = sys.excepthook, _at_uncaught

    def drop(self):
        self.open = {name: ctx for name, ctx in self.open.items() if ctx is not self.ctx}
        self.ctx = next(iter(self.open.values()), None)
        if self.ctx is None:
            self.announced = ()
        if self.ctx is None and self.former_hook is not None:
            atexit.unregister(_at_exit)
            if sys.excepthook is _at_uncaught:
                sys.excepthook = self.former_hook
            self.former_hook = None


_run = _Run()


def context():
    """Returns ctx of the C face: NULL outside the run, which the C face reports as an error."""
    return _run.ctx if _run.is_open() else None


def _sentence(exception, trace):
    """Returns an exception as one line, with the place where it was raised."""
    said = " ".join("".join(traceback.format_exception_only(type(exception), exception)).split())
    frames = traceback.extract_tb(trace)
    return f"{said} ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else said


def _flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):  # closed, or none
            pass


def _abort(code, said, show=None):
    """Ends this job and all others; does not return. show() prints what is to be seen here besides the sentence."""
    def handler(component, rank, code, said):
        # Called by the library instead of printing, in one process of all those that met the same error.
        if not library.function("h3ou_abort_is_first")():
            return
        if show and code != ErrorCode.EABORT:
            show()
        component, said = (t.decode(errors="replace") for t in (component, said))
        if code == ErrorCode.EABORT:
            line = f"h3ou: component {component} rank {rank} ends: {said}"
        else:
            kind = "" if code == PROGRAM else f" [{library.function('h3ou_strerror')(code).decode()}]"
            line = f"h3ou: error in component {component} rank {rank}: {said}{kind}"
        print(line, file=sys.stderr)
        _flush()

    _flush()  # the process ends without the interpreter's own ending
    _run.handler = library.AbortHandler(handler)
    library.function("h3ou_set_abort_handler")(_run.handler)
    library.function("h3ou_wrong")(said.encode(errors="replace"))  # the sentence that h3ou_abort tells
    library.function("h3ou_abort")(_run.ctx, code)


def _end_with(exception, trace, show):
    if isinstance(exception, H3ouError):
        _abort(int(exception.code), exception.text, show)
    _abort(PROGRAM, _sentence(exception, trace), show)


def _is_interactive():
    return hasattr(sys, "ps1") or sys.flags.interactive


def _at_uncaught(kind, exception, trace):
    """Replaces sys.excepthook. At a prompt the program goes on; elsewhere it ends, and then the run is ended for all."""
    former = _run.former_hook or sys.__excepthook__
    if not _run.is_open() or _is_interactive():
        former(kind, exception, trace)
        return
    _end_with(exception, trace, lambda: former(kind, exception, trace))


def _at_exit():
    """Called when the interpreter exits inside the run: by sys.exit, at the end of the program, or after another excepthook."""
    if not _run.is_open():
        return
    exception = getattr(sys, "last_value", None)
    if exception is not None and not _is_interactive():
        _end_with(exception, getattr(sys, "last_traceback", None), None)
    time = (ctypes.c_int * 6)()
    at = "" if library.function("h3ou_time_now")(_run.ctx, time) else " at the model time %04d-%02d-%02d %02d:%02d:%02d" % tuple(time)
    _abort(PROGRAM, f"the program ended without h3ou_coupling_end{at}")


def h3ou_announce(comp_names):
    """Says which components this process opens, when it opens several, as a driver does that calls two models in turn.

    Then h3ou_init is called once for each of them. Each call is about the component of the last h3ou_init or h3ou_select; Component
    makes an object of each. The other processes of a component may open other components, or it alone. Members of an ensemble are
    not possible in such a run.
      comp_names: their names, 1 to 8
    Collective: no; it is called before the first h3ou_init. The calls that are collective over a component are made for the
      components in the same order by all processes.
    Errors: H3ouError: h3ou_init was called, or a name is given twice.
    Example:
        h3ou.h3ou_announce(["atmos", "ocean"])
    """
    names = [text(name, "comp_names") for name in comp_names]
    call("h3ou_announce", len(names), (ctypes.c_char_p * len(names))(*names))
    _run.announced = tuple(comp_names)


def h3ou_select(comp_name):
    """Makes the calls that follow be about another component that this process has opened (h3ou_announce).
      comp_name: its name
    Collective: no.
    Errors: H3ouError: this process has not opened this component, or has ended it.
    Example:
        h3ou.h3ou_select("atmos")
    """
    call("h3ou_find", text(comp_name, "comp_name"), ctypes.byref(ctypes.c_void_p()))
    _run.ctx = _run.open[comp_name]


class Component:
    """A component of a process that has several (h3ou_announce), as an object.

    Its methods are the calls of this package without h3ou_init: each is made about this component, whichever is selected.
    Its arguments are the first two of h3ou_init, which is called.
    Collective: as h3ou_init.
    Errors: as of h3ou_init.
    Example:
        atmos, ocean = h3ou.Component("atmos", "coupling.conf"), h3ou.Component("ocean", "coupling.conf")
        atmos.h3ou_set_time("atmos", time, 3600)
    """

    def __init__(self, comp_name, config_file_name):
        h3ou_init(comp_name, config_file_name)
        self.name = comp_name

    def __getattr__(self, name):
        function = getattr(sys.modules[__package__], name, None) if name.startswith("h3ou_") else None
        if function is None:
            raise AttributeError(f"h3ou has no call {name}")

        def method(*args, **kwargs):
            h3ou_select(self.name)
            return function(*args, **kwargs)
        return method


def h3ou_init(comp_name, config_file_name, nensemble=1, comm=None):
    """Joins the run as one component, and reads the namelist.

    Under mpirun it calls MPI_Init unless the program did (mpi4py); a process without MPI is a job of its own. From here to
    h3ou_coupling_end an exception that nobody catches ends the run in every job. A program that catches the error of h3ou_init,
    to go on alone, calls h3ou_end.
      comp_name: name of my component, 1 to 64 characters; the namelist uses it
      config_file_name: path of the namelist; rank 0 of the component reads it
      nensemble: members of my component in all jobs, 1 to 9999; 1: no ensemble
      comm: the communicator in which the run takes place: of mpi4py, or a Fortran handle; it is duplicated. The processes outside
        it call nothing of h3ou. None: MPI_COMM_WORLD
    Collective: all processes of all components of the run.
    Errors: H3ouError: another job does not join in time, the namelist is wrong, or h3ou_init was called already.
    Example:
        h3ou.h3ou_init("ocean", "coupling.conf")
    """
    if _run.is_open() and not _run.announced:
        raise H3ouError(ErrorCode.ESTATE, "h3ou_init was called already: a process that opens several components names them to "
                                          "h3ou_announce before")
    ctx = ctypes.c_void_p()
    try:
        names = text(comp_name, "comp_name"), os.fsencode(config_file_name), int(nensemble)
        if comm is None:
            call("h3ou_open", *names, ctypes.byref(ctx))
        else:
            call("h3ou_open_in", *names, comm.py2f() if hasattr(comm, "py2f") else int(comm), ctypes.byref(ctx))
    finally:
        if ctx:
            _run.keep(comp_name, ctx)


def h3ou_coupling_end(time_array=None, is_call_finalize=None):
    """Sends what is due up to the end of the last step, and leaves the run.

    Of several components of a process each is ended; the last one leaves the run, and its is_call_finalize counts. After that of
    one the calls are about another one.
      time_array: the time reached; accepted for existing programs; None: not given
      is_call_finalize: whether MPI_Finalize is called; None: if h3ou_init called MPI_Init, else at the end of the program
    Collective: all processes of all components of the run.
    Errors: H3ouError: another component has failed or does not come to the end, or the run was left already.
    Example:
        h3ou.h3ou_coupling_end()
    """
    time = None if time_array is None else six(time_array, "time_array")
    finalize = -1 if is_call_finalize is None else int(bool(is_call_finalize))
    if not _run.is_open():
        raise H3ouError(ErrorCode.ESTATE, "h3ou_coupling_end comes before h3ou_init, or after the end")
    call("h3ou_close", _run.ctx, None if time is None else time.ctypes.data, finalize)
    _run.drop()


def h3ou_end():
    """Leaves the run as h3ou_coupling_end() does, with all components of the process; does nothing when the run was left already.
    Collective: all processes of all components of the run.
    Errors: as of h3ou_coupling_end.
    """
    while _run.is_open():
        h3ou_coupling_end()


def h3ou_abort(text):
    """Ends the run in every job; all print the text, the component and the rank. Does not return.
      text: the sentence
    Collective: no; any process may call it, at any time.
    Errors: none; it does not return.
    Example:
        h3ou.h3ou_abort("the ocean is too cold")
    """
    _abort(PROGRAM, str(text))


def _local():
    comm, group, size, rank = (ctypes.c_int() for _ in range(4))
    call("h3ou_local", context(), *map(ctypes.byref, (comm, group, size, rank)))
    return comm.value, group.value, size.value, rank.value


def h3ou_get_my_comm():
    """Returns the Fortran handle of my component's communicator in this process's MPI: mpi4py.MPI.Comm.f2py makes a communicator
    of it, which lives until MPI_Finalize, also after h3ou_coupling_end, and is not to be freed.
    Collective: no.
    Returns: an int; 0 in a process without MPI.
    Errors: H3ouError: before h3ou_init or after the end.
    """
    return _local()[0]


def h3ou_get_my_rank():
    """Returns my rank in my component, from 0.
    Collective: no.
    Errors: H3ouError: before h3ou_init or after the end.
    """
    return _local()[3]


def h3ou_get_my_size():
    """Returns the number of processes of my component.
    Collective: no.
    Errors: H3ouError: before h3ou_init or after the end.
    """
    return _local()[2]


def h3ou_get_mpi_parameter(comp_name):
    """Returns the communicator of my component, its group and size, and my rank. The communicator lives until MPI_Finalize.
      comp_name: name of my component
    Collective: no.
    Returns: (comm, group, size, rank); comm and group are Fortran handles.
    Errors: H3ouError: comp_name is not a component of the run.
    Example:
        comm, group, size, rank = h3ou.h3ou_get_mpi_parameter("ocean")
    """
    found = [ctypes.c_int() for _ in range(4)]
    call("h3ou_local_named", context(), text(comp_name, "comp_name"), *map(ctypes.byref, found))
    return tuple(number.value for number in found)


def h3ou_get_my_name():
    """Returns the name of my component.
    Collective: no.
    Errors: H3ouError: before h3ou_init or after the end.
    """
    name = ctypes.create_string_buffer(65)
    call("h3ou_my_name", context(), name)
    return name.value.decode()


def h3ou_is_coupled():
    """Returns True in a run, also of one component alone; with ensembles False in a member that no member of another
    component has the number of.
    Collective: no.
    Errors: none.
    """
    return bool(library.function("h3ou_is_coupled")(context()))


def h3ou_get_couple_id():
    """Returns the number of my couple, from 1: the members of all components that have the same number. 1 without ensembles.
    Collective: no.
    Errors: H3ouError: before h3ou_init or after the end.
    """
    return library.function("h3ou_couple_id")(context())


def h3ou_get_target_name():
    """Returns the name of the other component or member that mine is coupled with; of several components the one that the
    namelist first names together with mine. It is 'NO_TARGET' for a component that runs alone, and for a member that follows
    the leader of its group.
    Collective: no.
    Errors: H3ouError: before h3ou_init or after the end.
    """
    name = ctypes.create_string_buffer(65)
    call("h3ou_target_name", context(), name)
    return name.value.decode()


__all__ = [name for name in globals() if name.startswith("h3ou_")] + ["Component"]
