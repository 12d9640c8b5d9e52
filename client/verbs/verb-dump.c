/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl dump: makes recorders write their samples in memory to dumps, and prints the dumps. With -o the dump's descriptor
 * comes with the answer, because a user who may make a dump may also read it. Descriptors cannot pass through ssh, so for
 * another host perfctl runs there. */

#include "dump-copy.h"
#include "dump-request.h"
#include "dump-source.h"
#include "fd-file.h"
#include "parse-size.h"
#include "remote-run.h"
#include "strv.h"
#include "verbs.h"

#define SERVICE_TIMEOUT (2 * USEC_PER_SEC) /* more, for the service to answer that a recorder did not */

static bool dump_verb_is_to_stdout(const ClientOptions *o) {
        return o->output && streq(o->output, "-");
}

/* The stream for remarks, which must not go into the dump. */
static FILE *dump_verb_remarks(const ClientOptions *o) {
        return dump_verb_is_to_stdout(o) ? stderr : stdout;
}

static void dump_verb_print(const ClientOptions *o, const char *session, const json_object *dump) {
        uint64_t lost = dump_knows(dump, "Lost") ? json_get_unsigned(dump, "Lost") : 0;
        char span[64], size[32];

        (void) fprintf(dump_verb_remarks(o), "%s: %s", session, json_get_string(dump, "Id"));
        if (dump_span(dump) > 0)
                (void) fprintf(dump_verb_remarks(o), ", %s", dump_format_span(span, sizeof(span), dump_span(dump)));
        if (dump_knows(dump, "Samples"))
                (void) fprintf(dump_verb_remarks(o), ", %" PRIu64 " samples", json_get_unsigned(dump, "Samples"));
        if (lost > 0)
                (void) fprintf(dump_verb_remarks(o), " (%s%" PRIu64 " lost)",
                               dump_knows(dump, "LostRecords") ? "" : "up to ", lost);
        (void) fprintf(dump_verb_remarks(o), ", %s\n", format_size(size, sizeof(size), json_get_unsigned(dump, "Size")));
}

/* A dump of that time may begin later than memory does, since there are gaps between samples, and between readings of counts.
 * A tenth of the time may be missing anyway: how far overwrite rings reach back is an estimate. */
static void dump_verb_remark_reach(const ClientOptions *o, BusClient *c, const char *session, const json_object *dump) {
        usec_t first = json_get_unsigned(dump, "FirstSampleUsec"), wanted = o->now - o->dump.since, reach = 0;
        _cleanup_(json_object_putp) json_object *properties = NULL;
        char oldest[64], asked[64];

        if (o->dump.since == 0 || first <= o->dump.since || first - o->dump.since <= wanted / 10)
                return;
        if (bus_client_get_session(c, session, &properties) >= 0)
                reach = json_get_unsigned(properties, "HistoryUsec");
        if (reach >= wanted - wanted / 10)
                return;
        (void) fprintf(stderr, "%s: the oldest sample in memory is %s old, less than the %s that --since= asks for\n", session,
                       dump_format_span(oldest, sizeof(oldest), MAX_OF(reach, o->now > first ? o->now - first : 0)),
                       format_timespan(asked, sizeof(asked), wanted));
}

static int dump_verb_copy(const ClientOptions *o, int fd) {
        int r;

        (void) fflush(stdout);
        r = dump_verb_is_to_stdout(o) ? dump_copy_to_fd(fd, STDOUT_FILENO) : dump_copy_to_file(fd, o->output);
        if (r >= 0)
                return STATUS_OK;
        (void) fprintf(stderr, "Failed to write %s: %s\n", o->output, file_error_string(r));
        return STATUS_FAILED;
}

/* The dump may just have been removed, or the service ended. A dump that is copied is there all the same, by its descriptor. */
static int dump_verb_report_unknown(const ClientOptions *o, const BusClient *c, const char *object) {
        _cleanup_free_ char *id = bus_client_dump_id(object);
        char *ids[] = { id, NULL };

        (void) bus_client_fail_for(c, "show dump", ids);
        return o->output ? STATUS_OK : STATUS_FAILED;
}

