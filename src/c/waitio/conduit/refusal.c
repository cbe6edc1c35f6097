/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/conduit/refusal.h"

#include "base/error.h"

const double waitio__refusal_grace = 2;

/* Returns whether the address is of this machine, so that no other machine is on the way. */
static bool is_local_address(const waitio__conduit_settings *set, const waitio__address *at)
{
    waitio__address any = *at;
    waitio__link link;
    any.port = 0;
    int code = waitio__tcp.listen(set, &any, &link, NULL);
    if (!code)
        link.conduit->close(&link);
    return code != H3OU__EHOST;
}

bool waitio__refusal_proves(const waitio__conduit_settings *set, const waitio__address *at, bool was_closed,
                            double seconds)
{
    if (was_closed)
        return true;
    return (seconds < 0 || seconds >= waitio__refusal_grace) && (!at || is_local_address(set, at));
}
