/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The output of perfctl status, laid out as systemctl's: a dot in the colour of the state, then labels aligned at their
 * colons. verb-status.c provides the properties and files. */

#include "status-view.h"

#include <inttypes.h>

#include "age.h"
#include "dump-list.h"
#include "exit-status.h"
#include "labelled-line.h"
#include "parse-size.h"
#include "reservation-list.h"
#include "strv.h"
#include "terminal.h"
#include "text-width.h"

#define STATE_WIDTH 11 /* "bad-setting" */
#define NAME_WIDTH_MIN 8
#define DESCRIPTION_WIDTH 20 /* that long names leave on a line */

static const char *dot_of_colour(Colour colour) {
        switch (colour) {
        case COLOUR_RED:
                return glyph_cross();
        case COLOUR_GREY:
                return glyph_circle();
        default:
                return glyph_dot();
        }
}

static void status_print_head(const char *name, const char *description, Colour colour, unsigned columns) {
        bool described = *description && !streq(description, name);

        (void) printf("%s%s%s ", colour_sequence(colour), dot_of_colour(colour), colour_sequence(COLOUR_NONE));
        if (described)
                (void) printf("%s - ", name);
        line_print_rest(described ? description : name, columns, described ? text_width(name) + 5 : 2);
}

/* Prints drop-ins as a tree below their directories. */
static void status_print_drop_ins(char *const *paths) {
        const char *last = NULL;

        STRV_FOREACH(p, paths) {
                const char *slash = strrchr(*p, '/'), *next = p[1];
                size_t n = slash ? (size_t) (slash - *p) : 0;
                bool same = last && strncmp(last, *p, n + 1) == 0 && !strchr(last + n + 1, '/');
                bool more = next && strncmp(next, *p, n + 1) == 0 && !strchr(next + n + 1, '/');

                if (!same) {
                        if (p == paths)
                                line_print_label("Drop-In");
                        else
                                (void) printf("%*s", LABEL_WIDTH + 2, "");
                        (void) printf("%.*s\n", (int) n, *p);
                }
                (void) printf("%*s%s%s\n", LABEL_WIDTH + 2, "", more ? glyph_branch() : glyph_right(), *p + n + 1);
                last = *p;
        }
}

static void status_print_loaded(const char *how, const char *fragment_path, char *const *drop_ins, unsigned columns) {
        if (*fragment_path)
                line_print(columns, "Loaded", "%s (%s)", how, fragment_path);
        else
                line_print(columns, "Loaded", "%s", how);
        status_print_drop_ins(drop_ins);
}

/* "recording since Sat 2026-11-21 10:53:18 UTC; 2min 5s ago", the state in its colour. A session that is paused, reserved or
 * stopping has been so for a shorter time than since its start. */
static void status_print_state(const char *state, const char *result, usec_t start) {
        bool later = streq(state, "paused") || streq(state, "reserved") || streq(state, "stopping");
        char timestamp[64], age[64];

        line_print_label("State");
        (void) printf("%s%s%s", colour_sequence(colour_of_state(state)), state, colour_sequence(COLOUR_NONE));
        if (*result && !streq(result, "success") && !streq(result, state))
                (void) printf(" (Result: %s)", result);
        if (start > 0)
                (void) printf("%s %s; %s", later ? ", started" : " since", format_timestamp(timestamp, sizeof(timestamp), start),
                              format_age(age, sizeof(age), start));
        (void) putchar('\n');
}

static void status_print_figures(const json_object *s, unsigned columns) {
        char size[32], reach[64];
        usec_t history = json_get_unsigned(s, "HistoryUsec");
        uint64_t throttled = json_get_unsigned(s, "Throttled"), restarts = json_get_unsigned(s, "NRestarts");

        line_print_samples(columns, json_get_unsigned(s, "Samples"), json_get_unsigned(s, "Lost"),
                           dump_knows(s, "LostRecords") ? json_get_unsigned(s, "LostRecords") : UINT64_MAX);
        if (throttled > 0)
                line_print(columns, "Throttled", "%" PRIu64 " times", throttled);
        line_print(columns, "Written", "%s", format_size(size, sizeof(size), json_get_unsigned(s, "BytesWritten")));
        line_print(columns, "Memory", "%s in rings",
                    format_size(size, sizeof(size), json_get_unsigned(s, "RingBytes")));
        if (history > 0)
                line_print(columns, "Reach", "%s", dump_format_span(reach, sizeof(reach), history));
        if (restarts > 0)
                line_print(columns, "Restarts", "%" PRIu64, restarts);
}

