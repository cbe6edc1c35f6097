/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/monitor/file/make_fields.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/monitor/file/field_netcdf.h"

enum { PATH = 4096 };

typedef struct making {
    const char *folder;
    h3ou__fields_told told;
    void *user;
    int problems;
    char component[256];
    int n; /* its processes */
    h3ou__raw_part *part;
    bool has_ended; /* all of them */
} making;

static void tell(making *m, bool is_problem, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void tell(making *m, bool is_problem, const char *format, ...)
{
    char sentence[2 * PATH];
    va_list a;
    va_start(a, format);
    vsnprintf(sentence, sizeof sentence, format, a);
    va_end(a);
    m->problems += is_problem;
    m->told(m->user, is_problem, sentence);
}

static void tell_failure(making *m)
{
    tell(m, true, "%s", h3ou__fail_text());
}

/* Returns whether two parts have the same field. */
static bool is_same_field(const char *a, const char *b)
{
    static const char *const keys[] = {"side", "field", "partner", "partner_field", "layers", "components"};
    char mine[H3OU__RAW_TEXT], other[H3OU__RAW_TEXT];
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        h3ou__raw_find(a, keys[i], mine);
        h3ou__raw_find(b, keys[i], other);
        if (strcmp(mine, other) != 0)
            return false;
    }
    return true;
}

static const h3ou__raw_field *find_field(const h3ou__raw_part *p, const char *text)
{
    for (int i = 0; i < p->nfield; i++)
        if (is_same_field(p->field[i].text, text))
            return &p->field[i];
    return NULL;
}

/* Finds the field in all parts; false: a process stopped before it had any. */
static bool find_in_all(const making *m, const char *text, const h3ou__raw_field *of[])
{
    for (int k = 0; k < m->n; k++)
        if (!(of[k] = find_field(&m->part[k], text)))
            return false;
    return true;
}

static bool is_silent(const h3ou__raw_field *f)
{
    return h3ou__raw_number(f->text, "silent") == 1;
}

/* Lists the records that all processes have, of several of one time the last. Returns how many there are; -1: the times of two
 * processes differ. */
static int list_times(const making *m, const h3ou__raw_field *const of[], int64_t *record, double *time)
{
    const h3ou__raw_field *first = NULL;
    int64_t n = INT64_MAX;
    int ntime = 0;
    for (int k = 0; k < m->n; k++)
        if (!is_silent(of[k])) {
            first = first ? first : of[k];
            n = of[k]->n < n ? of[k]->n : n;
        }
    for (int k = 0; k < m->n && !first; k++) /* nobody is sent values: those that all cells have without */
        if (of[k]->n > 0) {
            first = of[k];
            n = first->n;
        }
    for (int64_t i = 0; first && i < n; i++) {
        for (int k = 0; k < m->n; k++)
            if (!is_silent(of[k]) && of[k]->time[i] != first->time[i])
                return -1;
        if (i + 1 < n && first->time[i + 1] == first->time[i])
            continue;
        record[ntime] = i;
        time[ntime++] = first->time[i];
    }
    return ntime;
}

/* Returns the name of the file of a field: SOURCE.FIELD.TARGET.FIELD.SIDE.nc */
static void name_file(const making *m, const char *text, char file[PATH])
{
    char side[H3OU__RAW_TEXT], field[H3OU__RAW_TEXT], partner[H3OU__RAW_TEXT], other[H3OU__RAW_TEXT];
    h3ou__raw_find(text, "side", side);
    h3ou__raw_find(text, "field", field);
    h3ou__raw_find(text, "partner", partner);
    h3ou__raw_find(text, "partner_field", other);
    bool sends = !strcmp(side, "put") || !strcmp(side, "sent");
    snprintf(file, PATH, "%s/monitor/%s.%s.%s.%s.%s.nc", m->folder, sends ? m->component : partner, sends ? field : other,
             sends ? partner : m->component, sends ? other : field, side);
}

/* Writes the file of a field that all parts have. */
static int write_file(making *m, const char *file, const h3ou__raw_field *const of[], int64_t *record, double *time)
{
    h3ou__whole_grid whole;
    int *grid = malloc(sizeof *grid * (size_t)m->n), ntime = list_times(m, of, record, time);
    if (!grid)
        return h3ou__no_memory("%s", file);
    for (int k = 0; k < m->n; k++)
        grid[k] = of[k]->grid;
    int err = ntime < 0 ? h3ou__fail(H3OU__EFILE, "%s: is not made: its processes have values of different times", file)
                        : h3ou__whole_grid_make(m->part, m->n, grid, &whole);
    const h3ou__kept_field f = {m->n, m->part, of, &whole, ntime, record, time};
    if (!err && ntime > 0)
        err = h3ou__field_netcdf_write(file, &f);
    if (ntime >= 0)
        h3ou__whole_grid_free(&whole);
    free(grid);
    bool has_values = false;
    for (int k = 0; k < m->n; k++)
        has_values |= !is_silent(of[k]);
    if (!err && ntime > 0)
        tell(m, false, "%s: %d time%s", file, ntime, ntime == 1 ? "" : "s");
    else if (!err && !has_values)
        tell(m, false, "%s: is not made: no process of %s gets a message of this field", file, m->component);
    return err;
}

