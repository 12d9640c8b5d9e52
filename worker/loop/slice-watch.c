/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* inotify on the root of the control groups and on all slices, which are where systemd puts units. A slice that comes is watched
 * before the change is reported; one that goes takes its watch with it. */

#include "slice-watch.h"

#include <sys/epoll.h>
#include <sys/inotify.h>
#include "cgroup.h"
#include "fd-file.h"
#include "strv.h"

#define WATCHED (IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_ONLYDIR)
#define DELAY (USEC_PER_SEC / 10) /* units that start together are reported together */

struct SliceWatch {
        Loop *loop;
        char *root;
        int fd;
        int timer; /* until the report; -EBADF: there is nothing to report */
        int (*changed)(void *userdata);
        void *userdata;
};

SliceWatch *slice_watch_free(SliceWatch *w) {
        if (!w)
                return NULL;
        loop_remove_timer(w->loop, w->timer);
        loop_remove(w->loop, w->fd);
        safe_close(w->fd);
        free(w->root);
        free(w);
        return NULL;
}

/* Adding a watch again changes nothing. A slice may have come below one that was not watched yet, so all are listed again until
 * there are no more. */
static int slice_watch_add(SliceWatch *w) {
        size_t n = 0, before;

        do {
                _cleanup_strv_free_ char **units = NULL, **slices = NULL;
                int r = cgroup_list_units(w->root, "", &units, &slices);

                if (r < 0)
                        return r;
                STRV_FOREACH(slice, slices) {
                        _cleanup_free_ char *path = path_join(w->root, *slice);

                        if (!path)
                                return -ENOMEM;
                        if (inotify_add_watch(w->fd, path, WATCHED) < 0 && errno != ENOENT)
                                return -errno;
                }
                before = n;
                n = strv_length(slices);
        } while (n > before);
        return 0;
}

static int slice_watch_on_delay(void *userdata, int fd, uint32_t events) {
        SliceWatch *w = userdata;
        int r;

        loop_remove_timer(w->loop, w->timer);
        w->timer = -EBADF;
        r = slice_watch_add(w);
        return r < 0 ? r : w->changed(w->userdata);
}

static int slice_watch_on_change(void *userdata, int fd, uint32_t events) {
        char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
        SliceWatch *w = userdata;

        while (read(fd, buffer, sizeof(buffer)) > 0)
                ;
        if (w->timer < 0)
                w->timer = loop_add_timer(w->loop, DELAY, false, slice_watch_on_delay, w);
        return MIN_OF(w->timer, 0);
}

int slice_watch_new(Loop *loop, const char *root, int (*changed)(void *userdata), void *userdata, SliceWatch **ret) {
        _cleanup_(slice_watch_freep) SliceWatch *w = calloc(1, sizeof(SliceWatch));
        int r;

        if (!w)
                return -ENOMEM;
        *w = (SliceWatch) { .loop = loop, .timer = -EBADF, .changed = changed, .userdata = userdata };
        w->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
        r = w->fd < 0 ? -errno : cgroup_path(root, "", &w->root);
        if (r >= 0)
                r = slice_watch_add(w);
        if (r >= 0)
                r = loop_add(loop, w->fd, EPOLLIN, slice_watch_on_change, w);
        if (r < 0)
                return r;
        *ret = steal_ptr(w);
        return 0;
}
