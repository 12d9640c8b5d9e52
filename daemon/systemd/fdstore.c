/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The descriptor store of the service manager. A descriptor comes back with its name only, and several may have the
 * same name, so that a session is stored with one message and removed with one; fdstore_kind() tells the descriptors
 * apart. Names are short ids and not session names, which may have characters that the store refuses.
 *
 * The store has a copy: closing our descriptor changes nothing, and an entry is removed only by fdstore_remove(),
 * or when the service is stopped for good. */

#include <sys/socket.h>
#include <sys/stat.h>
#include <systemd/sd-daemon.h>

#include "array.h"
#include "fdstore.h"
#include "strv.h"

#define ENTRIES_MAX 65536

void fdstore_done(FdStore *s) {
        for (size_t i = 0; i < s->n_entries; i++)
                for (size_t k = 0; k < s->entries[i].n_fds; k++)
                        safe_close(s->entries[i].fds[k]);
        free(s->entries);
        *s = (FdStore){};
}

static FdStoreEntry *find_or_add(FdStore *s, const char *name) {
        for (size_t i = 0; i < s->n_entries; i++)
                if (streq(s->entries[i].name, name))
                        return &s->entries[i];
        if (s->n_entries >= ENTRIES_MAX || strlen(name) >= FDSTORE_NAME_MAX ||
            ARRAY_RESERVE_NEXT(s->entries, s->n_entries) < 0)
                return NULL;
        s->entries[s->n_entries] = (FdStoreEntry){ .fds = { -EBADF, -EBADF, -EBADF, -EBADF } };
        strcpy(s->entries[s->n_entries].name, name);
        return &s->entries[s->n_entries++];
}

int fdstore_restore(FdStore *ret) {
        _cleanup_strv_free_ char **names = NULL;
        FdStore s = {};
        int n;

        n = sd_listen_fds_with_names(true, &names);
        if (n < 0)
                return n;
        for (int i = 0; i < n; i++) {
                FdStoreEntry *e = find_or_add(&s, names[i]);

                if (e && e->n_fds < FDSTORE_ENTRY_FDS)
                        e->fds[e->n_fds++] = SD_LISTEN_FDS_START + i;
                else
                        (void) close(SD_LISTEN_FDS_START + i);
        }
        *ret = s;
        return 0;
}

int fdstore_push(const char *name, const int *fds, size_t n_fds) {
        char text[FDSTORE_NAME_MAX + 32];
        int r;

        if (!getenv("NOTIFY_SOCKET"))
                return 0;
        snprintf(text, sizeof(text), "FDSTORE=1\nFDNAME=%s\nFDPOLL=0", name);
        r = sd_pid_notify_with_fds(0, false, text, fds, (unsigned) n_fds);
        return r < 0 ? r : 0;
}

void fdstore_remove(const char *name) {
        (void) sd_notifyf(false, "FDSTOREREMOVE=1\nFDNAME=%s", name);
}

/* proc(5): the link of an anonymous inode is "anon_inode:[pidfd]" (since 6.9 "pidfd:[inode]"), of a memfd
 * "/memfd:NAME (deleted)". */
FdKind fdstore_kind(int fd, char ret_name[FDSTORE_NAME_MAX]) {
        char path[64], link[256];
        const char *name;
        struct stat st;
        ssize_t n;

        if (fstat(fd, &st) >= 0 && S_ISSOCK(st.st_mode))
                return FD_KIND_SOCKET;
        snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
        n = readlink(path, link, sizeof(link) - 1);
        if (n < 0)
                return FD_KIND_OTHER;
        link[n] = '\0';
        if (startswith(link, "anon_inode:[pidfd]") || startswith(link, "pidfd:"))
                return FD_KIND_PIDFD;
        name = startswith(link, "/memfd:");
        if (!name)
                return FD_KIND_OTHER;
        snprintf(ret_name, FDSTORE_NAME_MAX, "%.*s", (int) strcspn(name, " "), name);
        return FD_KIND_MEMFD;
}
