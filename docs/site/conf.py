# SPDX-License-Identifier: BSD-3-Clause
"""Sphinx's configuration of the site, which make_site.py builds."""
from pygments.lexers.fortran import FortranLexer

project = "h3ou"
author = "The h3ou authors"
copyright = author  # noqa: A001: the name is Sphinx's
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "h3ou"
html_copy_source = False
html_show_sourcelink = False
myst_heading_anchors = 4
nitpicky = True


def setup(app):
    app.add_lexer("namelist", FortranLexer)
