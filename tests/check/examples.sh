#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The session files that the package ships load without a warning, and the cookbook explains each example and no other.
# examples.sh PERFCTL, in the top folder.
set -euo pipefail

"$1" verify --quiet --strict examples/*.session units/sessions/*.session
diff <(basename -a examples/*.session | sort) <(grep -oP '[\w@-]+\.session(?=`)' docs/COOKBOOK.md | sort -u)
