/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl metrics: prints metrics of the sessions as OpenMetrics text, or writes them for node_exporter's textfile collector, which
 * reads the text format of Prometheus. */

#include <fcntl.h>
#include <sys/stat.h>

#include "atomic-file.h"
#include "fd-file.h"
#include "pager.h"
#include "session-metrics.h"
#include "verbs.h"

/* The collector reads the file at any moment, as another user whatever our umask is, and the next run replaces it: a power failure
 * may take it. */
static int metrics_write_textfile(const char *path, const SessionMetrics *m) {
        _cleanup_(atomic_file_done) AtomicFile file = ATOMIC_FILE_EMPTY;
        _cleanup_free_ char *text = NULL;
        size_t size = 0;
        FILE *f = open_memstream(&text, &size);
        int r;

        if (!f)
                return -ENOMEM;
        session_metrics_write(f, METRICS_PROMETHEUS, m);
        if (fclose(f) != 0)
                return -ENOMEM;
        r = atomic_file_open(&file, AT_FDCWD, path, 0600);
        if (r < 0)
                return r;
        file.unsynced = true;
        r = write_all(file.fd, text, size);
        if (r < 0)
                return r;
        return fchmod(file.fd, 0644) < 0 ? -errno : atomic_file_commit(&file);
}

int verb_metrics(const ClientOptions *o, char **arguments) {
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        _cleanup_(session_metrics_done) SessionMetrics m = {};
        int r = bus_client_open(o, &c);

        if (r < 0)
                return STATUS_FAILED;
        r = session_metrics_load(c, arguments, &m);
        if (r < 0)
                return bus_client_fail(c, "read metrics");
        if (o->metrics.textfile) {
                r = metrics_write_textfile(o->metrics.textfile, &m);
                return r < 0 ? verb_fail("write the metrics", r) : STATUS_OK;
        }
        pager_open(!o->no_pager);
        session_metrics_write(stdout, METRICS_OPENMETRICS, &m);
        return STATUS_OK;
}