static int status_read_strings(const json_object *array, char ***ret) {
        for (size_t i = 0; i < json_length(array); i++) {
                int r = strv_extend(ret, json_string(json_at(array, i)));

                if (r < 0)
                        return r;
        }
        return 0;
}

int status_print_session(const json_object *s, const json_object *last_dump, const json_object *reservations, unsigned columns) {
        _cleanup_strv_free_ char **drop_ins = NULL;
        const char *state = json_get_string(s, "State"), *fragment = json_get_string(s, "FragmentPath");
        const char *trigger = dump_main_trigger(last_dump);
        bool bad = streq(state, "bad-setting"), runs = session_runs(s);
        usec_t now = now_usec(CLOCK_REALTIME), next = json_get_unsigned(s, "NextDumpUsec");
        char timestamp[64], span[64];

        (void) status_read_strings(json_get(s, "DropInPaths"), &drop_ins);
        status_print_head(json_get_string(s, "Name"), json_get_string(s, "Description"), colour_of_state(state), columns);
        status_print_loaded(bad ? "bad-setting" : *fragment ? "loaded" : "transient", fragment, drop_ins, columns);
        status_print_state(state, json_get_string(s, "Result"), json_get_unsigned(s, "StartTimestamp"));
        line_print_if_set(columns, "Command", json_get_string(s, "Command"));
        if (runs) {
                line_print(columns, "Main PID", "%" PRIu64, json_get_unsigned(s, "MainPID"));
                line_print_if_set(columns, "Scope", json_get_string(s, "Scope"));
        }
        line_print_if_set(columns, "Directory", json_get_string(s, "Directory"));
        if (runs)
                status_print_figures(s, columns);
        for (size_t i = 0; i < json_length(json_get(s, "Lent")); i++) {
                const char *kind = json_string(json_at(json_get(s, "Lent"), i));
                const json_object *row = reservation_list_find(reservations, kind);

                line_print(columns, "Lent", "%s%s%s%s%s%s", kind, row ? " to " : "", json_string(json_at(row, RESERVATION_WHO)),
                           row ? " (" : "", json_string(json_at(row, RESERVATION_WHY)), row ? ")" : "");
        }
        if (last_dump) /* "cpu-2026112110531800 (signal); 5min ago" */
                line_print(columns, "Last Dump", "%s%s%s%s; %s", json_get_string(last_dump, "Id"), *trigger ? " (" : "", trigger,
                           *trigger ? ")" : "", format_age(span, sizeof(span), json_get_unsigned(last_dump, "Timestamp")));
        if (next > 0)
                line_print(columns, "Next Dump", "%s; in %s", format_timestamp(timestamp, sizeof(timestamp), next),
                           format_timespan(span, sizeof(span), next > now ? (next - now) / USEC_PER_SEC * USEC_PER_SEC : 0));
        /* never cut, because it says what to do */
        line_print_if_set(0, "Error", json_get_string(s, "Error"));
        return runs ? STATUS_OK : STATUS_NOT_RUNNING;
}

void status_print_files(const SessionFile *f, unsigned columns) {
        const char *description = f->settings && f->settings->description ? f->settings->description : f->name;
        const char *state = f->settings ? "inactive" : "bad-setting";
        _cleanup_free_ char *error = f->settings ? NULL : diagnosis_format(&f->error);

        status_print_head(f->name, description, colour_of_state(state), columns);
        status_print_loaded(f->settings ? "loaded" : state, f->fragment_path, f->drop_in_paths, columns);
        status_print_state(state, "", 0);
        line_print(0, "Error", "%s", error ? error : "perf-recorderd is not running");
}

