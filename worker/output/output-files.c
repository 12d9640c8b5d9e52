/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The steps of every file, in both kinds of recording: it is begun under a temporary name, with a lock that shows
 * other recorders that it is not abandoned; its facts are set; it is finished, and gets its name; it is reported. If
 * renewed is set, a removed directory is made again. The caller writes the content and owns the writer.
 *
 * output_files_open(), _rescue(), _choose_name() and _finish() of one file may run in another thread than the loop's.
 *
 * Two files of the same hundredth of a second would have the same name: perf replaces the older one, here the newer
 * one takes the next free name. A recorder that is killed leaves a temporary name, which the next one removes; not
 * from the last seconds, since a new file looks abandoned until it is locked. */

#include "output-files.h"

#include <fcntl.h>
#include <inttypes.h>
#include <perf-recorder/dump-facts.h>
#include <perf-recorder/notify-fields.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include "fd-file.h"
#include "format-text.h"
#include "id128.h"
#include "log.h"
#include "parse-size.h"
#include "symbols-directory.h"
#include "utf8.h"

#define TIMESTAMP_SIZE sizeof("2015122520103046")
#define USEC_PER_HUNDREDTH 10000
#define TRIES_MAX 10000u
#define STALE_AGE_MIN 2 /* seconds */

void kept_files_done(KeptFiles *f) {
        f->names = strv_free(f->names);
}

void output_files_done(OutputFiles *f) {
        kept_files_done(&f->kept);
        output_place_done(&f->place);
        f->description = file_description_free(f->description);
}

void output_finished_done(OutputFinished *x) {
        free(x->name);
        dso_hits_free(x->hits);
        *x = (OutputFinished) {};
}

/* Returns 1 if the directory was made again. -ENOENT: it is gone, for whatever reason it can't be made again. */
static int output_files_renew_place(const OutputFiles *f) {
        int r = f->renewed ? output_place_renew(&f->place) : 0;

        if (r > 0)
                log_warning("The directory %s was removed; it is made again", f->place.dir);
        return r < 0 && r != -ENOMEM ? -ENOENT : r;
}

int output_files_open(OutputFiles *f, bool at_once, PerfDataWriter **ret) {
        int r = file_description_open(f->description, f->place.dir_fd, f->place.base, at_once, ret);

        if (r == -ENOENT && output_files_renew_place(f) > 0)
                r = file_description_open(f->description, f->place.dir_fd, f->place.base, at_once, ret);
        if (r < 0)
                return r;
        (void) flock(perf_data_writer_fd(*ret), LOCK_EX | LOCK_NB);
        return 0;
}

/* The name of the open file was removed with the directory. */
int output_files_rescue(OutputFiles *f, PerfDataWriter *w) {
        int r = output_files_renew_place(f);

        if (r >= 0 && f->renewed && w)
                r = perf_data_writer_rescue(w, f->place.dir_fd);
        if (r > 0 && w)
                (void) flock(perf_data_writer_fd(w), LOCK_EX | LOCK_NB);
        return MIN_OF(r, 0);
}

static void output_put_fact(PerfDataWriter *w, const char *name, const char *value, size_t max) {
        (void) perf_data_writer_put_fact(w, name, value, MIN_OF(strlen(value), max));
}

static void output_put_number(PerfDataWriter *w, const char *name, uint64_t v) {
        char text[32];

        (void) snprintf(text, sizeof(text), "%" PRIu64, v);
        output_put_fact(w, name, text, sizeof(text));
}

void output_files_put_facts(const OutputFiles *f, PerfDataWriter *w, const DumpOrder *order, const DumpResult *result) {
        _cleanup_free_ char *boot = NULL;

        if (f->session)
                output_put_fact(w, PR_DUMP_XATTR_SESSION, f->session, SIZE_MAX);
        output_put_fact(w, PR_DUMP_XATTR_TRIGGER, order->trigger, SIZE_MAX);
        output_put_fact(w, PR_DUMP_XATTR_DETAIL, order->detail, (size_t) utf8_prefix(order->detail, PR_DUMP_DETAIL_MAX));
        if (order->incident && *order->incident)
                output_put_fact(w, PR_DUMP_XATTR_INCIDENT, order->incident, SIZE_MAX);
        output_put_number(w, PR_DUMP_XATTR_TIMESTAMP, order->timestamp);
        output_put_number(w, PR_DUMP_XATTR_TRIGGERS, order->n_triggers);
        output_put_number(w, PR_DUMP_XATTR_SAMPLES, result->samples);
        output_put_number(w, PR_DUMP_XATTR_LOST, result->lost);
        if (result->lost_records != PR_COUNTERS_UNKNOWN)
                output_put_number(w, PR_DUMP_XATTR_LOST_RECORDS, result->lost_records);
        output_put_number(w, PR_DUMP_XATTR_THROTTLED, result->throttled);
        output_put_number(w, PR_DUMP_XATTR_FIRST, result->first);
        output_put_number(w, PR_DUMP_XATTR_LAST, result->last);
        if (result->lent && *result->lent)
                output_put_fact(w, PR_DUMP_XATTR_LENT, result->lent, SIZE_MAX);
        if (id128_read(BOOT_ID_FILE, &boot) >= 0) /* as sd_id128_get_boot(3) has it */
                output_put_fact(w, PR_DUMP_XATTR_BOOT, boot, ID128_SIZE);
}

