/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The head of a request is looked at when it is there as a whole. Its lines may end without a carriage return (RFC 9112, 2.2). */

#include "http-request.h"

#include <strings.h>

/* "GET /metrics?x HTTP/1.1" */
int http_request_parse(char *text, size_t size, HttpRequest *ret) {
        char *rest = text, *line, *target;
        const char *method;

        if (strlen(text) < size)
                return -EBADMSG;
        if (!strstr(text, "\n\r\n") && !strstr(text, "\n\n"))
                return -EAGAIN;
        line = strsep(&rest, "\n");
        method = strsep(&line, " ");
        target = strsep(&line, " ");
        if (!target || *target != '/' || !line || !startswith(line, "HTTP/1."))
                return -EBADMSG;
        target[strcspn(target, "?")] = '\0';
        *ret = (HttpRequest) { .method = method, .path = target, .headers = rest };
        return 0;
}

bool http_request_header_has(const HttpRequest *r, const char *name, const char *text) {
        size_t n = strlen(name);

        for (const char *line = r->headers; line && *line != '\n' && *line != '\r'; line = strchr(line, '\n') + 1) {
                const char *found = strncasecmp(line, name, n) == 0 && line[n] == ':' ? strcasestr(line, text) : NULL;

                if (found && found < strchr(line, '\n'))
                        return true;
        }
        return false;
}
