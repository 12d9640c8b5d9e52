/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Data that comes is tried again at most once a second and only when some room beyond it shows: the last block of a file
 * takes a few more bytes on the fullest disk, which would look like its end. */

#include "output-space.h"

#include <inttypes.h>
#include <perf-recorder/notify-fields.h>
#include <sys/statvfs.h>
#include "log.h"

#define RETRY_USEC USEC_PER_SEC
#define ROOM_MIN (UINT64_C(256) * 1024) /* bytes free beyond what is to be written, for "there is space again" */

bool output_space_is_lacking(int r) {
        return r == -ENOSPC || r == -EDQUOT || r == -EFBIG || r == -EIO;
}

void output_space_lacks(OutputSpace *s, int r) {
        s->try_again = now_usec(CLOCK_MONOTONIC) + RETRY_USEC;
        if (s->full)
                return;
        s->full = true;
        s->dropped = 0;
        log_error("failed to write perf data, error: %s; samples are dropped until there is space", strerror(-r));
        notifier_send(s->notifier, PR_NOTIFY_NO_SPACE "%d\n" PR_NOTIFY_STATUS "No space: samples are dropped", -r);
}

void output_space_is_back(OutputSpace *s) {
        if (!s->full)
                return;
        s->full = false;
        log_warning("writing perf data again, %" PRIu64 " samples were dropped", s->dropped);
        notifier_send(s->notifier, PR_NOTIFY_NO_SPACE "0\n" PR_NOTIFY_STATUS "Recording");
}

bool output_space_may_be_back(OutputSpace *s, int fd, const struct iovec *segments, size_t n_segments) {
        uint64_t wanted = ROOM_MIN;
        struct statvfs st;

        if (now_usec(CLOCK_MONOTONIC) < s->try_again)
                return false;
        s->try_again = now_usec(CLOCK_MONOTONIC) + RETRY_USEC;
        for (size_t i = 0; i < n_segments; i++)
                wanted += segments[i].iov_len;
        return fstatvfs(fd, &st) < 0 || (uint64_t) st.f_bavail * st.f_frsize >= wanted;
}
