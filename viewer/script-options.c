/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words, their abbreviations and defaults are perf script's. */

#include "script-options.h"

#include <getopt.h>

#include "option-list.h"
#include "parse-number.h"
#include "strv.h"

#define MAX_STACK 127u /* PERF_MAX_STACK_DEPTH */
#define MAX_STACK_MAX 65536u

/* The order of OPTION_SHOW_… is that of ScriptRecords. */
enum { OPTION_INPUT_NAME = 0x100, OPTION_SYMFS, OPTION_HEADER, OPTION_HEADER_ONLY, OPTION_NS, OPTION_RELTIME, OPTION_DELTATIME,
       OPTION_MAX_STACK, OPTION_DSOS, OPTION_JSON, OPTION_INLINE, OPTION_NO_INLINE, OPTION_SHOW_TASKS, OPTION_SHOW_MAPS,
       OPTION_SHOW_SWITCHES, OPTION_SHOW_NAMESPACES, OPTION_SHOW_CGROUPS, OPTION_SHOW_LOST, OPTION_SHOW_BPF, OPTION_SHOW_TEXT_POKE,
       OPTION_SHOW_ROUNDS, OPTION_STOP_BT, OPTION_FULL_SOURCE_PATH, OPTION_SWITCH_ON, OPTION_SWITCH_OFF, OPTION_SHOW_ON_OFF };

static const struct option long_options[] = {
        { "input", required_argument, NULL, 'i' },
        { "input-name", required_argument, NULL, OPTION_INPUT_NAME },
        { "symfs", required_argument, NULL, OPTION_SYMFS },
        { "fields", required_argument, NULL, 'F' },
        { "dump-raw-trace", no_argument, NULL, 'D' },
        { "json", no_argument, NULL, OPTION_JSON },
        { "header", no_argument, NULL, OPTION_HEADER },
        { "header-only", no_argument, NULL, OPTION_HEADER_ONLY },
        { "show-info", no_argument, NULL, 'I' },
        { "hide-call-graph", no_argument, NULL, 'G' },
        { "max-stack", required_argument, NULL, OPTION_MAX_STACK },
        { "ns", no_argument, NULL, OPTION_NS },
        { "reltime", no_argument, NULL, OPTION_RELTIME },
        { "deltatime", no_argument, NULL, OPTION_DELTATIME },
        { "Latency", no_argument, NULL, 'L' },
        { "comms", required_argument, NULL, 'c' },
        { "dsos", required_argument, NULL, OPTION_DSOS },
        { "symbols", required_argument, NULL, 'S' },
        SELECTION_ROWS,
        NAME_ROWS,
        { "plain-addresses", no_argument, NULL, NAME_PLAIN_ADDRESSES },
        { "show-task-events", no_argument, NULL, OPTION_SHOW_TASKS },
        { "show-mmap-events", no_argument, NULL, OPTION_SHOW_MAPS },
        { "show-switch-events", no_argument, NULL, OPTION_SHOW_SWITCHES },
        { "show-namespace-events", no_argument, NULL, OPTION_SHOW_NAMESPACES },
        { "show-cgroup-events", no_argument, NULL, OPTION_SHOW_CGROUPS },
        { "show-lost-events", no_argument, NULL, OPTION_SHOW_LOST },
        { "show-bpf-events", no_argument, NULL, OPTION_SHOW_BPF },
        { "show-text-poke-events", no_argument, NULL, OPTION_SHOW_TEXT_POKE },
        { "show-round-events", no_argument, NULL, OPTION_SHOW_ROUNDS },
        { "stop-bt", required_argument, NULL, OPTION_STOP_BT },
        { "full-source-path", no_argument, NULL, OPTION_FULL_SOURCE_PATH },
        { "switch-on", required_argument, NULL, OPTION_SWITCH_ON },
        { "switch-off", required_argument, NULL, OPTION_SWITCH_OFF },
        { "show-on-off-events", no_argument, NULL, OPTION_SHOW_ON_OFF },
        { "force", no_argument, NULL, 'f' },
        { "inline", no_argument, NULL, OPTION_INLINE },
        { "no-inline", no_argument, NULL, OPTION_NO_INLINE },
        { "verbose", no_argument, NULL, 'v' },
        { "help", no_argument, NULL, 'h' },
        {},
};

