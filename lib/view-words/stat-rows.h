/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* These are the options of stat, which are those of perf stat. STAT_OUTPUT_ROWS say how counts are shown. */

#define STAT_OUTPUT_ROWS \
        VIEW_TEXT(StatOptions, how.separator, "field-separator", 'x', "=SEPARATOR", \
                  "Show lines of fields with this between them"), \
        VIEW_SET(StatOptions, how.json, "json-output", 'j', "Show an object of JSON for each line"), \
        VIEW_CLEAR(StatOptions, how.no_big_numbers, "big-num", 'B', NULL), \
        VIEW_SET(StatOptions, how.no_big_numbers, "no-big-num", 0, "Group thousands (the default), or not"), \
        VIEW_SET(StatOptions, how.metric_only, "metric-only", 0, "Show only what follows from counts"), \
        VIEW_SET(StatOptions, how.summary, "summary", 0, "Show the sums behind intervals"), \
        VIEW_SET(StatOptions, how.no_csv_summary, "no-csv-summary", 0, "Without the word summary before them with -x"), \
        VIEW_CALL(StatOptions, how.log_fd, "log-fd", 0, "=FD", stat_take_fd, "Write to this descriptor")

#define STAT_PLACING_ROWS \
        VIEW_CALL(StatOptions, how.placing, "no-aggr", 'A', NULL, stat_take_placing, "Show each CPU", .number = STAT_BY_CPU), \
        VIEW_CALL(StatOptions, how.placing, "per-socket", 0, NULL, stat_take_placing, NULL, .number = STAT_BY_SOCKET), \
        VIEW_CALL(StatOptions, how.placing, "per-die", 0, NULL, stat_take_placing, NULL, .number = STAT_BY_DIE), \
        VIEW_CALL(StatOptions, how.placing, "per-core", 0, NULL, stat_take_placing, NULL, .number = STAT_BY_CORE), \
        VIEW_CALL(StatOptions, how.placing, "per-node", 0, NULL, stat_take_placing, "Show each socket, die, core or node", \
                  .number = STAT_BY_NODE)

#define STAT_REPORT_ROWS \
        VIEW_TEXT(StatOptions, recording, "input", 'i', "=FILE", "Read this recording, or standard input for \"-\""), \
        STAT_PLACING_ROWS, \
        STAT_OUTPUT_ROWS

#define STAT_ROWS \
        VIEW_WHOLE("event", 'e', "=EVENTS", stat_take_word, \
                   "Count these events, as perf list names them; {A,B} is a group", .number = STAT_EVENTS), \
        VIEW_CALL(StatOptions, what.detail, "detailed", 'd', NULL, stat_take_detailed, \
                  "Count events of caches, too; up to three times for more"), \
        VIEW_SET(StatOptions, what.null, "null", 'n', "Count nothing but the time"), \
        VIEW_SET(StatOptions, what.target.all_cpus, "all-cpus", 'a', "Count on all CPUs"), \
        VIEW_WHOLE("cpu", 'C', "=LIST", stat_take_word, "Count on these CPUs: 0-3,5", .number = STAT_CPUS), \
        VIEW_WHOLE("pid", 'p', "=PID[,PID...]", stat_take_word, "Count for these processes", .number = STAT_PIDS), \
        VIEW_WHOLE("tid", 't', "=TID[,TID...]", stat_take_word, "Count for these threads", .number = STAT_TIDS), \
        VIEW_WHOLE("uid", 'u', "=USER", stat_take_word, "Count for the processes of this user", .number = STAT_USER), \
        VIEW_WHOLE("cgroup", 'G', "=NAME[,NAME...]", stat_take_word, \
                   "Count for these control groups, one for each event", .number = STAT_CGROUP), \
        VIEW_TEXT(StatOptions, what.cgroups, "for-each-cgroup", 0, "=NAME[,NAME...]", \
                  "Count all events for each of these control groups"), \
        VIEW_WHOLE("filter", 0, "=FILTER", stat_take_word, "Count only what of the last tracepoints passes it", \
                   .number = STAT_FILTER), \
        VIEW_SET(StatOptions, what.no_inherit, "no-inherit", 'i', "Do not count new processes and threads"), \
        VIEW_CALL(StatOptions, when.runs, "repeat", 'r', "=N", stat_take_runs, \
                  "Run the command N times, and show means and deviations; 0: until Ctrl-C"), \
        VIEW_CALL(StatOptions, when.interval, "interval-print", 'I', "=MS", stat_take_interval, \
                  "Show the counts each MS milliseconds, at least 1"), \
        VIEW_CALL(StatOptions, when.times, "interval-count", 0, "=N", stat_take_times, "End after N intervals"), \
        VIEW_SET(StatOptions, how.clear, "interval-clear", 0, "Clear the screen before each interval"), \
        VIEW_CALL(StatOptions, when.timeout, "timeout", 0, "=MS", stat_take_timeout, "End after MS milliseconds, at least 10"), \
        VIEW_CALL(StatOptions, when.delay, "delay", 'D', "=MS", stat_take_delay, \
                  "Begin to count MS milliseconds after the command began, or with -1 when --control enables it"), \
        VIEW_TEXT(StatOptions, when.control, "control", 0, "=ADDRESS", \
                  "Obey the words enable and disable of fifo:CONTROL[,ACK] or fd:CONTROL[,ACK]"), \
        VIEW_SET(StatOptions, when.sync, "sync", 'S', "Write all files to disk before each run"), \
        VIEW_TEXT(StatOptions, when.pre, "pre", 0, "=COMMAND", "Run this in the shell before each run"), \
        VIEW_TEXT(StatOptions, when.post, "post", 0, "=COMMAND", "Run this in the shell after each run"), \
        STAT_PLACING_ROWS, \
        VIEW_CALL(StatOptions, how.placing, "per-thread", 0, NULL, stat_take_placing, "Show each thread", \
                  .number = STAT_BY_THREAD), \
        STAT_OUTPUT_ROWS, \
        VIEW_TEXT(StatOptions, how.output, "output", 'o', "=FILE", \
                  "Write into this file, not to standard error; with record, the recording"), \
        VIEW_SET(StatOptions, how.append, "append", 0, "Write behind what the file has"), \
        VIEW_CLEAR(StatOptions, what.no_scale, "scale", 'c', NULL), \
        VIEW_SET(StatOptions, what.no_scale, "no-scale", 0, "Multiply counts for the time in which an event had no counter\n" \
                 "(the default), or not"), \
        VIEW_SET(StatOptions, how.table, "table", 0, "Show the time of each run"), \
        VIEW_SET(StatOptions, how.verbose, "verbose", 'v', "Say which events could not be counted, and why"), \
        VIEW_ACCEPTED("no-merge", 0)