char *output_files_describe_lent(const OutputFiles *f, const DumpResult *result, usec_t until) {
        usec_t first = result->first - MIN_OF(result->first, (usec_t) USEC_PER_SEC);

        return f->lendings ? lendings_format(f->lendings, first, MAX_OF(result->last, until)) : NULL;
}

void output_files_put_left_out(PerfDataWriter *w, const LeftOut *l) {
        if (l->mappings == 0)
                return;
        output_put_number(w, PR_DUMP_XATTR_LEFT_OUT_MAPPINGS, l->mappings);
        output_put_number(w, PR_DUMP_XATTR_LEFT_OUT_PROCESSES, l->processes);
}

static char *output_timestamp(const struct timeval *t, char ret[static TIMESTAMP_SIZE]) {
        struct tm tm;
        size_t n;

        localtime_r(&t->tv_sec, &tm);
        n = strftime(ret, TIMESTAMP_SIZE, "%Y%m%d%H%M%S", &tm);
        (void) snprintf(ret + n, TIMESTAMP_SIZE - n, "%02u", (unsigned) t->tv_usec / USEC_PER_HUNDREDTH % 100);
        return ret;
}

static struct timeval output_next_hundredth(struct timeval t) {
        t.tv_usec += USEC_PER_HUNDREDTH;
        if (t.tv_usec >= 1000000) {
                t.tv_usec -= 1000000;
                t.tv_sec++;
        }
        return t;
}

int output_name_new(int dir_fd, const char *base, struct timeval t, char **ret) {
        for (unsigned i = 0; i < TRIES_MAX; i++, t = output_next_hundredth(t)) {
                char timestamp[TIMESTAMP_SIZE];
                _cleanup_free_ char *name = format_text("%s.%s", base, output_timestamp(&t, timestamp));
                struct stat st;

                if (!name)
                        return -ENOMEM;
                if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) >= 0)
                        continue;
                if (errno != ENOENT)
                        return -errno;
                *ret = steal_ptr(name);
                return 0;
        }
        return -EEXIST;
}

int output_files_choose_name(const OutputFiles *f, bool timestamp, char **ret) {
        struct timeval now;

        if (!timestamp) {
                *ret = strdup(f->place.base);
                return *ret ? 0 : -ENOMEM;
        }
        (void) gettimeofday(&now, NULL);
        return output_name_new(f->place.dir_fd, f->place.base, now, ret);
}

int output_files_finish(OutputFiles *f, PerfDataWriter *w, bool timestamp, OutputFinished *ret) {
        int r;

        (void) perf_data_writer_compression(w, &ret->original, &ret->compressed);
        r = file_description_finish(f->description, w, timestamp ? ret->name : NULL, &ret->left_out, &ret->hits);
        if (r < 0)
                return r;
        ret->size = perf_data_writer_file_size(w);
        return 0;
}

int kept_files_add(KeptFiles *f, int dir_fd, const char *name) {
        int r;

        if (f->max == 0)
                return 0;
        r = strv_extend(&f->names, name);
        if (r < 0)
                return r;
        while (strv_length(f->names) > f->max) {
                size_t n = strv_length(f->names);

                if (unlinkat(dir_fd, f->names[0], 0) < 0 && errno != ENOENT)
                        r = -errno;
                (void) symbols_directory_remove(dir_fd, f->names[0]);
                free(f->names[0]);
                memmove(f->names, f->names + 1, n * sizeof(char *));
        }
        return r;
}

void output_files_report(OutputFiles *f, OutputFinished *x, bool timestamp) {
        int r = 0;

        if (x->left_out != 0)
                log_warning("The disk is full: %s/%s lacks header features (mask %#" PRIx64 ")", f->place.dir, x->name,
                            x->left_out);
        if (timestamp)
                r = kept_files_add(&f->kept, f->place.dir_fd, x->name);
        if (r < 0)
                log_warning("An old file could not be removed: %s", strerror(-r));
        counters_add(&f->counters->page->files, 1);
        notifier_send(f->notifier, PR_NOTIFY_OUTPUT "%s/%s", f->place.dir, x->name);
        r = f->symbols && x->hits ? symbol_keeper_order(f->symbols, f->place.dir_fd, x->name, steal_ptr(x->hits)) : 0;
        if (r < 0)
                log_warning("There are no symbols beside %s: %s", x->name, strerror(-r));
}

static bool output_is_temporary_of(const char *name, const char *base) {
        const char *rest = startswith(name, ".#");

        rest = rest ? startswith(rest, base) : NULL;
        return rest && rest[0] == '.' && strlen(rest) == strlen(".xxxxxx") && !strchr(rest + 1, '.');
}

static void output_remove_if_stale(int dir_fd, const char *dir_shown, const char *name) {
        _cleanup_close_ int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
        char size[16];
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
                return;
        if (st.st_mtime + STALE_AGE_MIN > time(NULL) || flock(fd, LOCK_EX | LOCK_NB) < 0)
                return;
        if (unlinkat(dir_fd, name, 0) >= 0 && st.st_size > 0)
                log_warning("A recorder was killed before it finished a file of %s in %s, which is removed now: it can't be read",
                            format_size(size, sizeof(size), (uint64_t) st.st_size), dir_shown);
}

void output_remove_stale(int dir_fd, const char *dir_shown, const char *base) {
        _cleanup_closedir_ DIR *dir = NULL;
        const struct dirent *entry;

        if (open_directory_at(dir_fd, ".", &dir) < 0)
                return;
        while ((entry = readdir(dir)))
                if (output_is_temporary_of(entry->d_name, base))
                        output_remove_if_stale(dir_fd, dir_shown, entry->d_name);
}
