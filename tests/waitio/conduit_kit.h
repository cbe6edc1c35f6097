/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of the conduits have in common: the conduits and their varieties, links, and bytes that can be
 * checked. */
#ifndef TESTS_WAITIO_CONDUIT_KIT_H
#define TESTS_WAITIO_CONDUIT_KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "waitio/conduit/conduit.h"
#include "waitio/stream/event_hub.h"

typedef struct variety { /* a conduit, and how it is used */
    const char *name;
    const waitio__conduit *conduit;
    bool is_v6, file_polls;
    bool waits;   /* open waits for a listener instead of being refused */
    bool crosses; /* between processes */
    int rounds;   /* of a ping-pong */
} variety;

extern const variety varieties[];
extern const int nvarieties;

typedef struct bench { /* a listener and its settings */
    const variety *v;
    waitio__conduit_settings set;
    waitio__address at;
    waitio__link listener;
    bool is_listening;
} bench;

/* Settings with a scratch folder of their own, and an address that nobody else uses; then the listener. */
void bench_prepare(bench *b, const variety *v);
void bench_listen(bench *b);
void bench_open(bench *b, const variety *v);
void bench_hush(bench *b); /* closes the listener */
/* Closes what is open; asserts that nothing is left in the scratch folder. */
void bench_close(bench *b);
int files_below(const char *path);
void remove_below(const char *path);

/* Both ends of a new link. */
void bench_connect(bench *b, waitio__link *opener, waitio__link *accepter);
void finish_opening(waitio__link *opener);
void bench_accept(bench *b, waitio__link *accepter);
void drop(waitio__link *link);

uint64_t dice(uint64_t sides);
double deadline(void); /* of a loop that waits for another process or thread */

/* A stream of bytes that knows its position. */
typedef struct stream {
    uint64_t at;
} stream;
/* One call each, of up to `most` bytes in random pieces. What is read is checked against the stream. */
int stream_write(stream *s, waitio__link *link, size_t most);
int stream_read(stream *s, waitio__link *link, size_t most);
/* Until all is done, waiting for the other end. False: the deadline passed, or an error. */
bool stream_write_all(stream *s, waitio__link *link, size_t n);
bool stream_read_all(stream *s, waitio__link *link, size_t n);
bool is_stream(uint64_t at, const unsigned char *bytes, size_t n);
/* Reads to the end; the answer that ended it (WAITIO__EOF, an error, or AGAIN when the deadline passed). */
int stream_read_to_end(stream *s, waitio__link *link);

/* A link in a hub: waits as the library does, always by sleeping. */
typedef struct sleeper {
    waitio__source source;
    waitio__hub hub;
    waitio__memory memory;
    waitio__link *link;
    int events;
} sleeper;
void sleeper_open(sleeper *s, waitio__link *link);
void sleeper_close(sleeper *s);
/* Moves n bytes through the link, sleeping in the hub whenever nothing moves. 0, WAITIO__EOF or an error. */
int sleeper_write(sleeper *s, stream *of, size_t n);
int sleeper_read(sleeper *s, stream *of, size_t n);

#endif
