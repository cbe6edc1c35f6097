# SPDX-License-Identifier: BSD-3-Clause
"""Installed documents. Standard library only."""
import re


def links(prefix):
    """(page, target) of every link of a Markdown page below prefix that is no address of the web."""
    for page in prefix.rglob("*.md"):
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            yield page, page.parent / link


def broken_links(prefix):
    """Those that lead nowhere, or out of prefix."""
    return [f"{page}: {target}" for page, target in links(prefix)
            if not target.exists() or not target.resolve().is_relative_to(prefix.resolve())]
