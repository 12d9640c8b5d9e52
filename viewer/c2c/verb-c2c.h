/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

int verb_c2c(int argc, char **argv);
