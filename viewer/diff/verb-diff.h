/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

int verb_diff(int argc, char **argv);
