/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/interval_flag.h"

#include <stdio.h>
#include <strings.h>

#include "base/error.h"

#define WORD(word, meaning) #word,
static const char *const words[] = {H3OU__FLAGS(WORD)};
#undef WORD

#define MEANING(word, meaning) meaning,
static const char *const meanings[] = {H3OU__FLAGS(MEANING)};
#undef MEANING

const char *h3ou__flag_word(int flag)
{
    return words[flag];
}

const char *h3ou__flag_meaning(int flag)
{
    return meanings[flag];
}

/* Writes "'SNP' (snapshot), 'X' (x) or 'Y' (y)". */
static void list_flags(char *text, size_t size)
{
    size_t at = 0;
    for (int i = 0; i < H3OU__NFLAG && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s'%s' (%s)",
                               i == 0                ? ""
                               : i < H3OU__NFLAG - 1 ? ", "
                                                     : " or ",
                               words[i], meanings[i]);
}

int h3ou__config_flag(h3ou__config *c, int line, const char *word, int *flag)
{
    for (*flag = 0; *flag < H3OU__NFLAG; (*flag)++)
        if (strcasecmp(word, words[*flag]) == 0)
            return H3OU__OK;
    char list[400], sentence[H3OU__ERROR_TEXT / 2];
    list_flags(list, sizeof list);
    if (*word)
        snprintf(sentence, sizeof sentence, "h3ou_var: flag is %s, not '%s'", list, word);
    else
        snprintf(sentence, sizeof sentence, "h3ou_var: key 'flag' is missing or empty: %s", list);
    return h3ou__config_error(c, line, sentence);
}
