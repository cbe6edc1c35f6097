/* SPDX-License-Identifier: BSD-3-Clause */
/* read_config FILE: 0 when h3ou understands the namelist, else its sentence. */
#include <stdio.h>

#include "base/error.h"
#include "coupler/config/config.h"

int main(int argc, char *argv[])
{
    static char text[65536];
    FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!f)
        return 2;
    size_t n = fread(text, 1, sizeof text, f);
    fclose(f);
    h3ou__config *config = NULL;
    int err = h3ou__config_parse(argv[1], text, (int64_t)n, &config);
    if (err)
        puts(h3ou__fail_text());
    else
        printf("%d pairs %d fields\n", config->npair, config->nvar);
    h3ou__config_free(config);
    return err != 0;
}
