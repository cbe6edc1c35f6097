/* SPDX-License-Identifier: BSD-3-Clause */
/* A set of names, numbered from 0 in the order of adding; each is looked up in constant time. */
#ifndef H3OU_COUPLER_CONFIG_NAME_INDEX_H
#define H3OU_COUPLER_CONFIG_NAME_INDEX_H

typedef struct h3ou__names {
    int n;
    const char **name; /* [n] borrowed */
    int room;          /* of the hash table, a power of two */
    int *slot;         /* [room] number of a name, or -1 */
} h3ou__names;

/* With room for `most` names. H3OU__ENOMEM; h3ou__names_free is allowed then, too. */
int h3ou__names_create(int most, h3ou__names *out);
/* Makes room for `most` names in a set, which may be all zeros. H3OU__ENOMEM leaves the set as it was. */
int h3ou__names_reserve(h3ou__names *names, int most);
void h3ou__names_free(h3ou__names *names);
/* Adds a name, for which there is room and which is borrowed, unless it is there; returns its number. */
int h3ou__names_add(h3ou__names *names, const char *name);
/* Its number, or -1. */
int h3ou__names_find(const h3ou__names *names, const char *name);

#endif
