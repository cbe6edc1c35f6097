/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a process did, and when, in a file of the run's folder (H3OU_RUN_DIRECTORY/timeline/COMPONENT.RANK), which h3ou report
 * reads: a head, and then events of a few bytes. A window of the file is mapped, so that recording costs some stores in memory, and a
 * process that is killed loses nothing. docs/adr/0028-the-timelines-file.md describes the format, which tools/run/report/timeline_file.py reads.
 */
#ifndef H3OU_COMM_WATCH_TIMELINE_H
#define H3OU_COMM_WATCH_TIMELINE_H

/* What a process does. The numbers stand in the file. */
enum h3ou__activity {
    H3OU__ACT_START = 1, /* until the first step begins */
    H3OU__ACT_COMPUTE,   /* the model's own work, from the first step on */
    H3OU__ACT_WAIT,      /* for another process */
    H3OU__ACT_SEND,      /* packing the messages of a field and handing them over */
    H3OU__ACT_RECEIVE,   /* taking the messages of a field */
    H3OU__ACT_REMAP,     /* applying the weights of a field */
    H3OU__ACT_EXCHANGE,  /* what set_time does beside these at an exchange time */
    H3OU__ACT_FINISH,    /* from h3ou_coupling_end on */
    H3OU__ACTIVITIES
};

typedef struct h3ou__timeline h3ou__timeline;

/* Begins the file of a process, with activity START. *out is NULL when there is no run's folder or no folder in it for these files,
 * when the file cannot be made (which is logged), or when H3OU_TIMELINE is 0. H3OU__EENV: H3OU_TIMELINE is no number.
 * mpi: the name of the process's MPI. In the calls below NULL is allowed. */
int h3ou__timeline_open(const char *component, int rank, int size, const char *mpi, h3ou__timeline **out);
void h3ou__timeline_close(h3ou__timeline *t);

/* Returns the number of a label, which is written to the file when it is new: a field or what else is done, and for whom. 0 stands for
 * none. */
int h3ou__timeline_label(h3ou__timeline *t, const char *what, const char *who);
/* The process begins an activity now, or has begun it so many seconds ago; leave: it goes on with the one before. */
void h3ou__timeline_enter(h3ou__timeline *t, enum h3ou__activity activity, int number);
void h3ou__timeline_enter_since(h3ou__timeline *t, enum h3ou__activity activity, int number, double seconds);
void h3ou__timeline_leave(h3ou__timeline *t);
/* What the process does from now on when it does nothing else. */
void h3ou__timeline_phase(h3ou__timeline *t, enum h3ou__activity activity);
/* A step of the model in which something may be exchanged begins at this model time, in seconds since the run's start. */
void h3ou__timeline_step(h3ou__timeline *t, double time);

#endif
