/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/cli/json_file.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tools/cli/command_group.h"

json_t *json_file_number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *json_file_text(const char *text)
{
    static const char unknown[] = "\xef\xbf\xbd"; /* U+FFFD in UTF-8 */
    json_t *string = json_string(text);
    char *readable = string ? NULL : malloc(3 * strlen(text) + 1), *at = readable;
    if (!readable)
        return string;
    for (; *text; text++) {
        if ((unsigned char)*text < 0x80) {
            *at++ = *text;
        } else {
            memcpy(at, unknown, 3);
            at += 3;
        }
    }
    *at = 0;
    string = json_string(readable);
    free(readable);
    return string;
}

int json_file_write(json_t *root, int digits, const char *file)
{
    if (!root)
        return h3ou__fail(H3OU__ENOMEM, "%s: out of memory for JSON", file);
    FILE *out = fopen(file, "w");
    int code = H3OU__OK;
    if (!out) {
        code = h3ou__fail(H3OU__EFILE, "%s: %s", file, strerror(errno));
    } else {
        bool is_bad = json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION((size_t)digits)) != 0;
        is_bad = fputc('\n', out) == EOF || is_bad;
        is_bad = fclose(out) != 0 || is_bad;
        if (is_bad) {
            code = h3ou__fail(H3OU__EFILE, "%s: %s", file, strerror(errno));
            discard_file(file);
        }
    }
    json_decref(root);
    return code;
}
