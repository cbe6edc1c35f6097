/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/methods/method_stack.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest_name.h"
#include "interp/methods/method_table.h"

enum { WORD = 64 };

static int fail_unknown_method(const char *word)
{
    const char *names[32];
    char all[512] = "", near[H3OU__HINT];
    int n = 0;
    for (; h3ou__methods[n] && n < 32; n++) {
        names[n] = h3ou__methods[n]->name;
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", n ? ", " : "", names[n]);
    }
    return h3ou__fail(H3OU__ENAME, "no method '%s'%s; there are: %s", word, h3ou__did_you_mean(word, names, n, near),
                      all);
}

static bool knows_key(const h3ou__method *m, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = m->keys ? m->keys : ""; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == length && !strncmp(at, key, length))
            return true;
    return false;
}

static int fail_unknown_key(const h3ou__method *m, const char *key)
{
    return h3ou__fail(H3OU__ENAME, "method %s has no key '%s'; it knows: %s", m->name, key,
                      m->keys && *m->keys ? m->keys : "none");
}

static int fail_bad_value(const h3ou__method *m, const char *key, const char *value, const char *range)
{
    return h3ou__fail(H3OU__EARG, "method %s: %s=%s: must be %s", m->name, key, value, range);
}

static int set_key(const h3ou__method *m, const char *key, const char *value, h3ou__method_keys *keys)
{
    char *end;
    double number = strtod(value, &end);
    bool is_number = *value && !*end && isfinite(number);
    if (!knows_key(m, key))
        return fail_unknown_key(m, key);
    if (!strcmp(key, "file")) {
        snprintf(keys->file, sizeof keys->file, "%s", value);
        return *value ? H3OU__OK : fail_bad_value(m, key, value, "a file's name");
    }
    if (!strcmp(key, "n")) {
        keys->n = (int)number;
        return is_number && number == keys->n && number >= 1 && number <= 64
                   ? H3OU__OK
                   : fail_bad_value(m, key, value, "a number from 1 to 64");
    }
    if (!strcmp(key, "value")) {
        keys->value = number;
        return *value && !*end ? H3OU__OK : fail_bad_value(m, key, value, "a number");
    }
    double *to = !strcmp(key, "power") ? &keys->power : !strcmp(key, "width") ? &keys->width : &keys->radius;
    *to = number;
    return is_number && (number > 0 || (to == &keys->radius && number == 0))
               ? H3OU__OK
               : fail_bad_value(m, key, value, "a number above 0");
}

/* Reads the keys between the parentheses of a method: "n=4,power=2". */
static int parse_keys(const h3ou__method *m, const char *text, h3ou__method_keys *keys)
{
    int err = H3OU__OK;
    while (*text && !err) {
        char key[WORD], value[sizeof keys->file];
        size_t length = strcspn(text, ","), equals = strcspn(text, "=,");
        if (text[equals] != '=')
            return h3ou__fail(H3OU__EARG, "method %s: '%.*s' is not key=value", m->name, (int)length, text);
        snprintf(key, sizeof key, "%.*s", (int)equals, text);
        snprintf(value, sizeof value, "%.*s", (int)(length - equals - 1), text + equals + 1);
        err = set_key(m, key, value, keys);
        text += length + (text[length] == ',');
    }
    return err;
}

/* One method with its keys: "distance(n=4,power=2)". */
static int parse_method(const char *text, h3ou__stack *s)
{
    char name[WORD], keys[512];
    size_t length = strlen(text), open = strcspn(text, "(");
    snprintf(name, sizeof name, "%.*s", (int)open, text);
    const h3ou__method *m = h3ou__method_find(name);
    if (!m)
        return fail_unknown_method(name);
    if (open < length && text[length - 1] != ')')
        return h3ou__fail(H3OU__EARG, "method %s: no ) at the end of '%s'", name, text);
    snprintf(keys, sizeof keys, "%.*s", open < length ? (int)(length - open - 2) : 0, text + open + (open < length));
    int i = s->n++;
    s->method[i] = m;
    s->keys[i] = (h3ou__method_keys){.n = m->nearest, .power = 2.0, .width = 1.0};
    snprintf(s->text[i], sizeof s->text[i], "%s", text);
    return parse_keys(m, keys, &s->keys[i]);
}

