/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Options for ring buffers and files, for the control of the recorder itself, and for its messages. */

#include "compress.h"
#include "control-channel.h"
#include "history.h"
#include "option-parsers.h"
#include "parse-number.h"
#include "realtime.h"
#include "ring.h"
#include "symbol-keeper.h"

#define MAX_FILES_LIMIT 1000000u

static const char size_tags[] = "BKMG";
static const uint64_t size_factors[] = { 1, UINT64_C(1) << 10, UINT64_C(1) << 20, UINT64_C(1) << 30 };

int option_output(Options *o, const char *value, bool unset, Diagnosis *d) {
        if (!*value || value[strlen(value) - 1] == '/')
                return diagnosis_set(d, -EINVAL, "`%s' is no file name", value);
        return free_and_strdup(&o->output, value);
}

int option_mmap_pages(Options *o, const char *value, bool unset, Diagnosis *d) {
        _cleanup_free_ char *pages = NULL;
        const char *comma = strchr(value, ',');
        int r;

        /* The second number is the size of AUX areas, which no event has here. */
        pages = comma ? strndup(value, (size_t) (comma - value)) : strdup(value);
        if (!pages)
                return -ENOMEM;
        r = ring_parse_pages(pages, &o->pages);
        if (r < 0)
                return diagnosis_set(d, r, "Invalid argument for --mmap_pages/-m: `%s' is %s", value,
                                     r == -ERANGE ? "too large" : "no number of pages, nor a size as 4M");
        return 0;
}

/* Parses a number and one letter of tags, which multiplies it by the factor of the same index: "10M", "30s". */
static int parse_tagged(const char *s, const char *tags, const uint64_t *factors, uint64_t *ret) {
        size_t n = strspn(s, "0123456789");
        _cleanup_free_ char *number = NULL;
        uint64_t value;
        const char *tag;
        int r;

        if (n == 0 || !s[n] || s[n + 1])
                return -EINVAL;
        tag = strchr(tags, s[n]);
        if (!tag)
                return -EINVAL;
        number = strndup(s, n);
        if (!number)
                return -ENOMEM;
        r = parse_uint64(number, &value);
        if (r < 0)
                return r;
        if (value == 0 || __builtin_mul_overflow(value, factors[tag - tags], ret))
                return -ERANGE;
        return 0;
}

int option_history(Options *o, const char *value, bool unset, Diagnosis *d) {
        uint64_t size = 0;

        if (parse_tagged(value, size_tags, size_factors, &size) < 0 || size < HISTORY_SIZE_MIN || size > HISTORY_SIZE_MAX)
                return diagnosis_set(d, -EINVAL, "`%s' is no size of 1M or more for the history ring, with B, K, M or G", value);
        o->history_size = size;
        return 0;
}

int option_history_level(Options *o, const char *value, bool unset, Diagnosis *d) {
        unsigned level;

        if (parse_uint(value, &level) < 0 || level > COMPRESS_LEVEL_MAX)
                return diagnosis_set(d, -EINVAL, "`%s' is no level of compression from 1 to %d, nor 0 for none", value,
                                     COMPRESS_LEVEL_MAX);
        o->history_level = level;
        return 0;
}

static int parse_time_tag(const char *value, usec_t *ret) {
        static const uint64_t times[] = { 1, 60, 60 * 60, 24 * 60 * 60 };
        uint64_t seconds;
        int r = parse_tagged(value, "smhd", times, &seconds);

        if (r < 0)
                return r;
        if (seconds > UINT32_MAX)
                return -ERANGE;
        *ret = seconds * USEC_PER_SEC;
        return 0;
}

int option_history_time(Options *o, const char *value, bool unset, Diagnosis *d) {
        if (parse_time_tag(value, &o->history_time) < 0)
                return diagnosis_set(d, -EINVAL, "`%s' is no time with s, m, h or d", value);
        return 0;
}

