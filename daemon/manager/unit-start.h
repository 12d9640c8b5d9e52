/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dump.h"
#include "manager.h"

/* OnDump= of the dump's session: starts the unit with the dump's id as its instance. A failure is a warning in the journal. */
void manager_start_on_dump(Manager *m, const Dump *d);

void manager_forget_on_dump(Manager *m); /* nobody waits for what systemd says any more */
