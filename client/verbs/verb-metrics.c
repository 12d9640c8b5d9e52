/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl metrics: prints metrics of the sessions as OpenMetrics text, writes them for node_exporter's textfile collector, which
 * reads the text format of Prometheus, or answers a request of HTTP with the one that it accepts. */

#include <fcntl.h>
#include <sys/stat.h>

#include "atomic-file.h"
#include "fd-file.h"
#include "http-request.h"
#include "pager.h"
#include "session-metrics.h"
#include "verbs.h"

#define REQUEST_TIMEOUT (10 * USEC_PER_SEC)
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

typedef struct HttpStatus {
        const char *text; /* the code and the reason */
        const char *headers;
} HttpStatus;

static const HttpStatus http_ok = { "200 OK", "" };
static const HttpStatus http_bad = { "400 Bad Request", "" };
static const HttpStatus http_not_found = { "404 Not Found", "" };
static const HttpStatus http_not_allowed = { "405 Method Not Allowed", "Allow: GET\r\n" };
static const HttpStatus http_late = { "408 Request Timeout", "" };
static const HttpStatus http_too_large = { "431 Request Header Fields Too Large", "" };
static const HttpStatus http_unavailable = { "503 Service Unavailable", "" };

static void http_answer(const HttpStatus *s, const char *type, const char *text, size_t size) {
        (void) printf("HTTP/1.1 %s\r\nContent-Type: %s; charset=utf-8\r\nContent-Length: %zu\r\n%sConnection: close\r\n\r\n",
                      s->text, type, size, s->headers);
        (void) fwrite(text, 1, size, stdout);
}

/* NULL: the peer has gone without a request, and there is nobody to answer. */
static const HttpStatus *http_take(HttpRequest *request) {
        int r = http_request_read(STDIN_FILENO, REQUEST_TIMEOUT, request);

        if (r < 0)
                return r == -ENODATA ? NULL : r == -ETIMEDOUT ? &http_late : r == -EFBIG ? &http_too_large : &http_bad;
        if (!streq(request->path, "/metrics"))
                return &http_not_found;
        return streq(request->method, "GET") ? &http_ok : &http_not_allowed;
}

static int metrics_load(const ClientOptions *o, char *const *patterns, SessionMetrics *ret) {
        _cleanup_(bus_client_freep) BusClient *c = NULL;

        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        return session_metrics_load(c, patterns, ret) < 0 ? bus_client_fail(c, "read metrics") : STATUS_OK;
}

/* A wrong request is the fault of who sent it, and answering it is all that there is to do. */
static int metrics_serve(const ClientOptions *o, char *const *patterns) {
        _cleanup_(session_metrics_done) SessionMetrics m = {};
        _cleanup_(http_request_done) HttpRequest request = {};
        _cleanup_free_ char *text = NULL;
        const HttpStatus *answer = http_take(&request);
        int status = STATUS_OK;
        MetricsFormat format = METRICS_PROMETHEUS;
        size_t size = 0;

        if (!answer)
                return STATUS_OK;
        if (answer == &http_ok) {
                format = http_request_header_has(&request, "Accept", TYPE_OPENMETRICS) ? METRICS_OPENMETRICS : METRICS_PROMETHEUS;
                status = metrics_load(o, patterns, &m);
                if (status == STATUS_OK && metrics_make_text(format, &m, &text, &size) < 0)
                        status = verb_fail("make the metrics", -ENOMEM);
                answer = status == STATUS_OK ? answer : &http_unavailable;
        }
        if (answer != &http_ok)
                http_answer(answer, "text/plain", answer->text, strlen(answer->text));
        else if (format == METRICS_OPENMETRICS)
                http_answer(answer, TYPE_OPENMETRICS "; version=1.0.0", text, size);
        else
                http_answer(answer, "text/plain; version=0.0.4", text, size);
        return status;
}

int verb_metrics(const ClientOptions *o, char **arguments) {
        _cleanup_(session_metrics_done) SessionMetrics m = {};
        int r;

        if (o->metrics.http)
                return metrics_serve(o, arguments);
        r = metrics_load(o, arguments, &m);
        if (r != STATUS_OK)
                return r;
        if (o->metrics.textfile) {
                r = metrics_write_textfile(o->metrics.textfile, &m);
                return r < 0 ? verb_fail("write the metrics", r) : STATUS_OK;
        }
        pager_open(!o->no_pager);
        session_metrics_write(stdout, METRICS_OPENMETRICS, &m);
        return STATUS_OK;
}
