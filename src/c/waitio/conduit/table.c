/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/conduit.h"

const waitio__conduit *const waitio__conduits[] = {&waitio__tcp, NULL};
