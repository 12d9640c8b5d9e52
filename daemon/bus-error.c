/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The one table between errno, which is how everything below the bus says what went wrong, and the names of D-Bus
 * errors. The sentence that explains it is made where the error is found; here it becomes what a D-Bus string may hold. */

#include "bus-error.h"

#include <stdarg.h>

#include <perf-recorder/errors.h>

#include "utf8.h"

#define SENTENCE_MAX 4096 /* bytes */

static const struct {
        int error;
        const char *name;
} errors[] = {
        { ENOENT,       PR_ERROR_NO_SUCH_SESSION },
        { ESRCH,        PR_ERROR_NOT_RUNNING },
        { EALREADY,     PR_ERROR_ALREADY_RUNNING },
        { EBADMSG,      PR_ERROR_BAD_SETTING },
        { EPROTO,       PR_ERROR_RECORDER_FAILED },
        { ETIMEDOUT,    PR_ERROR_TIMEOUT },
        { EBUSY,        PR_ERROR_BUSY },
        { ENOSPC,       PR_ERROR_NO_SPACE },
        { EUSERS,       PR_ERROR_RATE_LIMITED },
        { EINVAL,       SD_BUS_ERROR_INVALID_ARGS },
        { ENOKEY,       SD_BUS_ERROR_INVALID_ARGS },
        { EACCES,       SD_BUS_ERROR_ACCESS_DENIED },
        { EPERM,        SD_BUS_ERROR_ACCESS_DENIED },
        { EKEYREJECTED, SD_BUS_ERROR_INTERACTIVE_AUTHORIZATION_REQUIRED },
        { EMFILE,       SD_BUS_ERROR_LIMITS_EXCEEDED },
        { ENOBUFS,      SD_BUS_ERROR_LIMITS_EXCEEDED },
        { ENOMEM,       SD_BUS_ERROR_NO_MEMORY },
        { EOPNOTSUPP,   SD_BUS_ERROR_NOT_SUPPORTED },
        { EBADR,        SD_BUS_ERROR_UNKNOWN_METHOD },
        { ENXIO,        SD_BUS_ERROR_UNKNOWN_OBJECT },
};

const char *bus_error_name(int error) {
        for (size_t i = 0; i < ELEMENTSOF(errors); i++)
                if (errors[i].error == abs(error))
                        return errors[i].name;
        return SD_BUS_ERROR_FAILED;
}

/* A sentence quotes others: names, settings, what a recorder wrote. */
static char *make_valid(int error, const char *sentence) {
        return utf8_text(sentence ?: strerror(abs(error)), SIZE_MAX, SENTENCE_MAX);
}

int bus_error_set(sd_bus_error *e, int error, const char *sentence) {
        _cleanup_free_ char *text = make_valid(error, sentence);

        (void) sd_bus_error_set(e, bus_error_name(error), text ?: strerror(abs(error)));
        return -abs(error);
}

int bus_error_setf(sd_bus_error *e, int error, const char *format, ...) {
        _cleanup_free_ char *sentence = NULL;
        va_list ap;
        int r;

        va_start(ap, format);
        r = vasprintf(&sentence, format, ap);
        va_end(ap);
        if (r < 0)
                sentence = NULL;
        return bus_error_set(e, error, sentence);
}

int bus_error_reply(sd_bus_message *call, int error, const char *sentence) {
        _cleanup_free_ char *text = make_valid(error, sentence);

        return sd_bus_reply_method_errorf(call, bus_error_name(error), "%s", text ?: strerror(abs(error)));
}

char *bus_error_quote(char *buf, size_t size, const char *text) {
        static const char dots[] = "...";

        if (!utf8_line_to(buf, size, text) && size > 2 * sizeof(dots))
                memcpy(buf + utf8_prefix(buf, (int) (size - sizeof(dots))), dots, sizeof(dots));
        return buf;
}
