/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Events that sample memory accesses. Intel's CPUs sample loads that took longer than a threshold, and stores; AMD's sample
 * operations, which may be either. From some of Intel's on, loads need a second event that is sampled before them.
 *
 * Options are those of perf mem record and perf c2c record; options of perf record may stand among them, or behind "--". */

#include "memory-events.h"

#include <unistd.h>

#include "parse-number.h"
#include "strv.h"

#define DEVICES "/sys/bus/event_source/devices/"
#define LATENCY "30" /* cycles; perf's */

typedef enum MemoryEvent {
        MEMORY_LOADS,
        MEMORY_STORES,
        MEMORY_OPERATIONS,
        _MEMORY_EVENT_MAX,
} MemoryEvent;

static const struct {
        const char *name, *path;
} events[_MEMORY_EVENT_MAX] = {
        [MEMORY_LOADS] = { "ldlat-loads", DEVICES "cpu/events/mem-loads" },
        [MEMORY_STORES] = { "ldlat-stores", DEVICES "cpu/events/mem-stores" },
        [MEMORY_OPERATIONS] = { "mem-ldst", DEVICES "ibs_op" },
};

typedef struct MemoryOptions {
        bool chosen[_MEMORY_EVENT_MAX]; /* none: all that are there */
        bool any_chosen, list;
        const char *latency;
} MemoryOptions;

/* Takes an option with a value, which may be in the next argument: then *word moves there. NULL: it is another option. */
static const char *memory_option_value(char ***word, const char *name, char letter) {
        const char *text = **word, *value = startswith(text, name);

        if (value && *value == '=')
                return value + 1;
        if (letter != '\0' && text[0] == '-' && text[1] == letter)
                value = text + 2;
        if (!value || *value)
                return value;
        if (!(*word)[1])
                return "";
        ++*word;
        return **word;
}

static int memory_choose(MemoryOptions *o, const char *name) {
        o->list = streq(name, "list");
        for (unsigned i = 0; i < _MEMORY_EVENT_MAX; i++)
                if (streq(name, events[i].name)) {
                        o->chosen[i] = o->any_chosen = true;
                        return 0;
                }
        if (o->list)
                return 0;
        (void) fprintf(stderr, "There is no event '%s' of memory accesses; it is one of ldlat-loads, ldlat-stores, mem-ldst, "
                       "or list\n", name);
        return -EINVAL;
}

/* Reads the arguments up to the first that is no option, or "--"; the recorder's are added to rest. */
static int memory_read(MemoryOptions *o, char **arguments, bool c2c, char ***rest) {
        char **word = arguments;
        const char *value;
        unsigned cycles;
        int r = 0;

        for (; r >= 0 && word && *word && **word == '-' && !streq(*word, "--"); word++) {
                if ((value = memory_option_value(&word, "--ldlat", c2c ? 'l' : '\0'))) {
                        o->latency = value;
                        if (parse_uint(value, &cycles) < 0) {
                                (void) fprintf(stderr, "--ldlat: not a number of cycles: '%s'\n", value);
                                r = -EINVAL;
                        }
                } else if ((value = memory_option_value(&word, "--event", 'e')))
                        r = memory_choose(o, value);
                else if (streq(*word, c2c ? "-u" : "-U"))
                        r = strv_extend(rest, "--all-user");
                else if (streq(*word, c2c ? "-k" : "-K"))
                        r = strv_extend(rest, "--all-kernel");
                else
                        r = strv_extend(rest, *word);
        }
        if (r >= 0 && word && *word && streq(*word, "--") && word[1] && *word[1] == '-')
                word++; /* options of perf record follow */
        return r < 0 ? r : strv_extend_strv(rest, word);
}

static int memory_add_event(char ***words, MemoryEvent event, const char *latency) {
        if (event == MEMORY_OPERATIONS)
                return strv_extend(words, "--event=ibs_op//");
        if (event == MEMORY_STORES)
                return strv_extend(words, "--event=cpu/mem-stores/P");
        if (access(DEVICES "cpu/events/mem-loads-aux", F_OK) >= 0)
                return strv_extendf(words, "--event={cpu/mem-loads-aux/,cpu/mem-loads,ldlat=%s/}:P", latency);
        return strv_extendf(words, "--event=cpu/mem-loads,ldlat=%s/P", latency);
}

static int memory_add_events(char ***words, const MemoryOptions *o) {
        bool any = false;
        int r = 0;

        for (unsigned i = 0; r >= 0 && i < _MEMORY_EVENT_MAX; i++) {
                bool there = access(events[i].path, F_OK) >= 0;

                if (o->list)
                        (void) printf("%-13s: %s\n", events[i].name, there ? "available" : "not on this machine");
                else if (o->chosen[i] && !there) {
                        (void) fprintf(stderr, "This CPU, or the hypervisor, has no event %s: %s is not there\n", events[i].name,
                                       events[i].path);
                        return -ENODEV;
                } else if (there && (o->chosen[i] || !o->any_chosen)) {
                        r = memory_add_event(words, i, o->latency);
                        any = true;
                }
        }
        if (r < 0 || any || o->list)
                return r < 0 ? r : o->list;
        (void) fprintf(stderr, "This CPU, or the hypervisor, has no events that sample memory accesses: neither mem-loads "
                       "of " DEVICES "cpu nor ibs_op is there\n");
        return -ENODEV;
}

int memory_events_add(char ***words, char **arguments, bool c2c) {
        _cleanup_strv_free_ char **rest = NULL;
        MemoryOptions options = { .latency = LATENCY };
        int r = memory_read(&options, arguments, c2c, &rest);

        if (r >= 0)
                r = strv_extend(words, "-W");
        if (r >= 0)
                r = strv_extend(words, "-d");
        if (r >= 0 && c2c)
                r = strv_extend(words, "--phys-data");
        if (r >= 0 && c2c)
                r = strv_extend(words, "--sample-cpu");
        if (r >= 0)
                r = memory_add_events(words, &options);
        return r != 0 ? r : strv_extend_strv(words, rest);
}
