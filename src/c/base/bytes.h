/* SPDX-License-Identifier: BSD-3-Clause */
/* Little-endian numbers in byte buffers: messages between jobs and binary files are written field by field with these.
 */
#ifndef H3OU_BASE_BYTES_H
#define H3OU_BASE_BYTES_H

#include <stdint.h>

static inline void h3ou__put16(unsigned char *p, uint16_t v)
{
    p[0] = (unsigned char)v;
    p[1] = (unsigned char)(v >> 8);
}

static inline void h3ou__put32(unsigned char *p, uint32_t v)
{
    h3ou__put16(p, (uint16_t)v);
    h3ou__put16(p + 2, (uint16_t)(v >> 16));
}

static inline void h3ou__put64(unsigned char *p, uint64_t v)
{
    h3ou__put32(p, (uint32_t)v);
    h3ou__put32(p + 4, (uint32_t)(v >> 32));
}

static inline uint16_t h3ou__get16(const unsigned char *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t h3ou__get32(const unsigned char *p)
{
    return (uint32_t)h3ou__get16(p) | (uint32_t)h3ou__get16(p + 2) << 16;
}

static inline uint64_t h3ou__get64(const unsigned char *p)
{
    return (uint64_t)h3ou__get32(p) | (uint64_t)h3ou__get32(p + 4) << 32;
}

#endif
