/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Parts of a recording do not overlap: one that does not reach its end ends a nanosecond before the next. */

#include "time-ranges.h"

#include "array.h"
#include "parse-number.h"

/* "SECONDS.FRACTION" in nanoseconds. */
static int parse_seconds(const char *s, size_t size, uint64_t *ret) {
        const char *point = memchr(s, '.', size);
        char text[32], digits[10] = "000000000";
        size_t n = point ? (size_t) (point - s) : size, n_digits = point ? size - n - 1 : 0;
        uint64_t seconds, fraction = 0;

        if (n == 0 || n >= sizeof(text) || n_digits > 9)
                return -EINVAL;
        memcpy(text, s, n);
        text[n] = '\0';
        if (point)
                memcpy(digits, point + 1, n_digits);
        for (size_t i = 0; i < 9; i++) {
                if (digits[i] < '0' || digits[i] > '9')
                        return -EINVAL;
                fraction = fraction * 10 + (uint64_t) (digits[i] - '0');
        }
        if (strspn(text, "0123456789") != n || parse_uint64(text, &seconds) < 0 || seconds > UINT64_MAX / 1000000000 - 1)
                return -EINVAL;
        *ret = seconds * 1000000000 + fraction;
        return 0;
}

/* "[SINCE],[UNTIL]" */
static int parse_span(const char *word, TimeRange *ret) {
        const char *comma = strchr(word, ',');
        SampleSpan *span = &ret->span;
        int r = comma ? 0 : -EINVAL;

        if (r >= 0 && comma > word)
                r = parse_seconds(word, (size_t) (comma - word), &span->since);
        if (r >= 0 && comma[1])
                r = parse_seconds(comma + 1, strlen(comma + 1), &span->until);
        return r >= 0 && span->until > 0 && span->since > span->until ? -EINVAL : r;
}

/* "10%" as 0.1; *ret_end is what follows. */
static int parse_percent(const char *s, double *ret, const char **ret_end) {
        size_t n = strspn(s, "0123456789.");
        double percent;
        char *end;

        if (n == 0 || s[n] != '%')
                return -EINVAL;
        percent = strtod(s, &end);
        if (end != s + n || percent > 100)
                return -EINVAL;
        *ret = percent / 100;
        *ret_end = end + 1;
        return 0;
}

/* "FROM%-TO%", "PERCENT%/NUMBER", the part of that size and number, from 1 on, or "PERCENT%", the first one. */
static int parse_part(const char *word, TimeRange *ret) {
        const char *end;
        unsigned number = 1;
        double first;
        int r = parse_percent(word, &first, &end);

        if (r < 0)
                return r;
        ret->is_part = true;
        if (*end == '-') {
                ret->from = first;
                r = parse_percent(end + 1, &ret->to, &end);
                return r < 0 || *end || ret->to < ret->from ? -EINVAL : 0;
        }
        if (*end && (*end != '/' || parse_uint(end + 1, &number) < 0 || number == 0))
                return -EINVAL;
        ret->from = first * (number - 1);
        ret->to = first * number;
        return ret->to > 1 ? -EINVAL : 0;
}

int time_ranges_parse(const char *text, TimeRange **ret, size_t *ret_n) {
        _cleanup_free_ TimeRange *ranges = NULL;
        _cleanup_free_ char *copy = strdup(text);
        bool parts = strchr(text, '%');
        const char *separators = parts ? "," : " ";
        char *rest, *word;
        size_t n = 0;

        if (!copy)
                return -ENOMEM;
        for (word = strtok_r(copy, separators, &rest); word; word = strtok_r(NULL, separators, &rest)) {
                int r;

                if (ARRAY_RESERVE_NEXT(ranges, n) < 0)
                        return -ENOMEM;
                ranges[n] = (TimeRange) {};
                r = parts ? parse_part(word, ranges + n) : parse_span(word, ranges + n);
                if (r < 0)
                        return r;
                n++;
        }
        if (n == 0)
                return -EINVAL;
        *ret = steal_ptr(ranges);
        *ret_n = n;
        return 0;
}

bool time_ranges_have_parts(const TimeRange *ranges, size_t n) {
        return ANY_OF(n, i, ranges[i].is_part);
}

/* All of the time may round up to 2^64. */
static uint64_t time_of_part(double part, uint64_t first, uint64_t last) {
        return part < 1 ? first + (uint64_t) (part * (double) (last - first) + 0.5) : last;
}

static SampleSpan span_of_part(const TimeRange *range, uint64_t first, uint64_t last) {
        SampleSpan span = { .since = time_of_part(range->from, first, last), .until = time_of_part(range->to, first, last) };

        if (span.until > span.since && span.until != last)
                span.until--;
        return span;
}

SampleSpan *time_ranges_spans(const TimeRange *ranges, size_t n, uint64_t first, uint64_t last) {
        SampleSpan *spans = calloc(n + 1, sizeof(*spans));

        for (size_t i = 0; spans && i < n; i++)
                spans[i] = ranges[i].is_part ? span_of_part(ranges + i, first, last) : ranges[i].span;
        return spans;
}
