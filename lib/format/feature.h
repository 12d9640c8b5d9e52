/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <time.h>
#include "byte-buffer.h"
#include "cleanup.h"
#include "header.h"

/* The features of a file, each a block of bytes in perf's encoding, by number. Filled before or at the end of a
 * recording, written by perf_data_writer_finish(). A feature that is put again replaces the older one. */
typedef struct FeatureTable FeatureTable;

int feature_table_new(FeatureTable **ret);
FeatureTable *feature_table_free(FeatureTable *t);
DEFINE_CLEANUP(FeatureTable *, feature_table_free);
#define _cleanup_feature_table_free_ _cleanup_(feature_table_freep)

/* Copies the block. -EINVAL (no such feature), -ENOMEM. An empty block is a feature too. */
int feature_table_put(FeatureTable *t, unsigned feature, const void *data, size_t size);
/* Moves the buffer's content into the table, or returns its error; the buffer is empty afterwards. */
int feature_table_take(FeatureTable *t, unsigned feature, ByteBuffer *b);
bool feature_table_get(const FeatureTable *t, unsigned feature, const void **ret_data, size_t *ret_size);

/* Returns the bytes of all blocks and their table at the end of a file. */
size_t feature_table_size(const FeatureTable *t);

/* The features that describe the recording. */
int feature_table_add_version(FeatureTable *t, const char *version);
int feature_table_add_command_line(FeatureTable *t, char *const *argv);           /* CMDLINE, argv[0] first */
int feature_table_add_events(FeatureTable *t, const PerfDataEvent *events, size_t n_events); /* EVENT_DESC, GROUP_DESC,
                                                                                      * BRANCH_STACK where events ask */
int feature_table_add_sample_time(FeatureTable *t, uint64_t first, uint64_t last); /* of the samples, ns */
int feature_table_add_compressed(FeatureTable *t, int level, unsigned ratio, unsigned read_size); /* zstd; a stream does not
                                                                * know its ratio: 0; read_size: what a record grows to at most */
/* CLOCK_DATA: that time of the samples' clock was that time of the wall clock, both in ns. clock: a clockid_t, or
 * PERF_CLOCK_UNNAMED for the scheduler's own, which readers relate to the wall clock as well. */
#define PERF_CLOCK_UNNAMED UINT32_MAX
int feature_table_add_clock_data(FeatureTable *t, uint32_t clock, uint64_t wall, uint64_t time);

int feature_table_add_clock(FeatureTable *t, clockid_t clock); /* CLOCKID (resolution) and CLOCK_DATA (its time and the
                                                                * wall clock's, read now); only for -k CLOCK */