/* Prints one row of the answer, or collects it for JSON. Returns an exit status or a negative errno. */
static int dump_verb_handle_row(const ClientOptions *o, BusClient *c, const json_object *row, json_object *all) {
        _cleanup_(json_object_putp) json_object *dump = NULL;
        json_object *object = NULL;
        int r;

        if (bus_client_get_dump(c, json_string(json_at(row, 1)), &dump) < 0)
                return dump_verb_report_unknown(o, c, json_string(json_at(row, 1)));
        if (o->json != JSON_OFF) {
                r = dump_to_json(dump, &object);
                return r < 0 ? r : json_append(all, object);
        }
        if (o->quiet)
                return STATUS_OK;
        dump_verb_print(o, json_string(json_at(row, 0)), dump);
        dump_verb_remark_reach(o, c, json_string(json_at(row, 0)), dump);
        return STATUS_OK;
}

static bool dump_verb_has_row(const json_object *rows, const char *session) {
        for (size_t i = 0; i < json_length(rows); i++)
                if (streq(json_string(json_at(json_at(rows, i), 0)), session))
                        return true;
        return false;
}

/* The service leaves out sessions without such samples if another session has some. Reports those that were named. */
static int dump_verb_report_absent(const ClientOptions *o, const json_object *rows, char *const *names) {
        int status = STATUS_OK;

        STRV_FOREACH(name, names) {
                if (dump_verb_has_row(rows, *name))
                        continue;
                (void) fprintf(stderr, "%s: no dump: %s\n", *name, o->dump.fresh ? "there is nothing new since the last dump" :
                                                                   "there are no samples of that time in memory");
                status = STATUS_FAILED;
        }
        return status;
}

static int dump_verb_handle_rows(const ClientOptions *o, BusClient *c, char *const *names, const json_object *rows,
                                 const BusDescriptors *d) {
        _cleanup_(json_object_putp) json_object *all = json_object_new_array();
        int r = all ? 0 : -ENOMEM, status = STATUS_OK;

        for (size_t i = 0; r >= 0 && i < json_length(rows); i++) {
                r = dump_verb_handle_row(o, c, json_at(rows, i), all);
                status = MAX_OF(status, r);
        }
        if (r >= 0 && o->json != JSON_OFF)
                r = json_print(all, o->json);
        if (r < 0)
                return verb_fail("print", r);
        if (json_length(rows) == 0 && !o->quiet && o->json == JSON_OFF)
                (void) fprintf(stderr, "No session is running\n");
        if (!o->output) {
                r = dump_verb_report_absent(o, rows, names);
                return MAX_OF(status, r);
        }
        if (json_length(rows) == 0)
                return STATUS_FAILED;
        if (json_length(rows) == 1)
                return d->n == 1 ? dump_verb_copy(o, d->fds[0]) : verb_fail("read the dump", -EBADF);
        (void) fprintf(stderr, "%zu dumps do not fit into one file: copy them with 'perfctl cp'\n", json_length(rows));
        return STATUS_FAILED;
}

static DumpRequest dump_verb_request(const ClientOptions *o) {
        DumpRequest q = o->dump.request;

        q.since = o->dump.since;
        q.until = o->dump.until == USEC_INFINITY ? 0 : MAX_OF(o->dump.until, (usec_t) 1);
        q.delay = o->dump.delay;
        q.has_delay = o->given & OPTION_BIT(OPTION_DELAY); /* a delay of 0 is for a session with DelaySec= */
        q.fresh = o->dump.fresh;
        q.force = o->force;
        q.timeout = o->timeout;
        return q;
}

/* Adds the words of the request as options of perfctl. Times become ages, because the clocks of hosts differ. */
static int dump_verb_add_words(char ***words, const ClientOptions *o, const DumpRequest *q) {
        DumpWordValue value;
        int r = 0;

        for (const DumpWord *w = NULL; r >= 0 && (w = dump_word_next(w, DUMP_WORD_CALLER));) {
                if (!w->option || !dump_request_get(q, w, &value))
                        continue;
                if (w->kind == DUMP_WORD_FLAG)
                        r = strv_extendf(words, "--%s", w->option);
                else if (value.string)
                        r = strv_extendf(words, "--%s=%s", w->option, value.string);
                else
                        r = strv_extendf(words, "--%s=%" PRIu64 "us", w->option,
                                         w->kind == DUMP_WORD_TIME ? o->now - value.number : value.number);
        }
        return r;
}

