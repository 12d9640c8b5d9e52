/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* All files that are named on the command line are opened before the process restricts itself. A pipe is read to its end then, into
 * a file without a name, without being looked at. */

#include "recording-input.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include <perf-recorder/dump-facts.h>

#include "event-name.h"
#include "file-facts.h"
#include "format-text.h"
#include "parse-number.h"
#include "record-text.h"
#include "recording-lendings.h"
#include "root-file.h"
#include "sandbox.h"
#include "strv.h"
#include "symbols-bundle.h"
#include "symbols-directory.h"
#include "trigger-word.h"
#include "utf8.h"

void recording_input_done(RecordingInput *in) {
        perf_data_reader_free(in->reader);
        if (in->bundle)
                root_file_remove_root(in->bundle);
        symbols_bundle_free(in->bundle);
        in->fd = safe_close(in->fd);
        free(in->symbols);
        free(in->name);
        free(in->session);
        lendings_done(&in->lent);
}

int recording_input_fail(const RecordingInput *in, const char *what, int r) {
        (void) fflush(stdout);
        (void) fprintf(stderr, "Failed to %s %s: %s\n", what, in->name ?: "a recording",
                       perf_data_reader_explain(in->fd, r));
        return r;
}

/* Any user may have written it. */
static int read_fact(int fd, const char *name, char *ret, size_t size) {
        ssize_t n = file_fact_get(fd, name, ret, size - 1);

        if (n <= 0)
                return -ENODATA;
        ret[n] = '\0';
        return 0;
}

static usec_t read_triggered(int fd) {
        char text[32];
        usec_t t;

        if (read_fact(fd, PR_DUMP_XATTR_TIMESTAMP, text, sizeof(text)) < 0)
                return 0;
        return parse_uint64(text, &t) >= 0 && t <= UINT64_MAX / NSEC_PER_USEC ? t : 0;
}

static int read_session(RecordingInput *in) {
        char session[256], boot[64];

        if (read_fact(in->fd, PR_DUMP_XATTR_SESSION, session, sizeof(session)) < 0 ||
            read_fact(in->fd, PR_DUMP_XATTR_BOOT, boot, sizeof(boot)) < 0)
                return 0;
        in->session = format_text("%s %s", session, boot);
        return in->session ? 0 : -ENOMEM;
}

/* "-", "&NUMBER", "&NUMBER,DIRECTORY", or a path. Symbols beside a path are looked for. */
static int open_path(RecordingInput *in) {
        const char *comma = strchr(in->path, ',');
        _cleanup_free_ char *word = comma ? strndup(in->path, (size_t) (comma - in->path)) : strdup(in->path);
        unsigned number = STDIN_FILENO;
        bool named;
        int r = 0;

        if (!word)
                return -ENOMEM;
        named = !streq(in->path, "-") && (*word != '&' || parse_uint(word + 1, &number) < 0 || number > INT_MAX);
        in->fd = named ? open(in->path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : fcntl((int) number, F_DUPFD_CLOEXEC, 3);
        if (in->fd < 0)
                return -errno;
        if (named)
                r = symbols_directory_find(AT_FDCWD, in->path, &in->symbols);
        else if (comma)
                r = free_and_strdup(&in->symbols, comma + 1);
        return r == -ENOMEM ? r : 0;
}

static int input_open(RecordingInput *in, const char *symfs) {
        struct stat st;
        int r = open_path(in);

        if (r < 0)
                return r;
        if (fstat(in->fd, &st) < 0)
                return -errno;
        in->changed = st.st_mtime;
        if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) {
                int spooled;

                r = perf_data_spool(in->fd, &spooled);
                if (r < 0)
                        return r;
                (void) safe_close(in->fd);
                in->fd = spooled;
        }
        in->symfs = symfs;
        return symfs ? free_and_strdup(&in->symbols, symfs) : 0;
}

int recording_input_open(RecordingInput *in, const char *path, const char *name, const char *symfs) {
        int r;

        in->path = path ?: "perf.data";
        in->name = utf8_line(name ?: streq(in->path, "-") ? "standard input" : in->path, SIZE_MAX, PATH_MAX);
        r = in->name ? input_open(in, symfs) : -ENOMEM;
        return r < 0 ? recording_input_fail(in, "open", r) : 0;
}

int recording_input_restrict(const RecordingInput *in) {
        return recording_inputs_restrict(in, 1, 0);
}

