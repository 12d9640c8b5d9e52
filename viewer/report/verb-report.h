/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The verb "report", with the words from itself on. Returns the exit status. */
int verb_report(int argc, char **argv);
