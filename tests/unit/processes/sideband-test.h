/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "perfdata-test.h"
#include "sideband-table.h"

/* Side band as text, a record a line, both ways:
 *
 *   TIME fork PID PPID [inherits]        TIME thread PID TID           TIME exit PID TID
 *   TIME comm PID TID NAME [exec]        TIME ns PID TID NUMBER        TIME map PID START LENGTH OFFSET PATH
 *   TIME kernel START LENGTH PATH        TIME ksymbol ADDRESS NAME     TIME unksymbol ADDRESS NAME
 *   TIME bpf ID   TIME unbpf ID          TIME cgroup ID PATH           TIME poke ADDRESS BYTE
 *
 * Addresses are hexadecimal. Forks inherit mappings unless their time is 0, as the kernel's do and synthesized ones don't;
 * one that does not, and has a time, is shown as "fork PID PPID alone". Trailers of records with a time have an id and a
 * CPU, those with time 0 have zeros. */
#define SIDEBAND_TEST_TYPE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

void sideband_test_build(RecordBuffer *b, uint64_t sample_type, const char *text);
char *sideband_test_describe(const RecordBuffer *b, uint64_t sample_type); /* a new string */

SidebandTable *sideband_test_new(const char *text); /* fed with the text, after the round: processes that exited are
                                                     * removed */
void sideband_test_feed(SidebandTable *t, const char *text); /* without a round */

/* Checks that the table puts these lines for these processes, or NULL for all. */
void sideband_test_assert(SidebandTable *t, const uint32_t *pids, size_t n, const char *text);
#define SIDEBAND_TEST_ASSERT(t, text) sideband_test_assert(t, NULL, 0, text)

/* Count the processes that live, and those that exited and are still kept. */
size_t sideband_test_n_live(const SidebandTable *t);
size_t sideband_test_n_ended(const SidebandTable *t);

/* Checks the base when it has all of these records. */
void sideband_test_assert_base(const char *records, const char *base);
