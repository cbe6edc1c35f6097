# SPDX-License-Identifier: BSD-3-Clause
"""One function of a front that stands beside the real MPI and before a layer: functions.txt marks it with a plus or a caret.

mpi_adaptor/beside/inside.h says which calls pass the layer. These are handed to the real MPI as they are; a message within the job on a communicator of the
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


def complete(function, prototype, requests, statuses, by_hub):
    """What completes requests: in the real MPI, or by the hub."""
    return [f"if (!inside_completes({requests}))", f"    result_ = {by_hub};",
            f"else if (__builtin_expect((result_ = {call(function, prototype, {})}) != 0, 0))",
            f'    result_ = inside_completion_failed(result_, {statuses}, "MPI_{function.name}");']


def of_requests(function, prototype, request, by_hub):
    uses = {u.name: u for u in function.uses}
    length = request.allocated or "1"
    several = f"array_of_statuses, {uses['array_of_statuses'].used}" if "array_of_statuses" in uses else "MPI_STATUSES_IGNORE, 0"
    is_some = "array_of_indices" in uses
    written = "NULL, 0, NULL"
    if "array_of_statuses" in uses:
        written = f"array_of_statuses == MPI_STATUSES_IGNORE ? NULL : array_of_statuses, {several.split(', ')[1]}, {'array_of_indices' if is_some else 'NULL'}"
    elif "status" in uses:
        written = "status == MPI_STATUS_IGNORE ? NULL : status, 1, NULL"
    lines = ["struct source_kept kept_;", "int result_;", f"source_keep(&kept_, {length}, {request.name});"]
    lines += ["*outcount = 0;"] if is_some else []
    return [*lines, *complete(function, prototype, f"{length}, {request.name}", several, by_hub),
            f"source_write(&kept_, {request.name}, {written});", "return result_;"]


def of_look(function, prototype, by_hub):
    return ["int result_;", *complete(function, prototype, "1, &request", "MPI_STATUSES_IGNORE, 0", by_hub),
            "if (*flag && status != MPI_STATUS_IGNORE)", "    status->MPI_SOURCE = source_rank_of(request, status->MPI_SOURCE);", "return result_;"]


def of_message(function, prototype, by_hub):
    other = next(u.name for u in function.uses if u.kind == "rank")
    kind = "receive" if function.name in RECEIVES else "send"
    changed = {other: "local_", "comm": "c->local"}
    lines = ["int local_;", f"if (!inside_{kind}_fits(c, count, datatype, {other}, tag, {int(function.name[0] != 'I')}, &local_))", f"    return {by_hub};",
             f"int result_ = {call(function, prototype, changed)};"]
    if function.name == "Irecv":
        lines += [f"if (!c->is_plain && {other} >= 0 && result_ == 0)", f"    source_list(*request, {other});"]
    if function.name == "Recv":
        lines += [f"if (!c->is_plain && {other} >= 0 && status != MPI_STATUS_IGNORE)", f"    status->MPI_SOURCE = {other};"]
    return [*lines, f'return inside_told(comm, result_, "MPI_{function.name}");']


def body(function, prototype):
    by_hub = f"by_hub_{function.name}({', '.join(u.name for u in function.uses)})"
    kinds = {u.name: (u, a) for u, a in zip(function.uses, prototype.arguments)}
    requests = [u for u, a in kinds.values() if a.type == "MPI_Request" and (u.way == "inout")]
    comms = [u.name for u, a in kinds.values() if a.type == "MPI_Comm"]
    if len(requests) > 1 or len(comms) > 1 or (requests and comms):
        raise Refused(f"{function.name}: what passes the layer has one communicator, or one argument of requests")
    plain = f"return error_shortcut({call(function, prototype, {})});"
    lines = ["if (!shortcut.inside)", f"    return {by_hub};"]
    if requests:
        lines += of_requests(function, prototype, requests[0], by_hub)
    elif function.name == "Request_get_status":
        lines += of_look(function, prototype, by_hub)
    elif comms:
        passes = "!c && *shortcut.inside->open == 0" if function.name in WAITING else "!c"
        lines += [f"const struct inside_comm *c = inside_comm_of({comms[0]});", f"if ({passes})", f"    {plain}"]
        lines += ["if (!c)", f"    return {by_hub};"] if function.name in WAITING and function.name in SENDS + RECEIVES else []
        lines += of_message(function, prototype, by_hub) if function.name in SENDS + RECEIVES else [f"return {by_hub};"]
    else:
        lines.append(plain)
    return "\n".join(f"    {line}" for line in lines)
