/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the files of pfm-event.h share: libpfm, loaded. Not for anybody else. */

/* The library's header brings a copy of the kernel's, which can't stand beside it. */
#define __PERFMON_PERF_EVENT_H__
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>
#include "pfm-event.h"

typedef struct Pfm {
        void *library;
        pfm_err_t (*initialize)(void);
        void (*terminate)(void);
        const char *(*describe_error)(int code);
        pfm_err_t (*encode)(const char *name, int levels, pfm_os_t os, void *args);
        pfm_err_t (*get_pmu)(pfm_pmu_t pmu, pfm_pmu_info_t *ret);
        pfm_err_t (*get_event)(int event, pfm_os_t os, pfm_event_info_t *ret);
        pfm_err_t (*get_attribute)(int event, int attribute, pfm_os_t os, pfm_event_attr_info_t *ret);
        int (*next_event)(int event);
        bool ready;
} Pfm;

/* name NULL: PFM_LIBRARY. -EOPNOTSUPP: it is missing, or knows no CPU like this one; d says so. */
int pfm_load(Pfm *p, const char *name, Diagnosis *d);
void pfm_unload(Pfm *p);
