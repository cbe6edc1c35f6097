# SPDX-License-Identifier: BSD-3-Clause
"""The comments of the routines that generate.py writes: comment(NAME) is the text of a generic name or of a routine behind it.
docs/reference/make_reference.py says how a comment is written."""
import re

KINDS = {"long": "integer(8)", "char": "characters", "int": "default integers", "real": "real(4)", "double": "real(8)", "dbl": "real(8)", "string": "a string", "str": "a string"}

ALL = "Collective: all processes of all components."
TWO = "Collective: all processes of both components."
PEER = "Errors: the other process has failed, patience ended, or the two sides differ in size or type."

SHARE = "share: (cell) or (x, y), the part of each cell, 0 to 1, for which the field counts now; without it all of each cell"
DATA = ("(cell), (cell, layer), (x, y) or (x, y, layer), in the order of grid_index of h3ou_def_grid; x and y are those\n"
        "    of the grid's local shape with its halo; in the field's unit")

GENERIC = {
    "h3ou_put_data": f"""\
Puts a field, or a vector: the library copies it, and sends it when an exchange is due. Cells of the halo are left out.
  data_name: name of the field (var_put, or var_put_vec for a vector), or in its
    place the integer that h3ou_field returns for it
  data: {DATA}; of a vector the first component
  data_vector: the second component of a vector, of the shape of data, or (cell*layer) beside a data of (cell, layer)
  {SHARE}
Collective: no, but every process of my component calls it, once a step, and once between h3ou_init_time and the first
  h3ou_set_time.
Errors: the namelist has no such field of my component (unless unknown_put="ignore"), or an array has the wrong size.
Example:
    call h3ou_put_data("sst", sst)""",
    "h3ou_get_data": f"""\
Gets a field, or a vector. When no exchange is due at this step, the arrays stay as they are. Cells that no source covers
stay as they are when a table was given, and become NaN, or the number of the key `missing`, when the library made the weights.
  data_name: name of the field (var_get, or var_get_vec for a vector), or in its
    place the integer that h3ou_field returns for it
  data: {DATA}; of a vector the first component
  data_vector: the second component of a vector, of the shape of data, or (cell*layer) beside a data of (cell, layer)
  is_recv_ok: .true. if an exchange was due and the arrays were set
  is_ok: the same, where it is the third argument
Collective: no, but every process of my component calls it once a step.
Errors: the namelist has no such field of my component, an array has the wrong size, or the sender has failed.
Example:
    call h3ou_get_data("sst", sst, is_recv_ok=ok)""",
    "h3ou_put_data_xyz": f"""\
Puts a vector as three Cartesian components: x towards longitude 0 on the equator, y towards 90 degrees east, z towards the
north pole. Each is interpolated and none is turned; the receiver may have two components.
  data_name: name of the field (var_put_xyz), or in its
    place the integer that h3ou_field returns for it
  x, y, z: {DATA}, all of one shape
  {SHARE}
Collective: no, but every process of my component calls it, as h3ou_put_data.
Errors: as of h3ou_put_data.
Example:
    call h3ou_put_data_xyz("wind", vx, vy, vz)""",
    "h3ou_get_data_xyz": f"""\
Gets a vector as three Cartesian components; see h3ou_put_data_xyz.
  data_name: name of the field (var_get_xyz), or in its
    place the integer that h3ou_field returns for it
  x, y, z: {DATA}, all of one shape
  is_recv_ok: .true. if an exchange was due and the arrays were set
Collective: no, but every process of my component calls it once a step.
Errors: as of h3ou_get_data.
Example:
    call h3ou_get_data_xyz("wind", vx, vy, vz, is_recv_ok=ok)""",
    "h3ou_bcast_global": f"""\
Broadcasts from rank 0 of one component to every process of every component. Strings may have different lengths: a longer
one is padded with blanks, a shorter one takes the beginning.
  source_name: name of the component whose rank 0 sends
  data: (n), the values: read on rank 0 of source_name, set elsewhere; n is the same everywhere
  str_data: the string, likewise
{ALL}
{PEER}
Example:
    call h3ou_bcast_global("ocean", numbers)""",
    "h3ou_bcast_model": f"""\
Broadcasts from rank 0 of one component to every process of two components.
  source_name: name of the component whose rank 0 sends
  target_name: name of the other component
  data: (n), the values: read on rank 0 of source_name, set elsewhere; n is the same everywhere
{TWO}
{PEER}
Example:
    call h3ou_bcast_model("ocean", "atmos", numbers)""",
    "h3ou_bcast_local": f"""\
Broadcasts inside my component.
  source_pe: rank that sends, from 0
  data: (n), the values: read on that rank, set elsewhere; n is the same everywhere
Collective: all processes of my component.
{PEER}
Example:
    call h3ou_bcast_local(0, numbers)""",
    "h3ou_send": f"""\
Sends a number, an array or a string from rank 0 of my component to every process of another one, which calls h3ou_recv.
  target_name: name of the component that receives
  val: the number; what rank 0 passes counts
  my_comp: name of my component; not used
  recv_comp: name of the component that receives
  array: (n), the values, or a string; what rank 0 passes counts
{TWO}
{PEER}
Example:
    call h3ou_send("atmos", step)""",
    "h3ou_recv": f"""\
Receives what another component sends with h3ou_send, on every process of mine.
  source_name: name of the component that sends
  val: the number
  my_comp: name of my component; not used
  send_comp: name of the component that sends
  array: (n), the values, n as sent; or a string, of which a longer one keeps its end
{TWO}
{PEER}
Example:
    call h3ou_recv("ocean", step)""",
    "h3ou_send_array": f"""\
Sends an array or a string from rank 0 of my component to every process of another one, which calls h3ou_recv_array.
  my_comp: name of my component; not used, and may be left out
  recv_comp: name of the component that receives
  array: (n), the values, or a string; what rank 0 passes counts
{TWO}
{PEER}
Example:
    call h3ou_send_array("ocean", "atmos", numbers)""",
    "h3ou_recv_array": f"""\
Receives an array or a string that another component sends with h3ou_send_array, on every process of mine.
  my_comp: name of my component; not used, and may be left out
  send_comp: name of the component that sends
  array: (n), the values, n as sent; or a string, of which a longer one keeps its end
{TWO}
{PEER}
Example:
    call h3ou_recv_array("atmos", "ocean", numbers)""",
    "h3ou_send_model": f"""\
Sends to one process of another component, which calls h3ou_recv_model.
  target_name: name of the component that receives
  target_pe: rank in it, from 0
  data: (n), the values; may be changed when the call returns
Collective: no.
{PEER}
Example:
    call h3ou_send_model("atmos", 0, numbers)""",
    "h3ou_recv_model": f"""\
Receives what one process of another component sends with h3ou_send_model.
  source_name: name of the component that sends
  source_pe: rank in it, from 0
  data: (n), the values, n as sent
Collective: no.
{PEER}
Example:
    call h3ou_recv_model("ocean", 0, numbers)""",
    "h3ou_send_local_all": f"""\
Sends to one process of my component, which calls h3ou_recv_local_all.
  target_pe: rank that receives, from 0
  data: (n), the values; may be changed when the call returns
Collective: no.
{PEER}""",
    "h3ou_recv_local_all": f"""\
Receives what one process of my component sends with h3ou_send_local_all.
  source_pe: rank that sends, from 0
  data: (n), the values, n as sent
Collective: no.
{PEER}""",
    "h3ou_send_local": f"""\
Sends a part of an array of one, two or three dimensions to one process of my component, which calls h3ou_recv_local.
  data: the array
  is, ie: first and last index of the part in the first dimension; the first element of data has index 1
  js, je: the same in the second dimension
  ks, ke: the same in the third dimension
  pe: rank that receives, from 0
Collective: no.
{PEER}""",
    "h3ou_recv_local": f"""\
Receives into a part of an array what one process of my component sends with h3ou_send_local.
  data: the array; what is outside the part stays as it is
  is, ie: first and last index of the part in the first dimension; the first element of data has index 1
  js, je: the same in the second dimension
  ks, ke: the same in the third dimension
  pe: rank that sends, from 0
Collective: no.
{PEER}""",
}

