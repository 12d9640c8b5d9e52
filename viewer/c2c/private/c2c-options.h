/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "name-options.h"
#include "recording-inputs.h"
#include "selection-options.h"

typedef enum C2cDisplay {
        C2C_DISPLAY_TOTAL,
        C2C_DISPLAY_LOCAL,
        C2C_DISPLAY_REMOTE,
        C2C_DISPLAY_PEER,
        _C2C_DISPLAY_MAX,
} C2cDisplay;

typedef enum C2cKey {
        C2C_KEY_PID,
        C2C_KEY_TID,
        C2C_KEY_IADDR,
        C2C_KEY_DSO,
        _C2C_KEY_MAX,
} C2cKey;

typedef enum C2cNodeInfo {
        C2C_NODES,       /* their numbers */
        C2C_NODE_SHARES, /* and of each the shares */
        C2C_NODE_CPUS,   /* and of each the CPUs */
} C2cNodeInfo;

/* Keys tell apart accesses to a line, in the order in which the user named them. */
typedef struct C2cKeys {
        C2cKey keys[_C2C_KEY_MAX];
        size_t n;
} C2cKeys;

typedef struct C2cOptions {
        RecordingNames inputs;
        SelectionOptions select;
        NameOptions names;
        C2cKeys keys;
        C2cDisplay display;
        C2cNodeInfo node_info;
        bool stats, show_all, double_lines, full_symbols, no_source, json, verbose;
} C2cOptions;

const char *c2c_key_word(C2cKey key);
bool c2c_options_have(const C2cOptions *o, C2cKey key);

/* argv[0] is the verb. 0; 1: help was printed; a negative errno after an error was printed. */
int c2c_options_parse(C2cOptions *o, int argc, char **argv);
void c2c_options_done(C2cOptions *o);
