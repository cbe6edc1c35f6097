# SPDX-License-Identifier: BSD-3-Clause
"""One function of the back on the standard ABI: everything passes, except statuses, error codes and functions of the user (which are written by hand)."""


def body(function, prototype):
    before, after, actual = [], [], []
    for use, argument in zip(function.uses, prototype.arguments):
        name = use.name
        if argument.type == "MPI_Status":
            actual.append(status(use, before, after))
        elif use.kind == "error" and not argument.pointers:
            actual.append(f"error_inner({name})")
        elif use.kind == "error":
            number = "code_added" if function.name.startswith("Add_") else "class_outer"
            after.append(f"if (result_ == 0)\n        *{name} = {number}(*{name});")
            actual.append(name)
        else:
            actual.append(name)
    call = f"real.{function.name}({', '.join(actual)})"
    if prototype.result != "int":
        return f"    return {call};"
    if not after:
        text = [*before, f"return error_outer({call});"]
    else:
        text = [*before, f"int result_ = {call};", *after, "return error_outer(result_);"]
    return "\n".join(f"    {line}" for line in text)


def status(use, before, after):
    """What is passed for a status, or for an array of them."""
    name, inner = use.name, f"{use.name}_"
    if use.is_array:
        after.append(f"if ({name} && (result_ == 0 || result_is_in_status(result_)))\n        statuses_outer({name}, {name}, {use.used}, result_);")
        return name
    if use.way not in ("in", "inout"):
        after.append(f"status_finish({name}, result_);")
        return name
    before.append(f"abi_Status {inner};")
    if use.way == "in":
        return f"status_known({name}, &{inner})"
    before.append(f"status_inner(&{inner}, {name});")
    after.append(f"if (result_ == 0)\n        status_outer({name}, &{inner});")
    return f"&{inner}"
