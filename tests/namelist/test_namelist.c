/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/log.h"
#include "coupler/config/config.h"
#include "coupler/config/ensemble_keys.h"
#include "coupler/config/interval_flag.h"
#include "coupler/config/monitor_keys.h"
#include "coupler/time/calendar.h"

#define PAIR      "&h3ou_var comp_put='a', comp_get='b', grid_put='ag', grid_get='bg', mapping_tag=1 /\n"
#define VAR(more) "&h3ou_var var_put='t', var_get='t', intvl=3600, flag='SNP'" more " /\n"

#define TEN   "nearest,  "
#define FIFTY TEN TEN TEN TEN TEN
#define WORDS "forty-three characters that describe a field"
#define LONG  FIFTY FIFTY FIFTY FIFTY FIFTY "nearest"

static h3ou__config *parse(const char *text)
{
    h3ou__config *c = NULL;
    int err = h3ou__config_parse("c.conf", text, (int64_t)strlen(text), &c);
    if (err)
        print_error("%s\n", h3ou__fail_text());
    assert_int_equal(err, H3OU__OK);
    return c;
}

static void refused(const char *text, const char *sentence)
{
    h3ou__config *c = NULL;
    assert_int_equal(h3ou__config_parse("c.conf", text, (int64_t)strlen(text), &c), H3OU__ECONFIG);
    if (!strstr(h3ou__fail_text(), sentence))
        print_error("said:    %s\nawaited: %s\n", h3ou__fail_text(), sentence);
    assert_non_null(strstr(h3ou__fail_text(), sentence));
    assert_null(c);
}

static void the_published_example_is_read(void **state)
{
    (void)state;
    h3ou__config *c = parse(" &h3ou_coupling\n"
                            "    log_level = \"SILENT\"   ! SILENT | WHISPER | LOUD\n"
                            "    debug_mode = .true.\n"
                            "    stop_step = 3            ! 1..10\n"
                            "    grid_checker = .false.\n /\n"
                            "&h3ou_var comp_put=\"compA\", comp_get=\"compB\", grid_put=\"compA_grid1\", "
                            "grid_get=\"compB_grid1\", mapping_tag=1 /\n"
                            "&h3ou_var var_put=\"t\", var_get=\"t2\", grid_intpl_tag=1, intvl=7200, lag=1, layer=40, "
                            "flag='AVR', type='Real4', factor=0.5d0 /\n");
    assert_int_equal(c->log_level, H3OU__LOG_LOUD); /* of debug_mode */
    assert_int_equal(c->stop_step, 3);
    assert_int_equal(c->npair, 1);
    assert_string_equal(c->pair[0].comp_put, "compA");
    assert_string_equal(c->pair[0].grid_get, "compB_grid1");
    assert_int_equal(c->pair[0].line, 7);
    assert_int_equal(c->nvar, 1);
    const h3ou__config_var *v = &c->var[0];
    assert_string_equal(v->put, "t");
    assert_string_equal(v->get, "t2");
    assert_true(v->intvl.num == 7200 && v->intvl.den == 1 && v->intvl.months == 0);
    assert_int_equal(v->lag, 1);
    assert_int_equal(v->layer, 40);
    assert_int_equal(v->flag, H3OU__FLAG_AVR);
    assert_int_equal(v->type, H3OU__REAL4);
    assert_int_equal(v->line, 8);
    assert_int_equal(v->pair, 0);
    assert_true(v->factor == 0.5);
    h3ou__config_free(c);
}

static void what_members_send_is_a_word(void **state)
{
    static const struct {
        const char *key;
        int send, number;
        double level;
    } right[] = {{"", H3OU__SEND_MEAN, 0, 0.0},
                 {", statistic='Mean'", H3OU__SEND_MEAN, 0, 0.0},
                 {", statistic='std'", H3OU__SEND_STD, 0, 0.0},
                 {", statistic='STD1'", H3OU__SEND_STD1, 0, 0.0},
                 {", statistic='min'", H3OU__SEND_MIN, 0, 0.0},
                 {", statistic='max'", H3OU__SEND_MAX, 0, 0.0},
                 {", statistic='median'", H3OU__SEND_QUANTILE, 0, 0.5},
                 {", statistic='quantile(0.9)'", H3OU__SEND_QUANTILE, 0, 0.9},
                 {", statistic='Quantile ( 1 )'", H3OU__SEND_QUANTILE, 0, 1.0},
                 {", statistic='member(12)'", H3OU__SEND_MEMBER, 12, 0.0},
                 {", statistic='stacked'", H3OU__SEND_STACKED, 0, 0.0}};
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s" VAR("%s"), PAIR, right[i].key);
        h3ou__config *c = parse(text);
        const h3ou__config_members *m = &c->var[0].members;
        assert_int_equal(m->send, right[i].send);
        assert_int_equal(m->number, right[i].number);
        assert_true(m->send != H3OU__SEND_QUANTILE || m->level == right[i].level);
        h3ou__config_free(c);
    }
}

static void what_members_get_is_read(void **state)
{
    (void)state;
    h3ou__config *c = parse(PAIR VAR("") "&h3ou_var var_put='u', var_get='u', intvl=60, flag='SNP', to_members='Own', "
                                         "perturb=0.25, perturb_seed=-7 /\n");
    const h3ou__config_members *plain = &c->var[0].members, *m = &c->var[1].members;
    assert_false(plain->is_own);
    assert_true(plain->perturb == 0.0);
    assert_true(m->is_own);
    assert_true(m->perturb == 0.25);
    assert_int_equal(m->perturb_seed, -7);
    h3ou__config_free(c);
}

static void defaults_are_the_published_ones(void **state)
{
    (void)state;
    h3ou__config *c = parse(PAIR VAR(""));
    const h3ou__config_var *v = &c->var[0];
    assert_int_equal(c->log_level, H3OU__LOG_WARNING);
    assert_false(c->strict);
    assert_int_equal(c->calendar, H3OU__GREGORIAN);
    assert_int_equal(v->lag, -1);
    assert_int_equal(v->layer, 1);
    assert_int_equal(v->is_ok, 1);
    assert_int_equal(v->grid_intpl_tag, 0);
    assert_int_equal(v->time_intpl_tag, 0);
    assert_true(v->factor == 1.0);
    assert_false(v->has_range);
    assert_int_equal(v->range_action, H3OU__RANGE_WARNING);
    assert_int_equal(v->type, H3OU__REAL8);
    assert_true(v->data_min < -1e300 && v->data_max > 1e300);
    assert_false(v->is_vector);
    h3ou__config_free(c);
}

