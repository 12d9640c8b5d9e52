/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The verb "report", with the words from itself on: in a browser if they ask for it, otherwise as text. Returns the exit status. */
int verb_browse(int argc, char **argv);
