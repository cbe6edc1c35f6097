/* SPDX-License-Identifier: BSD-3-Clause */
/* Many processes of a job meet the same error at the same moment; one of them on each host says it. */
#ifndef H3OU_COMM_SPEAKER_H
#define H3OU_COMM_SPEAKER_H

#include <stdbool.h>

/* True in the first process of this job on this host that comes here, as long as it lives; and where no launcher tells
 * which processes belong together. Rank 0 comes at once, the others give it a moment. Waits while another one speaks.
 */
bool h3ou__speaker_claim(int rank);

#endif
