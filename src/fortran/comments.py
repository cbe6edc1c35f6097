# SPDX-License-Identifier: BSD-3-Clause
"""The comments of the routines that generate.py writes: comment(NAME) is the text of a generic name or of a routine behind it.
docs/reference/make_reference.py says how a comment is written."""
import re

KINDS = {"int": "default integers", "real": "real(4)", "double": "real(8)", "dbl": "real(8)", "string": "a string", "str": "a string"}

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
    for pattern, generic in BEHIND:
        found = re.fullmatch(pattern, name)
        if found:
            return f"As {found.expand(generic)}, of {KINDS[found.group(2)]}."
    return ""


def comment(name):
    """Lines of Fortran, without a line when the routine is not public."""
    return [f"  !> {line}" for line in text(name).splitlines()]
