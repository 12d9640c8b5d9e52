/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Profiles are read again, as a reader of protocol buffers does that knows the numbers of their fields. */

#include "export-formats.h"
#include "fd-file.h"
#include "made-samples.h"
#include "record.h"

#define DIMENSIONS (SAMPLE_BY_THREAD | SAMPLE_BY_CPU | SAMPLE_BY_HOST)
#define FIELDS_MAX 256u

/* A field of a message: a number, or bytes. */
typedef struct Field {
        unsigned field;
        uint64_t number;
        const uint8_t *data;
        size_t size;
} Field;

typedef struct Message {
        Field fields[FIELDS_MAX];
        size_t n;
} Message;

static uint64_t take_varint(const uint8_t **p) {
        uint64_t n = 0;

        for (unsigned shift = 0;; shift += 7, (*p)++) {
                n |= (uint64_t) (**p & 0x7f) << shift;
                if (!(**p & 0x80))
                        break;
        }
        (*p)++;
        return n;
}

static void read_message(const uint8_t *p, size_t size, Message *m) {
        const uint8_t *end = p + size;

        for (m->n = 0; p < end; m->n++) {
                uint64_t key = take_varint(&p), number = take_varint(&p);

                ck_assert_uint_lt(m->n, FIELDS_MAX);
                m->fields[m->n] = (Field) { .field = (unsigned) (key >> 3), .number = number };
                if ((key & 7) != 2)
                        continue;
                m->fields[m->n].data = p;
                m->fields[m->n].size = number;
                p += number;
        }
        ck_assert_ptr_eq(p, end);
}

/* Returns the field of that number that comes as the nth. */
static const Field *field_of(const Message *m, unsigned field, size_t nth) {
        for (size_t i = 0; i < m->n; i++)
                if (m->fields[i].field == field && nth-- == 0)
                        return m->fields + i;
        return NULL;
}

static void put_text(const Message *profile, uint64_t number, TextBuffer *out) {
        const Field *f = field_of(profile, 6, number);

        ck_assert_ptr_nonnull(f);
        text_buffer_put(out, (const char *) f->data, f->size);
}

/* "VALUE VALUE ... KEY=TEXT ...\n" */
static void put_sample(const Message *profile, const Field *sample, TextBuffer *out) {
        Message m, label;
        const Field *values;

        read_message(sample->data, sample->size, &m);
        values = field_of(&m, 2, 0);
        for (const uint8_t *p = values->data; p < values->data + values->size;)
                text_buffer_format(out, "%u ", (unsigned) take_varint(&p));
        for (size_t i = 0; field_of(&m, 3, i); i++) {
                read_message(field_of(&m, 3, i)->data, field_of(&m, 3, i)->size, &label);
                put_text(profile, field_of(&label, 1, 0)->number, out);
                text_buffer_putc(out, '=');
                put_text(profile, field_of(&label, 2, 0)->number, out);
                text_buffer_putc(out, ' ');
        }
        text_buffer_putc(out, '\n');
}

/* Samples as lines, and "type NAME" and "mapping FILE" as far as the profile has them. */
static char *read_profile(const uint8_t *data, size_t size) {
        TextBuffer out = {};
        Message profile, m;

        read_message(data, size, &profile);
        for (size_t i = 0; i < profile.n; i++) {
                const Field *f = profile.fields + i;

                if (f->field == 2)
                        put_sample(&profile, f, &out);
                if (f->field != 1 && f->field != 3)
                        continue;
                read_message(f->data, f->size, &m);
                text_buffer_puts(&out, f->field == 1 ? "type " : "mapping ");
                put_text(&profile, field_of(&m, f->field == 1 ? 1 : 5, 0)->number, &out);
                text_buffer_putc(&out, '\n');
        }
        text_buffer_putc(&out, '\0');
        ck_assert_int_eq(out.error, 0);
        return out.data;
}

static void assert_profile(const RecordBuffer *b, const char *expected) {
        _cleanup_sample_table_free_ SampleTable *table = made_table(b, NULL, DIMENSIONS);
        _cleanup_free_ char *packed = test_path("packed.gz"), *plain = test_path("plain"), *data = NULL, *text = NULL, *said = NULL;
        _cleanup_(place_names_done) PlaceNames names = {};
        _cleanup_(text_buffer_done) TextBuffer out = {};
        size_t size;

        ck_assert_ok(place_names_init(&names, sample_table_places(table), NULL));
        export_put_pprof(&(ExportedSamples) { .table = table, .names = &names, .title = "cpu-1" }, &out);
        ck_assert_int_eq(out.error, 0);
        test_write_file(packed, out.data, out.n);
        said = test_command("gzip -dc %s >%s", packed, plain);
        data = test_read_file(plain, &size);
        text = read_profile((const uint8_t *) data, size);
        ck_assert_str_eq(text, expected);
}

/* The number 0 is one as any other: of the CPU, the process and the thread. */
START_TEST(zeros_are_numbers) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        MADE_SAMPLE(&b, 0, 0, 1000, 0x1010);
        MADE_SAMPLE(&b, 7, 8, 1001, 0x1010);
        assert_profile(&b, "type samples\ntype event 1\nmapping cpu-1\n"
                       "1 1 thread=swapper pid=0 tid=0 cpu=0 \n"
                       "1 1 thread=:8 pid=7 tid=8 cpu=0 \n");
}
END_TEST

/* Two events that hit the same code in the same thread are one sample, and one alone has no value of the other. */
START_TEST(events_of_a_sample) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        for (uint64_t time = 1000; time < 1003; time++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1010, time);
        test_put_sample(&b, 21, PERF_RECORD_MISC_USER, 7, 0x1010, 1003);
        test_put_sample(&b, 21, PERF_RECORD_MISC_USER, 7, 0x2010, 1004);
        assert_profile(&b, "type event 1 samples\ntype event 1\ntype event 2 samples\ntype event 2\nmapping cpu-1\n"
                       "3 3 1 1 thread=:7 pid=7 tid=7 cpu=0 \n"
                       "0 0 1 1 thread=:7 pid=7 tid=7 cpu=0 \n");
}
END_TEST

TEST_RUN("export-pprof", zeros_are_numbers, events_of_a_sample);
