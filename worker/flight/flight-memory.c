/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The files belong to one set of events: each is made for its number of rings, and a new set has new files. The sources that
 * write a file say what it promises to a successor: flight-state.c, sideband-journal.c, history.c. */

#include "flight-memory.h"

#include <fcntl.h>
#include "history-drain.h"

void flight_memory_done(FlightMemory *m) {
        flight_state_free(m->state);
        safe_close(m->state_fd);
        sideband_journal_free(m->journal);
        history_free(m->history);
        count_source_free(m->counted);
        *m = (FlightMemory) FLIGHT_MEMORY_EMPTY;
}

/* Samples that the history committed are still in the rings if the previous recorder was killed right then. */
static int flight_memory_take_history(FlightMemory *m, int fd, EventSet *set) {
        int r = fd < 0 ? -EBADMSG : history_take_over(fd, &m->history);

        if (r < 0)
                return r;
        if (history_options(m->history)->n_rings != flight_memory_positions(set))
                return -EBADMSG;
        history_skip_read(m->history, set);
        return 0;
}

static int flight_memory_take_files(FlightMemory *m, const Takeover *t, EventSet *set, int dir_fd, bool has_history) {
        int flight = takeover_file(t, HANDOVER_FLIGHT), sideband = takeover_file(t, HANDOVER_SIDEBAND), r;

        if (flight < 0 || sideband < 0)
                return -EBADMSG;
        r = flight_state_take_over(flight, flight_memory_positions(set), dir_fd, &m->state);
        if (r < 0)
                return r;
        m->state_fd = fcntl(flight, F_DUPFD_CLOEXEC, 3);
        if (m->state_fd < 0)
                return -errno;
        r = sideband_journal_take_over(sideband, set->n_rings, &m->journal);
        return r >= 0 && has_history ? flight_memory_take_history(m, takeover_file(t, HANDOVER_HISTORY), set) : r;
}

int flight_memory_take_over(FlightMemory *m, const Takeover *t, EventSet *set, int dir_fd, bool has_history) {
        int r = flight_memory_take_files(m, t, set, dir_fd, has_history);

        if (r < 0)
                flight_memory_done(m);
        return r;
}

void flight_memory_files(const FlightMemory *m, int files[static _HANDOVER_FILE_MAX]) {
        files[HANDOVER_FLIGHT] = m->state_fd;
        files[HANDOVER_SIDEBAND] = sideband_journal_fd(m->journal);
        files[HANDOVER_HISTORY] = m->history ? history_fd(m->history) : -EBADF;
}