static void fortran_s_forms_are_read(void **state)
{
    (void)state;
    h3ou__config *c = parse(
        "\r\n&H3OU_VAR\tCOMP_PUT='a' comp_get=\"b\",\r\n  Grid_Put='it''s / not ! the end', grid_get='bg' &END\r\n"
        "text between groups ! and a comment with & and /\n"
        "&h3ou_var var_put='t' ! var_put='x'\n var_get='t', intvl = 1*3600, flag='snp',\n data_range = -1.5, 2d0 / "
        "&h3ou_var\n"
        " var_put='u', var_get='u', flag='Avr' intvl=600 /\n &other_program key=1 /\n");
    assert_int_equal(c->npair, 1);
    assert_string_equal(c->pair[0].grid_put, "it's / not ! the end");
    assert_int_equal(c->nvar, 2);
    assert_true(c->var[0].data_min == -1.5 && c->var[0].data_max == 2.0);
    assert_int_equal(c->var[1].flag, H3OU__FLAG_AVR);
    assert_int_equal(c->var[1].line, 7);
    h3ou__config_free(c);
    c = parse("! nothing but a comment\n");
    assert_int_equal(c->nvar, 0);
    h3ou__config_free(c);
    c = parse("");
    h3ou__config_free(c);
}

static char logged[1024];

static void keep(void *user, int level, const char *line)
{
    (void)user;
    (void)level;
    size_t used = strlen(logged);
    snprintf(logged + used, sizeof logged - used, "%s\n", line);
}

static void what_has_no_effect_is_logged(void **state)
{
    (void)state;
    *logged = 0;
    h3ou__log_to(H3OU__LOG_WHISPER, keep, NULL);
    h3ou__config *c =
        parse("R&D writes: Tom & Jerry's file, with a $ and an &unended group\n"
              "&other key='&h3ou_var / is text', more=1 /\n&end\n" PAIR VAR(", grid_intpl_tag=2, mapping_tag=7"));
    assert_int_equal(c->nvar, 1);
    assert_int_equal(c->var[0].line, 5);
    h3ou__config_free(c);
    assert_non_null(strstr(logged, "ignored file=c.conf line=1 group=unended\n"));
    assert_non_null(strstr(logged, "ignored file=c.conf line=2 group=other\n"));
    assert_non_null(strstr(logged, "ignored file=c.conf line=5 key=mapping_tag\n"));
    assert_non_null(strstr(logged, "tags-differ file=c.conf line=5 grid_intpl_tag=2 mapping_tag=1"));
    *logged = 0;
    h3ou__config_free(
        parse("&h3ou_coupling debug_mode=t,\n stop_step=2,\n grid_checker=.true. /\n" PAIR VAR(", data_range=0,1")));
    assert_string_equal(logged, "");
    *logged = 0;
    h3ou__config_free(parse("&h3ou_coupling debug_mode=.false. stop_step=0 /" PAIR VAR(", grid_intpl_tag=1")));
    assert_string_equal(logged, "");
    h3ou__log_to(H3OU__LOG_SILENT, NULL, NULL);
}

static void elements_and_old_marks_are_read(void **state)
{
    (void)state;
    h3ou__config *c = parse(
        "$h3ou_var comp_put='a', comp_get='b', grid_put='ag', grid_get='bg' $end\n"
        "&h3ou_var, var_put='t',, var_get='t'\n intvl\n=\t60, flag='SNP', data_range(1) = -3, data_range (2)=4 &End\n"
        "&h3ou_var var_put_vec='wind', var_get_vec='wind', intvl=60, flag='SNP' /");
    assert_int_equal(c->pair[0].mapping_tag, 1);
    assert_true(c->var[0].data_min == -3 && c->var[0].data_max == 4);
    assert_true(c->var[0].has_range);
    assert_false(c->var[0].is_vector);
    assert_true(c->var[1].is_vector);
    assert_string_equal(c->var[1].put, "wind");
    h3ou__config_free(c);
}

static void a_vector_has_two_or_three_components_at_each_side(void **state)
{
    (void)state;
    refused(PAIR "&h3ou_var var_put_vec='t', var_put_xyz='t', var_get_xyz='t', intvl=60, flag='SNP' /",
            "h3ou_var: each side of a vector has two components (_vec) or three (_xyz), not both");
    refused(PAIR "&h3ou_var var_put_xyz='t', var_get='t', intvl=60, flag='SNP' /",
            "a group has var_put and var_get, or");
    h3ou__config *c = parse(PAIR "&h3ou_var var_put_xyz='v', var_get_vec='w', intvl=60, flag='SNP' /\n"
                                 "&h3ou_var var_put_vec='a', var_get_xyz='b', intvl=60, flag='SNP' /\n");
    assert_true(c->var[0].is_vector && c->var[0].put_xyz && !c->var[0].get_xyz);
    assert_true(c->var[1].is_vector && !c->var[1].put_xyz && c->var[1].get_xyz);
    assert_string_equal(c->var[0].put, "v");
    assert_string_equal(c->var[0].get, "w");
    assert_string_equal(c->var[1].get, "b");
    h3ou__config_free(c);
}

