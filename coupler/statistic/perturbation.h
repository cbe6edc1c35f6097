/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Normal deviates that are added to what a member gets. Each follows from where it stands alone: the same for any
 * number of processes and any order, and another one for each member, cell, layer, exchange and field.
 *
 * The deviate is sqrt(-2 ln u) cos(2 pi v) (G. E. P. Box, M. E. Muller: A note on the generation of random normal
 * deviates, 1958) with u = (floor(r / 2^11) + 1) / 2^53 and v = floor(s / 2^11) / 2^53. r and s are the first two of
 * the four words of Philox4x64 with 10 rounds (J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel random
 * numbers: as easy as 1, 2, 3, 2011). Its counter is: index of the cell; layer from 0, the second component of a vector
 * after all layers of the first; number of the member; time of the exchange in seconds since the start. Its key:
 * perturb_seed; the FNV-1a hash, of 64 bits, of the field's name at the receiver.
 */
#ifndef H3OU_COUPLER_STATISTIC_PERTURBATION_H
#define H3OU_COUPLER_STATISTIC_PERTURBATION_H

#include <stdint.h>

/* Sets counter to the words of Philox4x64-10. */
void h3ou__philox(const uint64_t key[2], uint64_t counter[4]);
uint64_t h3ou__perturbation_key(const char *field);
double h3ou__perturbation(const uint64_t key[2], int64_t cell, int64_t row, int64_t member, int64_t time);

#endif
