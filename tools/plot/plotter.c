/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/plot/plotter.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "tools/cli/command_group.h"
#include "tools/cli/python_program.h"

enum { SAID = 600 };

static bool ends_in(const char *file, const char *suffix)
{
    size_t length = strlen(file), tail = strlen(suffix);
    return length > tail && !strcasecmp(file + length - tail, suffix);
}

int plotter_check(const char *picture)
{
    if (ends_in(picture, ".png") || ends_in(picture, ".svg") || ends_in(picture, ".pdf"))
        return H3OU__OK;
    return h3ou__fail(H3OU__EARG, "%s: a picture is a PNG, an SVG or a PDF: let its name end in .png, .svg or .pdf",
                      picture);
}

/* Starts Python with its messages in a pipe, of which *out is the end to read. */
static int start_python(char *const words[], pid_t *pid, int *out)
{
    int end[2], null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null < 0 || pipe2(end, O_CLOEXEC) != 0) {
        int code = h3ou__fail(H3OU__EOS, "a pipe: %s", strerror(errno));
        if (null >= 0)
            close(null);
        return code;
    }
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, null, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, end[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, end[1], STDERR_FILENO);
    int error = posix_spawnp(pid, words[0], &files, NULL, words, environ);
    posix_spawn_file_actions_destroy(&files);
    close(null);
    close(end[1]);
    *out = end[0];
    if (!error)
        return H3OU__OK;
    close(end[0]);
    return h3ou__fail(H3OU__EFILE, "pictures are drawn by matplotlib, but %s cannot be run (%s): "
                      "apt install python3-matplotlib", words[0], strerror(error));
}

/* Keeps the last line, where Python says what the error is. Reads to the end, so that the writer never waits. */
static void read_last_line(int out, char said[SAID])
{
    size_t used = 0;
    bool is_new = true;
    char part[512];
    ssize_t n;
    said[0] = 0;
    while ((n = read(out, part, sizeof part)) > 0 || (n < 0 && errno == EINTR))
        for (ssize_t i = 0; i < n; i++) {
            if (part[i] == '\n') {
                is_new = true;
                continue;
            }
            used = is_new ? 0 : used;
            is_new = false;
            if (used + 1 < SAID)
                said[used++] = part[i];
            said[used] = 0;
        }
    close(out);
}

int plotter_draw(const char *program, const char *data, const char *picture)
{
    char file[PYTHON_PATH_ROOM], said[SAID];
    char *words[] = {(char[]){H3OU_PYTHON}, file, (char *)data, (char *)picture, NULL};
    pid_t pid;
    int out = -1, status;
    int code = python_program_find(program, file);
    if (!code)
        code = start_python(words, &pid, &out);
    if (code)
        return code;
    read_last_line(out, said);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return H3OU__OK;
    discard_file(picture);
    return h3ou__fail(H3OU__EFILE, "%s", said[0] ? said : "Python ended without a word while it drew the picture");
}
