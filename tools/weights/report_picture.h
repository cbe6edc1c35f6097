/* SPDX-License-Identifier: BSD-3-Clause */
/* What h3ou weights report measures, as a picture: a field on the source, on the target, and its misfit. */
#ifndef H3OU_TOOL_REPORT_PICTURE_H
#define H3OU_TOOL_REPORT_PICTURE_H

#include "tools/weights/measure.h"

/* Of fields[which], drawn by Python (plotter.h). H3OU__EFILE, and then there is no picture. */
int report_picture(const char *picture, const char *file, const h3ou__weightfile *w, const measure *m, int which);

#endif
