/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timestamps in the syntax of systemd.time(7). Without a date, today is meant; without a time, midnight. mktime(3) converts
 * local time, including times that a clock change skips. */

#include "parse-timestamp.h"

static const char *timestamp_skip_blanks(const char *s) {
        return s + strspn(s, " \t");
}

/* Skips "Sat" or "saturday" and the blank behind it. Like systemd, does not check that the weekday fits the date. */
static const char *timestamp_skip_weekday(const char *s) {
        static const char *const days[] = {
                "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
        };
        size_t n = strcspn(s, " ,");

        for (size_t i = 0; i < ELEMENTSOF(days); i++)
                if ((n == 3 || n == strlen(days[i])) && strncasecmp(s, days[i], n) == 0)
                        return timestamp_skip_blanks(s + n + (s[n] == ','));
        return s;
}

static int timestamp_add(usec_t now, usec_t span, bool back, usec_t *ret) {
        if (span == USEC_INFINITY || (back ? span > now : span > USEC_INFINITY - 1 - now))
                return -ERANGE;
        *ret = back ? now - span : now + span;
        return 0;
}

/* "5min ago", "5min left". */
static int timestamp_parse_counted(const char *s, usec_t now, usec_t *ret) {
        static const char *const endings[] = { " ago", " left" };
        _cleanup_free_ char *copy = strdup(s);
        size_t n = strlen(s);
        usec_t span;
        bool back = true;
        int r;

        if (!copy)
                return -ENOMEM;
        for (size_t i = 0; i < ELEMENTSOF(endings); i++)
                if (n > strlen(endings[i]) && streq(s + n - strlen(endings[i]), endings[i])) {
                        copy[n - strlen(endings[i])] = '\0';
                        back = i == 0;
                        break;
                }
        r = parse_timespan(copy, &span);
        return r < 0 ? r : timestamp_add(now, span, back, ret);
}

static int timestamp_from_tm(struct tm *tm, bool utc, unsigned fraction, usec_t *ret) {
        time_t t;

        tm->tm_isdst = -1;
        t = utc ? timegm(tm) : mktime(tm);
        if (t < 0)
                return -ERANGE;
        *ret = (usec_t) t * USEC_PER_SEC + fraction;
        return 0;
}

static int timestamp_parse_midnight(const char *s, usec_t now, usec_t *ret) {
        static const struct {
                const char *name;
                int days;
        } words[] = { { "today", 0 }, { "yesterday", -1 }, { "tomorrow", 1 } };
        time_t seconds = (time_t) (now / USEC_PER_SEC);
        struct tm tm;

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (streq(s, words[i].name) && localtime_r(&seconds, &tm)) {
                        tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
                        tm.tm_mday += words[i].days;
                        return timestamp_from_tm(&tm, false, 0, ret);
                }
        return -EINVAL;
}

/* Reads ".5" behind the seconds. */
static const char *timestamp_take_fraction(const char *s, unsigned *ret) {
        unsigned scale = 100000;

        *ret = 0;
        if (*s != '.')
                return s;
        for (s++; *s >= '0' && *s <= '9'; s++, scale /= 10)
                *ret += scale * (unsigned) (*s - '0');
        return s;
}

/* strptime(3) also accepts a prefix, so the longest forms are tried first. */
static const char *timestamp_take_form(const char *s, const struct tm *today, struct tm *ret) {
        static const struct {
                const char *form;
                bool dated;
        } forms[] = {
                { "%Y-%m-%d %H:%M:%S", true }, { "%Y-%m-%dT%H:%M:%S", true }, { "%Y-%m-%d %H:%M", true },
                { "%Y-%m-%dT%H:%M", true },    { "%Y-%m-%d", true },          { "%H:%M:%S", false },
                { "%H:%M", false },
        };

        for (size_t i = 0; i < ELEMENTSOF(forms); i++) {
                struct tm tm = *today;
                const char *end;

                tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
                end = strptime(s, forms[i].form, &tm);
                if (!end || (forms[i].dated && strcspn(s, "-") != 4))
                        continue;
                *ret = tm;
                return end;
        }
        return NULL;
}

static int timestamp_parse_calendar(const char *s, usec_t now, usec_t *ret) {
        time_t seconds = (time_t) (now / USEC_PER_SEC);
        bool utc = strlen(s) > 4 && streq(s + strlen(s) - 4, " UTC");
        unsigned fraction;
        const char *end;
        struct tm today, tm;

        if (!(utc ? gmtime_r(&seconds, &today) : localtime_r(&seconds, &today)))
                return -ERANGE;
        end = timestamp_take_form(timestamp_skip_weekday(s), &today, &tm);
        if (!end)
                return -EINVAL;
        end = timestamp_skip_blanks(timestamp_take_fraction(end, &fraction));
        if (!streq(end, utc ? "UTC" : ""))
                return -EINVAL;
        return timestamp_from_tm(&tm, utc, fraction, ret);
}

int parse_timestamp(const char *s, usec_t now, usec_t *ret) {
        usec_t span;
        int r;

        s = timestamp_skip_blanks(s);
        if (streq(s, "now"))
                return timestamp_add(now, 0, false, ret);
        if (*s == '+' || *s == '-') {
                r = parse_timespan(s + 1, &span);
                return r < 0 ? r : timestamp_add(now, span, *s == '-', ret);
        }
        if (*s == '@') {
                r = parse_timespan(s + 1, &span);
                return r < 0 ? r : timestamp_add(0, span, false, ret);
        }
        r = timestamp_parse_midnight(s, now, ret);
        if (r == -EINVAL)
                r = timestamp_parse_calendar(s, now, ret);
        return r == -EINVAL ? timestamp_parse_counted(s, now, ret) : r;
}
