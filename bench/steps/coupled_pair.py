# SPDX-License-Identifier: BSD-3-Clause
"""The namelist of two components, A and B, that exchange fields both ways in every step of 60 s."""


def fields_text(component, numbers):
    return "".join(f"&h3ou_var var_put='{component}_v{k}', var_get='{component}_v{k}', intvl=60, lag=-1, layer=1, flag='SNP' /\n" for k in numbers)


def config_text(fields, keys="mapping_tag={}", pairs=1):
    """The fields of each direction are spread over its pairs of grids; keys: how the values of one are mapped, in which {} is its number."""
    text = ""
    for a, b in ("AB", "BA"):
        for k in range(pairs):
            text += f"&h3ou_var comp_put='{a}', comp_get='{b}', grid_put='{a}g', grid_get='{b}g', {keys.format(k + 1)} /\n"
            text += fields_text(a, range(k * fields // pairs, (k + 1) * fields // pairs))
    return text