static void what_is_missing_may_be_kept(void **state)
{
    (void)state;
    refused(PAIR VAR(", missing='kept'"), "key 'missing': 'kept' is not a number or 'keep'");
    refused(PAIR VAR(", missing=keep"), "key 'missing': keep is not a number or 'keep'");
    refused("&h3ou_coupling\n unknown_put='warn' /",
            "c.conf:2: h3ou_coupling: unknown_put is 'error' or 'ignore', not 'warn'");
    refused("&h3ou_coupling unknown_put='' /", "unknown_put is 'error' or 'ignore', not ''");
    h3ou__config *c = parse("&h3ou_coupling unknown_put='Ignore' /\n"
                            "&h3ou_var comp_put='a', comp_get='b', grid_put='ag', grid_get='bg', missing = 'KEEP' , /\n" VAR(
                                "") "&h3ou_var var_put='u', var_get='u', missing=-1, intvl=1, flag='SNP' /\n");
    assert_true(c->ignore_unknown_put);
    assert_int_equal(c->var[0].remap.has_missing, 1);
    assert_int_equal(c->var[0].remap.keep_missing, 1);
    assert_true(isnan(c->var[0].remap.missing));
    assert_int_equal(c->var[1].remap.has_missing, 1);
    assert_int_equal(c->var[1].remap.keep_missing, 0);
    assert_true(c->var[1].remap.missing == -1);
    h3ou__config_free(c);
    c = parse(PAIR VAR(", missing=\"keep\", factor=2"));
    assert_false(c->ignore_unknown_put);
    assert_int_equal(c->var[0].remap.keep_missing, 1);
    assert_true(c->var[0].factor == 2);
    h3ou__config_free(c);
}

static void a_name_may_have_64_characters(void **state)
{
    (void)state;
    static const char name[] = "1234567890123456789012345678901234567890123456789012345678901234";
    char text[512];
    snprintf(text, sizeof text, "&h3ou_var comp_put='%s', comp_get='b', grid_put='ag', grid_get='bg' /", name);
    h3ou__config *c = parse(text);
    assert_string_equal(c->pair[0].comp_put, name);
    h3ou__config_free(c);
}

static void a_variable_belongs_to_the_pair_before_it(void **state)
{
    (void)state;
    h3ou__config *c = parse(
        PAIR VAR("") "&h3ou_var comp_put='b', comp_get='a', grid_put='bg', grid_get='ag', var_put='s', var_get='s', "
                     "intvl=60, flag='SNP' /\n");
    assert_int_equal(c->npair, 2);
    assert_int_equal(c->nvar, 2);
    assert_int_equal(c->var[0].pair, 0);
    assert_int_equal(c->var[1].pair, 1);
    h3ou__config_free(c);
}

#define WITH_FLAG(word)   PAIR "&h3ou_var var_put='t', var_get='t', intvl=60, flag='" word "' /"
#define LIST(word, meaning) {#word, WITH_FLAG(#word), "'" #word "' (" meaning ")"},

static void each_flag_is_read_and_listed_where_a_word_is_wrong(void **state)
{
    (void)state;
    const struct {
        const char *word, *text, *listed;
    } flag[] = {H3OU__FLAGS(LIST)};
    for (int i = 0; i < H3OU__NFLAG; i++) {
        h3ou__config *c = parse(flag[i].text);
        assert_int_equal(c->var[0].flag, i);
        h3ou__config_free(c);
        refused(WITH_FLAG("MEDIAN"), flag[i].listed);
    }
    refused(WITH_FLAG("MEDIAN"), ", not 'MEDIAN'");
    h3ou__config *c = parse(WITH_FLAG("avr"));
    assert_int_equal(c->var[0].flag, H3OU__FLAG_AVR);
    h3ou__config_free(c);
}

static void intervals_have_units(void **state)
{
    static const struct {
        const char *text;
        h3ou__interval awaited;
    } cases[] = {{"3600", {0, 3600, 1}},        {"99999999999", {0, INT64_C(99999999999), 1}},
                 {"0.1", {0, 1, 10}},           {"1.8d3", {0, 1800, 1}},
                 {"'1/3'", {0, 1, 3}},          {"'3600/7'", {0, 3600, 7}},
                 {"'6 hours'", {0, 21600, 1}},  {"'1 day'", {0, 86400, 1}},
                 {"'1/2 Day'", {0, 43200, 1}},  {"'90 min'", {0, 5400, 1}},
                 {"'2.5 s'", {0, 5, 2}},        {"'1e-3'", {0, 1, 1000}},
                 {"'1 month'", {1, 0, 1}},      {"' 3 months '", {3, 0, 1}},
                 {"'2 years'", {24, 0, 1}},     {"1*600", {0, 600, 1}}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text, PAIR "&h3ou_var var_put='t', var_get='t', intvl=%s, flag='SNP', lag=-3 /", cases[i].text);
        h3ou__config *c = parse(text);
        const h3ou__interval *got = &c->var[0].intvl, *awaited = &cases[i].awaited;
        if (got->months != awaited->months || got->num != awaited->num || got->den != awaited->den)
            fail_msg("%s: %d months, %lld/%lld s", cases[i].text, got->months, (long long)got->num, (long long)got->den);
        assert_int_equal(c->var[0].lag, -3);
        h3ou__config_free(c);
    }
}

static void the_run_has_a_start(void **state)
{
    (void)state;
    h3ou__config *c = parse("&h3ou_coupling start='2000-02-29 06:30:00', after_end='KEEP' /" PAIR VAR(""));
    const int start[6] = {2000, 2, 29, 6, 30, 0};
    assert_true(c->has_start && c->keep_after_end);
    assert_memory_equal(c->start, start, sizeof start);
    h3ou__config_free(c);
    c = parse(PAIR VAR(""));
    assert_false(c->has_start || c->keep_after_end);
    h3ou__config_free(c);
}

