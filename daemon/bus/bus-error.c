/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The only table of the D-Bus names of failures. The sentence that explains a failure is made where the failure is
 * found; here it becomes a valid D-Bus string. */

#include "bus-error.h"

#include <stdarg.h>

#include <perf-recorder/errors.h>

#include "format-text.h"
#include "utf8.h"

#define SENTENCE_MAX (64 * 1024) /* bytes: it may have a line for each of many sessions */

static const char *const error_names[_FAILURE_MAX] = {
        [FAILURE_NONE] = SD_BUS_ERROR_FAILED,
        [FAILURE_NO_SUCH_SESSION] = PR_ERROR_NO_SUCH_SESSION,
        [FAILURE_MASKED] = PR_ERROR_NO_SUCH_SESSION,
        [FAILURE_NO_SUCH_OBJECT] = SD_BUS_ERROR_UNKNOWN_OBJECT,
        [FAILURE_NO_SUCH_METHOD] = SD_BUS_ERROR_UNKNOWN_METHOD,
        [FAILURE_NO_SYMBOLS] = SD_BUS_ERROR_FILE_NOT_FOUND,
        [FAILURE_NOT_RUNNING] = PR_ERROR_NOT_RUNNING,
        [FAILURE_ALREADY_RUNNING] = PR_ERROR_ALREADY_RUNNING,
        [FAILURE_BAD_SETTING] = PR_ERROR_BAD_SETTING,
        [FAILURE_RECORDER] = PR_ERROR_RECORDER_FAILED,
        [FAILURE_TIMEOUT] = PR_ERROR_TIMEOUT,
        [FAILURE_BUSY] = PR_ERROR_BUSY,
        [FAILURE_NO_SPACE] = PR_ERROR_NO_SPACE,
        [FAILURE_NOTHING] = SD_BUS_ERROR_FAILED,
        [FAILURE_RATE_LIMIT] = PR_ERROR_RATE_LIMITED,
        [FAILURE_ARGUMENT] = SD_BUS_ERROR_INVALID_ARGS,
        [FAILURE_ACCESS] = SD_BUS_ERROR_ACCESS_DENIED,
        [FAILURE_AUTHENTICATION] = SD_BUS_ERROR_INTERACTIVE_AUTHORIZATION_REQUIRED,
        [FAILURE_LIMIT] = SD_BUS_ERROR_LIMITS_EXCEEDED,
        [FAILURE_NO_MEMORY] = SD_BUS_ERROR_NO_MEMORY,
        [FAILURE_NOT_SUPPORTED] = SD_BUS_ERROR_NOT_SUPPORTED,
        [FAILURE_OTHER] = SD_BUS_ERROR_FAILED,
};

const char *bus_error_name(Failure f) {
        return error_names[f < _FAILURE_MAX ? f : FAILURE_OTHER];
}

/* A sentence quotes others: names, settings, what a recorder wrote. */
static char *make_valid(Failure f, const char *sentence) {
        return utf8_text(sentence ?: failure_sentence(f), SIZE_MAX, SENTENCE_MAX);
}

int bus_error_set(sd_bus_error *e, Failure f, const char *sentence) {
        _cleanup_free_ char *text = make_valid(f, sentence);
        int r = sd_bus_error_set(e, bus_error_name(f), text ?: failure_sentence(f));

        return r < 0 ? r : -EIO;
}

int bus_error_setf(sd_bus_error *e, Failure f, const char *format, ...) {
        _cleanup_free_ char *sentence = NULL;
        va_list ap;

        va_start(ap, format);
        sentence = format_text_va(format, ap);
        va_end(ap);
        return bus_error_set(e, f, sentence);
}

int bus_error_new_reply(sd_bus_message *call, Failure f, const char *sentence, sd_bus_message **ret) {
        _cleanup_free_ char *text = make_valid(f, sentence);

        return sd_bus_message_new_method_errorf(call, ret, bus_error_name(f), "%s", text ?: failure_sentence(f));
}

int bus_error_reply(sd_bus_message *call, Failure f, const char *sentence) {
        _cleanup_free_ char *text = make_valid(f, sentence);

        return sd_bus_reply_method_errorf(call, bus_error_name(f), "%s", text ?: failure_sentence(f));
}

char *bus_error_quote(char *buf, size_t size, const char *text) {
        static const char dots[] = "...";

        if (!utf8_line_to(buf, size, text) && size > 2 * sizeof(dots))
                memcpy(buf + utf8_prefix(buf, (int) (size - sizeof(dots))), dots, sizeof(dots));
        return buf;
}
