/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Connects standard output to a pager if it is a terminal, as systemctl does: $SYSTEMD_PAGER or $PAGER, otherwise "pager",
 * "less" or "more". An empty value or "cat" means no pager. Does nothing if no pager can be run. */
void pager_open(bool wanted);

/* The part of a text that less(1) shows first. */
typedef enum PagerPlace {
        PAGER_BEGIN,
        PAGER_END,
} PagerPlace;

void pager_open_at(bool wanted, PagerPlace place);

/* Ends the text and waits until the user leaves the pager. Does nothing without a pager. */
void pager_close(void);
