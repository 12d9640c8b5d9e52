/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* /proc/TID/comm, see proc_pid_comm(5). */

#include "thread-name.h"

#include <inttypes.h>

#include "format-text.h"
#include "utf8.h"

void thread_name_read(uint32_t tid, char *ret, size_t size) {
        _cleanup_free_ char *path = format_text("/proc/%" PRIu32 "/comm", tid);
        _cleanup_fclose_ FILE *f = path ? fopen(path, "re") : NULL;
        char text[64] = "";

        (void) snprintf(ret, size, "%s", tid == 0 ? "swapper" : ""); /* the idle threads of all CPUs have the id 0 */
        if (!f || !fgets(text, sizeof(text), f))
                return;
        text[strcspn(text, "\n")] = '\0';
        (void) utf8_line_to(ret, size, text);
}