COMM = "comm: h3ou_comm_global, h3ou_comm_leader, h3ou_comm_local, or a number of h3ou_comm_model"
MEMBERS = "Collective: all processes of comm."
ABSENT = "Errors: other processes, which are named, did not come or have failed; an array is too short."
COUNTS = ("counts: (size of comm), how many values each rank has; read at the root\n"
          "  displs: (size of comm), where each rank's values begin, from 0; without it they stand one after the other")
OPERATION = "op: h3ou_op_sum, h3ou_op_min, h3ou_op_max, or an operation of h3ou_op_create_int, _long, _real, _double, _char"

GENERIC |= {
    "h3ou_comm_model": """\
Returns the communicator of two components: the processes of the first one, then those of the second one.
  first, second: their names, one of which is mine; both sides name them in the same order
Collective: no.
Errors: no such component, or neither is mine.
Example:
    comm = h3ou_comm_model("ocean", "atmos")""",
    "h3ou_comm_rank": f"""\
Returns my rank in a communicator, from 0; -1 in h3ou_comm_leader where I am not rank 0 of my component.
  {COMM}
Collective: no.
Errors: there is no such communicator.""",
    "h3ou_comm_size": f"""\
Returns the number of processes of a communicator.
  {COMM}
Collective: no.
Errors: there is no such communicator.""",
    "h3ou_barrier": f"""\
Returns when all processes of a communicator have called it.
  {COMM}
{MEMBERS}
{ABSENT}""",
    "h3ou_bcast": f"""\
Broadcasts from one process of a communicator to all. In all these calls numbers of 4 and 8 bytes and characters of length 1
are possible.
  {COMM}
  root: rank in comm that sends
  data: (n), the values: read at the root, set elsewhere; n is the same everywhere
{MEMBERS}
{ABSENT}
Example:
    call h3ou_bcast(h3ou_comm_local, 0, numbers)""",
    "h3ou_gather": f"""\
Gathers as many values from each process at the root.
  {COMM}
  root: rank in comm that gets all
  send: (n), my values
  recv: (n*size of comm), set at the root
{MEMBERS}
{ABSENT}
Example:
    call h3ou_gather(h3ou_comm_global, 0, part, all_of)""",
    "h3ou_gatherv": f"""\
Gathers different numbers of values at the root.
  {COMM}
  root: rank in comm that gets all
  send: my values
  recv: the values of all ranks, set at the root
  {COUNTS}
{MEMBERS}
{ABSENT}
Example:
    call h3ou_gatherv(h3ou_comm_global, 0, part, all_of, counts)""",
    "h3ou_scatter": f"""\
Scatters as many values to each process.
  {COMM}
  root: rank in comm that has all
  send: (n*size of comm), the values of all ranks; read at the root
  recv: (n), my values
{MEMBERS}
{ABSENT}
Example:
    call h3ou_scatter(h3ou_comm_global, 0, all_of, part)""",
    "h3ou_scatterv": f"""\
Scatters different numbers of values.
  {COMM}
  root: rank in comm that has all
  send: the values of all ranks; read at the root
  recv: my values, as many as counts says for me
  {COUNTS}
{MEMBERS}
{ABSENT}
Example:
    call h3ou_scatterv(h3ou_comm_global, 0, all_of, part, counts)""",
    "h3ou_allgather": f"""\
Gathers as many values from each process at all.
  {COMM}
  send: (n), my values
  recv: (n*size of comm), the values of all ranks
{MEMBERS}
{ABSENT}
Example:
    call h3ou_allgather(h3ou_comm_global, part, all_of)""",
    "h3ou_allgatherv": f"""\
Gathers different numbers of values at all processes.
  {COMM}
  send: my values, as many as counts says for me
  recv: the values of all ranks
  counts: (size of comm), how many values each rank has, the same everywhere
  displs: (size of comm), where each rank's values begin, from 0; without it they stand one after the other
{MEMBERS}
{ABSENT}
Example:
    call h3ou_allgatherv(h3ou_comm_global, part, all_of, counts)""",
    "h3ou_alltoall": f"""\
Sends as many values to each process, and gets as many from each.
  {COMM}
  send: (n*size of comm), the values for each rank
  recv: (n*size of comm), the values of each rank
{MEMBERS}
{ABSENT}
Example:
    call h3ou_alltoall(h3ou_comm_local, to_them, from_them)""",
    "h3ou_alltoallv": f"""\
Sends different numbers of values to the processes.
  {COMM}
  send: the values for each rank
  send_counts: (size of comm), how many are for each rank
  recv: the values of each rank
  recv_counts: (size of comm), how many come from each rank
  send_displs, recv_displs: (size of comm), where those of each rank begin, from 0; without them they stand one after the other
{MEMBERS}
{ABSENT}
Example:
    call h3ou_alltoallv(h3ou_comm_local, to_them, send_counts, from_them, recv_counts)""",
    "h3ou_reduce": f"""\
Combines the values of all processes at the root.
  {COMM}
  root: rank in comm that gets the result
  send: (n), my values
  recv: (n), the result, set at the root
  {OPERATION}
{MEMBERS}
{ABSENT}
Example:
    call h3ou_reduce(h3ou_comm_global, 0, part, total, h3ou_op_sum)""",
    "h3ou_allreduce": f"""\
Combines the values of all processes at all.
  {COMM}
  send: (n), my values
  recv: (n), the result
  {OPERATION}
{MEMBERS}
{ABSENT}
Example:
    call h3ou_allreduce(h3ou_comm_global, part, total, h3ou_op_sum)""",
    "h3ou_reduce_scatter": f"""\
Combines parts of all processes: each gets the combination of one part.
  {COMM}
  send: the part for each rank, one after the other
  recv: my part of the combination
  counts: (size of comm), how many values each rank's part has, the same everywhere
  {OPERATION}
{MEMBERS}
{ABSENT}
Example:
    call h3ou_reduce_scatter(h3ou_comm_local, all_of, part, counts, h3ou_op_sum)""",
    "h3ou_scan": f"""\
Combines the values of the processes up to mine, in the order of ranks.
  {COMM}
  send: (n), my values
  recv: (n), the combination of those of ranks 0 to mine
  {OPERATION}
{MEMBERS}
{ABSENT}
Example:
    call h3ou_scan(h3ou_comm_local, part, before, h3ou_op_sum)""",
    "h3ou_op_free": """\
Frees an operation of h3ou_op_create_int, _long, _real, _double or _char.
  op: the operation
Collective: no.
Errors: op is no such operation.""",
}
CREATED = """\
Makes an operation of reductions, of {kind}, of a procedure: it sets inout(i) to in(i) op inout(i), where in
stands for the lower ranks, and must be associative. It gets some of the elements at a time.
  function: the procedure, with the interface h3ou_function_{name}
  commutes: .false.: a op b is not b op a, and the operands stand in the order of ranks
  op: the operation
Collective: no, but all processes that take part in a reduction with it make one.
Errors: before h3ou_init or after the end."""

