/* SPDX-License-Identifier: BSD-3-Clause */
/* CLONES before a function: it is compiled for several machines, and the one that fits is taken. It computes the same
 * bits on each. */
#ifndef H3OU_BASE_VECTOR_CLONES_H
#define H3OU_BASE_VECTOR_CLONES_H

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLONES
#endif

#endif
