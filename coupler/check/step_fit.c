/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/check/step_fit.h"

#include <stdio.h>

#include "coupler/config/interval.h"

bool h3ou__step_fits(const h3ou__config *config, const h3ou__config_var *v, const h3ou__schedule *times,
                     const char *component, h3ou__rational now, h3ou__rational step, char *text, size_t size)
{
    char interval[H3OU__INTERVAL_TEXT], seconds[H3OU__RATIONAL_TEXT];
    if (h3ou__exchange_fits(times, now, step))
        return true;
    snprintf(text, size, "%s:%d: intvl=%s of field %s is no multiple of the time step of %s, %s s: choose one that is", config->file,
             v->line, h3ou__interval_text(&v->intvl, interval), v->put, component, h3ou__rational_text(step, seconds));
    return false;
}
