/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

int verb_annotate(int argc, char **argv); /* returns the exit status */
