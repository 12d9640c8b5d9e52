/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The verb "evlist", with the words from itself on. Returns the exit status. */
int verb_evlist(int argc, char **argv);