static void print_help(void) {
        (void) printf("perf-recorder-view script [OPTION...]\n\n"
                      "Show every sample of a recording in the order of time, as perf script does.\n\n"
                      "  -i --input=FILE              The recording, or - for standard input (perf.data);\n"
                      "                               several: all of them, in the order of time\n"
                      "     --input-name=NAME         What messages call it\n"
                      "     --symfs=DIRECTORY         The directory of its symbols (the one beside it)\n"
                      "  -F --fields=[TYPE:]FIELD[,…] Show these, or +FIELD, -FIELD: also, not. Fields: comm, tid,\n"
                      "                               pid, time, cpu, event, trace, ip, sym, dso, addr, symoff,\n"
                      "                               period, iregs, uregs, weight, bpf-output, phys_addr,\n"
                      "                               misc, tod, data_page_size, code_page_size, ins_lat,\n"
                      "                               flags, cgroup, srcline, brstack, brstacksym,\n"
                      "                               brstackoff, dsoff, data_src, retire_lat, insn,\n"
                      "                               insnlen, disasm, ipc, synth, machine_pid, vcpu;\n"
                      "                               types of events: hw, sw, trace, raw, break, synth\n"
                      "  -D --dump-raw-trace          Show only the bytes of all records, and what they mean\n"
                      "     --json                    Show each sample as an object of JSON on a line\n"
                      "     --header                  Show the header of the recording first\n"
                      "     --header-only             Show nothing else\n"
                      "  -I --show-info               Show tables of CPUs, caches and memory in the header\n"
                      "  -G --hide-call-graph         Show no call chains\n"
                      "     --max-stack=NUMBER        Show at most that many addresses of a call chain (127)\n"
                      "     --stop-bt=NAME[,NAME...]  Show no callers of these functions\n"
                      "     --full-source-path        Show whole paths of files of the source\n"
                      "     --switch-on=EVENT         Only from the first sample of this event on\n"
                      "     --switch-off=EVENT        Only up to the next sample of this event\n"
                      "     --show-on-off-events      Show the samples of these two, too\n"
                      "     --ns                      Show nanoseconds\n"
                      "     --reltime                 Show times since the first line\n"
                      "     --deltatime               Show times since the line before\n"
                      "  -L --Latency                 Show threads and CPUs for short\n"
                      "  -c --comms=NAME[,NAME...]    Only threads with these names\n"
                      "     --dsos=NAME[,NAME...]     Only samples in these binaries\n"
                      "  -S --symbols=NAME[,NAME...]  Only samples in these functions\n"
                      SELECTION_HELP
                      NAME_HELP
                      "     --plain-addresses         Show code without symbols by its addresses, and not\n"
                      "                               by the starts of its functions, and do not mark\n"
                      "                               call chains that are cut off\n"
                      "     --show-task-events        Show threads that begin, are named, and end\n"
                      "     --show-mmap-events        Show files that are mapped\n"
                      "     --show-switch-events      Show switches between threads\n"
                      "     --show-namespace-events   Show namespaces of processes\n"
                      "     --show-cgroup-events      Show control groups\n"
                      "     --show-lost-events        Show how many records were lost\n"
                      "     --show-bpf-events         Show code that is added to the kernel\n"
                      "     --show-text-poke-events   Show changes of the kernel's own code\n"
                      "     --show-round-events       Show the ends of rounds, up to which all is in order\n"
                      "     --inline                  Show inlined functions in call chains\n"
                      "     --no-inline               Do not: the default\n"
                      "  -v --verbose                 Report on the sandbox\n"
                      "  -f --force                   Accepted: this is always so\n");
}

static int parse_max_stack(ScriptOptions *o, const char *value) {
        unsigned n;

        if (parse_uint(value, &n) < 0 || n > MAX_STACK_MAX)
                return option_fail("max-stack", value, "not a number of addresses up to 65536");
        o->style.max_stack = n;
        return 0;
}

static int take_stop(void *userdata, const char *word) {
        return strv_extend(userdata, word);
}

