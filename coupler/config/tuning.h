/* SPDX-License-Identifier: BSD-3-Clause */
/* The tuning file: a namelist with the group h3ou_tuning, which says what messages inside a job and between jobs cost. */
#ifndef H3OU_COUPLER_CONFIG_TUNING_H
#define H3OU_COUPLER_CONFIG_TUNING_H

#include "coupler/config/config.h"

/* Sets config->tuning from the file that H3OU_TUNING_FILE, else the configuration, names, if one does, and its route inside jobs to what
 * H3OU_JOB_ROUTE says, and config->kings to what H3OU_KINGS says. Collective over the component, whose rank 0 reads it. */
int h3ou__tuning_read(h3ou__world *world, h3ou__config *config);
/* The same for this process alone. */
int h3ou__tuning_read_alone(h3ou__config *config);

#endif
