/* SPDX-License-Identifier: BSD-3-Clause */
/* The only place that prints or ends the program, because the program asked for it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/context.h"
#include "base/error.h"
#include "base/log.h"

static const double TELL_OTHERS = 2.0; /* seconds that the Kings of other jobs may take to hear of it */

static void print_error(const char *component, int rank, int code, const char *text)
{
    if (code == H3OU_EABORT)
        fprintf(stderr, "h3ou: component %s rank %d ends: %s\n", component, rank, text);
    else
        fprintf(stderr, "h3ou: error in component %s rank %d: %s [%s]\n", component, rank, text, h3ou__strerror(code));
    fflush(stderr);
}

static h3ou_abort_handler handler = print_error;

/* My rank when no world could be opened: the launcher knows it. */
static int early_rank(void)
{
    static const char *const names[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"};
    for (int i = 0; i < 4; i++)
        if (getenv(names[i]))
            return atoi(getenv(names[i]));
    return 0;
}

void h3ou_set_abort_handler(h3ou_abort_handler h)
{
    handler = h ? h : print_error;
}

/* Many ranks meet the same error at the same moment; one message is enough. Rank 0 speaks at once, the others give it,
 * and the end of the job that follows, a moment. */
static void let_leader_speak(int rank)
{
    struct timespec moment = {.tv_nsec = 400 * 1000 * 1000};
    if (rank > 0)
        nanosleep(&moment, NULL);
}

/* An mpirun that is told to abort may drop what it has not read from the process yet. */
static void let_launcher_read(void)
{
    struct timespec moment = {.tv_nsec = 100 * 1000 * 1000};
    nanosleep(&moment, NULL);
}

void h3ou_abort(h3ou_ctx *ctx, int code)
{
    char text[H3OU__ERROR_TEXT], told[H3OU__ERROR_TEXT + 128];
    snprintf(text, sizeof text, "%s", h3ou__fail_text()[0] ? h3ou__fail_text() : h3ou__strerror(code));
    h3ou__world *world = ctx ? ctx->world : NULL;
    h3ou__exit_watch_end(ctx); /* MPICH's MPI_Abort calls exit() */
    const char *name = ctx && ctx->name[0] ? ctx->name : "(unnamed)";
    h3ou__comm *local = world ? h3ou__world_local(world) : NULL;
    int rank = local ? h3ou__comm_rank(local) : early_rank();
    let_leader_speak(rank);
    handler(name, rank, code, text);
    let_launcher_read();
    if (code == H3OU_EABORT) /* told by another job: everybody knows */
        snprintf(told, sizeof told, "%s", text);
    else
        snprintf(told, sizeof told, "component %s rank %d: %s", name, rank, text);
    h3ou__world_abort(world, code, told, code == H3OU_EABORT ? 0.0 : TELL_OTHERS);
    _exit(EXIT_FAILURE); /* no MPI to end the job with; atexit handlers of a broken run could wait for ever */
}

/* The context that is open in this process. */
static struct {
    h3ou_ctx *ctx;
    pid_t process; /* a forked child that exits ends nothing */
    char name[H3OU__NAME + 1];
    int rank;
    bool is_registered, is_registered_again;
} watched;

/* Whether somebody waits for this process. A context that has not joined knows only what the launcher told. */
static bool has_others(const h3ou_ctx *ctx)
{
    static const char *const sizes[] = {"WAITIO_NPB", "PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS"};
    if (ctx->world)
        return h3ou__comm_size(h3ou__world_global(ctx->world)) > 1;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (getenv(sizes[i]) && atoi(getenv(sizes[i])) > 1)
            return true;
    return false;
}

static void left_early(void)
{
    if (!watched.ctx || watched.process != getpid() || !has_others(watched.ctx))
        return;
    h3ou_abort(watched.ctx,
               h3ou__fail(H3OU__ESTATE, "the program exited without h3ou_coupling_end, while others of the "
                                        "run may wait for it"));
}

void h3ou__exit_watch_begin(h3ou_ctx *ctx)
{
    watched.ctx = ctx;
    watched.process = getpid();
    watched.rank = ctx->world ? h3ou__comm_rank(h3ou__world_local(ctx->world)) : early_rank();
    memcpy(watched.name, ctx->name, sizeof ctx->name);
    /* Again after joining: what was registered last is called first, and WaitIO leaves the run at exit, too. */
    bool *registered = ctx->world ? &watched.is_registered_again : &watched.is_registered;
    if (!*registered)
        *registered = atexit(left_early) == 0;
}

void h3ou__exit_watch_end(const h3ou_ctx *ctx)
{
    if (watched.ctx == ctx)
        watched.ctx = NULL;
}

void h3ou__end_stuck(const char *sentence)
{
    handler(watched.name[0] ? watched.name : "(unnamed)", watched.rank, H3OU__ETIMEOUT, sentence);
    let_launcher_read();
    _exit(EXIT_FAILURE);
}

static struct {
    char prefix[H3OU__NAME + 16];
    const h3ou_ctx *ctx;
    int level;
    char config[1024]; /* the level is what this file says, which nobody has read yet; empty: the level is known */
} out;

static void level_read(void);

static void to_stderr(void *user, int level, const char *line)
{
    (void)user;
    if (*out.config)
        level_read();
    if (level > out.level)
        return;
    h3ou__comm *local = out.ctx && out.ctx->world ? h3ou__world_local(out.ctx->world) : NULL;
    int rank = local ? h3ou__comm_rank(local) : 0;
    if (level == H3OU__LOG_WHISPER && rank != 0 && out.level < H3OU__LOG_LOUD)
        return;
    fprintf(stderr, "h3ou %s.%d: %s\n", out.prefix, rank, line);
}

/* H3OU_LOG=silent|warning|whisper|loud in the environment wins over the namelist. */
static int level_from_environment(int level)
{
    static const char *const names[] = {"silent", "warning", "whisper", "loud"};
    const char *value = getenv("H3OU_LOG");
    for (int i = 0; value && i < 4; i++)
        if (!strcasecmp(value, names[i]))
            return i;
    return level;
}

/* Called at the first line that is logged before the processes share the namelist. */
static void level_read(void)
{
    char file[sizeof out.config];
    memcpy(file, out.config, sizeof file);
    *out.config = 0;
    h3ou__log_to(H3OU__LOG_SILENT, NULL, NULL); /* what the reader logs is logged when all have read the file */
    out.level = h3ou__coupler_log_level(file);
    h3ou__log_to(out.level, to_stderr, NULL);
}

void h3ou__log_install_early(h3ou_ctx *ctx, const char *config)
{
    h3ou__log_install(ctx, H3OU__LOG_WHISPER);
    if (!getenv("H3OU_LOG"))
        snprintf(out.config, sizeof out.config, "%s", config);
}

void h3ou__log_install(h3ou_ctx *ctx, int level)
{
    *out.config = 0;
    out.ctx = ctx;
    out.level = level_from_environment(level);
    snprintf(out.prefix, sizeof out.prefix, "%s", ctx->name);
    h3ou__log_to(out.level, to_stderr, NULL);
}

void h3ou__log_remove(void)
{
    h3ou__log_to(H3OU__LOG_SILENT, NULL, NULL);
    out.ctx = NULL;
}
