/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timestamps in the syntax of systemd.time(7), and as date(1), journalctl(1) and log files have them. Without a date, today is
 * meant; without a time, midnight. mktime(3) converts local time, including times that a clock change skips. */

#include "parse-timestamp.h"

#include "array.h"

#define TIMESPAN_SECONDS_MAX (UINT64_C(10) * 366 * 24 * 60 * 60)

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

static int timestamp_from_tm(struct tm *tm, int dst, usec_t fraction, usec_t *ret) {
        time_t t;

        tm->tm_isdst = dst;
        t = mktime(tm);
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
                        return timestamp_from_tm(&tm, -1, 0, ret);
                }
        return -EINVAL;
}

/* A date and a time as they are written. Fields of tm that are not written are 0. */
typedef struct Timestamp {
        struct tm tm;
        usec_t fraction;
        bool has_date, has_year, has_zone, has_half; /* has_half: AM or PM */
        bool local;    /* the zone is this machine's, */
        int dst;       /* with that tm_isdst; otherwise */
        time_t offset; /* seconds that it is ahead of UTC */
} Timestamp;

/* strptime(3) also accepts a prefix, so the longest forms are tried first. */
static const char *timestamp_take_form(const char *s, Timestamp *ret) {
        static const char *const forms[] = {
                "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y/%m/%d %H:%M:%S", "%d/%b/%Y:%H:%M:%S", "%d %b %Y %H:%M:%S",
                "%b %d, %Y %H:%M:%S", "%Y%m%dT%H%M%S", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y/%m/%d %H:%M", "%Y-%m-%dT%H",
                "%Y-%m-%d", "%Y/%m/%d", "%b %d %H:%M:%S", "%b %d %H:%M", "%d %b %H:%M:%S", "%b %d", "%d %b",
                "%H:%M:%S", "%H:%M",
        };

        for (size_t i = 0; i < ELEMENTSOF(forms); i++) {
                struct tm tm = {};
                const char *end = strptime(s, forms[i], &tm);

                if (!end || (startswith(forms[i], "%Y") && strspn(s, "0123456789") < 4))
                        continue;
                ret->tm = tm;
                ret->has_date = forms[i][1] != 'H';
                ret->has_year = strstr(forms[i], "%Y") != NULL;
                return end;
        }
        return NULL;
}

/* Takes "05" of "0530", up to max. */
static bool take_two_digits(const char **s, time_t max, time_t *ret) {
        if (strspn(*s, "0123456789") < 2)
                return false;
        *ret = ((*s)[0] - '0') * 10 + ((*s)[1] - '0');
        *s += 2;
        return *ret <= max;
}

/* "+02:00", "+0200", "+02". */
static bool timestamp_take_offset(const char **s, Timestamp *t) {
        time_t hours, minutes = 0;
        bool west = **s == '-';

        if (**s != '+' && !west)
                return false;
        (*s)++;
        if (!take_two_digits(s, 23, &hours))
                return false;
        if (**s == ':')
                (*s)++;
        if (**s >= '0' && **s <= '9' && !take_two_digits(s, 59, &minutes))
                return false;
        t->offset = (hours * 60 + minutes) * 60 * (west ? -1 : 1);
        return true;
}

/* "UTC", and the names that this machine's zone has in winter and in summer. Names of other zones are of several ones. */
static bool timestamp_take_zone_name(const char *word, size_t n, Timestamp *t) {
        static const char *const utc[] = { "UTC", "GMT", "Z" };

        if (ANY_OF(ELEMENTSOF(utc), i, strlen(utc[i]) == n && strncasecmp(word, utc[i], n) == 0))
                return true;
        for (int i = 0; i < 2; i++)
                if (n > 0 && strlen(tzname[i]) == n && strncmp(word, tzname[i], n) == 0) {
                        t->local = true;
                        t->dst = streq(tzname[0], tzname[1]) ? -1 : i;
                        return true;
                }
        return false;
}

static bool timestamp_take_half(const char *word, size_t n, Timestamp *t) {
        bool after_noon = n == 2 && strncasecmp(word, "PM", n) == 0;

        if (t->has_half || t->tm.tm_hour < 1 || t->tm.tm_hour > 12 || (!after_noon && (n != 2 || strncasecmp(word, "AM", n) != 0)))
                return false;
        t->has_half = true;
        t->tm.tm_hour = t->tm.tm_hour % 12 + (after_noon ? 12 : 0);
        return true;
}

static bool timestamp_take_year(const char *word, size_t n, Timestamp *t) {
        if (!t->has_date || t->has_year || n != 4 || strspn(word, "0123456789") != n)
                return false;
        t->tm.tm_year = (int) strtoul(word, NULL, 10) - 1900;
        t->has_year = true;
        return true;
}

