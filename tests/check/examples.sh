#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The session files that the package ships load without a warning, on a machine that has the units that they name, and the
# cookbook explains each example and no other.
# examples.sh PERFCTL SESSION, in the top folder. SESSION: one that is made when the package is built.
set -euo pipefail

units=$(mktemp -d)
trap 'rm -r "$units"' EXIT
printf '#!/bin/sh\necho loaded\n' >"$units/systemctl"
chmod +x "$units/systemctl"
PATH=$units:$PATH "$1" verify --quiet --strict examples/*.session units/sessions/*.session "$2"
diff <(basename -a examples/*.session | sort) <(grep -oP '[\w@-]+\.session(?=`)' docs/COOKBOOK.md | sort -u)
