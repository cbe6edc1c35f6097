# SPDX-License-Identifier: BSD-3-Clause
"""How the benches write their tables on pages of docs/, each between the comments NAME: begin and NAME: end."""
import pathlib
import re
import sys


def table(head, rows):
    """A table in Markdown, whose cells are texts, with / for | in them."""
    return "".join("| " + " | ".join(cell.replace("|", "/") for cell in row) + " |\n" for row in (head, ["---"] * len(head), *rows))


def replace(page, name, body):
    """Replaces what stands between the comments of this name by body; ends the program if the page does not have them."""
    text = pathlib.Path(page).read_text(encoding="utf-8")
    new, found = re.subn(rf"(<!-- {name}: begin -->\n).*?(<!-- {name}: end -->)", lambda m: m[1] + body + m[2], text, flags=re.S)
    if not found:
        sys.exit(f"{page} has no <!-- {name}: begin --> ... <!-- {name}: end -->")
    pathlib.Path(page).write_text(new, encoding="utf-8")
