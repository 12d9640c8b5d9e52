/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Every row of the table passes through each codec as it is: a caller's value, the recorder's words, an announcement. */

#include "dump-request.h"

#include "check-main.h"

/* A right value of each kind that is like no other. */
static DumpWordValue sample_of(const DumpWord *w) {
        static char texts[DUMP_WORDS_MAX][64];
        static unsigned n;
        char *text = texts[n++ % DUMP_WORDS_MAX];

        switch (w->kind) {
        case DUMP_WORD_TIME:
        case DUMP_WORD_SPAN:
                return (DumpWordValue) { .number = 1000 + w->offset };
        case DUMP_WORD_FLAG:
                return (DumpWordValue) { .number = 1 };
        case DUMP_WORD_NAME:
                snprintf(text, sizeof(texts[0]), "%.*s", (int) MIN_OF(strlen(w->characters), (size_t) 26), w->characters);
                return (DumpWordValue) { .string = text };
        default:
                snprintf(text, sizeof(texts[0]), "%s: two words=x", w->name);
                return (DumpWordValue) { .string = text };
        }
}

static void assert_value(const DumpRequest *q, const DumpWord *w, const DumpWordValue *expected) {
        DumpWordValue value;

        ck_assert(dump_request_get(q, w, &value));
        ck_assert_uint_eq(value.number, expected->number);
        ck_assert_pstr_eq(value.string, expected->string);
}

START_TEST(test_rows) {
        const unsigned all = DUMP_WORD_CALLER | DUMP_WORD_RECORDER | DUMP_WORD_ANNOUNCED;
        DumpWordValue value;
        size_t n = 0;

        for (const DumpWord *w = NULL; (w = dump_word_next(w, all)); n++) {
                const DumpRequest empty = {};

                ck_assert_ptr_eq(dump_word_find(w->name, w->uses), w);
                ck_assert_ptr_null(dump_word_find(w->name, all & ~w->uses));
                ck_assert(!dump_request_get(&empty, w, &value));
                ck_assert(w->kind != DUMP_WORD_NAME || (w->characters && w->max > 0));
                ck_assert(!(w->uses & DUMP_WORD_CALLER) || w->kind == DUMP_WORD_FLAG || w->rule);
                ck_assert(w->kind != DUMP_WORD_LINE || !(w->uses & DUMP_WORD_RECORDER) || !dump_word_next(w, DUMP_WORD_RECORDER));
        }
        ck_assert_uint_gt(n, 10);
        ck_assert_uint_le(n, DUMP_WORDS_MAX);
        ck_assert_ptr_null(dump_word_find("output", all));
        ck_assert_ptr_null(dump_word_find("", all));
}
END_TEST

START_TEST(test_callers) {
        DumpRequest q = {};
        DumpWordValue value;

        for (const DumpWord *w = NULL; (w = dump_word_next(w, DUMP_WORD_CALLER));) {
                value = sample_of(w);
                ck_assert_int_eq(dump_request_set(&q, w, &value), 0);
                assert_value(&q, w, &value);
                ck_assert_ptr_nonnull(strchr("tbs", dump_word_type(w)));
                ck_assert(!w->option || !strchr(w->option, '='));
        }
        ck_assert(q.has_delay && q.fresh && q.force && q.since > 0 && q.until > 0 && q.timeout > 0);
        value.number = 0; /* is a delay too */
        ck_assert_int_eq(dump_request_set(&q, dump_word_find("delay", DUMP_WORD_CALLER), &value), 0);
        assert_value(&q, dump_word_find("delay", DUMP_WORD_CALLER), &(DumpWordValue) {});
        ck_assert_int_eq(dump_request_set(&q, dump_word_find("force", DUMP_WORD_CALLER), &value), 0);
        ck_assert(!q.force);
}
END_TEST

static void refuse(const char *name, DumpWordValue value) {
        DumpRequest q = {};

        ck_assert_int_eq(dump_request_set(&q, dump_word_find(name, DUMP_WORD_CALLER), &value), -EINVAL);
        ck_assert(q.since == 0 && q.until == 0 && !q.has_delay && q.timeout == 0 && !q.reason);
}

