/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An archive is found from its end: a record with the place of a directory, which has a record for each file, whose bytes are
 * deflated (PKWARE's APPNOTE.TXT). Offsets count from the start of the recording, so that unzip(1) extracts the symbols of it.
 * Larger archives than 4 GiB (ZIP64) are not written, nor read.
 *
 * Invariant: no size that an archive states is believed before as many bytes are there. */

#include "symbols-bundle.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "array.h"
#include "fd-file.h"
#include "format-text.h"

#define FOLDER "symbols/"
#define PIECE ((size_t) 64 << 10)
#define FILES_MAX 65534u
#define END_MAX ((size_t) 65535 + sizeof(EndRecord)) /* with a comment */
#define DIRECTORY_MAX ((size_t) 64 << 20)
#define MEMORY_MAX ((uint64_t) 1 << 30) /* of all files that were opened */
#define FREE_SIZE ((uint32_t) 16 << 20) /* a file above that is at most so many times as large as its deflated bytes */
#define RATIO_MAX 100u

#define LOCAL_MARK UINT32_C(0x04034b50)
#define FILE_MARK  UINT32_C(0x02014b50)
#define END_MARK   UINT32_C(0x06054b50)

#define VERSION 20                   /* 2.0: deflated files */
#define MADE_BY (3 << 8 | VERSION)   /* UNIX: the attributes are a mode */
#define UTF8_NAMES (1u << 11)
#define ENCRYPTED 1u
#define FIRST_DAY (1u << 5 | 1u)     /* of 1980: equal symbols give equal archives */
#define DEFLATED 8u

typedef struct FileFields {
        uint16_t version, flags, method, time, date;
        uint32_t sum, packed, size;
        uint16_t name_size, extra_size;
} __attribute__((packed)) FileFields;

typedef struct LocalRecord {
        uint32_t mark;
        FileFields fields;
} __attribute__((packed)) LocalRecord;

typedef struct FileRecord {
        uint32_t mark;
        uint16_t made_by;
        FileFields fields;
        uint16_t comment_size, disk, internal;
        uint32_t mode, offset;
} __attribute__((packed)) FileRecord;

typedef struct EndRecord {
        uint32_t mark;
        uint16_t disk, first_disk, n_here, n;
        uint32_t size, offset;
        uint16_t comment_size;
} __attribute__((packed)) EndRecord;

typedef struct Packing {
        int fd;
        char *records; /* of the files so far */
        size_t size, allocated, n;
} Packing;

static int bundle_place_of(int fd, uint32_t *ret) {
        off_t place = lseek(fd, 0, SEEK_CUR);

        if (place < 0)
                return -errno;
        if (place >= UINT32_MAX)
                return -EFBIG;
        *ret = (uint32_t) place;
        return 0;
}

/* Deflates what is read to where the file is. */
static int pack_bytes(int to, int from, FileFields *fields) {
        z_stream z = {};
        _cleanup_free_ uint8_t *in = malloc(PIECE), *out = malloc(PIECE);
        uint64_t size = 0, packed = 0;
        uLong sum = crc32(0, NULL, 0);
        ssize_t n = 1;
        int r = 0;

        if (!in || !out || deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
                return -ENOMEM;
        while (r >= 0 && n > 0) {
                n = pread_up_to(from, size, in, PIECE);
                if (n < 0)
                        r = (int) n;
                if (n < 0)
                        break;
                sum = crc32(sum, in, (uInt) n);
                size += (uint64_t) n;
                z.next_in = in;
                z.avail_in = (uInt) n;
                do {
                        z.next_out = out;
                        z.avail_out = PIECE;
                        (void) deflate(&z, n > 0 ? Z_NO_FLUSH : Z_FINISH);
                        packed += PIECE - z.avail_out;
                        r = write_all(to, out, PIECE - z.avail_out);
                } while (r >= 0 && z.avail_out == 0);
                if (size >= UINT32_MAX || packed >= UINT32_MAX)
                        r = -EFBIG;
        }
        (void) deflateEnd(&z);
        fields->sum = (uint32_t) sum;
        fields->size = (uint32_t) size;
        fields->packed = (uint32_t) packed;
        return r;
}

/* The sizes are known behind the bytes, and are written before them then. */
static int pack_file(Packing *p, int from, const char *path) {
        LocalRecord local = {
                .mark = LOCAL_MARK,
                .fields = { .version = VERSION, .flags = UTF8_NAMES, .method = DEFLATED, .date = FIRST_DAY,
                            .name_size = (uint16_t) strlen(path) },
        };
        FileRecord record = { .mark = FILE_MARK, .made_by = MADE_BY, .mode = (uint32_t) (S_IFREG | 0644) << 16 };
        size_t name_size = strlen(path);
        uint32_t place;
        int r = name_size > PATH_MAX ? -ENAMETOOLONG : p->n >= FILES_MAX ? -E2BIG : bundle_place_of(p->fd, &place);

        if (r >= 0)
                r = write_all(p->fd, &local, sizeof(local));
        if (r >= 0)
                r = write_all(p->fd, path, name_size);
        if (r >= 0)
                r = pack_bytes(p->fd, from, &local.fields);
        if (r < 0)
                return r;
        if (pwrite(p->fd, &local, sizeof(local), place) != (ssize_t) sizeof(local))
                return -EIO;
        record.offset = place;
        record.fields = local.fields;
        if (ARRAY_RESERVE(p->records, p->allocated, p->size + sizeof(record) + name_size) < 0)
                return -ENOMEM;
        memcpy(p->records + p->size, &record, sizeof(record));
        memcpy(p->records + p->size + sizeof(record), path, name_size);
        p->size += sizeof(record) + name_size;
        p->n++;
        return 0;
}

/* Takes over directory_fd. path: of its files, with a slash at its end. Links are left out: recorders make none. */
static int pack_directory(Packing *p, int directory_fd, const char *path) {
        _cleanup_closedir_ DIR *d = fdopendir(directory_fd);
        const struct dirent *e;
        int r = 0;

        if (!d) {
                r = -errno;
                (void) close(directory_fd);
                return r;
        }
        while (r >= 0 && (e = readdir(d))) {
                _cleanup_close_ int fd = -EBADF;
                _cleanup_free_ char *name = NULL, *folder = NULL;
                struct stat st;

                if (streq(e->d_name, ".") || streq(e->d_name, ".."))
                        continue;
                fd = openat(dirfd(d), e->d_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
                if (fd < 0 && errno == ELOOP)
                        continue;
                if (fd < 0 || fstat(fd, &st) < 0)
                        return -errno;
                name = format_text("%s%s", path, e->d_name);
                folder = format_text("%s/", name ?: "");
                if (!name || !folder)
                        return -ENOMEM;
                if (S_ISDIR(st.st_mode))
                        r = pack_directory(p, steal_fd(&fd), folder);
                else if (S_ISREG(st.st_mode))
                        r = pack_file(p, fd, name);
        }
        return r;
}

int symbols_bundle_append(int fd, int directory_fd, const void *comment, size_t comment_size) {
        EndRecord end = { .mark = END_MARK, .comment_size = (uint16_t) comment_size };
        Packing p = { .fd = fd };
        uint32_t place = 0;
        int below = comment_size > UINT16_MAX ? -E2BIG : openat(directory_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), r;

        if (below < 0)
                return below == -E2BIG ? below : -errno;
        r = lseek(fd, 0, SEEK_END) < 0 ? -errno : pack_directory(&p, below, FOLDER);
        if (r >= 0)
                r = p.size >= UINT32_MAX ? -EFBIG : bundle_place_of(fd, &place);
        end.offset = place;
        end.n = end.n_here = (uint16_t) p.n;
        end.size = (uint32_t) p.size;
        if (r >= 0)
                r = write_all(fd, p.records, p.size);
        if (r >= 0)
                r = write_all(fd, &end, sizeof(end));
        if (r >= 0 && comment_size > 0)
                r = write_all(fd, comment, comment_size);
        free(p.records);
        return r;
}

typedef struct BundledFile {
        const char *name; /* in the directory, without the folder and without a zero behind it */
        size_t name_size;
        FileRecord record;
        int fd;           /* in memory; negative: it was not opened yet */
} BundledFile;

struct SymbolsBundle {
        int fd;
        char *directory;
        BundledFile *files; /* by their names */
        size_t n;
        uint64_t memory;
};

SymbolsBundle *symbols_bundle_free(SymbolsBundle *b) {
        if (!b)
                return NULL;
        for (size_t i = 0; i < b->n; i++)
                (void) safe_close(b->files[i].fd);
        free(b->files);
        free(b->directory);
        free(b);
        return NULL;
}

/* Finds the record at the end of the file, behind which there is only the comment that it states. -ENODATA: there is none. */
static int find_end(int fd, uint64_t size, EndRecord *ret) {
        size_t n = MIN_OF(size, END_MAX);
        _cleanup_free_ uint8_t *tail = malloc(n + 1);
        int r = tail ? pread_exactly(fd, size - n, tail, n) : -ENOMEM;

        for (size_t left = 0; r >= 0 && left + sizeof(EndRecord) <= n; left++) {
                memcpy(ret, tail + (n - sizeof(EndRecord) - left), sizeof(*ret));
                if (ret->mark == END_MARK && ret->comment_size == left)
                        return 0;
        }
        return r < 0 ? r : -ENODATA;
}

static int bundle_compare_files(const void *a, const void *b) {
        const BundledFile *x = a, *y = b;
        int r = memcmp(x->name, y->name, MIN_OF(x->name_size, y->name_size));

        return r != 0 ? r : (x->name_size > y->name_size) - (x->name_size < y->name_size);
}

/* Other files than those of the folder are no symbols, and those that are stored in another way are not this library's. */
static void bundle_take_record(SymbolsBundle *b, const FileRecord *record, const char *name) {
        const size_t folder = sizeof(FOLDER) - 1;

        if (record->fields.name_size <= folder || memcmp(name, FOLDER, folder) != 0 || record->fields.method != DEFLATED ||
            record->fields.flags & ENCRYPTED)
                return;
        b->files[b->n++] = (BundledFile) {
                .name = name + folder, .name_size = record->fields.name_size - folder, .record = *record, .fd = -EBADF,
        };
}

static int read_directory(SymbolsBundle *b, const EndRecord *end) {
        size_t at = 0;

        b->files = calloc(end->n + 1u, sizeof(*b->files));
        b->directory = malloc(end->size + 1u);
        if (!b->files || !b->directory)
                return -ENOMEM;
        if (pread_exactly(b->fd, end->offset, b->directory, end->size) < 0)
                return -EBADMSG;
        for (unsigned i = 0; i < end->n; i++) {
                FileRecord record;
                size_t rest;

                if (end->size - at < sizeof(record))
                        return -EBADMSG;
                memcpy(&record, b->directory + at, sizeof(record));
                at += sizeof(record);
                rest = (size_t) record.fields.name_size + record.fields.extra_size + record.comment_size;
                if (record.mark != FILE_MARK || end->size - at < rest)
                        return -EBADMSG;
                bundle_take_record(b, &record, b->directory + at);
                at += rest;
        }
        qsort(b->files, b->n, sizeof(*b->files), bundle_compare_files);
        return 0;
}

int symbols_bundle_new(int fd, SymbolsBundle **ret) {
        _cleanup_(symbols_bundle_freep) SymbolsBundle *b = calloc(1, sizeof(*b));
        struct stat st;
        EndRecord end;
        int r;

        if (!b)
                return -ENOMEM;
        b->fd = fd;
        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode) || st.st_size < (off_t) sizeof(end))
                return -ENODATA;
        r = find_end(fd, (uint64_t) st.st_size, &end);
        if (r >= 0)
                r = end.size > DIRECTORY_MAX ? -EBADMSG : read_directory(b, &end);
        if (r < 0)
                return r;
        *ret = steal_ptr(b);
        return 0;
}

/* Inflates the bytes at that place into the file in memory, up to the size that the record states. */
static int unpack_bytes(int from, uint64_t offset, const FileFields *fields, int to) {
        _cleanup_free_ uint8_t *in = malloc(PIECE), *out = malloc(PIECE);
        uint64_t left = fields->packed, size = 0;
        uLong sum = crc32(0, NULL, 0);
        z_stream z = {};
        int state = Z_OK, r = 0;

        if (!in || !out || inflateInit2(&z, -MAX_WBITS) != Z_OK)
                return -ENOMEM;
        while (r >= 0 && state == Z_OK) {
                if (z.avail_in == 0 && left > 0) {
                        ssize_t n = pread_up_to(from, offset, in, MIN_OF(left, PIECE));

                        if (n <= 0)
                                break;
                        z.next_in = in;
                        z.avail_in = (uInt) n;
                        offset += (uint64_t) n;
                        left -= (uint64_t) n;
                }
                z.next_out = out;
                z.avail_out = PIECE;
                state = inflate(&z, Z_NO_FLUSH);
                sum = crc32(sum, out, (uInt) (PIECE - z.avail_out));
                size += PIECE - z.avail_out;
                r = size > fields->size ? -EBADMSG : write_all(to, out, PIECE - z.avail_out);
        }
        (void) inflateEnd(&z);
        return r < 0 ? r : state != Z_STREAM_END || size != fields->size || sum != fields->sum ? -EBADMSG : 0;
}

static int unpack_file(SymbolsBundle *b, BundledFile *f) {
        _cleanup_close_ int fd = -EBADF;
        LocalRecord local;
        int r = pread_exactly(b->fd, f->record.offset, &local, sizeof(local));

        if (r < 0 || local.mark != LOCAL_MARK)
                return -EBADMSG;
        if (f->record.fields.size > MEMORY_MAX - b->memory ||
            (f->record.fields.size > FREE_SIZE && f->record.fields.size / RATIO_MAX > f->record.fields.packed))
                return -EFBIG;
        fd = open_memfd("symbols", 0);
        if (fd < 0)
                return fd;
        b->memory += f->record.fields.size;
        r = unpack_bytes(b->fd, (uint64_t) f->record.offset + sizeof(local) + local.fields.name_size + local.fields.extra_size,
                         &f->record.fields, fd);
        if (r >= 0)
                f->fd = steal_fd(&fd);
        return r;
}

int symbols_bundle_open(SymbolsBundle *b, const char *path) {
        BundledFile key = { .name = path + strspn(path, "/") }, *f;
        int fd, r;

        key.name_size = strlen(key.name);
        f = b->n > 0 ? bsearch(&key, b->files, b->n, sizeof(*b->files), bundle_compare_files) : NULL;
        if (!f)
                return -ENOENT;
        r = f->fd < 0 ? unpack_file(b, f) : 0;
        if (r < 0)
                return r;
        fd = fcntl(f->fd, F_DUPFD_CLOEXEC, 3);
        if (fd < 0 || lseek(fd, 0, SEEK_SET) < 0)
                return -errno;
        return fd;
}
