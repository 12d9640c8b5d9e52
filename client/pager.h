/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Puts a pager behind standard output if that is a terminal, as systemctl does: $SYSTEMD_PAGER, $PAGER, else "pager",
 * "less", "more"; an empty value or "cat" means none. Without one, nothing changes. */
void pager_open(bool wanted);

/* Ends the text and waits until the reader has closed it. Safe without a pager. */
void pager_close(void);
