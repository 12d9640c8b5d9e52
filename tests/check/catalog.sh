#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The message catalog explains each MESSAGE_ID that the programs send, once, and no other. Run in the top folder.
set -euo pipefail

sent=$(grep -oE '"[0-9a-f]{32}"' include/perf-recorder/message-ids.h | tr -d '"' | sort)
explained=$(sed -nE 's/^-- ([0-9a-f]{32})$/\1/p' catalog/perf-recorder.catalog | sort)

diff <(echo "$sent") <(echo "$explained") || { echo "message-ids.h (<) and the catalog (>) differ" >&2; exit 1; }
[ "$(uniq -d <<<"$sent")" = "" ] || { echo "an id stands there twice" >&2; exit 1; }
[ "$(grep -c '^Subject: ' catalog/perf-recorder.catalog)" = "$(wc -l <<<"$sent")" ] || { echo "an entry has no Subject:" >&2; exit 1; }
