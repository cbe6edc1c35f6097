/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/nearest_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 64 };

/* Returns Levenshtein's distance, computed row by row. */
static int edit_distance(const char *a, const char *b)
{
    int row[LONGEST + 1];
    int nb = (int)strnlen(b, LONGEST);
    for (int j = 0; j <= nb; j++)
        row[j] = j;
    for (int i = 1; i <= LONGEST && a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            int above = row[j];
            int change = diagonal + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
            int least = above + 1 < row[j - 1] + 1 ? above + 1 : row[j - 1] + 1;
            row[j] = change < least ? change : least;
            diagonal = above;
        }
    }
    return row[nb];
}

/* Returns whether a word means a name from which its distance is d. Where both begin alike, more letters may differ. */
static bool is_meant(const char *word, const char *name, int d)
{
    enum { ALIKE = 3 };
    return d * 2 <= (int)strlen(name) + (strncasecmp(word, name, ALIKE) == 0);
}

const char *h3ou__nearest(const char *word, const char *const names[], int n)
{
    const char *best = NULL;
    int least = 0;
    for (int i = 0; i < n; i++) {
        int d = edit_distance(word, names[i]);
        if (is_meant(word, names[i], d) && (!best || d < least)) {
            best = names[i];
            least = d;
        }
    }
    return best;
}

char *h3ou__did_you_mean(const char *word, const char *const names[], int n, char text[H3OU__HINT])
{
    const char *near = h3ou__nearest(word, names, n);
    *text = 0;
    if (near)
        snprintf(text, H3OU__HINT, ", did you mean '%s'?", near);
    return text;
}
