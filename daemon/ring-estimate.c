/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Guesses before the start what the counters page says after it, so that MaxLockedMemory= can refuse a session instead
 * of ending it. Rings per thread are taken as rings per CPU, which they do not exceed by default. What it does not
 * understand counts as the default: the recorder refuses wrong words itself. */

#include "parse-number.h"
#include "parse-size.h"
#include "ring-estimate.h"
#include "strv.h"

#define DEFAULT_RING (512 * 1024)

/* The value of an option in words[i], or NULL: "-m 1M", "-m1M", "--mmap-pages=1M", "--mmap-pages 1M". */
static const char *option_value(char *const *word, const char *short_name, const char *long_name) {
        const char *rest;

        if (streq(word[0], short_name) || streq(word[0], long_name))
                return word[1];
        rest = startswith(word[0], long_name);
        if (rest && *rest == '=')
                return rest + 1;
        return word[0][1] == '-' ? NULL : startswith(word[0], short_name);
}

/* perf-record(1), -m: pages, or a size with a unit; ",AUX" may follow. */
static uint64_t ring_size(const char *value) {
        char text[32];
        uint64_t n;
        size_t length = strcspn(value, ",");

        if (length == 0 || length >= sizeof(text))
                return DEFAULT_RING;
        memcpy(text, value, length);
        text[length] = '\0';
        if (parse_uint64(text, &n) >= 0)
                return __builtin_mul_overflow(n, (uint64_t) sysconf(_SC_PAGESIZE), &n) ? UINT64_MAX : n;
        if (text[length - 1] == 'B')
                text[length - 1] = '\0';
        return parse_size(text, &n) < 0 ? DEFAULT_RING : n;
}

static uint64_t count_cpus(const char *list) {
        _cleanup_free_ int *cpus = NULL;
        size_t n;

        return parse_cpu_list(list, &cpus, &n) < 0 ? (uint64_t) sysconf(_SC_NPROCESSORS_ONLN) : n;
}

uint64_t ring_estimate(char *const *words) {
        uint64_t size = DEFAULT_RING, n_cpus = (uint64_t) sysconf(_SC_NPROCESSORS_ONLN), total;

        STRV_FOREACH(word, words) {
                const char *value;

                if (streq(*word, "--"))
                        break;
                if ((value = option_value(word, "-m", "--mmap-pages")))
                        size = ring_size(value);
                else if ((value = option_value(word, "-C", "--cpu")))
                        n_cpus = count_cpus(value);
        }
        return __builtin_mul_overflow(size, n_cpus, &total) ? UINT64_MAX : total;
}
