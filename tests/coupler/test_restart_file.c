/* SPDX-License-Identifier: BSD-3-Clause */
/* Restart files: read by other numbers of processes; refused when cut off, damaged, foreign or of another format; whole after a
 * full disk and after a kill at any moment of the writing. */
#include <math.h>
#include <netcdf.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "coupler/restart/restart_file.h"
#include "os/os_clock.h"
#include "thread_world.h"
#include "units.h"

enum { CELLS = 3000, ROWS = 3, MOMENTS = 20 };

static char folder[] = "/tmp/h3ou-restart-XXXXXX", file[64], former[80], part[80];

/* What the processes of a component write or are to find. */
typedef struct task {
    const char *file;
    int version;    /* from which the values follow */
    bool is_any;    /* the version is what the text says, and is returned in `version` */
} task;

static double value_of(int version, int64_t index, int row)
{
    return version + (double)index / 7.0 + row * 1000.5;
}

/* Deals the cells so that rank 0 of several has none, and the last index is not held by anybody. */
static int make_grid(thread_process *me, h3ou__grid *g)
{
    int size = h3ou__comm_size(me->local), ranks = size > 1 ? size - 1 : 1;
    *g = (h3ou__grid){.name = "g", .last = CELLS + CELLS / 100 + 1, .index = malloc(sizeof *g->index * CELLS)};
    if (!g->index)
        return h3ou__fail(H3OU__ENOMEM, "out of memory");
    for (int64_t i = CELLS; i > 0; i--)
        if (i * 7919 % ranks == (size > 1 ? me->rank - 1 : 0))
            g->index[g->n++] = i + i / 100; /* with gaps */
    return H3OU__OK;
}

static int write_version(thread_process *me)
{
    const task *t = me->user;
    h3ou__restart_list list = {0};
    h3ou__grid g;
    int err = make_grid(me, &g);
    double *value = malloc(sizeof *value * (size_t)(ROWS * g.n + 1));
    for (int row = 0; row < ROWS; row++)
        for (int64_t i = 0; i < g.n; i++)
            value[row * g.n + i] = value_of(t->version, g.index[i], row);
    if (!err)
        err = h3ou__restart_list_text(&list, "version", "%d", t->version);
    if (!err)
        err = h3ou__restart_list_array(&list, "rows", &g, ROWS, value);
    if (!err)
        err = h3ou__restart_list_array(&list, "row", &g, 1, value);
    if (!err)
        err = h3ou__restart_file_write(me->local, t->file, &list);
    h3ou__restart_list_free(&list);
    free(g.index);
    free(value);
    return err;
}

static int read_rows(thread_process *me, h3ou__restart_file *r, const char *name, int rows, int version)
{
    h3ou__grid g;
    int err = make_grid(me, &g);
    double *value = malloc(sizeof *value * (size_t)(ROWS * g.n + 1));
    if (!err)
        err = h3ou__restart_file_array(r, name, &g, rows, value);
    for (int row = 0; row < rows && !err; row++)
        for (int64_t i = 0; i < g.n && !err; i++)
            if (value[row * g.n + i] != value_of(version, g.index[i], row))
                err = h3ou__fail(H3OU__EPROTO, "a wrong value was read");
    free(g.index);
    free(value);
    return err;
}

static int read_version(thread_process *me)
{
    task *t = me->user;
    h3ou__restart_file *r = NULL;
    char text[H3OU__RESTART_TEXT];
    bool has = false;
    int err = h3ou__restart_file_open(me->local, t->file, &r);
    if (!err)
        err = h3ou__restart_file_text(r, "version", text, &has);
    if (!err && !has)
        err = h3ou__fail(H3OU__EFILE, "there is no version");
    int version = err ? 0 : atoi(text);
    if (!err && !t->is_any && version != t->version)
        err = h3ou__fail(H3OU__EPROTO, "another version was read");
    if (!err && t->is_any && me->rank == 0)
        t->version = version;
    if (!err)
        err = read_rows(me, r, "rows", ROWS, version);
    if (!err)
        err = read_rows(me, r, "row", 1, version);
    h3ou__restart_file_close(r);
    return err;
}

