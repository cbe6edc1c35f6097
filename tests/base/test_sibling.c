/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that Hydra starts, one after the other, and one that ends. This program takes the name of Hydra's. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/sibling.h"

/* A process that looks whether another has ended whenever it is asked. */
typedef struct watcher {
    int pid, ask[2], answer[2];
} watcher;

static void watch(const watcher *w)
{
    char byte;
    while (read(w->ask[0], &byte, 1) == 1) {
        byte = h3ou__sibling_has_ended();
        if (write(w->answer[1], &byte, 1) != 1)
            break;
    }
    _exit(0);
}

static watcher start_watcher(void)
{
    watcher w;
    assert_int_equal(pipe(w.ask) | pipe(w.answer), 0);
    w.pid = fork();
    assert_true(w.pid >= 0);
    if (w.pid == 0) {
        close(w.ask[1]); /* else it would not see that nobody asks any more */
        watch(&w);
    }
    close(w.ask[0]);
    close(w.answer[1]); /* else nobody would see that it has ended */
    return w;
}

static bool is_told(const watcher *w)
{
    char byte = 0;
    assert_int_equal(write(w->ask[1], &byte, 1), 1);
    assert_int_equal(read(w->answer[0], &byte, 1), 1);
    return byte;
}

static int start_other(const watcher *w)
{
    int pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(w->ask[1]);
        alarm(60);
        pause();
    }
    return pid;
}

static void those_that_have_not_started_have_not_ended(void **state)
{
    (void)state;
    setenv("MPI_LOCALNRANKS", "3", 1);
    watcher w = start_watcher();
    assert_false(is_told(&w));
    int second = start_other(&w);
    assert_false(is_told(&w));
    int third = start_other(&w);
    assert_false(is_told(&w));
    kill(second, SIGKILL);
    waitpid(second, NULL, 0);
    assert_true(is_told(&w));
    kill(third, SIGKILL);
    close(w.ask[1]);
    waitpid(third, NULL, 0);
    waitpid(w.pid, NULL, 0);
}

static void who_does_not_start_for_long_has_ended(void **state)
{
    (void)state;
    setenv("MPI_LOCALNRANKS", "2", 1);
    watcher w = start_watcher();
    assert_false(is_told(&w));
    sleep(6);
    assert_true(is_told(&w));
    close(w.ask[1]);
    waitpid(w.pid, NULL, 0);
}

static int take_name(void **state)
{
    (void)state;
    return prctl(PR_SET_NAME, "hydra_pmi_proxy");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_that_have_not_started_have_not_ended),
        cmocka_unit_test(who_does_not_start_for_long_has_ended),
    };
    return cmocka_run_group_tests(tests, take_name, NULL);
}
