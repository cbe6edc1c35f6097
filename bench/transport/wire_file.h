/* SPDX-License-Identifier: BSD-3-Clause */
/* Raw files, in two ways: appended and read, and written over. An error ends the process. */
#ifndef WIRE_FILE_H
#define WIRE_FILE_H

#include "tools/harness/wire.h"

extern const wire_ops wire_file, wire_over;

#endif