/* Lets n processes do it, and returns the error of all of them; said: its sentence. */
static int by_all(int n, int (*be)(thread_process *me), task *t, char said[H3OU__ERROR_TEXT])
{
    thread_process p[THREADS_MOST];
    run_threads(n, 0, be, t, p);
    for (int i = 1; i < n; i++)
        assert_int_equal(p[i].err, p[0].err);
    snprintf(said, H3OU__ERROR_TEXT, "%s", p[0].err ? p[0].said : "");
    return p[0].err;
}

static void must(int n, int (*be)(thread_process *me), task *t)
{
    char said[H3OU__ERROR_TEXT];
    if (by_all(n, be, t, said))
        fail_msg("%s", said);
}

static void refuses(const char *name, const char *words)
{
    char said[H3OU__ERROR_TEXT];
    task t = {.file = name, .is_any = true};
    assert_int_equal(by_all(2, read_version, &t, said), H3OU__EFILE);
    if (!strstr(said, words))
        fail_msg("\"%s\" does not say \"%s\"", said, words);
}

static void other_numbers_of_processes_read_it(void **state)
{
    (void)state;
    task t = {.file = file, .version = 3};
    for (int writers = 1; writers < 6; writers += 2)
        for (int readers = 1; readers < 6; readers++) {
            must(writers, write_version, &t);
            must(readers, read_version, &t);
            t.version++;
        }
}

/* Reads the bytes of the file; the caller frees them. */
static char *bytes_of(const char *name, size_t *size)
{
    struct stat s;
    assert_int_equal(stat(name, &s), 0);
    char *all = malloc((size_t)s.st_size);
    FILE *f = fopen(name, "rb");
    *size = fread(all, 1, (size_t)s.st_size, f);
    assert_int_equal(fclose(f), 0);
    return all;
}

static void write_bytes(const char *name, const char *all, size_t size)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(all, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static void what_was_cut_off_or_damaged_is_refused(void **state)
{
    (void)state;
    char other[80], said[H3OU__ERROR_TEXT];
    size_t size, refused = 0;
    task t = {.file = file, .version = 5}, changed = {.file = other, .version = 5};
    snprintf(other, sizeof other, "%s/other", folder);
    must(2, write_version, &t);
    char *all = bytes_of(file, &size);
    for (size_t i = 0; i < 40; i++) {
        write_bytes(other, all, i < 20 ? i * 40 : (size - 1) * i / 39);
        if (by_all(1, read_version, &changed, said) != H3OU__EFILE)
            fail_msg("a file of %zu of %zu bytes is read: %s", i < 20 ? i * 40 : (size - 1) * i / 39, size, said);
    }
    for (size_t i = 0; i < 60; i++) { /* a bit that says nothing, as of a dimension's name, may be another one */
        size_t at = size * i / 60 + 3;
        all[at] ^= 1;
        write_bytes(other, all, size);
        all[at] ^= 1;
        int err = by_all(1, read_version, &changed, said);
        assert_true(err == H3OU__OK || err == H3OU__EFILE);
        refused += err != H3OU__OK;
    }
    assert_true(refused > 50);
    free(all);
}

static void what_is_foreign_or_older_is_refused(void **state)
{
    (void)state;
    char other[80];
    int id;
    snprintf(other, sizeof other, "%s/other", folder);
    write_bytes(other, "&h3ou_var /\n", 12);
    refuses(other, "NetCDF: Unknown file format");
    refuses("/nowhere/restart", "/nowhere/restart: No such file");
    assert_int_equal(nc_create(other, NC_CLOBBER, &id), 0);
    assert_int_equal(nc_close(id), 0);
    refuses(other, "is no restart file of h3ou");
    assert_int_equal(nc_create(other, NC_CLOBBER, &id), 0);
    assert_int_equal(nc_put_att_text(id, NC_GLOBAL, "h3ou_restart", 1, "0"), 0);
    assert_int_equal(nc_close(id), 0);
    refuses(other, "of format 0, this version of h3ou reads formats 2 to 3");
    assert_int_equal(nc_create(other, NC_CLOBBER, &id), 0);
    assert_int_equal(nc_put_att_text(id, NC_GLOBAL, "h3ou_restart", 1, "4"), 0);
    assert_int_equal(nc_close(id), 0);
    refuses(other, "of format 4, this version of h3ou reads formats 2 to 3");
}

static void a_full_disk_loses_nothing(void **state)
{
    (void)state;
    char said[H3OU__ERROR_TEXT];
    task old = {.file = file, .version = 100}, new = {.file = file, .version = 101};
    struct rlimit limit, few;
    must(2, write_version, &old);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    few = limit;
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t room = 0; room < 90000; room += 30000) {
        few.rlim_cur = room;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
        int err = by_all(2, write_version, &new, said);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        assert_int_equal(err, H3OU__EFILE);
        assert_non_null(strstr(said, file));
        assert_int_not_equal(access(part, F_OK), 0);
        must(3, read_version, &old);
    }
    must(2, write_version, &new);
    must(2, read_version, &new);
    old.file = former;
    must(2, read_version, &old);
}

