/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The verb "info", with the words from itself on. Returns the exit status. */
int verb_info(int argc, char **argv);
