/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The verb "rules", with the words from itself on: answers a recorder's questions (rule-message.h) on its standard input, a
 * socket, until the other end is closed. Returns the exit status. */
int verb_rules(int argc, char **argv);
