/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

int verb_sched(int argc, char **argv);
int verb_lock(int argc, char **argv);
