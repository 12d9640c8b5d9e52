#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Other languages' own checkers. files.sh xml|shell|man|python, in the top folder.
set -euo pipefail

case $1 in
xml)
        mapfile -t files < <(find dbus -name '*.xml' -o -name '*.policy' -o -name '*.conf')
        xmllint --nonet --noout "${files[@]}"
        ;;
shell)
        mapfile -t files < <({
                find tests tools packaging .ci -name '*.sh'
                find tests tools packaging .ci -type f ! -name '*.[ch]' -exec grep -lE -m1 '^#!/bin/(ba)?sh' {} +
        } | sort -u)
        shellcheck -x "${files[@]}"
        bash -n completion/perfctl
        shellcheck -s bash completion/perfctl
        ;;
man)
        mandoc -T lint -W warning man/*.[1-8]
        ;;
python)
        cd tests/compare
        # In one process, which reads what they share and the standard library once.
        MYPYPATH=../readers mypy --strict --no-error-summary --cache-dir=/dev/null --scripts-are-modules chains compare killed random-reports report \
                strace ../fuzz/mutated ../check/economy ../bench/meter ../readers/screens
        ;;
*)
        echo "xml, shell, man or python" >&2
        exit 2
        ;;
esac
