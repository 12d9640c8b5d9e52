/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The verb "export", with the words from itself on. Returns the exit status. */
int verb_export(int argc, char **argv);
