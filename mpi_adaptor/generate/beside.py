# SPDX-License-Identifier: BSD-3-Clause
"""One function of a front that stands beside the real MPI and before a layer: functions.txt marks it with a plus or a caret.

mpi_adaptor/front/inside.h says which calls pass the layer. These are handed to the real MPI as they are; a message within the job on a communicator of the
layer gets that of the job, and its rank there. All others go by the hub (by_hub_NAME); so do those that wait for a message of the real MPI while requests of
the layer have to move on. A collective call cannot: a blocking one does not match one that does not block, and members need not have such requests alike.
"""
from wrapper import Refused

# Functions of messages whose rank is translated: not those of ready sends, whose receive the layer may keep.
SENDS, RECEIVES = ("Send", "Ssend", "Isend", "Issend"), ("Recv", "Irecv")
# Those that wait for a message, or that a program repeats until one comes.
WAITING = ("Send", "Ssend", "Rsend", "Recv", "Sendrecv", "Probe", "Iprobe")


def call(function, prototype, changed):
    actual = []
    for use, argument in zip(function.uses, prototype.arguments):
        is_handle = argument.type.startswith("MPI_") and not argument.pointers
        actual.append(changed.get(use.name, f"(intptr_t){use.name}" if is_handle else f"(void *)(uintptr_t){use.name}" if argument.pointers else use.name))
    return f"shortcut.call.{function.name}({', '.join(actual)})"


def of_requests(function, prototype, request, by_hub):
    length = request.allocated or "1"
    statuses = next((u for u in function.uses if u.name == "array_of_statuses"), None)
    several = f"{statuses.name}, {statuses.used}" if statuses else "MPI_STATUSES_IGNORE, 0"
    return [f"if (!inside_completes({length}, {request.name}))", f"    {by_hub}", f"int result_ = {call(function, prototype, {})};",
            f'return __builtin_expect(result_ == 0, 1) ? 0 : inside_completion_failed(result_, {several}, "MPI_{function.name}");']


def of_message(function, prototype, by_hub):
    other = next(u.name for u in function.uses if u.kind == "rank")
    kind = "receive" if function.name in RECEIVES else "send"
    changed = {other: "local_", "comm": "c->local"}
    return ["int local_;", f"if (!inside_{kind}_fits(c, count, datatype, {other}, tag, {int(function.name[0] != 'I')}, &local_))", f"    {by_hub}",
            f'return inside_told(comm, {call(function, prototype, changed)}, "MPI_{function.name}");']


def body(function, prototype):
    by_hub = f"return by_hub_{function.name}({', '.join(u.name for u in function.uses)});"
    kinds = {u.name: (u, a) for u, a in zip(function.uses, prototype.arguments)}
    requests = [u for u, a in kinds.values() if a.type == "MPI_Request" and (u.way == "inout")]
    comms = [u.name for u, a in kinds.values() if a.type == "MPI_Comm"]
    if len(requests) > 1 or len(comms) > 1 or (requests and comms):
        raise Refused(f"{function.name}: what passes the layer has one communicator, or one argument of requests")
    plain = f"return error_shortcut({call(function, prototype, {})});"
    lines = ["if (!shortcut.inside)", f"    {by_hub}"]
    if requests:
        lines += of_requests(function, prototype, requests[0], by_hub)
    elif comms:
        passes = "!c && *shortcut.inside->open == 0" if function.name in WAITING else "!c"
        lines += [f"const struct inside_comm *c = inside_comm_of({comms[0]});", f"if ({passes})", f"    {plain}"]
        lines += ["if (!c)", f"    {by_hub}"] if function.name in WAITING and function.name in SENDS + RECEIVES else []
        lines += of_message(function, prototype, by_hub) if function.name in SENDS + RECEIVES else [by_hub]
    else:
        lines.append(plain)
    return "\n".join(f"    {line}" for line in lines)
