/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "annotate-print.h"
#include "json-writer.h"

/* Writes a function with its instructions as an object of JSON, among the functions of its event. 0, -ENOMEM. */
int annotate_json_function(JsonWriter *w, const AnnotatePrint *p);
