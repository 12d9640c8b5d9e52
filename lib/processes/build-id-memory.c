/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A remembered build id is used only if the file is no longer available: a file may have been written again in
 * place.
 *
 * An id without a size is not known. Binaries are forgotten only when the caller trims the memory after a dump, and
 * then none that this dump hit. No file is looked at here. */

#include "build-id-memory.h"

#include "array.h"

void build_id_memory_done(BuildIdMemory *m) {
        dso_table_done(&m->dsos);
        free(m->ids);
        *m = (BuildIdMemory) {};
}

int build_id_memory_get(BuildIdMemory *m, const DsoHit *dso, BuildId **ret) {
        size_t allocated = m->allocated;
        uint32_t number;
        int r = dso_table_intern(&m->dsos, dso, &number);

        if (r < 0)
                return r;
        if (ARRAY_RESERVE(m->ids, m->allocated, m->dsos.n) < 0)
                return -ENOMEM;
        memset(m->ids + allocated, 0, (m->allocated - allocated) * sizeof(*m->ids));
        *ret = m->ids + number;
        return 0;
}

int build_id_memory_trim(BuildIdMemory *m, const DsoHit *hits, size_t n) {
        _cleanup_free_ bool *used = NULL;

        if (m->dsos.n - m->dsos.n_spare <= BUILD_ID_MEMORY_MAX)
                return 0;
        used = calloc(m->dsos.n, sizeof(*used));
        if (!used)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                uint32_t number;

                if (dso_table_intern(&m->dsos, hits + i, &number) >= 0 && number < m->allocated)
                        used[number] = true;
        }
        for (size_t i = 0; i < m->dsos.n && i < m->allocated; i++)
                if (!used[i])
                        m->ids[i] = (BuildId) {};
        dso_table_sweep(&m->dsos, used);
        return 0;
}