/* Runs the same command on another host. */
static int dump_verb_run_on_host(const ClientOptions *o, const DumpRequest *q, char *const *names) {
        _cleanup_strv_free_ char **words = NULL;
        int r = strv_extend(&words, "dump");

        if (r >= 0)
                r = dump_verb_add_words(&words, o, q);
        if (r >= 0 && o->json != JSON_OFF)
                r = strv_extendf(&words, "--json=%s", json_mode_to_string(o->json));
        if (r >= 0 && o->output)
                r = strv_extend(&words, "--output=-");
        if (r >= 0)
                r = strv_extend_strv(&words, names);
        if (r < 0)
                return verb_fail("run ssh", r);
        return o->output && !dump_verb_is_to_stdout(o) ? remote_copy(o, words, o->output) : remote_run(o, words, STDOUT_FILENO);
}

static size_t dump_verb_make_options(const DumpRequest *q, BusOption ret[static DUMP_WORDS_MAX]) {
        DumpWordValue value;
        size_t n = 0;

        for (const DumpWord *w = NULL; (w = dump_word_next(w, DUMP_WORD_CALLER));)
                if (dump_request_get(q, w, &value))
                        ret[n++] = (BusOption) { .key = w->name, .type = dump_word_type(w), .number = value.number,
                                                 .string = value.string };
        return n;
}

/* NULL: the options go together. */
static const char *dump_verb_complaint(const ClientOptions *o, char *const *names) {
        if (o->dump.since > o->now)
                return "--since= is still to come: nothing has been recorded since then";
        if (o->dump.until != USEC_INFINITY && o->dump.until > o->now)
                return "--until= is still to come: use --delay= to keep recording first";
        if (o->dump.until < o->dump.since)
                return "--until= is before --since=";
        if (o->dump.delay > PR_SNAPSHOT_DELAY_MAX)
                return "--delay= is more than an hour";
        if (o->dump.fresh && (o->dump.since > 0 || o->dump.until != USEC_INFINITY))
                return "--new cannot be combined with --since= and --until=";
        if (o->output && strv_length(names) > 1)
                return "--output= takes the dump of one session only";
        if (dump_verb_is_to_stdout(o) && o->json != JSON_OFF)
                return "--json cannot be combined with --output=-";
        return NULL;
}

int verb_dump(const ClientOptions *o, char **arguments) {
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        _cleanup_(bus_descriptors_done) BusDescriptors d = {};
        _cleanup_(json_object_putp) json_object *reply = NULL;
        BusOption options[DUMP_WORDS_MAX];
        const DumpRequest q = dump_verb_request(o);
        BusClientCall request = {
                .method = o->output ? "Dump" : "DumpObjects", /* "Dump" takes few sessions only */
                .names = arguments,
                .flags = BUS_CALL_NAMES | BUS_CALL_OPTIONS | BUS_CALL_NO_AUTO_START | BUS_CALL_AUTHORIZE | BUS_CALL_WAIT,
                .remark = !o->quiet && isatty(STDERR_FILENO) > 0 ? DUMP_STILL_WAITING : NULL,
                .asked = q.has_delay ? q.delay : 0,
                .options = options,
                .n_options = dump_verb_make_options(&q, options),
        };
        const char *complaint = dump_verb_complaint(o, arguments);
        char span[64];
        int status;

        if (o->timeout > 0 && __builtin_add_overflow(o->timeout, SERVICE_TIMEOUT, &request.timeout))
                request.timeout = USEC_INFINITY;
        if (complaint) {
                (void) fprintf(stderr, "%s\n", complaint);
                return STATUS_FAILED;
        }
        if (o->host)
                return dump_verb_run_on_host(o, &q, arguments);
        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        if (request.asked > 0 && request.remark)
                (void) fprintf(stderr, "The dump is due in %s\n", format_timespan(span, sizeof(span), request.asked));
        if (bus_client_call_for_descriptors(c, &request, &reply, &d) >= 0)
                return dump_verb_handle_rows(o, c, arguments, json_at(reply, 0), &d);
        status = bus_client_fail_for(c, "dump", arguments);
        if (json_length(json_at(reply, 1)) > 0) /* of the others; each of those without a dump is in the error */
                (void) dump_verb_handle_rows(o, c, NULL, json_at(reply, 1), &d);
        return status;
}