/* The columns of a branch before its description. */
static size_t status_width_around(size_t name_width) {
        return LABEL_WIDTH + 2 + 2 + name_width + 1 + STATE_WIDTH + 1;
}

/* Returns the columns of the names: the longest is shown whole, if that leaves room on the line. columns: 0 if it has no end. */
static size_t status_name_width(const SessionList *l, unsigned columns) {
        size_t width = 0, wanted = status_width_around(0) + DESCRIPTION_WIDTH;
        size_t room = columns > wanted ? columns - wanted : 0;

        for (size_t i = 0; i < l->n; i++)
                width = MAX_OF(width, text_width(json_get_string(l->sessions[i], "Name")));
        if (columns == 0)
                return width;
        room = MAX_OF(room, (size_t) NAME_WIDTH_MIN);
        return MIN_OF(width, room);
}

/* Prints a branch of the tree: columns for name and state, and the rest of the line for the description. The error of a
 * session that runs has a line below it, which is never cut, because it says what to do. */
static void status_print_session_line(const json_object *s, size_t name_width, bool last, unsigned columns) {
        const char *state = json_get_string(s, "State"), *name = json_get_string(s, "Name");
        const char *description = json_get_string(s, "Description");
        bool described = *description && !streq(description, name);
        _cleanup_free_ char *cut = text_ellipsize(name, MAX_OF(name_width, (size_t) 1), false, terminal_get()->utf8);
        size_t used = status_width_around(name_width), shown = text_width(cut ?: name);
        int blanks = shown < name_width ? (int) (name_width - shown) : 0;
        bool error = session_runs_with_error(s);

        (void) printf("%*s%s%s%*s %s%-*s%s", LABEL_WIDTH + 2, "", last ? glyph_right() : glyph_branch(),
                      cut ?: name, blanks, "", colour_sequence(error ? COLOUR_RED : colour_of_state(state)),
                      described ? STATE_WIDTH : 0, state, colour_sequence(COLOUR_NONE));
        if (described)
                (void) putchar(' ');
        line_print_rest(described ? description : "", columns, used);
        if (!error)
                return;
        (void) printf("%*s%s%*s", LABEL_WIDTH + 2, "", last ? "  " : glyph_down(), (int) name_width + 1, "");
        line_print_rest(json_get_string(s, "Error"), 0, 0);
}

void status_print_daemon(const json_object *manager, pid_t pid, const SessionList *l, unsigned columns) {
        size_t failed = 0, errors = session_list_count_errors(l), name_width = status_name_width(l, columns);
        char size[32], title[64], sums[96] = "";

        for (size_t i = 0; i < l->n; i++)
                failed += colour_of_state(json_get_string(l->sessions[i], "State")) == COLOUR_RED;
        (void) snprintf(title, sizeof(title), "perf-recorder %s", json_get_string(manager, "Version"));
        status_print_head("perf-recorderd", title, failed + errors > 0 ? COLOUR_YELLOW : COLOUR_GREEN, columns);
        status_print_state("running", "", json_get_unsigned(manager, "StartTimestamp"));
        line_print(columns, "Main PID", "%i", pid);
        line_print_if_set(columns, "Directory", json_get_string(manager, "BaseDirectory"));
        line_print(columns, "Memory", "%s in rings",
                    format_size(size, sizeof(size), json_get_unsigned(manager, "LockedMemory")));
        if (errors > 0)
                (void) snprintf(sums, sizeof(sums), ", %zu of these with an error", errors);
        if (failed > 0)
                (void) snprintf(sums + strlen(sums), sizeof(sums) - strlen(sums), ", %zu failed", failed);
        line_print(columns, "Sessions", "%zu (%zu running%s)", l->n, session_list_count_running(l), sums);
        for (size_t i = 0; i < l->n; i++)
                status_print_session_line(l->sessions[i], name_width, i + 1 == l->n, columns);
}
