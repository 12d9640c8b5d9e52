/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Time spans and timestamps in the words of systemd.time(7). A month is 30.44 days and a year 365.25 days, as there. Calendar
 * expressions are not parsed here. */

#include "parse-time.h"

#define USEC_PER_HOUR (60 * USEC_PER_MINUTE)
#define USEC_PER_DAY (24 * USEC_PER_HOUR)
#define USEC_PER_WEEK (7 * USEC_PER_DAY)
#define USEC_PER_MONTH (UINT64_C(2629800) * USEC_PER_SEC)
#define USEC_PER_YEAR (UINT64_C(31557600) * USEC_PER_SEC)

typedef struct TimeUnit {
        const char *name;
        usec_t usec;
} TimeUnit;

static const TimeUnit time_units[] = {
        { "seconds", USEC_PER_SEC },    { "second", USEC_PER_SEC },
        { "sec", USEC_PER_SEC },        { "s", USEC_PER_SEC },
        { "minutes", USEC_PER_MINUTE }, { "minute", USEC_PER_MINUTE },
        { "min", USEC_PER_MINUTE },     { "m", USEC_PER_MINUTE },
        { "hours", USEC_PER_HOUR },     { "hour", USEC_PER_HOUR },
        { "hr", USEC_PER_HOUR },        { "h", USEC_PER_HOUR },
        { "days", USEC_PER_DAY },       { "day", USEC_PER_DAY },     { "d", USEC_PER_DAY },
        { "weeks", USEC_PER_WEEK },     { "week", USEC_PER_WEEK },   { "w", USEC_PER_WEEK },
        { "months", USEC_PER_MONTH },   { "month", USEC_PER_MONTH }, { "M", USEC_PER_MONTH },
        { "years", USEC_PER_YEAR },     { "year", USEC_PER_YEAR },   { "y", USEC_PER_YEAR },
        { "msec", USEC_PER_MSEC },      { "ms", USEC_PER_MSEC },
        { "usec", 1 },                  { "us", 1 },
        { "\u00b5s", 1 },               { "\u03bcs", 1 }, /* the micro sign, the Greek letter */
};

/* Returns the unit that *s starts with, seconds if there is none; 0: not a unit. *s is moved behind it. */
static usec_t take_unit(const char **s) {
        size_t n = strcspn(*s, " \t0123456789.+-");

        if (n == 0)
                return USEC_PER_SEC;
        for (size_t i = 0; i < ELEMENTSOF(time_units); i++)
                if (strlen(time_units[i].name) == n && strncmp(*s, time_units[i].name, n) == 0) {
                        *s += n;
                        return time_units[i].usec;
                }
        return 0;
}

/* Digits and an optional fraction; the fraction's digits that can count are kept in *ret_fraction, 1/10^6. */
static int take_number(const char **s, uint64_t *ret_whole, uint64_t *ret_fraction) {
        uint64_t whole = 0, fraction = 0, scale = 100000;
        const char *p = *s;
        bool any = false;

        for (; *p >= '0' && *p <= '9'; p++, any = true)
                if (__builtin_mul_overflow(whole, UINT64_C(10), &whole) ||
                    __builtin_add_overflow(whole, (uint64_t) (*p - '0'), &whole))
                        return -ERANGE;
        if (*p == '.')
                for (p++; *p >= '0' && *p <= '9'; p++, scale /= 10, any = true)
                        fraction += scale * (uint64_t) (*p - '0');
        if (!any)
                return -EINVAL;

        *s = p;
        *ret_whole = whole;
        *ret_fraction = fraction;
        return 0;
}

/* "1.5h" and the blanks behind it; adds it to *total. */
static int take_term(const char **s, usec_t *total) {
        uint64_t whole, fraction;
        usec_t unit, t;
        int r;

        if (**s == '-')
                return -ERANGE;
        r = take_number(s, &whole, &fraction);
        if (r < 0)
                return r;

        *s += strspn(*s, " \t");
        unit = take_unit(s);
        if (unit == 0)
                return -EINVAL;
        *s += strspn(*s, " \t");

        if (__builtin_mul_overflow(whole, unit, &t) ||
            __builtin_add_overflow(t, (usec_t) ((unsigned __int128) fraction * unit / 1000000), &t) ||
            __builtin_add_overflow(*total, t, total) || *total == USEC_INFINITY)
                return -ERANGE;
        return 0;
}

int parse_timespan(const char *s, usec_t *ret) {
        usec_t total = 0;

        s += strspn(s, " \t");
        if (streq(s, "infinity")) {
                *ret = USEC_INFINITY;
                return 0;
        }
        if (*s == '\0')
                return -EINVAL;

        while (*s) {
                int r = take_term(&s, &total);

                if (r < 0)
                        return r;
        }

        *ret = total;
        return 0;
}

uint64_t now_nsec(clockid_t clock) {
        struct timespec ts = {};

        (void) clock_gettime(clock, &ts);
        return (uint64_t) ts.tv_sec * NSEC_PER_SEC + (uint64_t) ts.tv_nsec;
}

usec_t now_usec(clockid_t clock) {
        return now_nsec(clock) / NSEC_PER_USEC;
}

char *format_timespan(char *buf, size_t size, usec_t t) {
        static const TimeUnit shown[] = {
                { "y", USEC_PER_YEAR },     { "month", USEC_PER_MONTH }, { "w", USEC_PER_WEEK },
                { "d", USEC_PER_DAY },      { "h", USEC_PER_HOUR },      { "min", USEC_PER_MINUTE },
                { "s", USEC_PER_SEC },      { "ms", USEC_PER_MSEC },     { "us", 1 },
        };
        size_t first = 0;

        if (t == USEC_INFINITY || t == 0) {
                (void) snprintf(buf, size, "%s", t == 0 ? "0" : "infinity");
                return buf;
        }

        while (t < shown[first].usec)
                first++;
        if (first + 1 < ELEMENTSOF(shown) && t % shown[first].usec >= shown[first + 1].usec)
                (void) snprintf(buf, size, "%" PRIu64 "%s %" PRIu64 "%s",
                                t / shown[first].usec, shown[first].name,
                                t % shown[first].usec / shown[first + 1].usec, shown[first + 1].name);
        else
                (void) snprintf(buf, size, "%" PRIu64 "%s", t / shown[first].usec, shown[first].name);
        return buf;
}

char *format_nsec(char *buf, size_t size, uint64_t nsec) {
        double n = (double) nsec;
        const char *unit = "us";

        if (nsec >= 60 * NSEC_PER_SEC)
                return format_timespan(buf, size, nsec / NSEC_PER_USEC);
        n /= 1000;
        if (n >= 999.5) {
                n /= 1000;
                unit = "ms";
        }
        if (n >= 999.5) {
                n /= 1000;
                unit = "s";
        }
        (void) snprintf(buf, size, "%.*f%s", n >= 99.95 ? 0 : n >= 9.995 ? 1 : 2, n, unit);
        return buf;
}

char *format_timestamp(char *buf, size_t size, usec_t realtime) {
        time_t seconds = (time_t) (realtime / USEC_PER_SEC);
        struct tm tm;

        if (size == 0)
                return buf;
        if (!localtime_r(&seconds, &tm) || strftime(buf, size, "%a %Y-%m-%d %H:%M:%S %Z", &tm) == 0)
                *buf = '\0';
        return buf;
}