/* Writes versions from `first` on until it is killed; says when the first one is there. */
static void write_for_ever(int first, int told)
{
    char said[H3OU__ERROR_TEXT];
    for (task t = {.file = file, .version = first};; t.version++)
        if (by_all(2, write_version, &t, said) || (t.version == first && write(told, "", 1) != 1))
            _exit(1);
}

/* Begins a process that writes versions from `first` on, and waits for the first one. */
static pid_t begin_writing(int first)
{
    int told[2];
    char word;
    assert_int_equal(pipe(told), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        write_for_ever(first, told[1]);
    close(told[1]);
    assert_int_equal(read(told[0], &word, 1), 1);
    close(told[0]);
    return child;
}

/* Waits for a random part of the time that two versions take. */
static void wait_for_a_moment(double seconds)
{
    double some = 2.0 * seconds * rand() / RAND_MAX;
    struct timespec wait = {(time_t)some, (long)(1e9 * (some - floor(some)))};
    assert_int_equal(nanosleep(&wait, NULL), 0);
}

static void a_kill_leaves_the_former_file(void **state)
{
    (void)state;
    task t = {.file = file, .version = 999}, before = {.file = former, .is_any = true};
    int parts = 0, status;
    must(1, write_version, &t);
    t.version++;
    double begin = h3ou__now();
    must(1, write_version, &t);
    double seconds = h3ou__now() - begin;
    for (int moment = 0; moment < MOMENTS; moment++) {
        pid_t child = begin_writing(t.version + 1);
        wait_for_a_moment(seconds);
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        parts += access(part, F_OK) == 0;
        t.is_any = true;
        must(2, read_version, &t);
        must(2, read_version, &before);
        assert_in_range(before.version, t.version - 1, t.version); /* both are the same between the two renames */
    }
    assert_true(parts > 0);
    print_message("%d of %d kills came while a file was written; the last version is %d\n", parts, MOMENTS, t.version);
    t.version++;
    t.is_any = false;
    must(2, write_version, &t);
    must(2, read_version, &t);
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return 1;
    snprintf(file, sizeof file, "%s/restart", folder);
    snprintf(former, sizeof former, "%s.former", file);
    snprintf(part, sizeof part, "%s.part", file);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"restart", "restart.former", "restart.part", "restart.former.part", "other"};
    char name[128];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(name, sizeof name, "%s/%s", folder, names[i]);
        remove(name);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_numbers_of_processes_read_it),
        cmocka_unit_test(what_was_cut_off_or_damaged_is_refused),
        cmocka_unit_test(what_is_foreign_or_older_is_refused),
        cmocka_unit_test(a_full_disk_loses_nothing),
        cmocka_unit_test(a_kill_leaves_the_former_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
