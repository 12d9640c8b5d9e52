/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words and letters are perf c2c's, where it has the option. */

#include "c2c-options.h"

#include "array.h"
#include "c2c-report-rows.h"

static const char *const display_words[_C2C_DISPLAY_MAX] = {
        [C2C_DISPLAY_TOTAL] = "tot", [C2C_DISPLAY_LOCAL] = "lcl", [C2C_DISPLAY_REMOTE] = "rmt", [C2C_DISPLAY_PEER] = "peer",
};

static const char *const key_words[_C2C_KEY_MAX] = {
        [C2C_KEY_PID] = "pid", [C2C_KEY_TID] = "tid", [C2C_KEY_IADDR] = "iaddr", [C2C_KEY_DSO] = "dso",
};

const char *c2c_key_word(C2cKey key) {
        return key_words[key];
}

bool c2c_options_have(const C2cOptions *o, C2cKey key) {
        return ANY_OF(o->keys.n, i, o->keys.keys[i] == key);
}

static int c2c_take_display(void *field, const ViewOption *option, const char *value) {
        for (unsigned i = 0; i < _C2C_DISPLAY_MAX; i++)
                if (streq(value, display_words[i])) {
                        *(C2cDisplay *) field = i;
                        return 0;
                }
        return option_fail(option->name, value, "not one of tot, lcl, rmt, peer");
}

static int c2c_add_key(void *userdata, const char *word) {
        C2cOptions *o = userdata;

        for (unsigned i = 0; i < _C2C_KEY_MAX; i++)
                if (streq(word, key_words[i])) {
                        if (!c2c_options_have(o, i))
                                o->keys.keys[o->keys.n++] = i;
                        return 0;
                }
        return -EINVAL;
}

static int c2c_take_coalesce(void *options, const ViewOption *option, const char *value) {
        ((C2cOptions *) options)->keys.n = 0;
        return option_list_parse(option->name, value, c2c_add_key, options);
}

static int c2c_take_node_info(void *field, const ViewOption *option, const char *value) {
        C2cNodeInfo *info = field;

        *info = *info == C2C_NODES ? C2C_NODE_SHARES : C2C_NODE_CPUS;
        return 0;
}

static const ViewOption report_rows[] = { C2C_REPORT_ROWS };

static const ViewVerb report_verb = {
        .synopsis = "c2c report [OPTION...]",
        .purpose = "Show cache lines for which cores compete, and which code of which threads accesses them, as perf c2c\n"
                   "report does.",
        .options = report_rows, .n = ELEMENTSOF(report_rows),
};

int c2c_options_parse(C2cOptions *o, int argc, char **argv) {
        int r;

        *o = (C2cOptions) { .keys = { .keys = { C2C_KEY_IADDR }, .n = 1 }, .names = { .plain_addresses = true } };
        r = view_options_parse(&report_verb, o, argc, argv);
        return r == 0 ? recording_names_complete(&o->inputs) : r;
}

void c2c_options_done(C2cOptions *o) {
        free(o->inputs.names);
        selection_options_done(&o->select);
        name_options_done(&o->names);
        *o = (C2cOptions) {};
}
