/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/shared_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "comm/collective/collective.h"

enum { LARGEST_FILE = 16 << 20 };

int h3ou__file_read(const char *what, const char *file, char **text, int64_t *size)
{
    int err = H3OU__OK;
    FILE *f = fopen(file, "rb");
    if (!f)
        return h3ou__fail(H3OU__EFILE, "%s %s: %s%s", what, file, strerror(errno),
                          errno == ENOENT ? ": name it from the folder where the program runs" : "");
    char *all = malloc(LARGEST_FILE + 1);
    size_t n = all ? fread(all, 1, LARGEST_FILE + 1, f) : 0;
    if (!all)
        err = h3ou__fail(H3OU__ENOMEM, "out of memory for %s %s", what, file);
    else if (ferror(f))
        err = h3ou__fail(H3OU__EFILE, "%s %s: %s", what, file, strerror(errno));
    else if (n > LARGEST_FILE)
        err = h3ou__fail(H3OU__EFILE, "%s %s is larger than 16 MiB: is it a namelist?", what, file);
    fclose(f);
    if (err) {
        free(all);
        return err;
    }
    *text = all;
    *size = (int64_t)n;
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
