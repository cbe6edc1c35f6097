/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a process waits, learnt from what its waits were like:
 *
 *   YIELDS  looks, and gives the core away between looks: best while the core is ours, or our own partners want it
 *   HOLDS   looks without giving the core away: a stranger would keep it for milliseconds
 *   SLEEPS  at once
 *
 *   YIELDS --- a yield took long: a stranger had the core ---> HOLDS
 *   HOLDS  --- looked in vain, three times in short order: the partner cannot run meanwhile ---> SLEEPS
 *   SLEEPS --- after 16 waits, the next time after 64, ... 1,024 ---> YIELDS
 */
#ifndef WAITIO_MESSAGE_WAIT_POLICY_H
#define WAITIO_MESSAGE_WAIT_POLICY_H

enum waitio__way { WAITIO__YIELDS, WAITIO__HOLDS, WAITIO__SLEEPS };

typedef struct waitio__manner {
    enum waitio__way way;
    int left;      /* waits that will sleep at once */
    int next;      /* so many, the next time that it comes to that */
    int successes; /* of holding, since it was in vain */
    int vain;      /* so often in a row, with few successes between */
} waitio__manner;

/* The way of the wait that begins. */
enum waitio__way waitio__manner_begin(waitio__manner *m);
/* What was awaited came while it looked. */
void waitio__manner_succeeded(waitio__manner *m, enum waitio__way way);
/* Somebody else had the core for long after a yield. */
void waitio__manner_robbed(waitio__manner *m);
/* It held the core for as long as it may, and nothing came. */
void waitio__manner_in_vain(waitio__manner *m);

#endif
