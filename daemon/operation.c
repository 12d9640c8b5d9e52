/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An operation counts the sessions that have joined and not left yet, and one more for whoever has not sealed it. When
 * the count is down to nothing, the callback is called and the operation is gone: nobody else frees it. The first
 * failure is kept; a failure without memory for its sentence is told without one.
 *
 * It knows nothing about sessions; waiting and its end are theirs. */

#include "operation.h"

struct Operation {
        OperationDone done;
        void *userdata;
        size_t n_pending;
        int error;
        char *sentence;
};

int operation_new(OperationDone done, void *userdata, Operation **ret) {
        Operation *o = calloc(1, sizeof(Operation));

        if (!o)
                return -ENOMEM;
        *o = (Operation){ .done = done, .userdata = userdata, .n_pending = 1 };
        *ret = o;
        return 0;
}

static void operation_drop(Operation *o) {
        if (--o->n_pending > 0)
                return;
        o->done(o->error, o->sentence, o->userdata);
        free(o->sentence);
        free(o);
}

void operation_join(Operation *o) {
        o->n_pending++;
}

void operation_leave(Operation *o, int error, const char *sentence) {
        if (error < 0 && o->error == 0) {
                o->error = error;
                o->sentence = sentence ? strdup(sentence) : NULL;
        }
        operation_drop(o);
}

void operation_seal(Operation *o) {
        operation_drop(o);
}
