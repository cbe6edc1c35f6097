/* SPDX-License-Identifier: BSD-3-Clause */
/* Child processes, and the lines that they write into one pipe. None is left after pingpong_children_end. */
#ifndef H3OU_TOOL_PINGPONG_CHILDREN_H
#define H3OU_TOOL_PINGPONG_CHILDREN_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct pingpong_children {
    pid_t *pid;     /* 0: ended */
    int n, in, out; /* in: the pipe's end of the children, until all are started */
    bool is_bad;    /* one ended with an error */
    char said[400]; /* other output than the lines that `line` accepted */
} pingpong_children;

/* Returns whether it accepts a line. */
typedef bool pingpong_line(void *user, const char *line);

int pingpong_children_begin(pingpong_children *c, int most);
/* Forks; returns 0 in the child, whose standard input is empty. */
pid_t pingpong_children_fork(pingpong_children *c);
/* Reads until all have closed the pipe; H3OU__ETIMEOUT when nothing comes for so many seconds. */
int pingpong_children_read(pingpong_children *c, double patience, pingpong_line *line, void *user);
/* Ends the children that are left. Returns whether all had ended by themselves without an error. */
bool pingpong_children_end(pingpong_children *c);

#endif
