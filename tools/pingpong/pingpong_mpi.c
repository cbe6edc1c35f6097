/* SPDX-License-Identifier: BSD-3-Clause */
/* Ping-pong by this host's MPIs: a small program compiled with each of them, started by its mpirun. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "tools/harness/player.h"
#include "tools/pingpong/pingpong_children.h"
#include "tools/pingpong/pingpong_run.h"

enum { NAMES_MOST = 256 };

static const struct {
    const char *name, *title;
} titles[] = {{"mpich", "MPICH"}, {"openmpi", "Open MPI"}, {"default", "MPI"}};

/* Finds the first executable file of that name on PATH. */
static bool find_on_path(const char *name, char file[], size_t room)
{
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t n = strcspn(path, ":");
        if (n && snprintf(file, room, "%.*s/%s", (int)n, path, name) < (int)room && access(file, X_OK) == 0)
            return true;
        path += n + (path[n] == ':');
    }
    return false;
}

/* Finds the program relative to this one, in the build tree or in the installed tree. */
static bool find_helper(const char *name, char file[], size_t room)
{
    char here[3000];
    ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
    if (n < 0)
        return false;
    here[n] = 0;
    char *slash = strrchr(here, '/');
    if (slash)
        *slash = 0;
    snprintf(file, room, "%s/%s/h3ou-pingpong-mpi.%s", here, H3OU_LIBEXEC, name);
    return access(file, X_OK) == 0;
}

static bool is_in_list(const char *names, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, name, n) && (at[n] == ',' || !at[n]))
            return true;
    return false;
}

static void describe_mpi(pingpong_mpi *m, const char *name)
{
    snprintf(m->name, sizeof m->name, "%s", name);
    snprintf(m->title, sizeof m->title, "%s", name);
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (!strcmp(name, titles[i].name))
            snprintf(m->title, sizeof m->title, "%s", titles[i].title);
}

/* Returns whether the mpirun belongs to that MPI: by its name, or because there is only one MPI. */
static bool is_mpirun_of(const char *mpirun, const char *name)
{
    const char *slash = strrchr(mpirun, '/');
    return strstr(slash ? slash + 1 : mpirun, name) != NULL || !strchr(H3OU_MPIS, ',');
}

static int add_mpi(pingpong_run *r, const char *name, bool is_asked_for, const char *mpirun)
{
    pingpong_mpi *m = &r->mpi[r->nmpi];
    char launcher[64];
    describe_mpi(m, name);
    snprintf(launcher, sizeof launcher, "mpirun.%s", name);
    bool is_found = mpirun ? access(mpirun, X_OK) == 0 : find_on_path(launcher, m->mpirun, sizeof m->mpirun);
    if (!mpirun && !is_found && !strcmp(name, "default"))
        is_found =
            find_on_path("mpirun", m->mpirun, sizeof m->mpirun) || find_on_path("mpiexec", m->mpirun, sizeof m->mpirun);
    if (mpirun)
        snprintf(m->mpirun, sizeof m->mpirun, "%s", mpirun);
    if (is_found && find_helper(name, m->helper, sizeof m->helper))
        r->nmpi++;
    else if (is_asked_for)
        return h3ou__fail(H3OU__ENAME, "%s: %s%s", name,
                          is_found ? "no such file: "
                          : mpirun ? mpirun
                                   : launcher,
                          is_found ? m->helper : " cannot be run: put it on PATH, or name it with --mpirun");
    return H3OU__OK;
}

