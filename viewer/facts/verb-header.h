/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The verb "header", with the words from itself on. Returns the exit status. */
int verb_header(int argc, char **argv);
