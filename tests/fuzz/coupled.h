/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of processes, joined by the launcher, and who speaks to them from a process of its own. */
#ifndef TESTS_FUZZ_COUPLED_H
#define TESTS_FUZZ_COUPLED_H

#include <stdint.h>

/* Somebody without the secret connects to all that listens, from before the first process has joined. */
void coupled_strangers(uint64_t messages, uint64_t seed);
/* A rank, a King, or somebody who joins as one has gone mad. */
void coupled_insiders(uint64_t messages, uint64_t seed);

#endif
