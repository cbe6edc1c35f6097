/* SPDX-License-Identifier: BSD-3-Clause */
/* Ping-pong on one host: the jobs consist of processes that this process forks. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "tools/harness/player.h"
#include "tools/pingpong/pingpong_children.h"
#include "tools/pingpong/pingpong_run.h"

enum { JOIN = 30 };

static void set_environment(int pbs, const char *route, int port, int pb, int rank, int size)
{
    player_set_place(port, pbs, pb, size, rank);
    if (*route)
        setenv("WAITIO_COMM_TYPE", route, 1);
    else
        unsetenv("WAITIO_COMM_TYPE");
}

static int write_round(void *user, const round_result *r)
{
    char line[ROUND_LINE];
    round_write_line(r, line);
    size_t n = strlen(line);
    if (write(*(int *)user, line, n) != (ssize_t)n) /* written at once, since it is shorter than PIPE_BUF */
        _exit(1);
    return H3OU__OK;
}

/* Runs in a child; does not return. */
static void run_player(const pingpong_run *r, int to)
{
    pingpong_crew crew = {.may_pin = true};
    pingpong_sink sink = {.user = &to, .round = write_round};
    setenv("WAITIO_PATIENCE", "86400",
           1); /* pairs that are not measured wait for long; their parent process limits the time */
    int code = pingpong_crew_join(&crew, JOIN);
    if (!code)
        code = crew.rank ? pingpong_crew_serve(&crew) : pingpong_crew_conduct(&crew, &r->plan, &sink);
    if (!code)
        code = pingpong_crew_leave(&crew);
    if (code) {
        char text[512];
        snprintf(text, sizeof text - 1, "%.480s", h3ou__fail_text());
        text[strcspn(text, "\n")] = 0;
        strcat(text, "\n");
        if (write(to, text, strlen(text)) < 0)
            _exit(2);
    }
    _exit(code != 0);
}

static int measure_pbs(pingpong_run *r, int pbs, const char *route)
{
    pingpong_children c;
    int size = 2 * r->plan.pairs[r->plan.npairs - 1], port = player_free_port(), code = pingpong_children_begin(&c, size);
    r->link[PINGPONG_LINK_RAW] = pingpong_raw_way();
    r->link[PINGPONG_LINK_WAITIO] = pingpong_waitio_way(pbs, route);
    for (int i = 0; i < size && !code; i++) {
        pid_t pid = pingpong_children_fork(&c);
        if (pid == 0) {
            set_environment(pbs, route, port, i % pbs, i / pbs, size / pbs);
            run_player(r, c.in);
        }
        if (pid < 0)
            code = h3ou__fail(H3OU__EOS, "process %d of %d: %s: say fewer with --pairs", i + 1, size, strerror(errno));
    }
    if (!code)
        code = pingpong_children_read(&c, r->patience, pingpong_take_line, r);
    bool is_fine = pingpong_children_end(&c);
    if (!code && !is_fine)
        code = h3ou__fail(H3OU__EPEER, "%s", *c.said ? c.said : "a process ended early");
    return code ? h3ou__fail_in(code, "%s", r->link[PINGPONG_LINK_WAITIO].name) : H3OU__OK;
}

/* Writes the host's name, its number of cores and notes about them into the table. */
static void describe_host(pingpong_run *r)
{
    char host[256] = "this host";
    int cores = CPU_COUNT(&r->allowed), most = 2 * r->plan.pairs[r->plan.npairs - 1];
    gethostname(host, sizeof host - 1);
    snprintf(r->table.where, sizeof r->table.where, "%s (%d core%s)", host, cores, cores > 1 ? "s" : "");
    if (most > cores)
        pingpong_table_note(
            &r->table,
            "from %d pair%s on, processes outnumber the %d core%s and share them: what the scheduler does "
            "is part of these numbers",
            cores / 2 + 1, cores / 2 ? "s" : "", cores, cores > 1 ? "s" : "");
    if (cores > 1)
        pingpong_table_note(&r->table, "up to %d pair%s, each process has a core of its own", cores / 2,
                            cores > 3 ? "s" : "");
}

int pingpong_run_alone(pingpong_run *r)
{
    int code = H3OU__OK, sets = 0;
    for (int pbs = 2; pbs >= 1; pbs--)
        sets += r->pbs == 0 || r->pbs == pbs;
    int points = r->plan.npairs * r->plan.nsize * r->plan.round.rounds;
    r->all = (int64_t)points * (2 * (r->nroute + sets - 1) + r->nmpi);
    describe_host(r);
    for (int pbs = 2; pbs >= 1 && !code; pbs--) {
        if (r->pbs && r->pbs != pbs)
            continue;
        /* Routes are compared for two PBs, or for one if only that is asked for. */
        for (int i = 0; i < (pbs == 2 || r->pbs == 1 ? r->nroute : 1) && !code; i++)
            code = measure_pbs(r, pbs, r->route[i]);
    }
    return code ? code : pingpong_run_mpis(r);
}