START_TEST(test_callers_that_are_wrong) {
        char line[600];

        memset(line, 'x', sizeof(line) - 1);
        line[sizeof(line) - 1] = '\0';
        refuse("since", (DumpWordValue) { .number = 0 });
        refuse("until", (DumpWordValue) { .number = now_usec(CLOCK_REALTIME) + USEC_PER_MINUTE });
        refuse("delay", (DumpWordValue) { .number = PR_SNAPSHOT_DELAY_MAX + 1 });
        refuse("timeout", (DumpWordValue) { .number = 0 });
        refuse("reason", (DumpWordValue) { .string = line });
}
END_TEST

/* The strings of a request are those that the caller keeps. */
static void pass_on(const DumpRequest *q, DumpWordUse use, const char *expected) {
        char text[PR_CONTROL_WORD_MAX];
        DumpRequestText read;
        DumpWordValue value;

        ck_assert_int_eq(dump_request_format(q, use, text, sizeof(text)), 0);
        ck_assert_str_eq(text, expected);
        ck_assert_int_eq(dump_request_parse(text, use, &read, NULL), 0);
        for (const DumpWord *w = NULL; (w = dump_word_next(w, use));) {
                ck_assert(dump_request_get(q, w, &value));
                assert_value(&read.request, w, &value);
        }
}

#define INCIDENT "0123456789abcdef0123456789abcdef"

static const DumpRequest full = {
        .trigger = "unit-failure", .since = 5, .until = 7, .delay = 6, .has_delay = true, .fresh = true, .all = true,
        .incident = INCIDENT, .force = true, .unit = "a\\x2db@1:2.service", .reason = "none of a recorder's", .timeout = 9,
        .detail = "web.service a=b, new=0",
};

START_TEST(test_recorder) {
        pass_on(&full, DUMP_WORD_RECORDER, " trigger=unit-failure since=5 until=7 delay=6 new=1 all=1 incident=" INCIDENT
                " force=1 unit=a\\x2db@1:2.service detail=web.service a=b, new=0");
}
END_TEST

START_TEST(test_announcement) {
        pass_on(&full, DUMP_WORD_ANNOUNCED, " since=5 until=7 new=1 all=1 incident=" INCIDENT " detail=web.service a=b, new=0");
}
END_TEST

/* Each word by itself: the others stay as they are. */
START_TEST(test_one_by_one) {
        for (const DumpWord *w = NULL; (w = dump_word_next(w, DUMP_WORD_RECORDER));) {
                DumpWordValue value = sample_of(w), other;
                DumpRequestText read;
                char text[128];

                if (value.string)
                        snprintf(text, sizeof(text), " %s=%s", w->name, value.string);
                else
                        snprintf(text, sizeof(text), " %s=%" PRIu64, w->name, value.number);
                ck_assert_int_eq(dump_request_parse(text, DUMP_WORD_RECORDER, &read, NULL), 0);
                for (const DumpWord *o = NULL; (o = dump_word_next(o, DUMP_WORD_RECORDER));)
                        if (o == w)
                                assert_value(&read.request, o, &value);
                        else if (o->kind == DUMP_WORD_LINE)
                                ck_assert_str_eq(read.request.detail, "");
                        else
                                ck_assert(!dump_request_get(&read.request, o, &other));
        }
}
END_TEST

START_TEST(test_not_set) {
        const DumpRequest q = { .trigger = "request", .detail = "" };
        char text[64];

        ck_assert_int_eq(dump_request_format(&q, DUMP_WORD_RECORDER, text, sizeof(text)), 0);
        ck_assert_str_eq(text, " trigger=request");
        ck_assert_int_eq(dump_request_format(&q, DUMP_WORD_ANNOUNCED, text, sizeof(text)), 0);
        ck_assert_str_eq(text, " since=0 until=0 new=0 all=0");
        ck_assert_int_eq(dump_request_format(&q, DUMP_WORD_RECORDER, text, strlen(" trigger=request")), -EMSGSIZE);
}
END_TEST

