/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sentences of findings, for each kind of group and measure. */

#include <math.h>

#include "check-main.h"
#include "unusual-text.h"

static const struct {
        UnusualMeasure measure;
        UnusualFinding f;
        const char *text;
} findings[] = {
        { UNUSUAL_CPU_TIME,
          { UNUSUAL_UNIT, "backup.service", "gzip", "libz.so.1", "deflate", '.', false, 0.95, { 5, 300 }, { 0.1, 38 }, 380, 0 },
          "backup.service took 38.0 % of the CPU time, usually 0.1 %; nearly all of it gzip in deflate (libz.so.1)" },
        { UNUSUAL_CPU_TIME, { UNUSUAL_COMM, "", "web", "", "", 0, true, 0, { 300, 0 }, { 50.8, 0 }, 0, 0 },
          "web took none of the CPU time elsewhere, usually 50.8 %" },
        { UNUSUAL_CPU_TIME, { UNUSUAL_COMM, "web.scope", "web", "web", "parse", '.', false, 0.7, { 300, 30 }, { 50.8, 5 }, 0.1, 0 },
          "web took only 5.0 % of the CPU time, usually 50.8 %; mostly in web.scope, in parse (web)" },
        { UNUSUAL_CPU_TIME, { UNUSUAL_FUNCTION, "b.service", "gzip", "[ext4]", "readdir", 'k', false, 0.7, { 0, 9 }, { 0, 5 }, INFINITY, 0 },
          "readdir [ext4] took 5.0 % of the CPU time, usually none; mostly by gzip of b.service" },
        { UNUSUAL_LOAD, { UNUSUAL_COMM, "", "web", "", "", 0, false, 0, { 300, 30 }, { 50.8, 5 }, 0.1, 0 },
          "web took only 5.0 % of the busy CPU time, usually 50.8 %" },
        { UNUSUAL_LOAD, { UNUSUAL_FUNCTION, "", "", "md5sum", "md5sum+0x40c0", '.', false, 0, { 712, 45 }, { 71.2, 72.4 }, 0.63, 0 },
          "md5sum+0x40c0 (md5sum) took 37 % less CPU time than usually, which is 72.4 % of the busy CPU time as usual" },
        { UNUSUAL_LOAD, { UNUSUAL_ALL, "", "", "", "", 0, false, 0, { 1000, 300 }, { 100, 100 }, 3, 0 },
          "all that ran took 3.0 times as much CPU time as usually" },
        { UNUSUAL_LOAD, { UNUSUAL_ALL, "", "", "", "", 0, false, 0, { 1000, 300 }, { 100, 100 }, 1.5, 0 },
          "all that ran took 50 % more CPU time than usually" },
        { UNUSUAL_LOAD, { UNUSUAL_ALL, "", "", "", "", 0, false, 0, { 1000, 0 }, { 100, 0 }, 0, 0 },
          "all that ran took no CPU time, usually 20 samples a second" },
        { UNUSUAL_LOAD, { UNUSUAL_ALL, "", "", "", "", 0, false, 0, { 1000, 1 }, { 100, 100 }, 0.004, 0 },
          "all that ran took nearly no CPU time, usually 20 samples a second" },
        { UNUSUAL_EVENTS, { UNUSUAL_UNIT, "a.service", "", "", "", 0, false, 0, { 5, 300 }, { 1, 38 }, 40, 0 },
          "a.service had 38.0 % of all page-faults, usually 1.0 %" },
        { UNUSUAL_EVENTS, { UNUSUAL_UNIT, "a.service", "", "", "", 0, false, 0, { 500, 300 }, { 30, 30 }, 0.7, 0 },
          "a.service had 30 % fewer page-faults than usually, which is 30.0 % of all page-faults as usual" },
        { UNUSUAL_EVENTS, { UNUSUAL_ALL, "", "", "", "", 0, false, 0, { 500, 300 }, { 100, 100 }, 2.5, 0 },
          "all together had 2.5 times as many page-faults as usually" },
};

START_TEST(sentences) {
        for (size_t i = 0; i < ELEMENTSOF(findings); i++) {
                const UnusualTable t = { .measure = findings[i].measure, .event = "page-faults", .seconds = { 50, 10 } };
                _cleanup_(text_buffer_done) TextBuffer out = {};

                unusual_text_put(&t, &findings[i].f, &out);
                text_buffer_putc(&out, '\0');
                ck_assert_str_eq(out.data, findings[i].text);
        }
}
END_TEST

static void expect_nothing(double seconds, uint64_t samples, const char *text, bool member) {
        const UnusualTable t = { .seconds = { seconds, 0.2 }, .samples = { samples, 10 } };
        _cleanup_(text_buffer_done) TextBuffer out = {}, json = {};
        JsonWriter w = { .out = &json };

        unusual_text_put_nothing(&t, &out);
        text_buffer_putc(&out, '\0');
        ck_assert_str_eq(out.data, text);
        json_writer_begin(&w, NULL, '{');
        unusual_json_put(&t, &w);
        json_writer_end(&w, '}');
        text_buffer_putc(&json, '\0');
        ck_assert_msg((strstr(json.data, "\"unusual_too_little\":\"too little ") != NULL) == member, "%s", json.data);
}

START_TEST(nothing) {
        expect_nothing(0.8, 80, "too little before the trigger to compare (1.0 s, 90 samples)", true);
        expect_nothing(60, 4, "too little before the trigger to compare (60.2 s, 14 samples)", true);
        expect_nothing(60, 600, "nothing took more or less than it usually does: 10 samples in 0.2 s, compared with 600 in 60.0 s", false);
}
END_TEST

CHECK_MAIN("unusual-text", sentences, nothing);