int recording_inputs_restrict(const RecordingInput *in, size_t n, unsigned flags) {
        _cleanup_strv_free_ char **places = NULL;
        bool landlock;
        int r;

        tzset(); /* times are local ones, and the file of their zone is out of reach afterwards */
        r = sandbox_list_places(&places);
        for (size_t i = 0; r >= 0 && i < n; i++)
                if (in[i].symbols)
                        r = strv_extend(&places, in[i].symbols);
        if (r >= 0)
                r = sandbox_enter((const char *const *) places, flags, &landlock);
        if (r < 0)
                return recording_input_fail(in, "restrict the process that reads", r);
        if (!landlock)
                (void) fprintf(stderr, "This kernel has no Landlock: file reads are not restricted\n");
        return 0;
}

/* A file that lost its end has no names of events; the kernel's own ones follow from their attributes. */
static int name_events(PerfDataReader *reader) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);
        int r = 0;

        for (size_t i = 0; r >= 0 && i < n; i++) {
                _cleanup_free_ char *name = events[i].name ? NULL : event_name_of(&events[i].attr);

                if (!events[i].name && !name)
                        return -ENOMEM;
                if (name && !startswith(name, "raw "))
                        r = perf_data_reader_name_event(reader, i, name);
        }
        return r;
}

/* The samples beside such data are shown; it is only said that there is more. */
static void report_trace(const RecordingInput *in, uint32_t kind) {
        static const char *const kinds[] = {
                NULL, "Intel PT", "Intel BTS", "Arm CoreSight", "Arm SPE", "s390 CPU-MF", "HiSilicon PTT",
        };

        if (kind > 0)
                (void) fprintf(stderr, "%s has %s data, which is not decoded: 'perf script --itrace' reads it\n", in->name,
                               kind < ELEMENTSOF(kinds) ? kinds[kind] : "AUX");
}

static bool report_unknown(const RecordingInput *in) {
        const UnknownRecords *u = perf_data_reader_unknown(in->reader);

        report_trace(in, u->trace);

        for (size_t i = 0; i < u->n_types; i++)
                (void) fprintf(stderr, "%s: %" PRIu64 " records of type %" PRIu32 " not understood\n", in->name, u->of[i].n,
                               u->of[i].type);
        if (u->others > 0)
                (void) fprintf(stderr, "%s: %" PRIu64 " records of other types not understood\n", in->name, u->others);
        return u->n_types > 0;
}

static const char *explain_broken(const PerfDataReader *reader, char *buf, size_t size) {
        BrokenRecord b = perf_data_reader_broken(reader);
        const char *name = record_text_name(b.type);

        (void) snprintf(buf, size, "is broken at offset %#" PRIx64 ": %s (%" PRIu32 ") of %u bytes %s", b.offset, name ?: "UNKNOWN",
                        b.type, b.size, b.fault);
        return buf;
}

bool recording_input_report_damage(const RecordingInput *in, int read) {
        bool cut = perf_data_reader_is_cut(in->reader), broken = (read < 0 && read != -EINTR) || cut;
        bool failed = read < 0 && read != -EBADMSG;
        char how[160];

        if (broken)
                (void) fprintf(stderr, "%s %s: only a part of it could be read%s%s\n", in->name,
                               cut ? perf_data_reader_explain_cut(in->reader, how, sizeof(how)) : failed ? "is broken" :
                                     explain_broken(in->reader, how, sizeof(how)),
                               failed ? ": " : "", failed ? strerror(-read) : "");
        return report_unknown(in) || broken;
}

static int open_bundled(void *bundle, const char *path) {
        return symbols_bundle_open(bundle, path);
}

/* Symbols at the end of the recording count unless there is a directory of them. */
static int find_bundle(RecordingInput *in) {
        int r = in->symbols ? -ENODATA : symbols_bundle_new(in->fd, &in->bundle);

        if (r < 0 && r != -ENOMEM) {
                if (r != -ENODATA)
                        (void) fprintf(stderr, "%s: the symbols at its end are broken, and are not used\n", in->name);
                return 0;
        }
        in->symbols = r >= 0 ? format_text("symbols at the end of %s", in->name) : NULL;
        return in->symbols ? root_file_add_root(in->symbols, open_bundled, in->bundle) : -ENOMEM;
}

int recording_input_read(RecordingInput *in) {
        char trigger[64];
        int r = perf_data_reader_new_partial(in->fd, &in->reader);

        if (r >= 0)
                r = perf_data_reader_read_blocks(in->reader, in->fd);
        if (r >= 0)
                r = name_events(in->reader);
        if (r >= 0)
                r = read_session(in);
        if (r >= 0)
                r = recording_lendings_read(in);
        if (r >= 0)
                r = find_bundle(in);
        in->triggered = read_triggered(in->fd);
        in->incident = read_fact(in->fd, PR_DUMP_XATTR_TRIGGER, trigger, sizeof(trigger)) >= 0 && trigger_is_incident(trigger);
        return r < 0 ? recording_input_fail(in, "read", r) : 0;
}
