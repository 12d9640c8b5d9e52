/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Two hundred expressions with perf 6.1's attributes for them: data/perf-6.1-events.txt, which describes how it was
 * recorded. */

#include <sys/stat.h>
#include "attr-describe.h"
#include "check-main.h"
#include "made-set.h"
#include "strv.h"
#include "test-machine.h"

static GrammarSources sources = { .tracefs = TEST_DATA "/tracefs" };
static char *machine;
static unsigned n_compared;

/* Opens a set on made-up CPUs, since those of the machine's PMUs need not exist here. */
static void open_set(const char *expression) {
        ck_assert_msg(event_specs_parse(&made.specs, expression, &sources, &made.d) == 0, "%s: %s", expression, made.d.sentence);
        for (size_t i = 0; i < made.specs.n_specs; i++)
                made.specs.specs[i].n_cpus = 0;
        made.target.all_cpus = true;
        ck_assert_msg(make_set() == 0, "%s: %s", expression, made.d.sentence);
}

/* Adds "group: name{a,b}" as perf shows the file's header. */
static int describe_group(const EventSet *s, size_t leader, char ***lines) {
        _cleanup_strv_free_ char **names = NULL;
        _cleanup_free_ char *joined = NULL;
        int r = 0;

        for (size_t i = leader; i < s->n_members && s->members[i].group == s->members[leader].group && r >= 0; i++)
                r = strv_extend(&names, s->members[i].name);
        if (r < 0 || strv_length(names) < 2)
                return r;
        joined = strv_join(names, ",");
        return strv_extendf(lines, "group: %s{%s}", s->members[leader].spec->group_name ?: "", joined);
}

/* Removes the times, which perf does not request from counters: see attr_ask_times(). */
static void without_times(struct perf_event_attr *attr, const EventSpec *spec) {
        struct perf_event_attr asked = *attr;

        asked.read_format = 0;
        attr_ask_times(&asked, spec);
        ck_assert_uint_eq(attr->read_format & asked.read_format, asked.read_format);
        attr->read_format &= ~asked.read_format;
}

/* Returns our result, a line an event, without the size of the attribute, which grows with the kernel's headers. */
static char **describe(const EventSet *s) {
        char **lines = NULL;
        int r = 0;

        for (size_t i = 0; i < s->n_members && r >= 0; i++) {
                const SetMember *m = &s->members[i];
                struct perf_event_attr attr = m->attr;
                _cleanup_free_ char *fields = NULL;
                char *size, *rest;

                if (m->only_sideband)
                        continue;
                without_times(&attr, m->spec);
                fields = attr_describe(&attr, ATTR_FORM_LIST);
                size = strstr(fields, "size: ");
                rest = strstr(size, ", ");
                *size = 0;
                r = strv_extendf(&lines, "%s: %s%s", m->name, fields, rest + 2);
                if (r >= 0 && m->group > 0 && m->leader)
                        r = describe_group(s, i, &lines);
        }
        ck_assert_int_ge(r, 0);
        return lines;
}

/* Compares them in any order: a name for several PMUs has them in the directory's order, which differs on the machine
 * where the data was recorded. */
static void compare(const char *expression, char **theirs) {
        _cleanup_strv_free_ char **ours = NULL;
        _cleanup_free_ char *a = NULL, *b = NULL;

        open_set(expression);
        ours = describe(made.set);
        strv_sort(theirs);
        strv_sort(ours);
        a = strv_join(theirs, "\n");
        b = strv_join(ours, "\n");
        ck_assert_msg(streq(a, b), "%s on %s: perf has\n%s\nwe have\n%s", expression, machine, a, b);
        made_done();
        made.specs = (EventSpecs){};
        made.target = (Target) TARGET_EMPTY;
        made.kernel.n_events = 0;
        n_compared++;
}

static void choose_machine(const char *name) {
        free(machine);
        ck_assert_int_gt(asprintf(&machine, TEST_EVENT_SOURCE("%s"), name), 0);
        ck_assert_int_ge(access(machine, F_OK), 0);
        sources.event_source = machine;
}

START_TEST(test_as_perf) {
        _cleanup_free_ char *text = NULL, *expression = NULL;
        _cleanup_strv_free_ char **theirs = NULL;
        char *rest;

        ck_assert_int_eq(read_file(TEST_DATA "/perf-6.1-events.txt", 1 << 20, &text, NULL), 0);
        rest = text;
        for (char *line; (line = strsep(&rest, "\n"));) {
                if (line[0] == '@')
                        choose_machine(line + 1);
                else if (startswith(line, "= "))
                        ck_assert_int_eq(free_and_strdup(&expression, line + 2), 0);
                else if (line[0] && line[0] != '#')
                        ck_assert_int_eq(strv_extend(&theirs, line), 0);
                else if (expression) {
                        compare(expression, theirs);
                        theirs = strv_free(theirs);
                        expression = (free(expression), NULL);
                }
        }
        ck_assert_ptr_null(expression);
        ck_assert_uint_ge(n_compared, 200);
        free(machine);
}
END_TEST

CHECK_MAIN("golden-events", test_as_perf);
