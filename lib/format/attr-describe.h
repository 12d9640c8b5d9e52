/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "cleanup.h"

/* The forms in which perf prints an attribute. */
typedef enum AttrForm {
        ATTR_FORM_LIST,   /* "NAME: VALUE, ...", as perf evlist -v */
        ATTR_FORM_LINES,  /* "  NAME   VALUE\n", as perf record -vv */
        ATTR_FORM_HEADER, /* ", NAME = VALUE" for each field, as perf report --header */
} AttrForm;

/* Returns the fields that are not 0 as a new string; NULL without memory. */
char *attr_describe(const struct perf_event_attr *attr, AttrForm form);
