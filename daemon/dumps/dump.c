/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A dump as its file describes it: the facts that the recorder wrote before the file got its name; without those
 * (perf's files), the name and the inode. Texts are made fit to be shown, whoever wrote them. Files are opened by name
 * in an open directory, and no link is followed.
 *
 * A dump is in use while somebody has it open. Descriptors that the daemon hands out carry a shared flock(2), which
 * lasts until the last copy is closed; for others the kernel is asked for a lease, which it grants only if nobody
 * else has the file open. Removing a file that is being read does not harm the reader, but its symbols would be
 * gone. */

#include "dump.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/xattr.h>
#include <time.h>

#include <perf-recorder/dump-facts.h>

#include "fd-file.h"
#include "file-facts.h"
#include "format-text.h"
#include "parse-number.h"
#include "settings.h"
#include "symbols-directory.h"
#include "utf8.h"

#define NAME_PREFIX "perf.data."
#define STAMP_SIZE (sizeof("YYYYMMDDhhmmssuu") - 1)
#define USEC_PER_HUNDREDTH 10000
#define LENT_MAX (16 * 1024) /* bytes of that fact */

Dump *dump_free(Dump *d) {
        if (!d)
                return NULL;
        free(d->id);
        free(d->session);
        free(d->name);
        free(d->path);
        free(d->trigger);
        free(d->detail);
        free(d->incident);
        free(d->boot_id);
        lendings_done(&d->lent);
        free(d->symbols.path);
        free(d->symbols.files);
        free(d);
        return NULL;
}

bool dump_name_is_valid(const char *name) {
        const char *stamp = startswith(name, NAME_PREFIX);

        return stamp && strlen(stamp) == STAMP_SIZE && strspn(stamp, "0123456789") == STAMP_SIZE;
}

int dump_id_split(const char *id, char **ret_session, char **ret_name) {
        _cleanup_free_ char *session = NULL, *name = NULL;
        size_t n = strlen(id);

        if (n < STAMP_SIZE + 2 || n > SESSION_NAME_MAX + STAMP_SIZE + 1 || id[n - STAMP_SIZE - 1] != '-')
                return -EINVAL;
        session = strndup(id, n - STAMP_SIZE - 1);
        name = format_text(NAME_PREFIX "%s", id + n - STAMP_SIZE);
        if (!session || !name)
                return -ENOMEM;
        if (!dump_name_is_valid(name) || !session_name_is_valid(session))
                return -EINVAL;
        *ret_session = steal_ptr(session);
        *ret_name = steal_ptr(name);
        return 0;
}

/* The local time in the name; 0: none. */
static usec_t time_of_name(const char *name) {
        const char *stamp = name + strlen(NAME_PREFIX);
        struct tm tm = { .tm_isdst = -1 };
        unsigned hundredths;
        time_t t;

        if (sscanf(stamp, "%4d%2d%2d%2d%2d%2d%2u", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec,
                   &hundredths) != 7)
                return 0;
        tm.tm_year -= 1900;
        tm.tm_mon--;
        t = mktime(&tm);
        return t <= 0 ? 0 : (usec_t) t * USEC_PER_SEC + hundredths * USEC_PER_HUNDREDTH;
}

/* "" if there is no such attribute. The value is made one line of text. */
static int read_text(int fd, const char *attribute, char **ret) {
        char value[PR_DUMP_DETAIL_MAX];
        ssize_t n = file_fact_get(fd, attribute, value, sizeof(value));
        char *s;

        s = utf8_line(value, n > 0 ? (size_t) n : 0, SIZE_MAX);
        if (!s)
                return -ENOMEM;
        free(*ret);
        *ret = s;
        return 0;
}

static uint64_t read_number(int fd, const char *attribute, uint64_t otherwise) {
        char value[24];
        ssize_t n = file_fact_get(fd, attribute, value, sizeof(value) - 1);
        uint64_t v;

        if (n <= 0)
                return otherwise;
        value[n] = '\0';
        return parse_uint64(value, &v) < 0 ? otherwise : v;
}

/* A fact that cannot be read is none. */
static int read_lent(int fd, Lendings *ret) {
        _cleanup_free_ char *text = malloc(LENT_MAX + 1);
        ssize_t n = text ? file_fact_get(fd, PR_DUMP_XATTR_LENT, text, LENT_MAX) : -ENOMEM;
        int r;

        if (n <= 0)
                return n == -ENOMEM ? -ENOMEM : 0;
        text[n] = '\0';
        r = lendings_parse(text, ret);
        return r == -ENOMEM ? r : 0;
}

static int read_facts(Dump *d, int fd) {
        usec_t named = time_of_name(d->name);
        uint64_t n;
        int r;

        r = read_text(fd, PR_DUMP_XATTR_TRIGGER, &d->trigger);
        if (r >= 0)
                r = read_text(fd, PR_DUMP_XATTR_DETAIL, &d->detail);
        if (r >= 0)
                r = read_text(fd, PR_DUMP_XATTR_INCIDENT, &d->incident);
        if (r >= 0)
                r = read_text(fd, PR_DUMP_XATTR_BOOT, &d->boot_id);
        if (r >= 0)
                r = read_lent(fd, &d->lent);
        if (r < 0)
                return r;
        if (named == 0)
                named = (usec_t) d->st.st_mtim.tv_sec * USEC_PER_SEC + (usec_t) d->st.st_mtim.tv_nsec / NSEC_PER_USEC;
        d->timestamp = read_number(fd, PR_DUMP_XATTR_TIMESTAMP, named);
        d->first = read_number(fd, PR_DUMP_XATTR_FIRST, 0);
        d->last = read_number(fd, PR_DUMP_XATTR_LAST, 0);
        d->samples = read_number(fd, PR_DUMP_XATTR_SAMPLES, DUMP_UNKNOWN);
        d->lost = read_number(fd, PR_DUMP_XATTR_LOST, DUMP_UNKNOWN);
        d->lost_records = read_number(fd, PR_DUMP_XATTR_LOST_RECORDS, DUMP_UNKNOWN);
        d->throttled = read_number(fd, PR_DUMP_XATTR_THROTTLED, DUMP_UNKNOWN);
        d->left_out_mappings = read_number(fd, PR_DUMP_XATTR_LEFT_OUT_MAPPINGS, 0);
        d->left_out_processes = read_number(fd, PR_DUMP_XATTR_LEFT_OUT_PROCESSES, 0);
        n = read_number(fd, PR_DUMP_XATTR_TRIGGERS, 1);
        d->n_triggers = n > UINT32_MAX ? UINT32_MAX : (unsigned) n;
        return 0;
}

bool dump_has_symbols(const Dump *d) {
        return *d->symbols.path;
}

uint64_t dump_file_usage(const Dump *d) {
        return (uint64_t) d->st.st_blocks * 512;
}

static int find_symbols(Dump *d, int directory_fd) {
        _cleanup_free_ char *name = NULL;
        int parents = (int) (strlen(d->path) - strlen(d->name)), r;

        r = symbols_directory_find(directory_fd, d->name, &name);
        if (r == -ENOMEM)
                return r;
        d->symbols.measured = r < 0;
        d->symbols.path = format_text("%.*s%s", r < 0 ? 0 : parents, d->path, name ?: "");
        if (!d->symbols.path)
                return -ENOMEM;
        return 0;
}

int dump_measure(int directory_fd, Dump *d) {
        _cleanup_free_ char *name = NULL;
        uint64_t bytes, directories;
        TreeFile *files;
        size_t n;
        int r;

        d->symbols.measured = true;
        r = symbols_directory_find(directory_fd, d->name, &name);
        if (r >= 0)
                r = directory_tree_files(directory_fd, name, &bytes, &directories, &files, &n);
        if (r < 0)
                return r;
        d->usage = dump_file_usage(d) + bytes;
        free(d->symbols.files);
        d->symbols.files = files;
        d->symbols.n_files = n;
        d->symbols.directories = directories;
        return 0;
}

static int open_regular(int directory_fd, const char *name, struct stat *ret_st, int *ret_fd) {
        _cleanup_close_ int fd = -EBADF;

        fd = openat(directory_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        if (fstat(fd, ret_st) < 0)
                return -errno;
        if (!S_ISREG(ret_st->st_mode))
                return -EBADFD;
        *ret_fd = steal_fd(&fd);
        return 0;
}

static int name_dump(Dump *d, const char *base, const char *session, const char *name) {
        d->session = strdup(session);
        d->name = strdup(name);
        if (!d->session || !d->name)
                return -ENOMEM;
        d->id = format_text("%s-%s", session, name + strlen(NAME_PREFIX));
        if (!d->id)
                return -ENOMEM;
        d->path = format_text("%s/session-%s/%s", base, session, name);
        if (!d->path)
                return -ENOMEM;
        return 0;
}

int dump_read(int directory_fd, const char *base, const char *session, const char *name, Dump **ret) {
        _cleanup_(dump_freep) Dump *d = NULL;
        _cleanup_close_ int fd = -EBADF;
        int r;

        if (!dump_name_is_valid(name))
                return -EINVAL;
        d = calloc(1, sizeof(Dump));
        if (!d)
                return -ENOMEM;
        r = open_regular(directory_fd, name, &d->st, &fd);
        if (r >= 0)
                r = name_dump(d, base, session, name);
        if (r >= 0)
                r = read_facts(d, fd);
        if (r < 0)
                return r;
        d->size = (uint64_t) d->st.st_size;
        d->usage = dump_file_usage(d);
        r = find_symbols(d, directory_fd);
        if (r < 0)
                return r;
        *ret = steal_ptr(d);
        return 0;
}

void dump_put_reason(int directory_fd, const char *name, const char *trigger, const char *detail) {
        size_t detail_size = MIN_OF(strlen(detail), (size_t) PR_DUMP_DETAIL_MAX);
        _cleanup_close_ int fd = -EBADF, write_fd = -EBADF;
        _cleanup_(file_facts_done) FileFacts facts = {};
        struct stat st = {};

        if (open_regular(directory_fd, name, &st, &fd) < 0 || file_has_facts(fd))
                return;
        if (fsetxattr(fd, PR_DUMP_XATTR_TRIGGER, trigger, strlen(trigger), XATTR_CREATE) >= 0) {
                (void) fsetxattr(fd, PR_DUMP_XATTR_DETAIL, detail, detail_size, XATTR_CREATE);
                return;
        }
        if (errno != ENOTSUP)
                return;
        write_fd = openat(directory_fd, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (write_fd >= 0 && file_facts_add(&facts, PR_DUMP_XATTR_TRIGGER, trigger, strlen(trigger)) >= 0 &&
            file_facts_add(&facts, PR_DUMP_XATTR_DETAIL, detail, detail_size) >= 0)
                (void) file_facts_append(&facts, write_fd);
}

static bool is_same_file(const struct stat *a, const struct stat *b) {
        return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool dump_is_same(const Dump *a, const Dump *b) {
        return is_same_file(&a->st, &b->st) && a->st.st_size == b->st.st_size &&
               a->st.st_mtim.tv_sec == b->st.st_mtim.tv_sec && a->st.st_mtim.tv_nsec == b->st.st_mtim.tv_nsec;
}

static int open_it(int directory_fd, const Dump *d, int *ret_fd) {
        _cleanup_close_ int fd = -EBADF;
        struct stat st = {};
        int r;

        r = open_regular(directory_fd, d->name, &st, &fd);
        if (r < 0)
                return r;
        if (!is_same_file(&st, &d->st))
                return -ESTALE;
        *ret_fd = steal_fd(&fd);
        return 0;
}

/* A file system without locks is no reason to fail. */
int dump_open(int directory_fd, const Dump *d, int *ret_fd) {
        _cleanup_close_ int fd = -EBADF;
        int r;

        r = open_it(directory_fd, d, &fd);
        if (r < 0)
                return r;
        (void) flock(fd, LOCK_SH | LOCK_NB);
        *ret_fd = steal_fd(&fd);
        return 0;
}

int dump_open_symbols(int directory_fd, const Dump *d, int *ret_fd) {
        _cleanup_close_ int file_fd = -EBADF;
        _cleanup_free_ char *name = NULL;
        int r, fd;

        r = open_it(directory_fd, d, &file_fd);
        if (r < 0)
                return r;
        r = symbols_directory_find(directory_fd, d->name, &name);
        if (r < 0)
                return r == -ENOENT ? -ENODATA : r;
        fd = openat(directory_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0)
                return errno == ENOENT ? -ENODATA : -errno;
        *ret_fd = fd;
        return 0;
}

/* If another process opens the file while this one holds the lease, the kernel sends a signal: SIGURG, which is
 * ignored by default. */
bool dump_file_is_used(int fd) {
        if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
                return true;
        if (fcntl(fd, F_SETSIG, SIGURG) < 0)
                return false;
        if (fcntl(fd, F_SETLEASE, F_WRLCK) < 0)
                return errno == EAGAIN;
        (void) fcntl(fd, F_SETLEASE, F_UNLCK);
        return false;
}

/* The file first: if the daemon is killed in between, the symbols belong to no dump and are removed at the next
 * start. */
int dump_remove(int directory_fd, const Dump *d, bool unless_used) {
        _cleanup_close_ int fd = -EBADF;
        int r;

        r = open_it(directory_fd, d, &fd);
        if (r < 0)
                return r;
        if (unless_used && dump_file_is_used(fd))
                return -EBUSY;
        if (unlinkat(directory_fd, d->name, 0) < 0)
                return -errno;
        return symbols_directory_remove(directory_fd, d->name);
}

int dump_remove_symbols(int directory_fd, const Dump *d) {
        _cleanup_close_ int fd = -EBADF;
        int r;

        r = open_it(directory_fd, d, &fd);
        if (r < 0)
                return r;
        return dump_file_is_used(fd) ? -EBUSY : symbols_directory_remove(directory_fd, d->name);
}
