/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/shared_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "comm/collective/collective.h"

enum { LARGEST_FILE = 16 << 20, FIRST_ROOM = 1 << 16 };

/* Reads until the end of the file, at most LARGEST_FILE + 1 bytes. The memory grows with what is read: the C library keeps large pieces that are freed, and
 * then keeps all later pieces up to this size, too. */
static int read_bytes(FILE *f, const char *what, const char *file, char **all, int64_t *n)
{
    int64_t room = 0;
    size_t got = 1;
    for (*n = 0; got > 0 && *n <= LARGEST_FILE; *n += (int64_t)got) {
        if (!h3ou__grow(all, 1, &room, *n < FIRST_ROOM ? FIRST_ROOM : *n + 1))
            return h3ou__no_memory("%s %s", what, file);
        got = fread(*all + *n, 1, (size_t)(room - *n), f);
    }
    if (ferror(f))
        return h3ou__fail(H3OU__EFILE, "%s %s: %s", what, file, strerror(errno));
    if (*n > LARGEST_FILE)
        return h3ou__fail(H3OU__EFILE, "%s %s is larger than 16 MiB: is it a namelist?", what, file);
    return H3OU__OK;
}

int h3ou__file_read(const char *what, const char *file, char **text, int64_t *size)
{
    char *all = NULL;
    FILE *f = fopen(file, "rb");
    if (!f)
        return h3ou__fail(H3OU__EFILE, "%s %s: %s%s", what, file, strerror(errno),
                          errno == ENOENT ? ": name it from the folder where the program runs" : "");
    int err = read_bytes(f, what, file, &all, size);
    fclose(f);
    if (err) {
        free(all);
        return err;
    }
    *text = all;
    return H3OU__OK;
}

/* Rank 0 of the component reads the file for all of its processes; when it fails, all return its error and sentence. */
int h3ou__shared_file_read(h3ou__world *world, const char *what, const char *file, char **text, int64_t *size)
{
    h3ou__comm *local = h3ou__world_local(world);
    char sentence[512] = "";
    int64_t head[2] = {0, 0};
    *text = NULL;
    if (h3ou__comm_rank(local) == 0) {
        head[0] = h3ou__file_read(what, file, text, size);
        head[1] = head[0] ? 0 : *size;
        snprintf(sentence, sizeof sentence, "%s", head[0] ? h3ou__fail_text() : "");
    }
    int err = h3ou__bcast(local, head, 2, H3OU__INT64, 0);
    if (!err && head[0] && (err = h3ou__bcast(local, sentence, sizeof sentence, H3OU__BYTE, 0)) == H3OU__OK)
        return h3ou__fail((int)head[0], "%s", sentence);
    *size = head[1];
    if (!err && h3ou__comm_rank(local) != 0 && !(*text = malloc((size_t)*size + 1)))
        err = h3ou__fail(H3OU__ENOMEM, "out of memory for %s %s", what, file);
    return err ? err : h3ou__bcast(local, *text, *size, H3OU__BYTE, 0);
}
