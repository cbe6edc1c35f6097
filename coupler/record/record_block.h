/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files of a record: blocks, one after the other, each behind a head of 24 bytes. Numbers are little-endian, values are the
 * bits of float64.
 *
 *   head    "h3r1", kind (32 bits), length of what follows (64 bits), XXH3 of kind, length and what follows (64 bits)
 *   START   number of the run (64), rank and size of the component (32 each), whose number among the components it is and how many
 *           there are (32), for each its name and its base (64 bytes each), member and members (32); the name of the
 *           configuration file (32 for its length, and it), and on rank 0 its text (the same; on others of length 0)
 *   GRID    length of the name (32) and the name, layers (32), cells (64), for each its index (64)
 *   PUT     see h3ou__record_values; then value[component][layer][cell], with shares then share[cell]
 *   GET     the same; in cells that get left alone H3OU__UNTOUCHED
 *   STEP    time and length of a step that begins, as fractions (64 each)
 *   RESTART what h3ou_read_restart made of the clock: date of the run's start (6 of 32), seconds (64) of start and begin, time and
 *           step as fractions
 *   BESIDE  what a call beside the exchange brought: length of its name (32) and the name, number of parts (32), bytes
 *   END     nothing: the component ended well
 *
 * A file that ends within a block is of a run that was ended there; what stands before is used.
 */
#ifndef H3OU_COUPLER_RECORD_RECORD_BLOCK_H
#define H3OU_COUPLER_RECORD_RECORD_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum h3ou__record_kind {
    H3OU__RECORD_START = 1,
    H3OU__RECORD_GRID,
    H3OU__RECORD_PUT,
    H3OU__RECORD_GET,
    H3OU__RECORD_STEP,
    H3OU__RECORD_RESTART,
    H3OU__RECORD_BESIDE,
    H3OU__RECORD_END
};

enum { H3OU__RECORD_HEAD = 24, H3OU__RECORD_VALUES = 48, H3OU__RECORD_PATH = 4096 };

/* The bits of a quiet NaN that no computation makes, also as float. */
#define H3OU__UNTOUCHED UINT64_C(0x7FF8C0DE40000000)

/* A block in memory, written or read from its beginning. Errors are kept: they are looked at once, at the end. */
typedef struct h3ou__block_bytes {
    unsigned char *data;
    int64_t size, room, at; /* at: of what is read next */
    bool has_failed;        /* memory ran out, or more was read than there is */
} h3ou__block_bytes;

void h3ou__block_put32(h3ou__block_bytes *b, int64_t value);
void h3ou__block_put64(h3ou__block_bytes *b, int64_t value);
void h3ou__block_put_bytes(h3ou__block_bytes *b, const void *data, int64_t size);
void h3ou__block_put_text(h3ou__block_bytes *b, const char *text); /* its length, then it */
void h3ou__block_put_reals(h3ou__block_bytes *b, const double value[], int64_t n);
int32_t h3ou__block_get32(h3ou__block_bytes *b);
int64_t h3ou__block_get64(h3ou__block_bytes *b);
void h3ou__block_get_bytes(h3ou__block_bytes *b, void *data, int64_t size);
void h3ou__block_get_text(h3ou__block_bytes *b, char *text, size_t size); /* cut to size - 1 bytes */
double h3ou__block_real(const unsigned char *from); /* of 8 bytes */
const unsigned char *h3ou__block_skip(h3ou__block_bytes *b, int64_t size); /* returns where it stands, or NULL */

/* Makes *b an empty block, behind which its head will stand. */
void h3ou__block_begin(h3ou__block_bytes *b);
/* Writes its head. */
void h3ou__block_seal(h3ou__block_bytes *b, int kind);

typedef struct h3ou__block_head {
    int kind;
    int64_t length;
    uint64_t hash;
} h3ou__block_head;

/* Fails with H3OU__EFILE. */
int h3ou__block_fail_damaged(const char *file, int64_t offset);
/* Reads the head at `offset` of a file of `size` bytes. *is_cut: the file ends within the block. H3OU__EFILE when it is none. */
int h3ou__block_head_read(int fd, const char *file, int64_t offset, int64_t size, h3ou__block_head *out, bool *is_cut);
/* Reads what follows the head into *b. H3OU__EFILE when its hash differs. */
int h3ou__block_read(int fd, const char *file, int64_t offset, const h3ou__block_head *head, h3ou__block_bytes *b);
/* Reads `size` bytes of what follows the head, whose hash is not looked at. */
int h3ou__block_read_begin(int fd, const char *file, int64_t offset, int64_t size, h3ou__block_bytes *b);

/* How PUT and GET begin. */
typedef struct h3ou__record_values {
    int32_t var;   /* in the configuration */
    int32_t flags; /* enum h3ou__record_flag */
    int32_t count; /* components */
    int32_t rows;  /* layers of each, those of all slices */
    int64_t num, den; /* beginning of the step, in seconds since the run's start */
    int64_t cells;
    int64_t check; /* XXH3 of what is above, so that this much can be believed before all values are read */
} h3ou__record_values;

enum h3ou__record_flag {
    H3OU__RECORD_OK = 1,      /* get returned values */
    H3OU__RECORD_SHARES = 2,  /* put had shares */
    H3OU__RECORD_EARLY = 4    /* before the first step */
};

void h3ou__record_values_write(h3ou__block_bytes *b, const h3ou__record_values *v);
/* Returns whether it is undamaged. */
bool h3ou__record_values_read(h3ou__block_bytes *b, h3ou__record_values *v);
/* Writes FOLDER/COMPONENT.RANK. H3OU__EARG when it is too long. */
int h3ou__record_path(const char *folder, const char *component, int rank, char path[H3OU__RECORD_PATH]);

#endif