/* Options that say how lines look. */
static int take_style(ScriptOptions *o, int option) {
        switch (option) {
        case 'F':
                return script_fields_parse(&o->fields, optarg);
        case 'G':
                o->style.chains = false;
                return 0;
        case 'L':
                o->style.latency = true;
                return 0;
        case OPTION_MAX_STACK:
                return parse_max_stack(o, optarg);
        case OPTION_STOP_BT:
                return option_list_parse("stop-bt", optarg, take_stop, &o->style.stop);
        case OPTION_NS:
                o->style.nanoseconds = true;
                return 0;
        case OPTION_RELTIME:
                o->style.relative = true;
                return 0;
        case OPTION_DELTATIME:
                o->style.delta = true;
                return 0;
        case OPTION_DSOS:
                return selection_options_take(&o->select, 'd', optarg);
        default:
                if (option >= OPTION_SHOW_TASKS && option <= OPTION_SHOW_ROUNDS) {
                        o->records |= 1u << (option - OPTION_SHOW_TASKS);
                        return 0;
                }
                return selection_options_take(&o->select, option, optarg); /* getopt_long() printed what is none */
        }
}

/* Options that say which samples are shown between others. */
static int take_switch(ScriptOptions *o, int option) {
        switch (option) {
        case OPTION_SWITCH_ON:
                o->on = optarg;
                return 0;
        case OPTION_SWITCH_OFF:
                o->off = optarg;
                return 0;
        case OPTION_SHOW_ON_OFF:
                o->show_on_off = true;
                return 0;
        default:
                return take_style(o, option);
        }
}

static int take_option(ScriptOptions *o, int option) {
        int r;

        switch (option) {
        case 'i':
                return recording_names_take(&o->inputs, optarg, NULL, NULL);
        case OPTION_INPUT_NAME:
                return recording_names_take(&o->inputs, NULL, optarg, NULL);
        case OPTION_SYMFS:
                return recording_names_take(&o->inputs, NULL, NULL, optarg);
        case OPTION_HEADER:
                o->header = true;
                return 0;
        case 'D':
                o->dump = true;
                return 0;
        case OPTION_JSON:
                o->json = true;
                return 0;
        case OPTION_HEADER_ONLY:
                o->header = o->header_only = true;
                return 0;
        case 'I':
                o->header_full = true;
                return 0;
        case 'v':
                o->verbose = true;
                return 0;
        case OPTION_INLINE:
        case OPTION_NO_INLINE:
                o->inlined = option == OPTION_INLINE;
                return 0;
        case OPTION_FULL_SOURCE_PATH:
                o->full_source_path = true;
                return 0;
        case 'f':
                return 0;
        case 'h':
                print_help();
                return 1;
        default:
                r = name_options_take(&o->names, option, optarg);
                return r != 0 ? MIN_OF(r, 0) : take_switch(o, option);
        }
}

int script_options_parse(ScriptOptions *options, int argc, char **argv) {
        int option, r = 0;

        *options = (ScriptOptions) { .style = { .chains = true, .max_stack = MAX_STACK } };
        script_fields_init(&options->fields);
        optind = 0;
        while (r == 0 && (option = getopt_long(argc, argv, "i:F:DIGLc:S:C:u:k:fvh", long_options, NULL)) >= 0)
                r = take_option(options, option);
        if (r == 0 && optind < argc) {
                (void) fprintf(stderr, "Excess argument: '%s'\n", argv[optind]);
                r = -EINVAL;
        }
        if (r == 0 && options->json &&
            (options->header || options->records != 0 || options->style.relative || options->style.delta)) {
                (void) fprintf(stderr, "--json has samples with their own times only, and goes with none of --header, "
                                       "--show-...-events, --reltime and --deltatime\n");
                r = -EINVAL;
        }
        if (r == 0 && options->show_on_off && !options->on && !options->off) {
                (void) fprintf(stderr, "--show-on-off-events needs --switch-on or --switch-off\n");
                r = -EINVAL;
        }
        if (r == 0 && options->style.relative && options->style.delta) {
                (void) fprintf(stderr, "--reltime and --deltatime exclude each other\n");
                r = -EINVAL;
        }
        options->style.marks = !options->names.plain_addresses && !options->style.stop; /* perf has none */
        return r == 0 && options->inputs.n == 0 ? recording_names_take(&options->inputs, NULL, NULL, NULL) : r;
}

void script_options_done(ScriptOptions *options) {
        free(options->inputs.names);
        strv_free(options->style.stop);
        selection_options_done(&options->select);
        name_options_done(&options->names);
        *options = (ScriptOptions) {};
}
