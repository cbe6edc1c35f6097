/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/serv/address.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char first_line[] = "waitio-address 1", last_line[] = "end";

/* isalnum() is not used because it depends on the locale. */
static bool is_host_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr(".-_:%", c));
}

static bool is_host(const char *host, size_t n)
{
    if (n == 0 || n > 255 || host[0] == '-') /* many programs would take a leading '-' for an option */
        return false;
    for (size_t i = 0; i < n; i++)
        if (!is_host_character(host[i]))
            return false;
    return true;
}

bool waitio_address_is_host(const char *host)
{
    return is_host(host, strnlen(host, 256));
}

/* Takes the next line: returns its bytes after `key`, or NULL when it does not begin with `key` or has no end. */
static const char *take_line(const char **at, const char *end, const char *key, size_t *n)
{
    size_t length = strlen(key);
    const char *begin = *at, *newline = memchr(begin, '\n', (size_t)(end - begin));
    if (!newline || (size_t)(newline - begin) < length || memcmp(begin, key, length) != 0)
        return NULL;
    *at = newline + 1;
    *n = (size_t)(newline - begin) - length;
    return begin + length;
}

/* Returns a decimal number of 1 to 18 digits, or -1 when the text is not one. */
static int64_t parse_number(const char *text, size_t n)
{
    int64_t value = 0;
    if (!text || n == 0 || n > 18)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        value = 10 * value + (text[i] - '0');
    }
    return value;
}

int waitio_address_parse(const char *text, size_t n, waitio_address *out, const char **why)
{
    const char *at = text, *end = text + n, *value;
    size_t length = 0;
    memset(out, 0, sizeof *out);
    *why = "it is longer than any address";
    if (n > WAITIO_ADDRESS_MOST)
        return -1;
    *why = "it does not begin with 'waitio-address 1'";
    if (!take_line(&at, end, first_line, &length) || length)
        return -1;
    *why = "the line host= is missing or holds no host name";
    value = take_line(&at, end, "host=", &length);
    if (!value || !is_host(value, length))
        return -1;
    memcpy(out->host, value, length);
    *why = "the line port= is missing or holds no port from 1 to 65535";
    value = take_line(&at, end, "port=", &length);
    int64_t port = parse_number(value, length);
    if (port < 1 || port > 65535)
        return -1;
    out->port = (int)port;
    *why = "the line written= is missing or holds no time";
    value = take_line(&at, end, "written=", &length);
    out->written = parse_number(value, length);
    if (out->written < 0)
        return -1;
    *why = "its last line, 'end', is missing, or something follows it";
    if (!take_line(&at, end, last_line, &length) || length || at != end)
        return -1;
    return 0;
}

size_t waitio_address_print(const waitio_address *a, char out[WAITIO_ADDRESS_MOST])
{
    return (size_t)snprintf(out, WAITIO_ADDRESS_MOST, "%s\nhost=%s\nport=%d\nwritten=%" PRId64 "\n%s\n", first_line,
                            a->host, a->port, a->written, last_line);
}
