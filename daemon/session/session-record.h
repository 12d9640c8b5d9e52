/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "recorder-process.h"

/* What of a session outlives the daemon, as text in a memfd of the descriptor store: KEY=value lines, values with
 * newlines and backslashes escaped, the last line "end=1", without which the text is not whole. */

typedef struct SessionRecord {
        char *name, *error, *control_group, *recorder_error;
        char **assignments; /* of a transient session */
        RecorderPhase phase;
        SessionResult result;
        pid_t pid;
        uint64_t output_position, start_timestamp, settings_hash, lost_told;
        unsigned n_restarts, outstanding;
        int recorder_errno, cannot_write;
        uint64_t cannot_write_since, cannot_write_lost;
        bool announced_stop, is_paused, stop_asked, start_again, transient, hands_over;
} SessionRecord;

int session_record_format(const Session *s, char **ret, size_t *ret_size);
int session_record_parse(char *text, SessionRecord *ret); /* text is taken apart; -EBADMSG */
void session_record_done(SessionRecord *r);
