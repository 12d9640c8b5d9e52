/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* inotify on the directories of control groups: for each group its parent, or the nearest directory above that exists,
 * since a slice is removed with its last unit. An event only says that something has changed; the group's inode says
 * what, since each new directory has another one (kernfs counts them up). So a group that was replaced before it is
 * looked at is noticed too. */

#include "cgroup-watch.h"

#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include "cgroup.h"
#include "strv.h"

#define WATCHED (IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVED_TO | IN_MOVED_FROM | IN_ONLYDIR)

typedef struct WatchedGroup {
        const char *name; /* borrowed */
        char *path;
        uint64_t inode;   /* 0: it does not exist */
} WatchedGroup;

struct CGroupWatch {
        Loop *loop;
        int fd;
        CGroupWatchHandlers handlers;
        WatchedGroup *groups;
        size_t n_groups;
};

CGroupWatch *cgroup_watch_free(CGroupWatch *w) {
        if (!w)
                return NULL;
        loop_remove(w->loop, w->fd);
        safe_close(w->fd);
        for (size_t i = 0; i < w->n_groups; i++)
                free(w->groups[i].path);
        free(w->groups);
        free(w);
        return NULL;
}

static uint64_t path_inode(const char *path) {
        struct stat st;

        return stat(path, &st) >= 0 ? st.st_ino : 0;
}

/* Adding a watch again changes nothing, and the kernel removes those of removed directories. */
static int group_watch_above(const CGroupWatch *w, const WatchedGroup *g) {
        _cleanup_free_ char *path = strdup(g->path);
        char *slash;

        if (!path)
                return -ENOMEM;
        while ((slash = strrchr(path, '/')) && slash > path) {
                *slash = '\0';
                if (inotify_add_watch(w->fd, path, WATCHED) >= 0)
                        return 0;
                if (errno != ENOENT)
                        return -errno;
        }
        return -ENOENT;
}

/* The watch comes first, so that a change after the look is reported again. */
static int group_look(CGroupWatch *w, WatchedGroup *g) {
        uint64_t before = g->inode;
        int r = group_watch_above(w, g);

        if (r < 0)
                return r;
        g->inode = path_inode(g->path);
        if (g->inode == before)
                return 0;
        if (before != 0)
                r = w->handlers.gone(w->handlers.userdata, g->name);
        if (r >= 0 && g->inode != 0)
                r = w->handlers.come(w->handlers.userdata, g->name);
        return r;
}

int cgroup_watch_look(CGroupWatch *w) {
        int r = 0;

        for (size_t i = 0; i < w->n_groups && r >= 0; i++)
                r = group_look(w, &w->groups[i]);
        return r;
}

static int cgroup_watch_on_change(void *userdata, int fd, uint32_t events) {
        char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));

        while (read(fd, buffer, sizeof(buffer)) > 0)
                ;
        return cgroup_watch_look(userdata);
}

static int cgroup_watch_add(CGroupWatch *w, const char *root, const char *name, const uint64_t *inode) {
        WatchedGroup g = { .name = name };
        int r = cgroup_path(root, name, &g.path);

        if (r < 0)
                return r;
        w->groups[w->n_groups++] = g;
        r = group_watch_above(w, &g);
        w->groups[w->n_groups - 1].inode = inode ? *inode : path_inode(g.path);
        return r;
}

int cgroup_watch_new(Loop *loop, const char *root, char *const *names, const uint64_t *inodes, const CGroupWatchHandlers *handlers,
                     CGroupWatch **ret) {
        _cleanup_(cgroup_watch_freep) CGroupWatch *w = calloc(1, sizeof(CGroupWatch));
        int r;

        if (!w)
                return -ENOMEM;
        w->loop = loop;
        w->handlers = *handlers;
        w->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
        if (w->fd < 0)
                return -errno;
        w->groups = calloc(strv_length(names) + 1, sizeof(WatchedGroup));
        if (!w->groups)
                return -ENOMEM;
        STRV_FOREACH(name, names) {
                r = cgroup_watch_add(w, root, *name, inodes ? &inodes[name - names] : NULL);
                if (r < 0)
                        return r;
        }
        r = loop_add(loop, w->fd, EPOLLIN, cgroup_watch_on_change, w);
        if (r < 0)
                return r;
        *ret = steal_ptr(w);
        return 0;
}