/* Texts that are refused, and a part of the sentence that says why. */
static const struct {
    const char *text, *sentence;
} wrong[] = {
    {PAIR "&h3ou_var var_put='t', var_get='t',\n intvel=3600, flag='SNP' /",
     "c.conf:3: unknown key of h3ou_var 'intvel', did you mean 'intvl'?"},
    {PAIR "&h3ou_var quite_else=1 /", "c.conf:2: unknown key of h3ou_var 'quite_else'; known are: comp_put"},
    {"&h3ou_tuning between_latency=20 /", "c.conf:1: h3ou_tuning: between_latency and between_bandwidth must be given"},
    {"&h3ou_tuning between_latency=20, between_bandwidth=9, inside_latency=1 /", "inside_latency and inside_bandwidth must be given both"},
    {"&h3ou_tuning between_latency=20, between_bandwidth=-9 /", "and above 0"},
    {"&h3ou_tuning between_latency=20, between_bandwidth=9, ports=0 /", "ports is 1 to 1000"},
    {"&h3ou_tuning between_latency='x', between_bandwidth=9 /", "is not a number"},
    {"&h3ou_tuning between_latency=20, between_bandwidth=9, job_route='tcp' /",
     "c.conf:1: h3ou_tuning: job_route is 'mpi', 'waitio' or 'measured', not 'tcp'"},
    {"&h3ou_tuning between_latncy=20 /", "did you mean 'between_latency'?"},
    {"&h3ou_tuning between_latency=2, between_bandwidth=9 /\n&h3ou_tuning between_latency=2, between_bandwidth=9 /",
     "c.conf:2: h3ou_tuning stands in this file twice"},
    {"&h3ou_vra x=1 /", "c.conf:1: unknown group 'h3ou_vra', did you mean 'h3ou_var'?"},
    {PAIR "&h3ou_var var_put='t', var_get='t', intvl='abc', flag='SNP' /",
     "c.conf:2: h3ou_var: intvl=abc: the interval is a number of seconds above 0, or a text: '1/3', '90 min'"},
    {PAIR "&h3ou_var var_put='t', var_get='t',\nintvl=-1.5, flag='SNP' /",
     "c.conf:3: h3ou_var: intvl=-1.5000000000000000E+000: the interval is"},
    {PAIR "&h3ou_var var_put='t', var_get='t', intvl=99999999999999999999, flag='SNP' /",
     "99999999999999999999 is not a number of seconds or a text such as '1/3'"},
    {PAIR "&h3ou_var var_put='t', var_get='t', intvl=60 or so, flag='SNP' /",
     "key 'intvl': 60 or so is not a number of seconds"},
    {PAIR "&h3ou_var var_put='t', var_get='t', intvl=2*60, flag='SNP' /", "key 'intvl': 2*60 is not a number of seconds"},
    {PAIR "&h3ou_var var_put='t', var_get='t', intvl='1/0', flag='SNP' /", "intvl=1/0: the interval is"},
    {PAIR "&h3ou_var var_put='t', var_get='t', intvl='1.5 months', flag='SNP' /", "months and years are whole"},
    {PAIR "&h3ou_var var_put='t', var_get='t', intvl='6 weeks', flag='SNP' /", "intvl=6 weeks: the interval is"},
    {"&h3ou_coupling calendar='none' /" PAIR "&h3ou_var var_put='t', var_get='t', intvl='1 month', flag='SNP' /",
     "c.conf:2: h3ou_var: intvl in months needs a calendar, and calendar='none'"},
    {"&h3ou_coupling\n start='2001-02-29' /", "c.conf:2: h3ou_coupling: start='2001-02-29' is no date of calendar='gregorian'"},
    {"&h3ou_coupling start='2001-02-28 12' /", "start='2001-02-28 12' is no date"},
    {"&h3ou_coupling start='today', calendar='noleap' /", "start='today' is no date of calendar='noleap'"},
    {"&h3ou_coupling start='2000-01-01', calendar='none' /", "start='2000-01-01' needs a calendar"},
    {"&h3ou_coupling after_end='stop' /", "after_end is 'error' or 'keep', not 'stop'"},
    {PAIR "&h3ou_var var_put=t, var_get='t', intvl=60, flag='SNP' /", "key 'var_put': t is not one text in quotes"},
    {PAIR "&h3ou_var var_put='t' var_get='t' intvl=60 flag='SNP' junk /",
     "key 'flag': 'SNP' junk is not one text in quotes"},
    {PAIR "&h3ou_var\njunk var_put='t' var_get='t' intvl=60 flag='SNP' /",
     "c.conf:3: h3ou_var: before the first key stands 'junk'"},
    {PAIR VAR(",\n\nfactor=abc"), "c.conf:4: h3ou_var: key 'factor': abc is not a number"},
    {PAIR VAR(", factor=NaN"), "factor is a finite number"},
    {PAIR VAR(", data_range=1,2,3"), "key 'data_range': 1,2,3 is not a pair of numbers"},
    {PAIR VAR(", data_range(3)=1"), "key 'data_range': 1 is not a pair of numbers"},
    {PAIR VAR(", data_range(1)=1, data_range( 1 )=2"), "key 'data_range' is given twice"},
    {PAIR VAR(", data_range=1,2, data_range(1)=2"), "key 'data_range' is given twice"},
    {PAIR VAR(", second_put='twice'"), "second_put is 'replace' or 'error', not 'twice'"},
    {PAIR VAR(", monitor='put,gto'"), "h3ou_var: monitor='put,gto': it is 'none', 'all', or some of put, sent, received, got"},
    {PAIR VAR(", monitor_every=0"), "h3ou_var: monitor_every: it is 1 or more"},
    {PAIR VAR(", units_put='m'"), "h3ou_var: units_put='m': give units, too: those of the values that are got"},
    {PAIR VAR(", long_name='two\001columns'"), "h3ou_var: long_name: the text has a character that cannot be printed"},
    {PAIR VAR(", standard_name='heat flux, upward'"), "h3ou_var: standard_name='heat flux, upward': the standard names of the CF conventions have"},
    {PAIR VAR(", long_name='" WORDS WORDS WORDS "'"), "h3ou_var: key 'long_name': a text has at most 128 characters"},
    {PAIR VAR(", ledger=1.5"), "h3ou_var: key 'ledger': 1.5 is not .true. or .false."},
    {PAIR VAR(", conserve='locally'"), "h3ou_var: conserve='locally': it is 'none', 'global' or 'proportional'"},
    {"&h3ou_coupling conserve='global' /", "conserve"},
    {"&h3ou_coupling monitor='everything' /", "h3ou_coupling: monitor='everything': it is 'none', 'all', or some of"},
    {"&h3ou_coupling second_put='twice' /", "second_put is 'replace' or 'error', not 'twice'"},
    {PAIR VAR(", bundle='yes'"), "bundle is 'auto', 'always' or 'never', not 'yes'"},
    {"&h3ou_coupling bundle='no' /", "bundle is 'auto', 'always' or 'never', not 'no'"},
    {"&h3ou_coupling sum_order='jobs' /", "sum_order is 'free' or 'ranks', not 'jobs'"},
    {"&h3ou_coupling kings=0 /", "kings is 1 to 8, not 0"},
    {"&h3ou_coupling kings='two' /", "kings"},
    {"&h3ou_coupling progress='threads' /", "progress is 'polling' or 'thread', not 'threads'"},
    {PAIR VAR(",\ntype='float'"), "c.conf:3: h3ou_var: type is 'real8' or 'real4', not 'float'"},
    {PAIR VAR(", type=4"), "type is 'real8' or 'real4', not '4'"},
    {PAIR VAR(", data_range=0,1, range_action='stop'"), "range_action is 'warning' or 'error', not 'stop'"},
    {PAIR VAR(", data_range=2,1"), "data_range is the smallest value, then the largest"},
    {PAIR "&h3ou_var var_put='t', var_get='t', intvl=1, intvl=2, flag='SNP' /", "key 'intvl' is given twice"},
    {PAIR "&h3ou_var var_put='t', var_get='t', intvl=60 /", "c.conf:2: h3ou_var: key 'flag' is missing or empty: 'SNP' (snapshot)"},
    {PAIR "&h3ou_var var_put='t', var_get='t', intvl=60, flag='' /", "key 'flag' is missing or empty: 'SNP'"},
    {PAIR "&h3ou_var var_put='t', var_get='t', intvl=60, flag='MEDIAN' /",
     "c.conf:2: h3ou_var: flag is 'SNP' (snapshot)"},
    {PAIR "&h3ou_var var_put='t', var_get='t',\n intvl=-60, flag='SNP' /",
     "c.conf:3: h3ou_var: intvl=-60: the interval is"},
    {PAIR "&h3ou_var var_put='t', var_get='t', intvl=0, flag='SNP' /", "intvl=0: the interval is"},
    {PAIR "&h3ou_var var_put='t', var_get='t', intvl=60,\n flag='M' /", "c.conf:3: h3ou_var: flag is 'SNP'"},
    {PAIR "&h3ou_var var_put='t', var_get='t', intvl=60, flag='SNP AVR' /", "flag is 'SNP'"}, /* one word, not two */
    {PAIR VAR(", method='nearest', norm='fracarea destarea'"), "unknown norm 'fracarea destarea'"},
    {"&h3ou_coupling calendar='none gregorian' /", "calendar"},
    {"&h3ou_coupling unknown_put='error ignore' /", "unknown_put is 'error' or 'ignore'"},
    {PAIR VAR(", lag=10001"), "lag=10001: it is -1"},
    {PAIR VAR(", statistic='maen'"), "c.conf:2: h3ou_var: statistic='maen': the members of an ensemble send one of mean, "
                                     "std, std1, min, max, median, quantile(Q), member(M), stacked, did you mean 'mean'?"},
    {PAIR VAR(", statistic='mean std'"), "statistic='mean std': the members"},
    {PAIR VAR(", statistic='mean(2)'"), "statistic='mean(2)': 'mean' has no number"},
    {PAIR VAR(", statistic='quantile'"), "statistic='quantile': it is written quantile(Q), Q from 0 to 1"},
    {PAIR VAR(", statistic='quantile(1.5)'"), "it is written quantile(Q)"},
    {PAIR VAR(", statistic='quantile(nan)'"), "it is written quantile(Q)"},
    {PAIR VAR(", statistic='quantile(0.5'"), "it is written quantile(Q)"},
    {PAIR VAR(", statistic='quantile(0.5) x'"), "it is written quantile(Q)"},
    {PAIR VAR(", statistic='member(-1)'"), "it is written member(M), M from 0"},
    {PAIR VAR(", statistic='member(1.5)'"), "it is written member(M), M from 0"},
    {PAIR VAR(", statistic='member()'"), "it is written member(M), M from 0"},
    {PAIR VAR(", statistic='member(10000)'"), "it is written member(M), M from 0"},
    {PAIR VAR(", statistic='stacked', grid_intpl_tag=10001"), "statistic='stacked' and grid_intpl_tag=10001"},
    {PAIR VAR(", to_members='each'"), "c.conf:2: h3ou_var: to_members='each': the members of an ensemble get 'same' ("},
    {PAIR VAR(", to_members='own', grid_intpl_tag=10001"), "to_members='own' and grid_intpl_tag=10001"},
    {PAIR VAR(", perturb=-1"), "c.conf:2: h3ou_var: perturb=-1: it is a standard deviation, 0 or more"},
    {PAIR VAR(", perturb=inf"), "perturb=inf: it is a standard deviation"},
    {PAIR VAR(", perturb=nan"), "perturb=nan: it is a standard deviation"},
    {PAIR VAR(", perturb='x'"), "key 'perturb': 'x' is not a number"},
    {PAIR VAR(",\nperturb_seed=1"), "c.conf:3: h3ou_var: perturb_seed without perturb"},
    {PAIR VAR(", perturb=1, perturb_seed=1.5"), "key 'perturb_seed': 1.5 is not an integer"},
    {PAIR "&h3ou_var var_put_xyz='t', var_get_xyz='t', intvl=60, flag='SNP', perturb=1 /", "perturb and var_get_xyz"},
    {PAIR "&h3ou_var\n statistic='min' /", "c.conf:3: h3ou_var: key 'statistic' belongs to a variable"},
    {PAIR VAR(",\nlayer=0"), "c.conf:3: h3ou_var: layer=0: it is 1 or more"},
    {PAIR "&h3ou_var var_put_vec='t', intvl=60, flag='SNP' /", "key 'var_get_vec' is missing"},
    {PAIR "&h3ou_var var_put='t', var_get='t',\nvar_put_vec='t', intvl=60, flag='SNP' /",
     "c.conf:3: h3ou_var: a group has var_put and var_get, or"},
    {PAIR "&h3ou_var\n layer=3 /", "c.conf:3: h3ou_var: key 'layer' belongs to a variable"},
    {"&h3ou_var mapping_tag=3 /", "key 'mapping_tag' belongs to a pair of grids"},
    {"&h3ou_var /", "c.conf:1: h3ou_var: the group is empty"},
    {"\n& h3ou_var comp_put='a' /", "c.conf:2: no blank may stand between & and h3ou_var"},
    {"&h3ou_coupling /\n&h3ou_coupling stop_step=1 /", "c.conf:2: h3ou_coupling stands in line 1 already"},
    {PAIR "&h3ou_var var_put='t', intvl=60, flag='SNP' /", "key 'var_get' is missing"},
    {"&h3ou_var comp_put='a', grid_put='ag', grid_get='bg' /", "key 'comp_get' is missing"},
    {"&h3ou_var comp_put='a', comp_get='b', grid_put='ag' /", "key 'grid_get' is missing"},
    {VAR(""), "variable 't' comes before any pair of grids"},
    {PAIR VAR("") "&h3ou_var var_put='u', var_get='t', intvl=3600, flag='SNP' /",
     "c.conf:3: h3ou_var: b gets 't' twice: it stands in line 2 already"},
    {PAIR "&h3ou_var var_put='t', var_get='t',\nlag=1, flag='SNP' /", "c.conf:2: h3ou_var: key 'intvl' is missing"},
    {"&h3ou_coupling\n calendar='gregorain' /",
     "c.conf:2: h3ou_coupling: unknown calendar 'gregorain', did you mean 'gregorian'?"},
    {"&h3ou_coupling strict=2 /", "key 'strict': 2 is not .true. or .false."},
    {"&h3ou_coupling strict=.true. / " PAIR PAIR, "c.conf:2: h3ou_var: the same pair of grids with mapping_tag=1 stands in line 1 already"},
    {PAIR VAR(", lag=1") "&h3ou_var comp_put='b', comp_get='a', grid_put='bg', grid_get='ag' /\n"
                         "&h3ou_var var_put='s', var_get='s', intvl=60, flag='SNP', lag=1 /",
     "c.conf:4: h3ou_var: lag=1 from b to a, and in line 2 from a to b"},
    {PAIR "&h3ou_var var_put='t', var_get='t', intvl=60, flag='SNP'\n",
     "c.conf:2: group &h3ou_var has no end: a / is missing"},
    {"&h3ou_var comp_put='a'\n" PAIR, "group &h3ou_var has no end before the next group"},
    {"&h3ou_var comp_put='a, comp_get='b' /", "the quote that opens here is not closed"},
    {"&h3ou_coupling\n log_level='NOISY' /",
     "c.conf:2: h3ou_coupling: log_level is SILENT, WARNING, WHISPER or LOUD, not 'NOISY'"},
    {"&h3ou_coupling stop_step=11 /", "stop_step is 0 to 10"},
    {"&h3ou_coupling debug_mode=7 /", "key 'debug_mode'"},
    {"&h3ou_var comp_put='1234567890123456789012345678901234567890123456789012345678901234x' /",
     "a name has at most 64 characters"},
    {"&h3ou_var hello /", "no key = value in this group"},
    {"&h3ou_var ='a' /", "an = without a key"},
};

