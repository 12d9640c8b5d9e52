/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Numbers, booleans, signals and lists of CPUs as people write them in files and options. All parsers take the whole
 * string: neither blanks around a number nor text after it are accepted, and a leading zero does not mean octal. */

#include "parse-number.h"

#include <limits.h>
#include <signal.h>
#include <strings.h>

#define CPU_MAX 8191

static int digit_value(char c) {
        if (c >= '0' && c <= '9')
                return c - '0';
        if (c >= 'a' && c <= 'f')
                return c - 'a' + 10;
        if (c >= 'A' && c <= 'F')
                return c - 'A' + 10;
        return INT_MAX;
}

int parse_uint64(const char *s, uint64_t *ret) {
        const char *hexadecimal = startswith(s, "0x") ?: startswith(s, "0X");
        unsigned base = hexadecimal ? 16 : 10;
        uint64_t v = 0;
        bool too_large = false;

        s = hexadecimal ?: s;
        if (*s == '\0')
                return -EINVAL;
        for (; *s; s++) {
                int digit = digit_value(*s);

                if (digit >= (int) base)
                        return -EINVAL;
                if (__builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, (unsigned) digit, &v))
                        too_large = true;
        }
        if (too_large)
                return -ERANGE;

        *ret = v;
        return 0;
}

int parse_uint(const char *s, unsigned *ret) {
        uint64_t v;
        int r = parse_uint64(s, &v);

        if (r < 0)
                return r;
        if (v > UINT_MAX)
                return -ERANGE;

        *ret = (unsigned) v;
        return 0;
}

int parse_int(const char *s, int *ret) {
        bool negative = *s == '-';
        uint64_t v;
        int r = parse_uint64(negative || *s == '+' ? s + 1 : s, &v);

        if (r < 0)
                return r;
        if (v > (uint64_t) INT_MAX + negative)
                return -ERANGE;

        *ret = negative ? (int) -(int64_t) v : (int) v;
        return 0;
}

int parse_pid(const char *s, pid_t *ret) {
        unsigned v;
        int r = parse_uint(s, &v);

        if (r < 0)
                return r;
        if (v < 1 || v > INT_MAX)
                return -ERANGE;

        *ret = (pid_t) v;
        return 0;
}

int parse_boolean(const char *s) {
        static const char *const no[] = { "0", "no", "n", "false", "f", "off" };
        static const char *const yes[] = { "1", "yes", "y", "true", "t", "on" };

        for (size_t i = 0; i < ELEMENTSOF(yes); i++)
                if (strcasecmp(s, yes[i]) == 0)
                        return 1;
        for (size_t i = 0; i < ELEMENTSOF(no); i++)
                if (strcasecmp(s, no[i]) == 0)
                        return 0;
        return -EINVAL;
}

/* "RTMIN", "RTMIN+2", "RTMAX-1", without "SIG". */
static int parse_realtime_signal(const char *s) {
        const char *offset;
        unsigned n = 0;
        bool from_max = false;

        offset = startswith(s, "RTMIN");
        if (!offset) {
                offset = startswith(s, "RTMAX");
                from_max = true;
        }
        if (!offset)
                return -EINVAL;

        if (*offset != '\0' && (*offset != (from_max ? '-' : '+') || parse_uint(offset + 1, &n) < 0))
                return -EINVAL;
        if (n > (unsigned) (SIGRTMAX - SIGRTMIN))
                return -EINVAL;
        return from_max ? SIGRTMAX - (int) n : SIGRTMIN + (int) n;
}

int parse_signal(const char *s) {
        unsigned number;

        if (parse_uint(s, &number) >= 0)
                return number >= 1 && number <= (unsigned) SIGRTMAX ? (int) number : -EINVAL;

        s = startswith(s, "SIG") ?: s;
        for (int sig = 1; sig < SIGRTMIN; sig++) {
                const char *name = sigabbrev_np(sig);

                if (name && streq(name, s))
                        return sig;
        }
        return parse_realtime_signal(s);
}

const char *signal_name(int sig) {
        static const char *const realtime[] = {
                "RTMIN",    "RTMIN+1",  "RTMIN+2",  "RTMIN+3",  "RTMIN+4",  "RTMIN+5",  "RTMIN+6",  "RTMIN+7",
                "RTMIN+8",  "RTMIN+9",  "RTMIN+10", "RTMIN+11", "RTMIN+12", "RTMIN+13", "RTMIN+14", "RTMIN+15",
                "RTMIN+16", "RTMIN+17", "RTMIN+18", "RTMIN+19", "RTMIN+20", "RTMIN+21", "RTMIN+22", "RTMIN+23",
                "RTMIN+24", "RTMIN+25", "RTMIN+26", "RTMIN+27", "RTMIN+28", "RTMIN+29", "RTMIN+30",
        };

        if (sig < SIGRTMIN)
                return sig > 0 ? sigabbrev_np(sig) : NULL;
        return sig <= SIGRTMAX && (size_t) (sig - SIGRTMIN) < ELEMENTSOF(realtime) ? realtime[sig - SIGRTMIN] : NULL;
}

/* A CPU's number from *s on; *s is moved behind it. */
static int parse_cpu(const char **s, unsigned *ret) {
        unsigned v = 0;

        if (**s < '0' || **s > '9')
                return -EINVAL;
        for (; **s >= '0' && **s <= '9'; (*s)++)
                v = v > CPU_MAX ? v : v * 10 + (unsigned) (**s - '0');
        if (v > CPU_MAX)
                return -ERANGE;

        *ret = v;
        return 0;
}

static int parse_cpu_ranges(const char *s, bool wanted[static CPU_MAX + 1]) {
        for (;;) {
                unsigned first, last;
                int r;

                r = parse_cpu(&s, &first);
                if (r < 0)
                        return r;
                last = first;
                if (*s == '-') {
                        s++;
                        r = parse_cpu(&s, &last);
                        if (r < 0)
                                return r;
                }
                if (last < first)
                        return -EINVAL;
                memset(wanted + first, true, last - first + 1);

                if (*s == '\0' || streq(s, "\n"))
                        return 0;
                if (*s++ != ',')
                        return -EINVAL;
        }
}

int parse_cpu_list(const char *s, int **ret_cpus, size_t *ret_n) {
        bool wanted[CPU_MAX + 1] = {};
        size_t n = 0;
        int *cpus, r;

        r = parse_cpu_ranges(s, wanted);
        if (r < 0)
                return r;

        for (size_t i = 0; i <= CPU_MAX; i++)
                n += wanted[i];
        cpus = calloc(n, sizeof(int));
        if (!cpus)
                return -ENOMEM;
        n = 0;
        for (size_t i = 0; i <= CPU_MAX; i++)
                if (wanted[i])
                        cpus[n++] = (int) i;

        *ret_cpus = cpus;
        *ret_n = n;
        return 0;
}
