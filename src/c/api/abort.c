/* SPDX-License-Identifier: BSD-3-Clause */
/* The only place that prints or ends the program, because the program asked for it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/call_names.h"
#include "api/context.h"
#include "base/error.h"
#include "base/log.h"
#include "comm/speaker.h"

static const double TELL_OTHERS = 2.0; /* seconds within which the Kings of the other jobs are to be told */

static bool is_first = true; /* first process of this job on this host to report an error */

int h3ou_abort_is_first(void)
{
    return is_first;
}

static void print_error(const char *component, int rank, int code, const char *text)
{
    if (!h3ou_abort_is_first())
        return;
    if (code == H3OU_EABORT)
        fprintf(stderr, "h3ou: component %s rank %d ends: %s\n", component, rank, text);
    else if (code == H3OU_PROGRAM)
        fprintf(stderr, "h3ou: error in component %s rank %d: %s\n", component, rank, text);
    else
        fprintf(stderr, "h3ou: error in component %s rank %d: %s [%s]\n", component, rank, text, h3ou__strerror(code));
    fflush(stderr);
}

static h3ou_abort_handler handler = print_error;

void h3ou_set_abort_handler(h3ou_abort_handler h)
{
    handler = h ? h : print_error;
}

void h3ou_abort(h3ou_ctx *ctx, int code)
{
    char text[H3OU__ERROR_TEXT], report[H3OU__ERROR_TEXT + 128];
    const char *said = h3ou__fail_text()[0] ? h3ou__fail_text() : h3ou__strerror(code);
    if (code == H3OU_EABORT ||
        code == H3OU_PROGRAM) /* the sentence comes from another job, or from the program itself */
        snprintf(text, sizeof text, "%s", said);
    else
        h3ou__call_names(said, text, sizeof text);
    if (!ctx)
        ctx = h3ou__watched();
    h3ou__world *world = ctx ? ctx->world : NULL;
    h3ou__watch_stop(); /* MPICH's MPI_Abort calls exit() */
    const char *name = ctx && ctx->name[0] ? ctx->name : "(unnamed)";
    h3ou__comm *local = world ? h3ou__world_local(world) : NULL;
    int rank = local ? h3ou__comm_rank(local) : h3ou__launched_rank();
    is_first = h3ou__speaker_claim(rank);
    handler(name, rank, code, text);
    h3ou__speaker_stay();
    if (code == H3OU_EABORT) /* another job reported the error, and every job knows it */
        snprintf(report, sizeof report, "%s", text);
    else
        snprintf(report, sizeof report, "component %s rank %d: %s", name, rank, text);
    h3ou__world_abort(world, code, report, code == H3OU_EABORT ? 0.0 : TELL_OTHERS);
    _exit(EXIT_FAILURE); /* MPI did not end the process; atexit handlers of a broken run could wait for ever */
}

void h3ou_abort_text(h3ou_ctx *ctx, const char *text)
{
    h3ou__fail(H3OU_PROGRAM, "%s", text && *text ? text : "the program ended the run without saying why");
    h3ou_abort(ctx, H3OU_PROGRAM);
}

void h3ou__end_stuck(const char *sentence)
{
    int rank;
    char report[H3OU__ERROR_TEXT];
    const char *name = h3ou__watched_name(&rank);
    const h3ou_ctx *ctx = h3ou__watched();
    is_first = h3ou__speaker_claim(rank);
    handler(name, rank, H3OU__ETIMEOUT, sentence);
    h3ou__speaker_stay();
    if (ctx && !ctx->world) { /* the other jobs wait for this one to join */
        snprintf(report, sizeof report, "component %s rank %d: %s", name, rank, sentence);
        h3ou__world_tell(report, TELL_OTHERS);
    }
    _exit(EXIT_FAILURE);
}

static struct {
    const h3ou_ctx *ctx;
    int level;
    char config[1024]; /* file that gives the log level and was not read yet; empty: the level is known */
} out;

static void read_level(void);

static void write_to_stderr(void *user, int level, const char *line)
{
    (void)user;
    if (*out.config)
        read_level();
    if (level > out.level)
        return;
    h3ou__comm *local = out.ctx && out.ctx->world ? h3ou__world_local(out.ctx->world) : NULL;
    int rank = local ? h3ou__comm_rank(local) : 0;
    if (level == H3OU__LOG_WHISPER && rank != 0 && out.level < H3OU__LOG_LOUD)
        return;
    char text[H3OU__ERROR_TEXT];
    fprintf(stderr, "h3ou %s.%d: %s\n", out.ctx ? out.ctx->name : "", rank, h3ou__call_names(line, text, sizeof text));
}

/* Returns the level that H3OU_LOG=silent|warning|whisper|loud gives, which takes precedence, else `level`. */
static int level_from_environment(int level)
{
    static const char *const names[] = {"silent", "warning", "whisper", "loud"};
    const char *value = getenv("H3OU_LOG");
    for (int i = 0; value && i < 4; i++)
        if (!strcasecmp(value, names[i]))
            return i;
    return level;
}

/* Reads the level from the file at the first line that is logged before all processes have the namelist. */
static void read_level(void)
{
    char file[sizeof out.config];
    memcpy(file, out.config, sizeof file);
    *out.config = 0;
    h3ou__log_to(H3OU__LOG_SILENT, NULL,
                 NULL); /* the reader's own events are logged later, when all processes have read the file */
    out.level = h3ou__coupler_log_level(file);
    h3ou__log_to(out.level, write_to_stderr, NULL);
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
    h3ou__log_to(out.level, write_to_stderr, NULL);
}

void h3ou__log_select(const h3ou_ctx *ctx)
{
    out.ctx = ctx;
}

void h3ou__log_remove(void)
{
    h3ou__log_to(H3OU__LOG_SILENT, NULL, NULL);
    out.ctx = NULL;
}
