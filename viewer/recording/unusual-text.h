/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "json-writer.h"
#include "unusual-table.h"

/* The text of what was unusual before a trigger, as lines for people and as an array of JSON. */

/* Puts a finding as a sentence without its full stop. */
void unusual_text_put(const UnusualTable *t, const UnusualFinding *f, TextBuffer *out);
/* Puts that there is no finding, with how much is compared with how much of a baseline, or that this is too little. */
void unusual_text_put_nothing(const UnusualTable *t, TextBuffer *out);
/* Puts what was lost in the time that is compared. Returns whether it is anything. */
bool unusual_text_put_loss(const UnusualTable *t, TextBuffer *out);
/* Puts the member "unusual", an array, and "unusual_too_little", a text, if that is why it is empty. */
void unusual_json_put(const UnusualTable *t, JsonWriter *w);
