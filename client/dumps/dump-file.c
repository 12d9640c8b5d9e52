/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of recordings, without the service: the facts in them (file-facts.h). Any user may have written these, so one
 * that is too long or not the number it should be counts as missing. */

#include "dump-file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <perf-recorder/dump-facts.h>

#include "dump-lendings.h"
#include "file-facts.h"
#include "parse-number.h"
#include "parse-time.h"
#include "symbols-directory.h"

static const struct {
        const char *attribute, *property;
        bool number;
} facts[] = {
        { PR_DUMP_XATTR_SESSION, "Session", false },       { PR_DUMP_XATTR_TRIGGER, "Trigger", false },
        { PR_DUMP_XATTR_DETAIL, "TriggerDetail", false },  { PR_DUMP_XATTR_TIMESTAMP, "Timestamp", true },
        { PR_DUMP_XATTR_TRIGGERS, "Triggers", true },     { PR_DUMP_XATTR_SAMPLES, "Samples", true },
        { PR_DUMP_XATTR_INCIDENT, "Incident", false },
        { PR_DUMP_XATTR_BOOT, "BootID", false },
        { PR_DUMP_XATTR_LOST, "Lost", true },              { PR_DUMP_XATTR_LOST_RECORDS, "LostRecords", true },
        { PR_DUMP_XATTR_THROTTLED, "Throttled", true },
        { PR_DUMP_XATTR_LEFT_OUT_MAPPINGS, "LeftOutMappings", true },
        { PR_DUMP_XATTR_LEFT_OUT_PROCESSES, "LeftOutProcesses", true },
        { PR_DUMP_XATTR_FIRST, "FirstSampleUsec", true },  { PR_DUMP_XATTR_LAST, "LastSampleUsec", true },
};

/* The symbols of the binaries in its samples are in a directory beside it. */
static int dump_file_set_symbols(json_object *v, const char *path) {
        _cleanup_free_ char *symbols = NULL;
        int r = symbols_directory_find(AT_FDCWD, path, &symbols);

        if (r < 0)
                return r == -ENOMEM ? r : 0;
        return json_set(v, "SymbolsPath", json_new_string(symbols));
}

int dump_file_facts(int fd, const char *path, json_object **ret) {
        _cleanup_(json_object_putp) json_object *v = json_object_new_object(), *lent = NULL;
        char text[PR_DUMP_DETAIL_MAX + 1];
        struct stat st;
        uint64_t number;
        int r;

        if (!v)
                return -ENOMEM;
        if (fstat(fd, &st) < 0)
                return -errno;
        r = json_set(v, "Path", json_new_string(path));
        if (r >= 0)
                r = json_set(v, "Size", json_object_new_uint64((uint64_t) st.st_size));
        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(facts); i++) {
                ssize_t n = file_fact_get(fd, facts[i].attribute, text, sizeof(text) - 1);

                if (n < 0)
                        continue;
                text[n] = '\0';
                if (!facts[i].number)
                        r = json_set(v, facts[i].property, json_new_string(text));
                else if (parse_uint64(text, &number) >= 0)
                        r = json_set(v, facts[i].property, json_object_new_uint64(number));
        }
        if (r >= 0)
                r = dump_lendings_read(fd, &lent);
        r = r == -ENODATA ? 0 : r < 0 ? r : json_set(v, "Lent", steal_ptr(lent));
        if (r >= 0 && !json_get(v, "Timestamp"))
                r = json_set(v, "Timestamp",
                              json_object_new_uint64((uint64_t) st.st_mtim.tv_sec * USEC_PER_SEC +
                                                 (uint64_t) st.st_mtim.tv_nsec / NSEC_PER_USEC));
        if (r >= 0)
                r = dump_file_set_symbols(v, path);
        if (r < 0)
                return r;
        *ret = steal_ptr(v);
        return 0;
}

int dump_file_open(const char *path) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0)
                return -errno;
        if (S_ISDIR(st.st_mode))
                return -EISDIR;
        return S_ISREG(st.st_mode) ? steal_fd(&fd) : -EBADFD;
}
