/* SPDX-License-Identifier: BSD-3-Clause */
/* What the message of an exchange holds: the number in its head. */
#ifndef H3OU_COUPLER_COMMON_MESSAGE_STATE_H
#define H3OU_COUPLER_COMMON_MESSAGE_STATE_H

enum h3ou__message_state {
    H3OU__VALUE = 0,       /* values */
    H3OU__NO_VALUE = 1,    /* nothing was put */
    H3OU__END = 2,         /* the component ended, no exchange follows */
    H3OU__SHARED = 3,      /* values and shares of cells */
    H3OU__SKIPPED = 4,     /* the step began without an exchange: no get may ask for it */
    H3OU__BUNDLED = 5,     /* messages of several fields */
    H3OU__SAME_SHARES = 6, /* values; the shares of cells are those that the receiver was told to keep */
    H3OU__PAIRED = 7       /* the share and the value of each cell next to each other */
};

#endif
