/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/world/failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "os/os_clock.h"
#include "universe/world/handlers.h"
#include "universe/world/hub.h"
#include "universe/world/waiting.h"
#include "waitio.h"

enum { SENTENCE = H3OU__ERROR_TEXT };
static _Thread_local int strays_are_ignored; /* how often: calls nest */
static const double TELL_SECONDS = 5, READ_SECONDS = 1, NAP_SECONDS = 0.001, PASS_ON_SECONDS = 1;

/* Waits until the job's launcher has read what was written, and gives it time to pass that on between its own processes: it may lose what has not
 * come to its first one when it ends the job. */
static void wait_for_reader(void)
{
    struct stat status;
    int unread = 1;
    if (fstat(STDERR_FILENO, &status) || !S_ISFIFO(status.st_mode))
        return;
    for (double end = h3ou__now() + READ_SECONDS; unread > 0 && h3ou__now() < end; h3ou__sleep(NAP_SECONDS))
        if (ioctl(STDERR_FILENO, FIONREAD, &unread))
            unread = 0;
    h3ou__sleep(PASS_ON_SECONDS);
}

static void end_all(int code, const char *sentence)
{
    fprintf(stderr, "h3ou: universe: %s\n", sentence);
    fflush(stderr);
    universe_watch_stop();
    waitio_abort(sentence, TELL_SECONDS);
    wait_for_reader();
    universe.mpi->Abort((abi_Comm)ABI_COMM_WORLD, code > 0 && code < 256 ? code : 1);
    _Exit(1);
}

void universe_end(int code, const char *format, ...)
{
    char text[SENTENCE];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    end_all(code, text);
    _Exit(1);
}

void universe_end_waitio(int waitio_code, const char *function)
{
    if (waitio_code == H3OU__EABORT) /* what another process has told names the function there */
        universe_end(1, "%s", h3ou__fail_text());
    universe_end(1, "%s: %s", function, h3ou__fail_text());
}

/* The last error of a communicator's `local` that has not been told, of this thread. */
static _Thread_local universe_comm *kept_of;
static _Thread_local int kept;
static int kept_key; /* the attribute of `local` that is its universe_comm */

/* An error without a communicator, which the job's MPI raises on its MPI_COMM_WORLD. */
static void stray_error(abi_Comm *comm, int *code, ...)
{
    (void)comm;
    if (!strays_are_ignored)
        universe_fail_inner(universe.comm, *code, "MPI");
}

void universe_stray_ignore(bool is_ignored)
{
    strays_are_ignored += is_ignored ? 1 : -1;
}

static void kept_error(abi_Comm *local, int *code, ...)
{
    void *of = NULL;
    int found = 0;
    universe.mpi->Comm_get_attr(*local, kept_key, &of, &found);
    kept_of = found ? of : NULL;
    kept = *code;
}

void universe_errors_keep(universe_comm *c)
{
    static abi_Errhandler handler;
    if (!handler && (universe.mpi->Comm_create_errhandler(kept_error, &handler) ||
                     universe.mpi->Comm_create_keyval((abi_Comm_copy_attr_function *)0, (abi_Comm_delete_attr_function *)0, &kept_key, NULL)))
        handler = (abi_Errhandler)ABI_ERRORS_RETURN;
    universe.mpi->Comm_set_errhandler(c->local, handler);
    if ((intptr_t)handler != ABI_ERRORS_RETURN)
        universe.mpi->Comm_set_attr(c->local, kept_key, c);
}

void universe_errors_forget(const universe_comm *c)
{
    if (kept_of == c)
        kept_of = NULL;
}

int universe_fail_raised(int code, const char *function)
{
    if (kept_of)
        universe_fail_inner(kept_of, kept, function);
    return code;
}

int universe_catch_stray(void)
{
    static abi_Errhandler handler;
    int code = universe.mpi->Comm_create_errhandler(stray_error, &handler);
    return code ? code : universe.mpi->Comm_set_errhandler((abi_Comm)ABI_COMM_WORLD, handler);
}

static int tell(universe_comm *c, int code, const char *function, const char *why)
{
    char text[SENTENCE];
    universe_comm *of = c ? c : universe.comm;
    kept_of = NULL;
    intptr_t handler = of ? (intptr_t)of->errhandler : ABI_ERRORS_ARE_FATAL;
    if (handler == ABI_ERRORS_RETURN)
        return code;
    const universe_handler *own = handler < HUB_PREDEFINED && handler >= 0 ? NULL : universe_handler_find(of->errhandler);
    if (own) {
        abi_Comm handle = universe_comm_handle(of);
        int given = code;
        own->function(&handle, &given);
        return code;
    }
    snprintf(text, sizeof text, "rank %d of MPI_COMM_WORLD (job %d): %s: %s", universe.rank, universe.job, function, why);
    end_all(code, text);
    return code;
}

int universe_fail(universe_comm *c, int code, const char *function, const char *format, ...)
{
    char why[SENTENCE];
    va_list list;
    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    return tell(c, code, function, why);
}

/* WaitIO's errors as classes of MPI. */
int universe_class_of_waitio(int waitio_code)
{
    switch (waitio_code) {
    case H3OU__ETRUNC:
        return ABI_ERR_TRUNCATE;
    case H3OU__EARG:
        return ABI_ERR_ARG;
    case H3OU__ENOMEM:
        return ABI_ERR_NO_MEM;
    default:
        return ABI_ERR_OTHER;
    }
}

int universe_fail_waitio(universe_comm *c, int waitio_code, const char *function)
{
    universe_comm *of = c ? c : universe.comm;
    if (waitio_code == H3OU__EABORT && of && (intptr_t)of->errhandler == ABI_ERRORS_ARE_FATAL)
        universe_end_waitio(waitio_code, function);
    return tell(c, universe_class_of_waitio(waitio_code), function, h3ou__fail_text());
}

int universe_fail_inner(universe_comm *c, int code, const char *function)
{
    if (code == 0)
        return 0;
    char text[2 * hub_MAX_ERROR_STRING];
    int length = 0;
    if (universe.mpi->Error_string(code, text, &length))
        snprintf(text, sizeof text, "error %d", code);
    return tell(c, code, function, text);
}

int universe_fail_request(universe_comm *c, int code, char *why, const char *function)
{
    if (!why)
        return universe_fail_inner(c, code, function);
    code = code ? tell(c, code, function, why) : 0;
    free(why);
    return code;
}

int universe_refuse(universe_comm *c, const char *function, const char *why)
{
    return universe_fail(c, ABI_ERR_UNSUPPORTED_OPERATION, function, "%s", why);
}
