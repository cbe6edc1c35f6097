/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/netcdf/netcdf3_length.h"

#include <inttypes.h>
#include <netcdf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"

enum { DIMENSIONS = 10, VARIABLES = 11, ATTRIBUTES = 12 }; /* tags of lists */

static const uint64_t HUGE_SIZE = UINT64_C(1) << 50;

/* The grammar is that of the NetCDF User's Guide, appendix "File Format Specifications". */
typedef struct header {
    FILE *f;
    uint64_t size, at;
    int version;
    uint64_t records, record; /* how many, bytes of one */
    uint64_t ndim, *dim;      /* 0: the record dimension */
    uint64_t nrecord, last;   /* record variables; the farthest end of their first records */
    uint64_t only;            /* bytes of a record without padding, if there is one variable */
    const char *fault;        /* the first */
} header;

static uint64_t set_fault(header *h, const char *fault)
{
    h->fault = h->fault ? h->fault : fault;
    return 0;
}

static uint64_t read_number(header *h, int bytes)
{
    unsigned char b[8];
    uint64_t value = 0;
    if (h->fault || fread(b, 1, (size_t)bytes, h->f) != (size_t)bytes)
        return set_fault(h, "ends within the header");
    for (int i = 0; i < bytes; i++)
        value = value << 8 | b[i];
    h->at += (uint64_t)bytes;
    return value;
}

static uint64_t read_count(header *h)
{
    return read_number(h, h->version == 5 ? 8 : 4);
}

static uint64_t padded_size(uint64_t n)
{
    return (n + 3) / 4 * 4;
}

static void skip_bytes(header *h, uint64_t n)
{
    if (h->fault)
        return;
    if (n > h->size || padded_size(n) > h->size - h->at || fseek(h->f, (long)padded_size(n), SEEK_CUR) != 0)
        set_fault(h, "ends within the header");
    h->at += padded_size(n);
}

static void skip_name(header *h)
{
    uint64_t length = read_count(h);
    if (length > NC_MAX_NAME)
        set_fault(h, "has a name of more than 256 letters in its header");
    skip_bytes(h, length);
}

/* The length of a list; each element takes at least 8 bytes. */
static uint64_t read_list_length(header *h, uint64_t tag)
{
    uint64_t given = read_number(h, 4), n = read_count(h);
    if (given != tag && (given != 0 || n != 0))
        return set_fault(h, "has a header without sense");
    return n > h->size / 8 ? set_fault(h, "promises more in its header than it holds") : n;
}

static uint64_t type_size(uint64_t type)
{
    static const unsigned char size[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    return type < sizeof size ? size[type] : 0;
}

static uint64_t read_type(header *h)
{
    uint64_t type = read_number(h, 4), size = type_size(type);
    if (size == 0 || (h->version != 5 && type > NC_DOUBLE))
        set_fault(h, "has a type without sense in its header");
    return size;
}

static void skip_attributes(header *h)
{
    uint64_t n = read_list_length(h, ATTRIBUTES);
    for (uint64_t i = 0; i < n && !h->fault; i++) {
        skip_name(h);
        uint64_t size = read_type(h), values = read_count(h);
        if (values > h->size)
            set_fault(h, "promises more in its header than it holds");
        skip_bytes(h, values * size);
    }
}

static void read_dimensions(header *h)
{
    h->ndim = read_list_length(h, DIMENSIONS);
    if (h->fault || !(h->dim = malloc(sizeof *h->dim * (size_t)(h->ndim + 1))))
        return;
    for (uint64_t i = 0; i < h->ndim && !h->fault; i++) {
        skip_name(h);
        h->dim[i] = read_count(h);
    }
}

static void read_variable(header *h)
{
    uint64_t bytes = 1, dims[NC_MAX_VAR_DIMS];
    skip_name(h);
    uint64_t rank = read_count(h);
    if (rank > NC_MAX_VAR_DIMS)
        rank = set_fault(h, "has a variable of more than 1024 dimensions");
    for (uint64_t k = 0; k < rank && !h->fault; k++)
        if ((dims[k] = read_count(h)) >= h->ndim)
            set_fault(h, "has a variable of a dimension that is not there");
    skip_attributes(h);
    uint64_t size = read_type(h);
    read_count(h); /* the size, which is redundant and wrong for large variables */
    uint64_t begin = read_number(h, h->version == 1 ? 4 : 8);
    if (h->fault)
        return;
    bool is_record = rank > 0 && h->dim[dims[0]] == 0;
    for (uint64_t k = is_record; k < rank; k++) {
        uint64_t length = h->dim[dims[k]];
        bytes = length > 0 && bytes > HUGE_SIZE / length ? HUGE_SIZE : bytes * length;
    }
    bytes = bytes > HUGE_SIZE / size ? HUGE_SIZE : bytes * size;
    if (begin > HUGE_SIZE || (!is_record && bytes > 0 && begin + bytes > h->size))
        set_fault(h, "is shorter than its header says");
    if (!is_record)
        return;
    h->nrecord++;
    h->only = bytes;
    h->record += padded_size(bytes);
    h->last = begin + bytes > h->last ? begin + bytes : h->last;
    if (h->record > HUGE_SIZE)
        set_fault(h, "is shorter than its header says");
}

static void check_header(header *h)
{
    h->records = read_count(h);
    read_dimensions(h);
    if (!h->fault && !h->dim) {
        set_fault(h, "can't be checked: out of memory");
        return;
    }
    skip_attributes(h);
    uint64_t n = read_list_length(h, VARIABLES);
    for (uint64_t i = 0; i < n && !h->fault; i++)
        read_variable(h);
    if (h->fault || h->nrecord == 0 || h->records == 0)
        return;
    uint64_t step = h->nrecord == 1 ? h->only : h->record;
    if ((step > 0 && h->records > HUGE_SIZE / step) || h->last + (h->records - 1) * step > h->size)
        set_fault(h, "is shorter than its header says");
}

int h3ou__classic_check(const char *file)
{
    unsigned char magic[4] = {0};
    struct stat s;
    header h = {.f = fopen(file, "rb")};
    if (!h.f)
        return H3OU__OK;
    if (fread(magic, 1, 4, h.f) == 4 && !memcmp(magic, "CDF", 3) && fstat(fileno(h.f), &s) == 0 &&
        (magic[3] == 1 || magic[3] == 2 || magic[3] == 5)) {
        h.version = magic[3];
        h.size = (uint64_t)s.st_size;
        h.at = 4;
        check_header(&h);
    }
    fclose(h.f);
    free(h.dim);
    if (h.fault)
        return h3ou__fail(H3OU__EFILE, "%s: %s (%" PRIu64 " bytes): copy it or make it again", file, h.fault, h.size);
    return H3OU__OK;
}
