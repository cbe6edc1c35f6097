/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/check/run_setup.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"

enum { LINE = 4096, PATH = 4096 };

static int add_line(h3ou__setup *s, const char *text)
{
    if (!h3ou__resize(&s->line, sizeof *s->line, s->n + 1) || !(s->line[s->n] = strdup(text)))
        return h3ou__no_memory("the record of a run's setup");
    s->n++;
    return H3OU__OK;
}

int h3ou__setup_add(h3ou__setup *s, const char *format, ...)
{
    char text[LINE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return add_line(s, text);
}

void h3ou__setup_free(h3ou__setup *s)
{
    for (int i = 0; i < s->n; i++)
        free(s->line[i]);
    free(s->line);
    *s = (h3ou__setup){0};
}

static int fail_to_write(const char *file)
{
    return h3ou__fail(H3OU__EFILE, "%s: %s", file, strerror(errno));
}

static int write_lines(const h3ou__setup *s, const char *file)
{
    FILE *f = fopen(file, "we");
    if (!f)
        return fail_to_write(file);
    bool ok = fprintf(f, "h3ou-setup\tversion=%d\n", H3OU__SETUP_VERSION) > 0;
    for (int i = 0; i < s->n && ok; i++)
        ok = fprintf(f, "%s\n", s->line[i]) > 0;
    ok = ok && fputs("end\n", f) >= 0 && fflush(f) == 0 && fsync(fileno(f)) == 0;
    int err = ok ? H3OU__OK : fail_to_write(file);
    if (fclose(f) != 0 && !err)
        err = fail_to_write(file);
    return err;
}

int h3ou__setup_write(const h3ou__setup *s, const char *folder, const char *component)
{
    char file[PATH], made[PATH];
    if (snprintf(file, sizeof file, "%s/setup/%s", folder, component) >= PATH ||
        snprintf(made, sizeof made, "%s/setup/.%s.%ld", folder, component, (long)getpid()) >= PATH)
        return h3ou__fail(H3OU__EFILE, "%s: the name of the run's folder is too long", folder);
    int err = write_lines(s, made);
    if (!err && rename(made, file) != 0)
        err = fail_to_write(file);
    if (err)
        unlink(made);
    return err;
}

static int read_lines(FILE *f, const char *file, h3ou__setup *out)
{
    char line[LINE + 1] = "";
    bool has_end = false;
    int version = 0, err = H3OU__OK;
    if (!fgets(line, sizeof line, f) || sscanf(line, "h3ou-setup\tversion=%d", &version) != 1)
        return h3ou__fail(H3OU__EFILE, "%s: this is no record of a run's setup", file);
    if (version != H3OU__SETUP_VERSION)
        return h3ou__fail(H3OU__EFILE, "%s: a record of a run's setup in version %d, this is %d: run the models once more", file,
                          version, H3OU__SETUP_VERSION);
    while (!err && !has_end && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        has_end = !strcmp(line, "end");
        err = has_end ? H3OU__OK : add_line(out, line);
    }
    return err || has_end ? err : h3ou__fail(H3OU__EFILE, "%s: the record of a run's setup is cut off: run the models once more", file);
}

int h3ou__setup_read(const char *folder, const char *component, h3ou__setup *out)
{
    char file[PATH];
    *out = (h3ou__setup){0};
    if (snprintf(file, sizeof file, "%s/setup/%s", folder, component) >= PATH)
        return H3OU__OK;
    FILE *f = fopen(file, "re");
    if (!f)
        return errno == ENOENT ? H3OU__OK : h3ou__fail(H3OU__EFILE, "%s: %s", file, strerror(errno));
    int err = read_lines(f, file, out);
    fclose(f);
    if (err)
        h3ou__setup_free(out);
    return err;
}

bool h3ou__setup_is(const char *line, const char *kind)
{
    size_t length = strlen(kind);
    return !strncmp(line, kind, length) && (line[length] == '\t' || !line[length]);
}

/* Returns where the value of a key begins, and its length; NULL: the line has no such key. */
static const char *find_value(const char *line, const char *key, size_t *length)
{
    size_t name = strlen(key);
    for (const char *at = strchr(line, '\t'); at; at = strchr(at + 1, '\t'))
        if (!strncmp(at + 1, key, name) && at[1 + name] == '=') {
            *length = strcspn(at + name + 2, "\t");
            return at + name + 2;
        }
    return NULL;
}

bool h3ou__setup_text(const char *line, const char *key, char *text, size_t size)
{
    size_t length = 0;
    const char *value = find_value(line, key, &length);
    snprintf(text, size, "%.*s", (int)length, value ? value : "");
    return value;
}

double h3ou__setup_number(const char *line, const char *key, double otherwise)
{
    size_t length;
    const char *value = line ? find_value(line, key, &length) : NULL;
    char *end;
    double number = value ? strtod(value, &end) : 0.0;
    return value && length > 0 && end == value + length ? number : otherwise;
}

static bool has_value(const char *line, const char *key, const char *wanted)
{
    size_t length;
    if (!wanted)
        return true;
    const char *value = find_value(line, key, &length);
    return value && strlen(wanted) == length && !strncmp(value, wanted, length);
}

const char *h3ou__setup_find(const h3ou__setup *s, const char *kind, const char *a, const char *x, const char *b,
                             const char *y)
{
    for (int i = 0; i < s->n; i++)
        if (h3ou__setup_is(s->line[i], kind) && has_value(s->line[i], a, x) && has_value(s->line[i], b, y))
            return s->line[i];
    return NULL;
}