size_t h3ou__stack_word(const char *text)
{
    size_t length = 0;
    for (int depth = 0; text[length] && (text[length] != ',' || depth > 0); length++)
        depth += (text[length] == '(') - (text[length] == ')');
    return length;
}

int h3ou__stack_parse(const char *text, h3ou__stack *out)
{
    const char *at = text;
    out->n = 0;
    for (;;) {
        char word[sizeof *out->text];
        size_t length = h3ou__stack_word(at), used = 0;
        for (size_t i = 0; i < length; i++)
            if (at[i] != ' ' && used + 1 < sizeof word)
                word[used++] = at[i];
        word[used] = 0;
        if (out->n == H3OU__STACK_MOST)
            return h3ou__fail(H3OU__EARG, "'%s' has more than %d methods", text, H3OU__STACK_MOST);
        int err = parse_method(word, out);
        if (err || !at[length])
            return err;
        at += length + 1;
    }
}

static bool gives_key(const char *text, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = strchr(text, '('); at; at = strchr(at + 1, ','))
        if (!strncmp(at + 1, key, length) && at[1 + length] == '=')
            return true;
    return false;
}

int h3ou__stack_set_default(h3ou__stack *s, const char *key, const char *value)
{
    int err = H3OU__OK;
    for (int i = 0; i < s->n && !err; i++) {
        const h3ou__method *m = s->method[i];
        char own[sizeof s->text[i]];
        if (!knows_key(m, key) || gives_key(s->text[i], key))
            continue;
        /* "name(keys)" or "name()" or "name": what follows the opening parenthesis goes behind the new key. */
        snprintf(own, sizeof own, "%s", s->text[i] + strcspn(s->text[i], "("));
        const char *rest = *own && own[1] != ')' ? own + 1 : ")";
        int n =
            snprintf(s->text[i], sizeof s->text[i], "%s(%s=%s%s%s", m->name, key, value, *rest == ')' ? "" : ",", rest);
        err = n < (int)sizeof s->text[i] ? set_key(m, key, value, &s->keys[i])
                                         : h3ou__fail(H3OU__EARG, "method %s: its keys are too long", m->name);
    }
    return err;
}

void h3ou__stack_slice(const h3ou__stack *s, int first, int last, h3ou__stack *out)
{
    size_t n = (size_t)(last - first);
    out->n = last - first;
    memcpy(out->method, s->method + first, n * sizeof *s->method);
    memcpy(out->keys, s->keys + first, n * sizeof *s->keys);
    memcpy(out->text, s->text + first, n * sizeof *s->text);
}

char *h3ou__stack_text(const h3ou__stack *s, char text[], size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < s->n && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "," : "", s->text[i]);
    return text;
}

void h3ou__stack_map_method(const h3ou__stack *s, char text[], size_t size)
{
    const h3ou__method *first = s->method[0];
    bool has_name = first->map_method.name && (s->n == 1 || !first->map_method.alone);
    snprintf(text, size, "%s", has_name ? first->map_method.name : "");
}

double h3ou__stack_halo(const h3ou__stack *s, double source_diameter)
{
    double most = 0.0;
    for (int i = 0; i < s->n; i++) {
        double halo = s->method[i]->halo ? s->method[i]->halo(&s->keys[i], source_diameter) : 0.0;
        if (halo < 0)
            return -1.0;
        most = fmax(most, halo);
    }
    return most;
}

void h3ou__stack_corners(const h3ou__stack *s, bool *source, bool *target)
{
    *source = *target = false;
    for (int i = 0; i < s->n; i++) {
        *source |= s->method[i]->by_corners || s->method[i]->source_corners;
        *target |= s->method[i]->by_corners || s->method[i]->target_corners;
    }
}