FUNCTION = """\
The interface of the procedures that h3ou_op_create_{name} makes operations of.
  in: some of the elements, of lower ranks
  inout: as many, of higher ranks; set to in(i) op inout(i)
Collective: no; it is called where values are combined, any number of times.
Errors: none."""

STARTED = {
    "send": f"""\
Starts to send {{kind}} to one process of another component; h3ou_isend_waitall completes it.
  target_name: name of the component that receives
  target_pe: rank in it, from 0
  data: (n), contiguous; the library reads it until h3ou_isend_waitall returns, so it must not change before
Collective: no.
Errors: target_name is no component, or data is an array section with gaps.""",
    "recv": f"""\
Starts to receive {{kind}} from one process of another component; h3ou_irecv_waitall completes it.
  source_name: name of the component that sends
  source_pe: rank in it, from 0
  data: (n), contiguous; it is set when h3ou_irecv_waitall returns, and must not be used before
Collective: no.
Errors: source_name is no component, or data is an array section with gaps.""",
}

# A routine's name, and the generic name of which it is one kind.
BEHIND = [(r"(h3ou_bcast_(?:global|model|local))_(int|real|double|string)", r"\1"),
          (r"(h3ou_(?:send|recv)_model)_(int|real|double)", r"\1"),
          (r"(h3ou_(?:send|recv)_local)_(int|real|double)", r"\1_all"),
          (r"(h3ou_(?:send|recv)_array)_(int|real|dbl|str)(?:_2)?", r"\1"),
          (r"(h3ou_(?:send|recv))_(int|real|double)_scalar", r"\1")]