static void errors_name_line_and_key(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refused(wrong[i].text, wrong[i].sentence);
}

/* What existing programs may do: a warning that is told once the log's level is known, or an error. */
static void what_asks_for_leniency_is_told_or_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sentence;
    } leniency[] = {
        {PAIR "&h3ou_var var_put='t', var_get='t', flag='SNP' /",
         "c.conf:3: h3ou_var: key 'intvl' is missing: the exchange interval in seconds"},
        {PAIR VAR(",\n\n lag=0"),
         "c.conf:5: h3ou_var: lag=0: every get takes the oldest value put that was not taken yet"},
        {PAIR VAR("") VAR(", layer=2"), "c.conf:4: h3ou_var: b gets 't' twice: it stands in line 3 already"},
    };
    for (size_t i = 0; i < sizeof leniency / sizeof *leniency; i++) {
        char text[1024];
        snprintf(text, sizeof text, "&h3ou_coupling calendar='360_Day', strict=.true. /\n%s", leniency[i].text);
        refused(text, leniency[i].sentence);
        memcpy(text, "&h3ou_coupling calendar='360_Day', strict=.false./\n", 51);
        *logged = 0;
        h3ou__log_to(H3OU__LOG_WARNING, keep, NULL);
        h3ou__config *c = parse(text);
        assert_string_equal(logged, "");
        c->is_leader = true;
        h3ou__config_log(c);
        assert_non_null(strstr(logged, "warning c.conf:"));
        assert_non_null(strstr(logged, leniency[i].sentence));
        assert_int_equal(c->calendar, H3OU__360_DAY);
        assert_int_equal(c->nvar, 1);
        assert_int_equal(c->var[0].layer, 1);
        *logged = 0;
        c->is_leader = false;
        h3ou__config_log(c);
        assert_string_equal(logged, "");
        h3ou__log_to(H3OU__LOG_SILENT, NULL, NULL);
        h3ou__config_free(c);
    }
    h3ou__config_free(parse("&h3ou_coupling strict=.true. /\n" PAIR "&h3ou_var var_put='t', var_get='t', lag=0, flag='SNP' /"));
}