int option_history_interval(Options *o, const char *value, bool unset, Diagnosis *d) {
        if (parse_timespan(value, &o->history_interval) < 0 || o->history_interval < OPTIONS_INTERVAL_MIN ||
            o->history_interval > OPTIONS_INTERVAL_MAX)
                return diagnosis_set(d, -EINVAL, "`%s' is no time from 10ms to 1d between two readings", value);
        return 0;
}

int option_switch_output(Options *o, const char *value, bool unset, Diagnosis *d) {
        SwitchOutput s = { .enabled = !unset, .max_files = o->switch_output.max_files };

        if (unset || !value || streq(value, "signal"))
                ;
        else if (parse_tagged(value, size_tags, size_factors, &s.size) >= 0)
                ;
        else if (parse_time_tag(value, &s.time) < 0)
                return diagnosis_set(d, -EINVAL,
                                     "`%s' is neither signal, nor a size with B, K, M or G, nor a time with s, m, h or d", value);
        o->switch_output = s;
        return 0;
}

int option_switch_output_event(Options *o, const char *value, bool unset, Diagnosis *d) {
        int r = option_parse_event(o, &o->switch_events, value, d);

        if (r >= 0)
                o->switch_output.enabled = true;
        return r;
}

int option_switch_max_files(Options *o, const char *value, bool unset, Diagnosis *d) {
        unsigned n;

        if (parse_uint(value, &n) < 0 || n > MAX_FILES_LIMIT)
                return diagnosis_set(d, -EINVAL, "`%s' is no number of files", value);
        o->switch_output.max_files = n;
        return 0;
}

int option_symbols(Options *o, const char *value, bool unset, Diagnosis *d) {
        o->symbols = unset ? 0 : SYMBOL_KEEPER_DEFAULT_SIZE;
        if (value && parse_tagged(value, size_tags, size_factors, &o->symbols) < 0)
                return diagnosis_set(d, -EINVAL, "`%s' is no size with B, K, M or G", value);
        return 0;
}

int option_compression_level(Options *o, const char *value, bool unset, Diagnosis *d) {
        unsigned level = 0;

        if (value && parse_uint(value, &level) < 0)
                return diagnosis_set(d, -EINVAL, "`%s' is no level of compression from 1 to %d", value, COMPRESS_LEVEL_MAX);
        /* As in perf, 0 is the default level, and a level that is too high is the highest. */
        o->compression = unset ? 0 : MIN_OF(level ?: COMPRESS_LEVEL_DEFAULT, (unsigned) COMPRESS_LEVEL_MAX);
        return 0;
}

int option_max_size(Options *o, const char *value, bool unset, Diagnosis *d) {
        if (parse_tagged(value, size_tags, size_factors, &o->max_size) < 0)
                return diagnosis_set(d, -EINVAL, "`%s' is no size with B, K, M or G", value);
        return 0;
}

int option_control(Options *o, const char *value, bool unset, Diagnosis *d) {
        int r = control_channel_check_address(value, d);

        return r < 0 ? r : free_and_strdup(&o->control, value);
}

/* It can't be negated, since the options that follow are not trusted. */
int option_untrusted(Options *o, const char *value, bool unset, Diagnosis *d) {
        if (unset)
                return diagnosis_set(d, -EINVAL, "option `no-untrusted' isn't available");
        o->untrusted = true;
        return 0;
}

int option_realtime(Options *o, const char *value, bool unset, Diagnosis *d) {
        unsigned priority;
        int r;

        if (parse_uint(value, &priority) < 0)
                return diagnosis_set(d, -EINVAL, "`%s' is no real-time priority", value);
        r = realtime_check_priority(priority, d);
        if (r < 0)
                return r;
        o->realtime = priority;
        return 0;
}

int option_verbose(Options *o, const char *value, bool unset, Diagnosis *d) {
        o->verbose = unset ? 0 : o->verbose + 1;
        return 0;
}