FIELDS = {"h3ou_put_data_1d": "As h3ou_put_data, of real(8) (cell).", "h3ou_put_data_25d": "As h3ou_put_data, of real(8) (cell, layer).",
          "h3ou_get_data_1d": "As h3ou_get_data, of real(8) (cell).", "h3ou_get_data_25d": "As h3ou_get_data, of real(8) (cell, layer)."}


def text(name):
    if name in GENERIC or name in FIELDS:
        return GENERIC.get(name) or FIELDS[name]
    started = re.fullmatch(r"h3ou_i(send|recv)_model_(\w+)", name)
    if started:
        return STARTED[started.group(1)].format(kind=KINDS[started.group(2)])
    created = re.fullmatch(r"h3ou_op_create_(\w+)", name)
    if created:
        return CREATED.format(kind=KINDS[created.group(1)], name=created.group(1))
    function = re.fullmatch(r"h3ou_function_(\w+)", name)
    if function:
        return FUNCTION.format(name=function.group(1))
    for pattern, generic in BEHIND:
        found = re.fullmatch(pattern, name)
        if found:
            return f"As {found.expand(generic)}, of {KINDS[found.group(2)]}."
    return ""


def comment(name):
    """Lines of Fortran, without a line when the routine is not public."""
    return [f"  !> {line}" for line in text(name).splitlines()]