/* h3-Open-UTIL/MP reads `factor` and does not apply it: that values are multiplied here is said once, by one process. */
static void a_factor_is_told_once(void **state)
{
    (void)state;
    h3ou__config *c = parse(PAIR VAR("") "&h3ou_var var_put='u', var_get='u', intvl=3600, flag='SNP', factor=0.5 /\n"
                                       "&h3ou_var var_put='v', var_get='v', intvl=3600, flag='SNP', factor=2 /\n");
    for (int leader = 0; leader < 2; leader++) {
        *logged = 0;
        h3ou__log_to(H3OU__LOG_WHISPER, keep, NULL);
        c->is_leader = leader;
        h3ou__config_log(c);
        h3ou__log_to(H3OU__LOG_SILENT, NULL, NULL);
        char *told = strstr(logged, "factor file=c.conf line=3 ");
        assert_true(leader ? told && strstr(told, "factor=0.5 applied=yes") && !strstr(told, "line=4") : !told);
    }
    h3ou__config_free(c);
}

static void errors_of_weights_name_line_and_key(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sentence;
    } bad[] = {
        {PAIR VAR(",\nmethod='conservativ'"), "c.conf:2: h3ou_var: "},
        {PAIR VAR(", method='conservativ'"), "did you mean 'conservative'?"},
        {PAIR VAR(", method='nearest(k=3)'"), "'k'"},
        {"&h3ou_var comp_put='a', comp_get='b', grid_put='ag', grid_get='bg',\nmethod='bilinaer' /",
         "c.conf:1: h3ou_var: "},
        {PAIR VAR(", method='nearest', extrapolate='crepe'"), "did you mean 'creep'?"},
        {PAIR VAR(", extrapolate='creep'"), "c.conf:2: h3ou_var: extrapolate='creep' needs a method"},
        {PAIR VAR(", method='nearest',\nnorm='fracaera'"),
         "c.conf:3: h3ou_var: unknown norm 'fracaera', did you mean 'fracarea'?"},
        {PAIR VAR(", method='nearest', limit=3"), "key 'limit': 3 is not .true. or .false."},
        {PAIR VAR(",\nmissing='none'"), "c.conf:3: h3ou_var: key 'missing': 'none' is not a number"},
        {PAIR VAR(", method='" LONG "'"), "method: a stack has at most 255 characters"},
        {PAIR VAR(", metod='nearest'"), "did you mean 'method'?"},
        {"&h3ou_coupling weight_cache='w' /", "did you mean 'weights_cache'?"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refused(bad[i].text, bad[i].sentence);
}

/* Whatever the bytes, the reader answers and does not crash. */
static void hostile_bytes_do_no_harm(void **state)
{
    (void)state;
    static const char base[] = "&h3ou_coupling log_level='LOUD' /\n" PAIR VAR(", data_range=0,1");
    uint64_t seed = 7;
    for (int round = 0; round < 3000; round++) {
        char text[sizeof base];
        memcpy(text, base, sizeof base);
        for (int k = 0; k < 1 + round % 5; k++) {
            seed = seed * UINT64_C(6364136223846793005) + 1;
            text[(seed >> 33) % (sizeof base - 1)] = (char)(seed >> 24);
        }
        h3ou__config *c = NULL;
        int err = h3ou__config_parse("c.conf", text, (int64_t)((seed >> 40) % sizeof base), &c);
        assert_true(err == H3OU__OK || err == H3OU__ECONFIG);
        h3ou__config_free(c);
    }
}

static void weights_are_of_the_variable_or_its_pair(void **state)
{
    (void)state;
    h3ou__config *c =
        parse("&h3ou_coupling weights_cache='the folder' record='a record' /\n"
              "&h3ou_var comp_put='a', comp_get='b', grid_put='ag', grid_get='bg', norm='DestArea',\n"
              " method='conservative2,distance(n=3, power=1)', extrapolate='creep', limit=T, missing=-9 /\n"
              "&h3ou_var var_put='t', var_get='t', intvl=60, flag='SNP' /\n"
              "&h3ou_var var_put='u', var_get='u', intvl=60, flag='SNP', method='nearest', norm='fracarea',"
              " extrapolate='value(value=2)', limit=F, missing=1e20 /\n"
              "&h3ou_var comp_put='b', comp_get='a', grid_put='bg', grid_get='ag' /\n"
              "&h3ou_var var_put='v', var_get='v', intvl=60, flag='SNP' /");
    const h3ou__config_remap *t = &c->var[0].remap, *u = &c->var[1].remap, *v = &c->var[2].remap;
    assert_string_equal(c->weights_cache, "the folder");
    assert_string_equal(c->record, "a record");
    assert_string_equal(t->stack->text, "conservative2,distance(n=3, power=1),creep");
    assert_int_equal(t->norm, 1);
    assert_int_equal(t->limit, 1);
    assert_true(t->has_missing && t->missing == -9.0);
    assert_string_equal(u->stack->text, "nearest,value(value=2)");
    assert_int_equal(u->norm, 0);
    assert_int_equal(u->limit, 0);
    assert_true(u->has_missing && u->missing == 1e20);
    assert_null(v->stack);
    assert_int_equal(v->norm, 0);
    assert_int_equal(v->limit, 0);
    assert_false(v->has_missing);
    h3ou__config_free(c);
}

static void tuning_is_read(void **state)
{
    (void)state;
    h3ou__config *c = parse("&h3ou_coupling tuning_file='the file' /\n"
                            "&h3ou_tuning inside_latency=0.5, inside_bandwidth=5d3, between_latency=20, between_bandwidth=1000, ports=2 /");
    assert_string_equal(c->tuning_file, "the file");
    assert_true(c->tuning.inside_latency == 1e-6 * 0.5 && c->tuning.inside_bandwidth == 5e9);
    assert_true(c->tuning.between_latency == 1e-6 * 20 && c->tuning.between_bandwidth == 1e9 && c->tuning.ports == 2);
    h3ou__config_free(c);
    c = parse("&h3ou_tuning between_latency=20, between_bandwidth=1000 /");
    assert_true(c->tuning.inside_latency == 0 && c->tuning.ports == 1 && !*c->tuning_file && c->tuning.job_route == H3OU__JOB_UNSAID);
    h3ou__config_free(c);
    c = parse("&h3ou_tuning between_latency=20, between_bandwidth=1000, job_route='WaitIO' /");
    assert_int_equal(c->tuning.job_route, H3OU__JOB_WAITIO);
    h3ou__config_free(c);
}

/* A variable has the keys of its group, else those of the run, wherever these stand; a vector has no ledger of the run's. */
static void monitor_is_of_the_variable_or_of_the_run(void **state)
{
    (void)state;
    h3ou__config *c = parse(PAIR VAR("") "&h3ou_var var_put='u', var_get='u', intvl=3600, flag='AVR', monitor='Got, put', monitor_every=3, "
                            "ledger=.false., conserve='Global' /\n"
                            "&h3ou_var var_put_vec='v', var_get_vec='v', intvl=3600, flag='AVR', monitor='none' /\n"
                            "&h3ou_coupling monitor='all', monitor_every=2, ledger=.true. /");
    const h3ou__config_monitor *f = &c->var[0].monitor, *u = &c->var[1].monitor, *v = &c->var[2].monitor;
    assert_true(f->sides == 15 && f->every == 2 && f->ledger == 1 && f->conserve == H3OU__CONSERVE_NOTHING);
    assert_true(u->sides == (1 << H3OU__SIDE_PUT | 1 << H3OU__SIDE_GOT) && u->every == 3);
    assert_true(u->ledger == 0 && u->conserve == H3OU__CONSERVE_GLOBAL);
    assert_true(v->sides == 0 && v->every == 2 && v->ledger == 0);
    h3ou__config_free(c);
    c = parse(PAIR VAR(", units='W m-2', units_put='kW m-2', long_name='heat, as it''s put', standard_name='heat_flux standard_error'"));
    assert_string_equal(c->var[0].description.units, "W m-2");
    assert_string_equal(c->var[0].description.units_put, "kW m-2");
    assert_string_equal(c->var[0].description.long_name, "heat, as it's put");
    assert_string_equal(c->var[0].description.standard_name, "heat_flux standard_error");
    h3ou__config_free(c);
    c = parse(PAIR VAR(""));
    assert_string_equal(c->var[0].description.units, "");
    assert_true(c->var[0].monitor.sides == 0 && c->var[0].monitor.every == 1 && c->var[0].monitor.ledger == 0);
    h3ou__config_free(c);
}

/* A variable has the second_put and the bundle of its group, else those of the run, wherever this stands. */
static void progress_is_read(void **state)
{
    (void)state;
    h3ou__config *c = parse(PAIR VAR("") "&h3ou_var var_put='u', var_get='u', intvl=3600, flag='AVR', second_put='Replace', bundle='Never' /\n"
                            "&h3ou_coupling progress='thread', second_put='error', bundle='always' /");
    assert_true(c->by_thread);
    assert_int_equal(c->var[0].second_put, H3OU__SECOND_IS_ERROR);
    assert_int_equal(c->var[1].second_put, H3OU__SECOND_REPLACES);
    assert_int_equal(c->var[0].bundle, H3OU__BUNDLE_ALWAYS);
    assert_int_equal(c->var[1].bundle, H3OU__BUNDLE_NEVER);
    h3ou__config_free(c);
    c = parse(PAIR VAR("") "&h3ou_var var_put='u', var_get='u', intvl=3600, flag='AVR', second_put='error' /\n");
    assert_false(c->by_thread);
    assert_int_equal(c->var[0].second_put, H3OU__SECOND_REPLACES);
    assert_int_equal(c->var[1].second_put, H3OU__SECOND_IS_ERROR);
    assert_int_equal(c->var[1].bundle, H3OU__BUNDLE_AUTO);
    h3ou__config_free(c);
}

/* Each text of a stack is parsed once, however many groups have it, and whichever keys share it. */
static void stacks_are_parsed_once(void **state)
{
    (void)state;
    h3ou__config *c = parse("&h3ou_var comp_put='a', comp_get='b', grid_put='ag', grid_get='bg',\n"
                            " method='distance(n=3),nearest' /\n"
                            "&h3ou_var var_put='t', var_get='t', intvl=60, flag='SNP' /\n"
                            "&h3ou_var var_put='u', var_get='u', intvl=60, flag='SNP', method='laf' /\n"
                            "&h3ou_var var_put='v', var_get='v', intvl=60, flag='SNP', method='distance(n=3)',"
                            " extrapolate='nearest' /\n"
                            "&h3ou_var var_put='w', var_get='w', intvl=60, flag='SNP',"
                            " method='distance( n=3),nearest' /");
    const h3ou__config_stack *first = c->pair[0].remap.stack;
    assert_true(first->methods.n == 2 && first->methods.keys[0].n == 3);
    assert_string_equal(first->methods.method[1]->name, "nearest");
    assert_ptr_equal(c->var[0].remap.stack, first);
    assert_string_equal(c->var[1].remap.stack->methods.method[0]->name, "laf");
    assert_ptr_equal(c->var[2].remap.stack, first);
    assert_ptr_not_equal(c->var[3].remap.stack, first); /* another text, which the log shows as it is */
    assert_int_equal(c->nstack, 3);
    h3ou__config_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_example_is_read),
        cmocka_unit_test(what_members_send_is_a_word),
        cmocka_unit_test(what_members_get_is_read),
        cmocka_unit_test(defaults_are_the_published_ones),
        cmocka_unit_test(fortran_s_forms_are_read),
        cmocka_unit_test(a_variable_belongs_to_the_pair_before_it),
        cmocka_unit_test(what_has_no_effect_is_logged),
        cmocka_unit_test(elements_and_old_marks_are_read),
        cmocka_unit_test(a_name_may_have_64_characters),
        cmocka_unit_test(what_is_missing_may_be_kept),
        cmocka_unit_test(a_vector_has_two_or_three_components_at_each_side),
        cmocka_unit_test(intervals_have_units),
        cmocka_unit_test(the_run_has_a_start),
        cmocka_unit_test(each_flag_is_read_and_listed_where_a_word_is_wrong),
        cmocka_unit_test(errors_name_line_and_key),
        cmocka_unit_test(what_asks_for_leniency_is_told_or_refused),
        cmocka_unit_test(a_factor_is_told_once),
        cmocka_unit_test(errors_of_weights_name_line_and_key),
        cmocka_unit_test(hostile_bytes_do_no_harm),
        cmocka_unit_test(weights_are_of_the_variable_or_its_pair),
        cmocka_unit_test(tuning_is_read),
        cmocka_unit_test(monitor_is_of_the_variable_or_of_the_run),
        cmocka_unit_test(progress_is_read),
        cmocka_unit_test(stacks_are_parsed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
