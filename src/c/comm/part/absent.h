/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who has not come to a collective call. The MPI inside a job does not say whom it waits for: where the members of a block share
 * memory each counts there the calls that it begins; else a member whose patience ends asks the others of its block, and those that
 * wait in a collective call of this communicator answer.
 */
#ifndef H3OU_COMM_PART_ABSENT_H
#define H3OU_COMM_PART_ABSENT_H

#include "coll/execute.h"
#include "comm/world.h"

/* Answers members that ask; to be called from time to time by a member that waits in the call `what`. Never blocks. */
int h3ou__absent_answer(const h3ou__comm *c, const char *what);
/* Asks for up to four seconds, and fails with a sentence that names call, communicator and who has not come. run: the
 * messages among the Kings that are under way, NULL: none are. */
int h3ou__absent_fail(const h3ou__comm *c, const char *what, h3ou__coll_run *run);

#endif
