/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "loop.h"

/* A trigger by pressure (PSI) of the machine or of a control group: some task had to wait longer than a threshold within a
 * window of time. This header is not private, as those of the other sources are, since the options parse PressureSpecs. */

typedef enum PressureResource {
        PRESSURE_CPU,
        PRESSURE_MEMORY,
        PRESSURE_IO,
        _PRESSURE_RESOURCE_MAX,
        _PRESSURE_RESOURCE_INVALID = -EINVAL,
} PressureResource;

const char *pressure_resource_to_string(PressureResource r);
PressureResource pressure_resource_from_string(const char *s);

typedef struct PressureSpec {
        PressureResource resource;
        usec_t threshold, window;
        char *cgroup;             /* as -G takes it; NULL: the whole machine */
} PressureSpec;

/* "cpu:150ms/1s[:CGROUP]". -EINVAL: d says why. */
int pressure_spec_parse(const char *s, PressureSpec *ret, Diagnosis *d);
void pressure_spec_done(PressureSpec *p);

typedef struct TriggerPressure TriggerPressure;

typedef struct TriggerPressureOptions {
        const PressureSpec *spec; /* borrowed */
        const char *proc_root;    /* prefix of "/proc", NULL: "" */
        const char *cgroup_root;  /* NULL: the mount point of the unified hierarchy */
        bool group_may_be_gone;   /* it is waited for then; otherwise that is an error */
        bool read_only;           /* for tests: as if the kernel refused writes there */
        int (*fired)(void *userdata, PressureResource resource, const char *detail);
        void *userdata;
} TriggerPressureOptions;

/* A control group that is removed takes its pressure file with it; when there is one of that name again, it is watched
 * again. */
int trigger_pressure_new(const TriggerPressureOptions *options, Loop *loop, TriggerPressure **ret, Diagnosis *d);
TriggerPressure *trigger_pressure_free(TriggerPressure *t); /* before its loop */
DEFINE_CLEANUP(TriggerPressure *, trigger_pressure_free);