static int make_field(making *m, const h3ou__raw_field *first)
{
    char file[PATH];
    name_file(m, first->text, file);
    const h3ou__raw_field **of = malloc(sizeof *of * (size_t)m->n);
    int64_t n = 1;
    for (int i = 0; i < m->n; i++) {
        const h3ou__raw_field *f = find_field(&m->part[i], first->text);
        n = f && f->n > n ? f->n : n;
    }
    int64_t *record = malloc(sizeof *record * (size_t)n);
    double *time = malloc(sizeof *time * (size_t)n);
    int err = of && record && time ? H3OU__OK : h3ou__no_memory("%s", file);
    if (!err && !find_in_all(m, first->text, of))
        err = h3ou__fail(H3OU__EFILE, "%s: is not made: some process of %s stopped before it kept a value", file, m->component);
    if (!err)
        err = write_file(m, file, of, record, time);
    free(of);
    free(record);
    free(time);
    return err;
}

static void part_name(const making *m, int rank, char name[PATH])
{
    snprintf(name, PATH, "%s/" H3OU__RAW_FOLDER "/%s.%d", m->folder, m->component, rank);
}

/* Reads the file of one process, which must be of the run of the first one. */
static int read_part(making *m, int rank)
{
    char name[PATH];
    part_name(m, rank, name);
    h3ou__raw_part *p = &m->part[m->n++];
    int err = h3ou__raw_read(name, p);
    if (err)
        return err;
    if (p->is_cut)
        tell(m, false, "%s: ends in the middle of a record, which is left out", name);
    m->has_ended = m->has_ended && p->has_ended;
    if (!*p->run)
        return h3ou__fail(H3OU__EFILE, "%s: has no values: the component stopped before its first step", name);
    if (h3ou__raw_number(p->run, "run") != h3ou__raw_number(m->part[0].run, "run"))
        return h3ou__fail(H3OU__EFILE, "%s: is of another run than that of process 0: remove what is of the older run", name);
    return H3OU__OK;
}

static int read_parts(making *m)
{
    enum { MOST_PROCESSES = 1 << 24 };
    m->part = malloc(sizeof *m->part);
    m->has_ended = true;
    int err = m->part ? read_part(m, 0) : h3ou__no_memory("%s", m->component);
    int64_t size = err ? 1 : h3ou__raw_number(m->part[0].run, "size");
    if (!err && (size < 1 || size > MOST_PROCESSES))
        return h3ou__fail(H3OU__EFILE, "%s: is damaged: its number of processes", m->part[0].name);
    if (!err && !h3ou__resize(&m->part, sizeof *m->part, size))
        err = h3ou__no_memory("%s", m->component);
    for (int rank = 1; rank < size && !err; rank++)
        err = read_part(m, rank);
    return err;
}

/* Removes the files of the processes of a component. */
static void remove_parts(const making *m)
{
    char name[PATH];
    for (int rank = 0; rank < m->n; rank++) {
        part_name(m, rank, name);
        unlink(name);
    }
}

static void make_component(making *m, bool keep)
{
    int before = m->problems;
    m->n = 0;
    bool is_read = !read_parts(m);
    if (!is_read)
        tell_failure(m);
    for (int k = 0; k < m->n && is_read; k++)
        for (int i = 0; i < m->part[k].nfield; i++) {
            const h3ou__raw_field *f = &m->part[k].field[i];
            bool is_new = true;
            for (int j = 0; j < k; j++)
                is_new = is_new && !find_field(&m->part[j], f->text);
            if (is_new && make_field(m, f))
                tell_failure(m);
        }
    if (m->problems == before && m->has_ended && !keep)
        remove_parts(m);
    for (int k = 0; k < m->n; k++)
        h3ou__raw_part_free(&m->part[k]);
    free(m->part);
    m->part = NULL;
}

/* Returns whether a name is that of the file of a component's first process, and copies the component's. */
static bool is_first(const char *name, char component[256])
{
    size_t length = strlen(name);
    if (length < 3 || length >= 256 || strcmp(name + length - 2, ".0") != 0)
        return false;
    snprintf(component, 256, "%.*s", (int)(length - 2), name);
    return true;
}

static int make_all(making *m, bool keep)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/" H3OU__RAW_FOLDER, m->folder);
    DIR *d = opendir(path);
    if (!d && errno != ENOENT)
        return h3ou__fail(H3OU__EFILE, "%s: can't be read: %s", path, strerror(errno));
    for (const struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        if (is_first(e->d_name, m->component))
            make_component(m, keep);
    if (d)
        closedir(d);
    return H3OU__OK;
}

/* Lets one program make the files at a time, so that an older state of a file does not replace a newer one. Waits for another one a minute
 * at most; where files cannot be locked it does not wait. Returns what close() ends, or -1. */
static int lock_folder(const char *folder)
{
    enum { MOST_SECONDS = 60, TRIES = 20 }; /* tries of a second */
    const struct timespec pause = {.tv_nsec = 1000 * 1000 * 1000 / TRIES};
    char path[PATH];
    snprintf(path, sizeof path, "%s/" H3OU__RAW_FOLDER, folder);
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; fd >= 0 && i < MOST_SECONDS * TRIES && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; i++)
        nanosleep(&pause, NULL);
    return fd;
}

int h3ou__fields_make(const char *folder, const char *component, bool keep, h3ou__fields_told told, void *user)
{
    making m = {.folder = folder, .told = told, .user = user};
    int err = H3OU__OK, lock = lock_folder(folder);
    if (component) {
        snprintf(m.component, sizeof m.component, "%s", component);
        make_component(&m, keep);
    } else {
        err = make_all(&m, keep);
    }
    char path[PATH];
    snprintf(path, sizeof path, "%s/" H3OU__RAW_FOLDER, folder);
    rmdir(path); /* when it is empty */
    if (lock >= 0)
        close(lock);
    return err || m.problems == 0 ? err : h3ou__fail(H3OU__EFILE, "%s: not all fields that were monitored could be made", folder);
}
