/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl metrics: prints metrics of the sessions as OpenMetrics text, writes them for node_exporter's textfile collector, which
 * reads the text format of Prometheus, or answers requests of HTTP with the one that each accepts. */

#include <fcntl.h>
#include <sys/stat.h>
#include <systemd/sd-daemon.h>

#include "atomic-file.h"
#include "fd-file.h"
#include "http-server.h"
#include "pager.h"
#include "session-metrics.h"
#include "verbs.h"

#define REQUEST_TIMEOUT (10 * USEC_PER_SEC)
#define IDLE_TIMEOUT (3 * USEC_PER_MINUTE) /* a scraper that comes each minute finds the same process */
#define TYPE_OPENMETRICS "application/openmetrics-text"

static int metrics_make_text(MetricsFormat format, const SessionMetrics *m, char **ret, size_t *ret_size) {
        FILE *f = open_memstream(ret, ret_size);

        if (!f)
                return -ENOMEM;
        session_metrics_write(f, format, m);
        return fclose(f) != 0 ? -ENOMEM : 0;
}

/* The collector reads the file at any moment, as another user whatever our umask is, and the next run replaces it: a power failure
 * may take it. */
static int metrics_write_textfile(const char *path, const SessionMetrics *m) {
        _cleanup_(atomic_file_done) AtomicFile file = ATOMIC_FILE_EMPTY;
        _cleanup_free_ char *text = NULL;
        size_t size = 0;
        int r = metrics_make_text(METRICS_PROMETHEUS, m, &text, &size);

        if (r >= 0)
                r = atomic_file_open(&file, AT_FDCWD, path, 0600);
        if (r < 0)
                return r;
        file.unsynced = true;
        r = write_all(file.fd, text, size);
        if (r < 0)
                return r;
        return fchmod(file.fd, 0644) < 0 ? -errno : atomic_file_commit(&file);
}

typedef struct MetricsScrape {
        const ClientOptions *options;
        char *const *patterns;
} MetricsScrape;

/* The journal gets no line for a scrape: everybody on the machine can make any number of them. */
static int metrics_make_scraped(const MetricsScrape *s, MetricsFormat format, char **ret, size_t *ret_size) {
        _cleanup_(session_metrics_done) SessionMetrics m = {};
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        int r = bus_client_try_open(s->options, &c);

        if (r >= 0)
                r = session_metrics_load(c, s->patterns, &m);
        return r < 0 ? r : metrics_make_text(format, &m, ret, ret_size);
}

static const char unavailable[] = "503 Service Unavailable: perf-recorderd does not answer; see 'systemctl status perf-recorderd'";

/* Returns the status with which the request is refused, or NULL and the metrics as the request wants them. */
static const char *metrics_take(const HttpRequest *request, int error, const MetricsScrape *s, MetricsFormat *format, char **ret,
                                size_t *ret_size) {
        if (error < 0)
                return error == -EFBIG ? "431 Request Header Fields Too Large" : "400 Bad Request";
        if (!streq(request->path, "/metrics"))
                return "404 Not Found";
        if (!streq(request->method, "GET"))
                return "405 Method Not Allowed";
        *format = http_request_header_has(request, "Accept", TYPE_OPENMETRICS) ? METRICS_OPENMETRICS : METRICS_PROMETHEUS;
        return metrics_make_scraped(s, *format, ret, ret_size) < 0 ? unavailable : NULL;
}

static void metrics_answer(FILE *f, const HttpRequest *request, int error, void *userdata) {
        _cleanup_free_ char *text = NULL;
        size_t size = 0;
        MetricsFormat format = METRICS_PROMETHEUS;
        const char *status = metrics_take(request, error, userdata, &format, &text, &size);

        if (status)
                (void) fprintf(f, "HTTP/1.1 %.*s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %zu\r\n"
                               "%sConnection: close\r\n\r\n%s\n", (int) strcspn(status, ":"), status, strlen(status) + 1,
                               startswith(status, "405") ? "Allow: GET\r\n" : "", status);
        else
                (void) fprintf(f, "HTTP/1.1 200 OK\r\nContent-Type: %s; charset=utf-8\r\nContent-Length: %zu\r\n"
                               "Connection: close\r\n\r\n%s",
                               format == METRICS_OPENMETRICS ? TYPE_OPENMETRICS "; version=1.0.0" : "text/plain; version=0.0.4",
                               size, text);
}

static int metrics_serve(const ClientOptions *o, char *const *patterns) {
        MetricsScrape scrape = { .options = o, .patterns = patterns };
        const HttpServer server = {
                .answer = metrics_answer,
                .userdata = &scrape,
                .timeout = REQUEST_TIMEOUT,
                .idle = IDLE_TIMEOUT,
        };
        int n = sd_listen_fds(true), r;

        if (n <= 0) {
                (void) fprintf(stderr, "--http is for perf-recorder-metrics.socket: systemd passes the sockets to listen on\n");
                return STATUS_FAILED;
        }
        r = http_server_run(&server, SD_LISTEN_FDS_START, (size_t) n);
        return r < 0 ? verb_fail("serve metrics", r) : STATUS_OK;
}

int verb_metrics(const ClientOptions *o, char **arguments) {
        _cleanup_(session_metrics_done) SessionMetrics m = {};
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        int r;

        if (o->metrics.http)
                return metrics_serve(o, arguments);
        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        if (session_metrics_load(c, arguments, &m) < 0)
                return bus_client_fail(c, "read metrics");
        if (o->metrics.textfile) {
                r = metrics_write_textfile(o->metrics.textfile, &m);
                return r < 0 ? verb_fail("write the metrics", r) : STATUS_OK;
        }
        pager_open(!o->no_pager);
        session_metrics_write(stdout, METRICS_OPENMETRICS, &m);
        return STATUS_OK;
}
