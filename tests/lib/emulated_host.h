/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets the processes of a job count as being on several hosts: each enters the network name space of its host. */
#ifndef H3OU_TESTS_EMULATED_HOST_H
#define H3OU_TESTS_EMULATED_HOST_H

/* layout: the host of each process of the job, a digit each; those of host 0 stay where they are. NULL, and a layout of another length:
 * none does anything. Collective over the job, before the first collective call of h3ou, after MPI was started. Returns 0, or -1 where
 * no name space can be made. */
int enter_emulated_host(const char *layout);

#endif