int pingpong_find_mpis(pingpong_run *r, const char *names, const char *mpirun)
{
    char known[NAMES_MOST], *rest = NULL;
    int code = H3OU__OK;
    if (names && !strcmp(names, "none"))
        return H3OU__OK;
    for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
        if (!is_in_list(H3OU_MPIS, word))
            return h3ou__fail(H3OU__ENAME, "--mpi %s: this h3ou was built with: %s; or say none", word,
                              *H3OU_MPIS ? H3OU_MPIS : "no MPI");
    }
    snprintf(known, sizeof known, "%s", H3OU_MPIS);
    for (char *w = strtok_r(known, ",", &rest); w && r->nmpi < PINGPONG_MPIS && !code; w = strtok_r(NULL, ",", &rest))
        if (names ? is_in_list(names, w) : !mpirun || is_mpirun_of(mpirun, w))
            code = add_mpi(r, w, names || mpirun, mpirun);
    if (!code && mpirun && r->nmpi == 0)
        code = h3ou__fail(H3OU__ENAME, "--mpirun %s: which MPI's it is its name does not tell: say --mpi, one of: %s",
                          mpirun, H3OU_MPIS);
    return code;
}

/* Sets what these launchers require to run as root or with more processes than cores; this program binds processes
 * itself. */
static void set_mpi_environment(bool is_crowded)
{
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
    setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 0);
    if (is_crowded)
        setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    if (geteuid() == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    }
    static const char *const ours[] = {"WAITIO_RANK", "WAITIO_SIZE"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        unsetenv(ours[i]);
}

/* Runs mpirun in a child; does not return. */
static void exec_mpirun(const pingpong_run *r, const pingpong_mpi *m, int pairs, int to)
{
    char count[16], sizes[PINGPONG_SIZES * 12] = "", rounds[16], seconds[32], repeat[16], limit[16], cores[8192] = "";
    const pingpong_plan *p = &r->plan;
    bool is_crowded = 2 * pairs > CPU_COUNT(&r->allowed);
    for (int i = 0; i < p->nsize; i++)
        sprintf(sizes + strlen(sizes), "%s%" PRId64, i ? "," : "", p->size[i]);
    for (int i = 0; i < 2 * pairs && !is_crowded; i++)
        sprintf(cores + strlen(cores), "%s%d", i ? "," : "", player_core(&r->allowed, i));
    snprintf(count, sizeof count, "%d", 2 * pairs);
    snprintf(rounds, sizeof rounds, "%d", p->round.rounds);
    snprintf(seconds, sizeof seconds, "%.9g", p->round.seconds);
    snprintf(repeat, sizeof repeat, "%d", p->round.repeat);
    snprintf(limit, sizeof limit, "%.0f", 60.0 + r->patience * p->nsize);
    char *words[] = {(char *)m->mpirun, "-n",   count, (char *)m->helper,     sizes, rounds,
                     seconds,           repeat, limit, *cores ? cores : NULL, NULL};
    set_mpi_environment(is_crowded);
    dup2(to, STDOUT_FILENO);
    dup2(to, STDERR_FILENO);
    execv(m->mpirun, words);
    perror(m->mpirun);
    _exit(127);
}

static int measure_mpi(pingpong_run *r, const pingpong_mpi *m, int pairs)
{
    pingpong_children c;
    int code = pingpong_children_begin(&c, 1);
    r->link[PINGPONG_LINK_WAITIO] = (pingpong_way){.kind = PINGPONG_MPI};
    snprintf(r->link[PINGPONG_LINK_WAITIO].name, sizeof r->link[0].name, "%s", m->title);
    pid_t pid = code ? -1 : pingpong_children_fork(&c);
    if (pid == 0)
        exec_mpirun(r, m, pairs, c.in);
    if (!code && pid < 0)
        code = h3ou__fail(H3OU__EOS, "a process could not be started");
    if (!code)
        code = pingpong_children_read(&c, r->patience, pingpong_take_line, r);
    if (!pingpong_children_end(&c) && !code)
        code = h3ou__fail(H3OU__EMPI, "%s", *c.said ? c.said : "mpirun ended with an error");
    return code;
}

int pingpong_run_mpis(pingpong_run *r)
{
    for (int k = 0; k < r->plan.npairs; k++)
        for (int i = 0; i < r->nmpi; i++)
            if (measure_mpi(r, &r->mpi[i], r->plan.pairs[k]))
                pingpong_table_note(&r->table, "%s, %d pairs: not measured to the end: %.250s", r->mpi[i].title,
                                    r->plan.pairs[k], h3ou__fail_text());
    return H3OU__OK;
}
