/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Bytes on the control descriptor give the same words in whatever pieces they arrive. */

#include "control-channel.h"
#include "fuzz.h"
#include "trigger-request.h"

typedef struct Heard {
        uint64_t hash;
        size_t count;
} Heard;

static void ask(const char *argument) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        TriggerRequest q;
        int r = trigger_request_parse(argument, &q, &d);

        FUZZ_ASSERT(r == 0 || (r == -EINVAL && d.sentence));
        FUZZ_ASSERT(r < 0 || (*q.id && *q.trigger.request.trigger));
        for (const char *p = q.words.detail; *p; p++)
                FUZZ_ASSERT((unsigned char) *p >= ' ');
}

static int hear(void *userdata, ControlWord word, const char *argument) {
        Heard *h = userdata;

        if (word == _CONTROL_WORD_INVALID)
                return 0;
        FUZZ_ASSERT(word >= 0 && word < _CONTROL_WORD_MAX);
        FUZZ_ASSERT(!argument || (argument[0] && argument[0] != ' ' && strlen(argument) < PR_CONTROL_WORD_MAX));
        if (word == CONTROL_SNAPSHOT && argument)
                ask(argument);
        h->count++;
        h->hash = h->hash * 31 + (uint64_t) word + 1;
        for (const char *p = argument ?: ""; *p; p++)
                h->hash = h->hash * 31 + (unsigned char) *p;
        return 0;
}

static Heard feed(const char *data, size_t size, size_t piece) {
        Heard h = {};
        ControlChannel c = { .fd = -EBADF, .ack_fd = -EBADF, .handler = hear, .userdata = &h };

        for (size_t i = 0; i < size; i += piece)
                FUZZ_ASSERT(control_channel_feed(&c, data + i, MIN_OF(piece, size - i)) == 0);
        return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        Heard whole = feed((const char *) data, size, size + 1), bytes = feed((const char *) data, size, 1),
              pieces = feed((const char *) data, size, 7);

        FUZZ_ASSERT(whole.count == bytes.count && whole.count == pieces.count);
        FUZZ_ASSERT(whole.hash == bytes.hash && whole.hash == pieces.hash);
        return 0;
}
