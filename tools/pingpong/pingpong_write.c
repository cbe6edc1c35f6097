/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing the table as text, CSV and JSON. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tools/cli/command_group.h"
#include "tools/cli/json_file.h"
#include "tools/pingpong/pingpong_table.h"

enum { COLUMN = 16 };

static FILE *open_output(const char *prefix, const char *suffix, char file[], size_t room)
{
    snprintf(file, room, "%s.%s", prefix, suffix);
    FILE *out = fopen(file, "w");
    if (!out)
        h3ou__fail(H3OU__EFILE, "%s: %s: say a folder that can be written with --out", file, strerror(errno));
    return out;
}

static int close_output(FILE *out, const char *file)
{
    bool is_bad = ferror(out) != 0;
    is_bad = fclose(out) != 0 || is_bad;
    if (!is_bad)
        return H3OU__OK;
    int code = h3ou__fail(H3OU__EFILE, "%s: %s", file, strerror(errno));
    discard_file(file);
    return code;
}

/* Lists the sizes of all series of so many pairs, ascending. */
static int all_sizes(const pingpong_table *t, int pairs, int64_t size[PINGPONG_SIZES])
{
    int n = 0;
    for (int i = 0; i < t->nseries; i++)
        for (int k = 0; t->series[i].pairs == pairs && k < t->series[i].npoint; k++) {
            int at = 0;
            while (at < n && size[at] < t->series[i].point[k].bytes)
                at++;
            if ((at < n && size[at] == t->series[i].point[k].bytes) || n == PINGPONG_SIZES)
                continue;
            memmove(&size[at + 1], &size[at], (size_t)(n++ - at) * sizeof *size);
            size[at] = t->series[i].point[k].bytes;
        }
    return n;
}

/* Writes the heads of the columns, "WaitIO, 2 PBs, socket" in two lines. */
static void write_heads(FILE *out, const pingpong_table *t, int pairs)
{
    for (int line = 0; line < 2; line++) {
        fprintf(out, "%9s", line ? "size" : "");
        for (int i = 0; i < t->nseries; i++) {
            const char *name = t->series[i].way.name, *comma = strstr(name, ", ");
            if (t->series[i].pairs != pairs)
                continue;
            char word[48];
            snprintf(word, sizeof word, "%.*s", comma ? (int)(comma - name) : 40, name);
            fprintf(out, " %*s", COLUMN, line ? (comma ? comma + 2 : "") : word);
        }
        fprintf(out, "\n");
    }
}

static void write_cell(FILE *out, const pingpong_series *s, const pingpong_point *p, const pingpong_point *raw,
                       bool is_bandwidth)
{
    char text[32] = "-";
    if (p && is_bandwidth)
        snprintf(text, sizeof text, "%.3f", pingpong_bandwidth(s, p));
    else if (p && raw && p != raw)
        snprintf(text, sizeof text, "%.2f (%.2f)", pingpong_half(p), pingpong_half(p) / pingpong_half(raw));
    else if (p)
        snprintf(text, sizeof text, "%.2f       ", pingpong_half(p));
    fprintf(out, " %*s", COLUMN, text);
}

static void write_block(FILE *out, const pingpong_table *t, int pairs, bool is_bandwidth)
{
    int64_t size[PINGPONG_SIZES];
    int n = all_sizes(t, pairs, size);
    char text[24];
    const pingpong_series *raw = pingpong_find_series(t, "raw TCP", pairs);
    fprintf(out, "\n%d pair%s at the same time: %s\n", pairs, pairs > 1 ? "s" : "",
            is_bandwidth ? "GB/s one way, all pairs together"
                         : "half a round trip in us, slowest pair (in brackets: times raw TCP's)");
    write_heads(out, t, pairs);
    for (int k = 0; k < n; k++) {
        fprintf(out, "%9s", pingpong_size_text(size[k], text));
        for (int i = 0; i < t->nseries; i++)
            if (t->series[i].pairs == pairs)
                write_cell(out, &t->series[i], pingpong_find(&t->series[i], size[k]),
                           raw ? pingpong_find(raw, size[k]) : NULL, is_bandwidth);
        fprintf(out, "\n");
    }
}

