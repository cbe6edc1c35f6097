/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that grow, and the error of memory that ran out. */
#ifndef H3OU_BASE_GROW_H
#define H3OU_BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)
/* Records "out of memory for WHAT" as this thread's error and returns H3OU__ENOMEM:
 *     return h3ou__no_memory("the %d rows of %s", n, name); */
int h3ou__no_memory(const char *what, ...) __attribute__((cold, format(printf, 1, 2)));

/* Reallocates an array to `room` elements of `size` bytes each (room for at least one byte, so that the array is not
 * NULL). array: the address of the pointer to its first element, which may be NULL. Returns false, and leaves the array
 * as it was, when there is no memory. */
bool h3ou__resize(void *array, size_t size, int64_t room);

/* The room to give to an array that has `room` elements and needs `need`: room itself if that is enough, else at least
 * twice as much as before. For several arrays with one common room, which is set after all of them were resized. */
int64_t h3ou__larger_room(int64_t room, int64_t need);

bool h3ou__grow_now(void *array, size_t size, int64_t *room, int64_t need); /* called by h3ou__grow */
#pragma GCC visibility pop

/* Makes room for `need` elements in an array that has *room of them, by h3ou__resize to h3ou__larger_room. Returns
 * false, and leaves array and room as they were, when there is no memory: if (!h3ou__grow(&list->item, sizeof
 * *list->item, &list->room, list->n + 1)) return h3ou__no_memory("the list"); */
static inline bool h3ou__grow(void *array, size_t size, int64_t *room, int64_t need)
{
    return need <= *room || h3ou__grow_now(array, size, room, need);
}

#endif
