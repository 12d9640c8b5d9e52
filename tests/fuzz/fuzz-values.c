/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any text as each kind of value: sizes, spans, numbers, lists of CPUs, signals, names, specifiers. */

#include <inttypes.h>

#include "fuzz.h"
#include "line-reader.h"
#include "parse-number.h"
#include "parse-size.h"
#include "parse-time.h"
#include "parse-timestamp.h"
#include "session-name.h"
#include "specifier.h"

static void check_numbers(const char *s) {
        char text[32];
        uint64_t v;
        int i;

        if (parse_uint64(s, &v) == 0) {
                (void) snprintf(text, sizeof(text), "%" PRIu64, v);
                FUZZ_ASSERT(parse_uint64(text, &v) == 0);
        }
        if (parse_int(s, &i) == 0)
                (void) parse_uint64(*s == '-' || *s == '+' ? s + 1 : s, &v);

        i = parse_signal(s);
        if (i >= 0 && signal_name(i))
                FUZZ_ASSERT(parse_signal(signal_name(i)) == i);
}

static void check_cpus(const char *s) {
        _cleanup_free_ int *cpus = NULL;
        size_t n = 0;

        if (parse_cpu_list(s, &cpus, &n) < 0)
                return;
        FUZZ_ASSERT(n > 0);
        for (size_t i = 1; i < n; i++)
                FUZZ_ASSERT(cpus[i - 1] < cpus[i]);
}

static void check_size_and_time(const char *s) {
        char text[64], examples[128];
        uint64_t v;
        usec_t t;

        if (parse_size(s, &v) == 0)
                FUZZ_ASSERT(parse_size(format_size(text, sizeof(text), v), &v) == 0);
        if (parse_timespan(s, &t) == 0)
                FUZZ_ASSERT(parse_timespan(format_timespan(text, sizeof(text), t), &t) == 0);
        if (parse_timestamp(s, 1795254798 * USEC_PER_SEC, &t) == -EINVAL)
                FUZZ_ASSERT(*timestamp_examples(s, examples, sizeof(examples)) == '\'');
}

static void check_names(const char *s) {
        _cleanup_free_ char *plain = NULL, *template = NULL, *expanded = NULL;

        if (unit_name_unescape(s, &plain) == 0)
                FUZZ_ASSERT(strlen(plain) <= strlen(s));
        if (session_name_is_valid(s) && session_name_template(s, &template) == 0)
                FUZZ_ASSERT(session_name_is_template(template));
        if (specifier_expand(s, session_name_is_valid(s) ? s : "x@y", "", &expanded, NULL) == 0)
                FUZZ_ASSERT(strlen(expanded) <= LINE_SIZE_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_free_ char *s = strndup((const char *) data, size);

        FUZZ_ASSERT(s);
        check_numbers(s);
        check_cpus(s);
        check_size_and_time(s);
        check_names(s);
        return 0;
}
