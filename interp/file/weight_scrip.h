/* SPDX-License-Identifier: BSD-3-Clause */
/* What other formats share with SCRIP's. */
#ifndef H3OU_INTERP_FILE_WEIGHT_SCRIP_H
#define H3OU_INTERP_FILE_WEIGHT_SCRIP_H

#include "interp/file/formats.h"

bool h3ou__weight_scrip_has_links(const h3ou__nc *r); /* src_address, dst_address, remap_matrix */
int h3ou__weight_scrip_read(const h3ou__nc *r, h3ou__weightfile *out);
/* names: of the grids; own: with what only h3ou reads. */
int h3ou__weight_scrip_write(const char *file, const h3ou__weights *w, const h3ou__cells *source,
                             const h3ou__cells *target, const char *const names[2], bool own);

#endif