/* Takes what stands behind the time: AM or PM, a zone, the year. */
static bool timestamp_take_rest(const char *s, Timestamp *t) {
        while (*(s = timestamp_skip_blanks(s))) {
                size_t n = strcspn(s, " \t");
                const char *end = s;

                if (!t->has_zone && timestamp_take_offset(&end, t) && end == s + n)
                        t->has_zone = true;
                else if (!t->has_zone && timestamp_take_zone_name(s, n, t))
                        t->has_zone = true;
                else if (!timestamp_take_half(s, n, t) && !timestamp_take_year(s, n, t))
                        return false;
                s += n;
        }
        return true;
}

/* Removes ".5" or ",5" behind the seconds. */
static usec_t timestamp_cut_fraction(char *s) {
        usec_t fraction = 0, scale = USEC_PER_SEC / 10;

        for (char *p = s; (p = strpbrk(p, ".,")); p++) {
                size_t n = strspn(p + 1, "0123456789");

                if (n == 0 || p - s < 3 || p[-3] != ':' || p[-1] < '0' || p[-1] > '9')
                        continue;
                for (size_t i = 1; i <= n; i++, scale /= 10)
                        fraction += scale * (usec_t) (p[i] - '0');
                memmove(p, p + 1 + n, strlen(p + 1 + n) + 1);
                break;
        }
        return fraction;
}

static int timestamp_convert(Timestamp *t, usec_t *ret) {
        time_t seconds;

        if (t->local)
                return timestamp_from_tm(&t->tm, t->dst, t->fraction, ret);
        seconds = timegm(&t->tm);
        if (seconds < t->offset)
                return -ERANGE;
        *ret = (usec_t) (seconds - t->offset) * USEC_PER_SEC + t->fraction;
        return 0;
}

/* A date without a year is the last one that is not tomorrow or later. */
static int timestamp_complete(Timestamp *t, usec_t now, usec_t *ret) {
        time_t seconds = (time_t) (now / USEC_PER_SEC) + t->offset;
        struct tm today, once = t->tm;
        int r;

        if (!(t->local ? localtime_r(&seconds, &today) : gmtime_r(&seconds, &today)))
                return -ERANGE;
        if (!t->has_date) {
                t->tm.tm_mon = today.tm_mon;
                t->tm.tm_mday = today.tm_mday;
        }
        if (!t->has_year)
                t->tm.tm_year = today.tm_year;
        r = timestamp_convert(t, ret);
        if (r < 0 || !t->has_date || t->has_year || *ret <= now + 24 * 60 * USEC_PER_MINUTE)
                return r;
        t->tm = once;
        t->tm.tm_year = today.tm_year - 1;
        return timestamp_convert(t, ret);
}

static int timestamp_parse_calendar(const char *s, usec_t now, usec_t *ret) {
        bool bracketed = *s == '[' && s[strlen(s) - 1] == ']';
        _cleanup_free_ char *copy = strndup(s + bracketed, strlen(s) - 2 * bracketed);
        Timestamp t = { .dst = -1 };
        const char *end;

        if (!copy)
                return -ENOMEM;
        tzset(); /* for tzname */
        t.fraction = timestamp_cut_fraction(copy);
        end = timestamp_take_form(timestamp_skip_weekday(copy), &t);
        if (!end || !timestamp_take_rest(end, &t))
                return -EINVAL;
        if (!t.has_zone)
                t.local = true;
        return timestamp_complete(&t, now, ret);
}

/* Seconds since the epoch have so many digits, and no time span has. */
static bool is_epoch(const char *s) {
        size_t n = strspn(s, "0123456789");

        return n > 0 && (s[n] == '\0' || s[n] == '.' || s[n] == ',') && strspn(s, "0123456789.,") == strlen(s) &&
               strtoull(s, NULL, 10) > TIMESPAN_SECONDS_MAX;
}

static int timestamp_parse_epoch(const char *s, usec_t *ret) {
        _cleanup_free_ char *copy = strdup(s);
        usec_t span;
        int r;

        if (!copy)
                return -ENOMEM;
        copy[strcspn(copy, ",")] = strchr(copy, ',') ? '.' : '\0';
        r = parse_timespan(copy, &span);
        return r < 0 ? r : timestamp_add(0, span, false, ret);
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
        if (*s == '@')
                return timestamp_parse_epoch(s + 1, ret);
        if (is_epoch(s))
                return -EINVAL;
        r = timestamp_parse_midnight(s, now, ret);
        if (r == -EINVAL)
                r = timestamp_parse_calendar(s, now, ret);
        return r == -EINVAL ? timestamp_parse_counted(s, now, ret) : r;
}

char *timestamp_examples(const char *s, char *buf, size_t size) {
        char near[64] = "";
        time_t seconds;
        struct tm tm;

        s = timestamp_skip_blanks(s);
        seconds = (time_t) strtoull(s, NULL, 10);
        if (is_epoch(s) && strcspn(s, ".,") <= 10 && localtime_r(&seconds, &tm))
                (void) strftime(near, sizeof(near), "%Y-%m-%d %H:%M:%S", &tm);
        if (*near)
                (void) snprintf(buf, size, "'@%s' or '%s'", s, near);
        else
                (void) snprintf(buf, size, "'2026-11-21 10:53:18' or '-5min'");
        return buf;
}