/* A detail is one line that can't control a terminal, cut at a character's end, both as it is written and as it is read. */
START_TEST(test_detail) {
        DumpRequest q = { .trigger = "request", .detail = "a line\nof two\x1b[31m" };
        char text[PR_CONTROL_WORD_MAX], words[PR_CONTROL_WORD_MAX] = " detail=x";
        DumpRequestText read;

        ck_assert_int_eq(dump_request_format(&q, DUMP_WORD_RECORDER, text, sizeof(text)), 0);
        ck_assert_str_eq(text, " trigger=request detail=a line of two?[31m");
        ck_assert_int_eq(dump_request_parse("  detail=a\tb\x7f \xff", DUMP_WORD_RECORDER, &read, NULL), 0);
        ck_assert_str_eq(read.request.detail, "a b? \xef\xbf\xbd");
        for (size_t n = strlen(words); n + 2 < sizeof(words); n += 2)
                memcpy(words + n, "ä", sizeof("ä"));
        ck_assert_int_eq(dump_request_parse(words, DUMP_WORD_RECORDER, &read, NULL), 0);
        ck_assert_uint_eq(strlen(read.request.detail), PR_DUMP_DETAIL_MAX - 1);
        q.detail = words + strlen(" detail=");
        ck_assert_int_eq(dump_request_format(&q, DUMP_WORD_RECORDER, text, sizeof(text)), 0);
        ck_assert_uint_le(strlen(text), strlen(" trigger=request detail=") + PR_DUMP_DETAIL_MAX - 1);
}
END_TEST

START_TEST(test_unknown_words) {
        DumpRequestText read;

        ck_assert_int_eq(dump_request_parse("later=1 =5 since since=5 untilt=7 reason=x timeout=9 sin", DUMP_WORD_RECORDER, &read, NULL), 0);
        ck_assert(read.request.since == 5 && read.request.until == 0 && read.request.timeout == 0 && !read.request.reason);
        ck_assert_int_eq(dump_request_parse("trigger=request unit=a force=1 delay=7 all=1", DUMP_WORD_ANNOUNCED, &read, NULL), 0);
        ck_assert(!read.request.trigger && !read.request.unit && !read.request.force && !read.request.has_delay && read.request.all);
        ck_assert_int_eq(dump_request_parse("", DUMP_WORD_RECORDER, &read, NULL), 0);
        ck_assert_str_eq(read.request.detail, "");
}
END_TEST

static void assert_wrong(const char *text, const char *sentence) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        DumpRequestText read;

        ck_assert_int_eq(dump_request_parse(text, DUMP_WORD_RECORDER, &read, &d), -EINVAL);
        ck_assert_str_eq(d.sentence, sentence);
}

START_TEST(test_wrong_words) {
        char long_unit[PR_SNAPSHOT_UNIT_MAX + 16] = " unit=";
        DumpRequestText read;

        assert_wrong("since=", "snapshot: since= is not understood");
        assert_wrong("new=1 since=5s until=7", "snapshot: since=5s is not understood");
        assert_wrong("since=9223372036854776", "snapshot: since=9223372036854776 is too late");
        assert_wrong("until=18446744073709551615", "snapshot: until=18446744073709551615 is too late");
        assert_wrong("delay=-1", "snapshot: delay=-1 is not understood");
        assert_wrong("new=yes", "snapshot: new=yes is not understood");
        assert_wrong("incident=../x", "snapshot: incident=../x is not understood");
        assert_wrong("incident=" INCIDENT "0", "snapshot: incident=" INCIDENT "0 is not understood");
        assert_wrong("unit=", "snapshot: unit= is not understood");
        assert_wrong("unit=a/b", "snapshot: unit=a/b is not understood");
        assert_wrong("trigger=Request", "snapshot: trigger=Request is not understood");
        memset(long_unit + strlen(long_unit), 'u', PR_SNAPSHOT_UNIT_MAX);
        ck_assert_int_eq(dump_request_parse(long_unit, DUMP_WORD_RECORDER, &read, NULL), 0);
        long_unit[strlen(long_unit)] = 'u';
        ck_assert_int_eq(dump_request_parse(long_unit, DUMP_WORD_RECORDER, &read, NULL), -EINVAL);
}
END_TEST

CHECK_MAIN("dump-request", test_rows, test_callers, test_callers_that_are_wrong, test_recorder, test_announcement, test_one_by_one,
           test_not_set, test_detail, test_unknown_words, test_wrong_words);
