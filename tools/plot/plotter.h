/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures: a program in Python beside this file reads what a command has written, and draws it with matplotlib. */
#ifndef H3OU_TOOL_PLOTTER_H
#define H3OU_TOOL_PLOTTER_H

/* H3OU__EARG when the name of the picture's file ends in none of .png, .svg and .pdf. */
int plotter_check(const char *picture);
/* Runs "python3 <libexec>/h3ou/PROGRAM DATA PICTURE" and waits for its end. When Python or matplotlib is missing, or the
 * drawing fails, there is no picture, and H3OU__EFILE says why. */
int plotter_draw(const char *program, const char *data, const char *picture);

#endif
