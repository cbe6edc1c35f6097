/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/plot/colours.h"

#include <math.h>

/* Lightness, chroma, hue in degrees: at even distances along the ramp. */
typedef struct stop {
    double lightness, chroma, hue;
} stop;

static const stop value_stops[] = {
    {0.27, 0.115, 300}, {0.41, 0.110, 272}, {0.55, 0.095, 225},
    {0.69, 0.120, 165}, {0.83, 0.165, 125}, {0.95, 0.160, 105},
};
static const stop error_stops[] = {
    {0.985, 0.012, 110}, {0.88, 0.070, 160}, {0.74, 0.090, 195},
    {0.58, 0.100, 240},  {0.42, 0.125, 275}, {0.24, 0.110, 300},
};
enum { STOPS = 6 };

static double gamma_encoded(double linear)
{
    double x = fmax(0.0, fmin(1.0, linear));
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
}

static uint32_t packed(double r, double g, double b)
{
    return (uint32_t)lround(255 * gamma_encoded(r)) << 16 | (uint32_t)lround(255 * gamma_encoded(g)) << 8 |
           (uint32_t)lround(255 * gamma_encoded(b));
}

/* From OKLab to linear sRGB; the matrices are those of the publication. */
static uint32_t rgb(double lightness, double a, double b)
{
    double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
    double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
    double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return packed(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                  -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                  -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
}

void colours_make(enum colours kind, uint32_t table[COLOURS])
{
    const stop *stops = kind == COLOURS_VALUE ? value_stops : error_stops;
    for (int i = 0; i < COLOURS; i++) {
        double at = (double)i / (COLOURS - 1) * (STOPS - 1);
        int k = at >= STOPS - 1 ? STOPS - 2 : (int)at;
        const stop *p = &stops[k], *q = &stops[k + 1];
        double u = at - k, chroma = p->chroma + u * (q->chroma - p->chroma);
        double hue = (p->hue + u * (q->hue - p->hue)) * M_PI / 180.0;
        table[i] = rgb(p->lightness + u * (q->lightness - p->lightness), chroma * cos(hue), chroma * sin(hue));
    }
}
