/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/tuning.h"

#include <stdlib.h>

#include "base/env.h"
#include "base/error.h"
#include "comm/collective/collective.h"
#include "coupler/config/shared_file.h"

/* Returns the file's name, or "": there is none. */
static const char *name_file(const h3ou__config *config)
{
    const char *file = getenv("H3OU_TUNING_FILE");
    return file && *file ? file : config->tuning_file;
}

/* Puts the place where the configuration names the file before an error. */
static int fail_at_line(const h3ou__config *config, const char *file, int err)
{
    return err && file == config->tuning_file ? h3ou__fail_in(err, "%s:%d", config->file, config->tuning_line) : err;
}

static int take_tuning(h3ou__config *config, const char *file, const char *text, int64_t size)
{
    h3ou__config *other = NULL;
    int err = h3ou__config_parse(file, text, size, &other);
    if (!err && !other->tuning.ports)
        err = h3ou__fail(H3OU__ECONFIG, "tuning file %s has no group h3ou_tuning: 'h3ou bench tune' writes one", file);
    if (!err)
        config->tuning = other->tuning;
    h3ou__config_free(other);
    return err;
}

/* Lets the environment go before what the files say. */
static int take_environment(h3ou__config *config)
{
    int64_t kings;
    int err = h3ou__env_int("H3OU_KINGS", 1, H3OU__KINGS_MOST, config->kings, &kings);
    if (err)
        return err;
    config->kings = (int)kings;
    return h3ou__job_route_read(&config->tuning.job_route);
}

int h3ou__tuning_read(h3ou__world *world, h3ou__config *config)
{
    const char *file = name_file(config);
    char *text = NULL;
    int64_t size = 0;
    if (!*file)
        return take_environment(config);
    int err = h3ou__shared_file_read(world, "tuning file", file, &text, &size);
    if (!err)
        err = take_tuning(config, file, text, size);
    free(text);
    err = fail_at_line(config, file, err);
    return err ? err : take_environment(config);
}

int h3ou__tuning_read_alone(h3ou__config *config)
{
    const char *file = name_file(config);
    char *text = NULL;
    int64_t size = 0;
    if (!*file)
        return take_environment(config);
    int err = h3ou__file_read("tuning file", file, &text, &size);
    if (!err)
        err = take_tuning(config, file, text, size);
    free(text);
    err = fail_at_line(config, file, err);
    return err ? err : take_environment(config);
}
