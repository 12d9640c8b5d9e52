/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The verb "flamegraph", with the words from itself on. Returns the exit status. */
int verb_flamegraph(int argc, char **argv);