static void write_text(FILE *out, const pingpong_table *t)
{
    int done = 0;
    fprintf(out, "h3ou bench pingpong on %s, %s; median of the rounds\n", t->where, t->when);
    for (int i = 0; i < t->nnote; i++)
        fprintf(out, "note: %s\n", t->note[i]);
    for (;;) {
        int pairs = 0; /* the next number of pairs */
        for (int i = 0; i < t->nseries; i++)
            if (t->series[i].pairs > done && (!pairs || t->series[i].pairs < pairs))
                pairs = t->series[i].pairs;
        if (!pairs)
            break;
        write_block(out, t, pairs, false);
        write_block(out, t, pairs, true);
        done = pairs;
    }
}

int pingpong_write_text(const pingpong_table *t, const char *prefix)
{
    char file[4200];
    FILE *out = open_output(prefix, "txt", file, sizeof file);
    if (!out)
        return H3OU__EFILE;
    write_text(out, t);
    write_text(stdout, t);
    return close_output(out, file);
}

static const char *const kinds[] = {"raw", "waitio", "mpi"};

static void find_extremes(const pingpong_point *p, double *least, double *most)
{
    *least = *most = p->n ? p->slowest[0] : 0.0;
    for (int i = 1; i < p->n; i++) {
        *least = p->slowest[i] < *least ? p->slowest[i] : *least;
        *most = p->slowest[i] > *most ? p->slowest[i] : *most;
    }
}

int pingpong_write_csv(const pingpong_table *t, const char *prefix)
{
    char file[4200];
    FILE *out = open_output(prefix, "csv", file, sizeof file);
    if (!out)
        return H3OU__EFILE;
    fprintf(out, "name,kind,pbs,route,pairs,pinned,bytes,half_rtt_us,half_rtt_least_us,half_rtt_most_us,"
                 "half_rtt_mean_of_pairs_us,bandwidth_gbs,rounds,pingpongs\n");
    for (int i = 0; i < t->nseries; i++)
        for (int k = 0; k < t->series[i].npoint; k++) {
            const pingpong_series *s = &t->series[i];
            const pingpong_point *p = &s->point[k];
            double least, most;
            find_extremes(p, &least, &most);
            fprintf(out, "\"%s\",%s,%d,%s,%d,%d,%" PRId64 ",%.4f,%.4f,%.4f,%.4f,%.6f,%d,%" PRId64 "\n", s->way.name,
                    kinds[s->way.kind], s->way.pbs, s->way.route, s->pairs, s->is_pinned, p->bytes, pingpong_half(p),
                    least, most, pingpong_median(p->mean, p->n), pingpong_bandwidth(s, p), p->n, p->repeats);
        }
    return close_output(out, file);
}

static json_t *point_to_json(const pingpong_series *s, const pingpong_point *p)
{
    double least, most;
    find_extremes(p, &least, &most);
    return json_pack("{s:I, s:f, s:f, s:f, s:f, s:f, s:i, s:I}", "bytes", (json_int_t)p->bytes, "half_rtt_us",
                     pingpong_half(p), "half_rtt_least_us", least, "half_rtt_most_us", most,
                     "half_rtt_mean_of_pairs_us", pingpong_median(p->mean, p->n), "bandwidth_gbs",
                     pingpong_bandwidth(s, p), "rounds", p->n, "pingpongs", (json_int_t)p->repeats);
}

static json_t *series_to_json(const pingpong_series *s)
{
    json_t *points = json_array();
    for (int k = 0; k < s->npoint; k++)
        json_array_append_new(points, point_to_json(s, &s->point[k]));
    return json_pack("{s:o, s:s, s:i, s:o, s:i, s:b, s:o}", "name", json_file_text(s->way.name), "kind",
                     kinds[s->way.kind], "pbs", s->way.pbs, "route", json_file_text(s->way.route), "pairs", s->pairs,
                     "pinned", s->is_pinned, "points", points);
}

int pingpong_write_json(const pingpong_table *t, const char *prefix)
{
    enum { DIGITS = 8 }; /* more than any clock gives */
    char file[4200];
    json_t *notes = json_array(), *series = json_array();
    for (int i = 0; i < t->nnote; i++)
        json_array_append_new(notes, json_file_text(t->note[i]));
    for (int i = 0; i < t->nseries; i++)
        json_array_append_new(series, series_to_json(&t->series[i]));
    snprintf(file, sizeof file, "%s.json", prefix);
    json_t *root = json_pack("{s:s, s:s, s:o, s:s, s:i, s:o, s:o}", "what", "h3ou bench pingpong", "version",
                             H3OU_VERSION, "where", json_file_text(t->where), "when", t->when, "rounds", t->rounds,
                             "notes", notes, "series", series);
    return json_file_write(root, DIGITS, file);
}
