# SPDX-License-Identifier: LGPL-2.1-or-later
"""Holds two recordings of the same against each other. What it finds are differences: it does not know which are meant."""

from __future__ import annotations

import re
from dataclasses import dataclass

import readers
from readers import File
from recording import Recording

FEW_SAMPLES = 12          # below that, counts and shares say nothing
MANY_SAMPLES = 50         # of which at least one should be found
COUNT_RATIO = 1.6         # one load, two recordings, a busy machine
SHARE_POINTS = 15.0
SHARE_SAMPLES = 100       # of which shares are taken
SHARE_MIN = 15.0          # per cent of a symbol that must be found again
UNKNOWN_POINTS = 10.0

# What depends on the machine's noise, and is measured again before it counts.
NOISY = frozenset({"count", "share", "unknown symbols", "kinds of records", "fields of samples", "build ids", "files", "words",
                   "BPF programs"})
# What was lost; samples with another recorder's ids (see cases.SHARED_EVENTS), if one is at work on this machine.
# By a build id longer than 20 bytes, for one, in whatever runs on the machine.
PERF_CRASHED = re.compile(r"^(134|139) |\(exit status -(N|6|11)\)")
NOISY_COMPLAINTS = re.compile(r"lost|failed to process type: N \[Bad address\]")


@dataclass(frozen=True)
class Difference:
    aspect: str
    what: str
    theirs: str
    ours: str

    @property
    def noisy(self) -> bool:
        if self.aspect == "exit status" and PERF_CRASHED.search(self.theirs):
            return True
        return self.aspect in NOISY or (self.aspect == "complaint" and bool((NOISY_COMPLAINTS.search(self.ours) or PERF_CRASHED.search(self.ours))))

    def __str__(self) -> str:
        return f"{self.aspect}: {self.what}: perf {self.theirs or 'nothing'}, ours {self.ours or 'nothing'}"


def normal_words(text: str) -> list[str]:
    """What a recorder said, without what is different each time."""
    lines = []
    for line in text.splitlines():
        line = re.sub(r"\d+(\.\d+)?", "N", line.strip())
        line = re.sub(r"Woken up N times", "Woken up N", line)
        line = re.sub(r"\(N samples\) ", "", line)
        if line.startswith("[ perf record:") and line not in lines:
            lines.append(line)
    return lines


def compare_ends(theirs: Recording, ours: Recording) -> list[Difference]:
    found = []
    if theirs.hung or ours.hung:
        found.append(Difference("end", "does not come", str(theirs.hung), str(ours.hung)))
    if theirs.status != ours.status and not (theirs.files == ours.files == []):
        found.append(Difference("exit status", "", f"{theirs.status} ({theirs.words.strip()[-300:]})",
                                f"{ours.status} ({ours.words.strip()[-300:]})"))
    if bool(theirs.files) != bool(ours.files):
        found.append(Difference("files", "left", f"{len(theirs.files)} ({theirs.words.strip()[-300:]})",
                                f"{len(ours.files)} ({ours.words.strip()[-300:]})"))
    elif abs(len(theirs.files) - len(ours.files)) > max(1, len(theirs.files) // 2):
        found.append(Difference("files", "how many", str(len(theirs.files)), str(len(ours.files))))
    if theirs.files and ours.files and [file.piped for file in theirs.files[:1]] != [file.piped for file in ours.files[:1]]:
        found.append(Difference("files", "written to a pipe", str(theirs.files[0].piped), str(ours.files[0].piped)))
    if normal_words(theirs.words) != normal_words(ours.words):
        found.append(Difference("words", "", " / ".join(normal_words(theirs.words)), " / ".join(normal_words(ours.words))))
    return found


def compare_complaints(what: str, theirs: str, ours: str) -> list[Difference]:
    """Of a reader about a file: ours may give cause for none that perf's own doesn't."""
    def normal(text: str) -> set[str]:
        return {re.sub(r"(0x)?\d[\da-f]*", "N", line.strip()) for line in text.splitlines() if line.strip()}

    new = normal(ours) - normal(theirs)
    return [Difference("complaint", what, "", " / ".join(sorted(new)))] if new else []


def compare_attributes(theirs: File, ours: File) -> list[Difference]:
    their_events, their_complaints = readers.attributes(theirs)
    our_events, our_complaints = readers.attributes(ours)
    found = compare_complaints("evlist", their_complaints, our_complaints)

    their_names, our_names = [name for name, _ in their_events], [name for name, _ in our_events]
    if their_names != our_names:
        found.append(Difference("events", "names", " ".join(their_names), " ".join(our_names)))
    if len(their_names) != len(our_names):
        return found
    for (name, their_fields), (_, our_fields) in zip(their_events, our_events):
        for key in sorted(their_fields.keys() | our_fields.keys()):
            if their_fields.get(key) != our_fields.get(key):
                found.append(Difference("attribute", f"{name} {key}", their_fields.get(key, ""), our_fields.get(key, "")))
    return found


def compare_headers(theirs: File, ours: File) -> list[Difference]:
    their_header, their_complaints = readers.header(theirs)
    our_header, our_complaints = readers.header(ours)
    found = compare_complaints("report --header-only", their_complaints, our_complaints)
    for feature in sorted(their_header.missing ^ our_header.missing):
        found.append(Difference("feature", feature, "" if feature in their_header.missing else "has it",
                                "" if feature in our_header.missing else "has it"))
    for line in their_header.lines:
        if line not in our_header.lines:
            found.append(Difference("header", "line", line, ""))
    for line in our_header.lines:
        if line not in their_header.lines:
            found.append(Difference("header", "line", "", line))
    if bool(their_header.bpf) != bool(our_header.bpf):
        found.append(Difference("BPF programs", "", " ".join(their_header.bpf), " ".join(our_header.bpf)))
    for bpf_id in their_header.bpf.keys() & our_header.bpf.keys():
        if their_header.bpf[bpf_id] != our_header.bpf[bpf_id]:
            found.append(Difference("BPF programs", bpf_id, their_header.bpf[bpf_id], our_header.bpf[bpf_id]))
    return found


def compare_dumps(theirs: File, ours: File) -> list[Difference]:
    their_kinds, their_fields, their_complaints = readers.dump(theirs)
    our_kinds, our_fields, our_complaints = readers.dump(ours)
    found = compare_complaints("report -D", their_complaints, our_complaints)
    few = max(their_kinds["SAMPLE"], our_kinds["SAMPLE"]) <= FEW_SAMPLES
    for kind in sorted(their_kinds.keys() ^ our_kinds.keys()):
        if few and kind in ("SAMPLE", "FINISHED_ROUND"):
            continue
        found.append(Difference("kinds of records", kind, "has it" if kind in their_kinds else "",
                                "has it" if kind in our_kinds else ""))
    if min(their_kinds["SAMPLE"], our_kinds["SAMPLE"]) > 0:
        for name in sorted(their_fields ^ our_fields):
            found.append(Difference("fields of samples", name, "has it" if name in their_fields else "",
                                    "has it" if name in our_fields else ""))
    return found


def compare_counts(event: str, comm: str, theirs: readers.Samples, ours: readers.Samples) -> list[Difference]:
    their_count, our_count = theirs.by_comm[comm], ours.by_comm[comm]
    found = []
    if max(their_count, our_count) > FEW_SAMPLES:
        if their_count > our_count * COUNT_RATIO or our_count > their_count * COUNT_RATIO:
            found.append(Difference("count", f"{event} of {comm}", str(their_count), str(our_count)))
    if min(their_count, our_count) > FEW_SAMPLES:
        unknown = [100 * side.unknown_by_comm[comm] / side.by_comm[comm] for side in (theirs, ours)]
        if unknown[1] - unknown[0] > UNKNOWN_POINTS:
            found.append(Difference("unknown symbols", f"{event} of {comm}", f"{unknown[0]:.0f} %", f"{unknown[1]:.0f} %"))
    return found


def compare_samples(their_events: dict[str, readers.Samples], our_events: dict[str, readers.Samples],
                    comm: str | None) -> list[Difference]:
    """comm: of the command whose samples are counted, if one is."""
    found = []
    for event in sorted(their_events.keys() | our_events.keys()):
        their_samples, our_samples = their_events.get(event, readers.Samples()), our_events.get(event, readers.Samples())
        totals = their_samples.by_comm.total(), our_samples.by_comm.total()
        if totals[1] == 0 and totals[0] > MANY_SAMPLES: # of the whole machine's events, some are the other recorder's
            found.append(Difference("count", event, str(totals[0]), str(totals[1])))
        if min(totals) > 0 and their_samples.fields != our_samples.fields:
            found.append(Difference("fields of samples", f"{event} in script", " ".join(sorted(their_samples.fields)),
                                    " ".join(sorted(our_samples.fields))))
        if comm:
            found += compare_counts(event, comm, their_samples, our_samples)
    return found


def compare_shares(theirs: File, ours: File, comm: str, counts: dict[str, int]) -> list[Difference]:
    """counts: by event, how many samples there are of the command."""
    their_events, their_complaints = readers.shares(theirs, comm)
    our_events, our_complaints = readers.shares(ours, comm)
    found = compare_complaints("report", their_complaints, our_complaints)
    for event, symbols in their_events.items():
        for symbol, share in symbols.items():
            our_share = our_events.get(event, {}).get(symbol, 0.0)
            if counts.get(event, 0) >= SHARE_SAMPLES and share >= SHARE_MIN and abs(share - our_share) > SHARE_POINTS:
                found.append(Difference("share", f"{event} of {symbol}", f"{share:.0f} %", f"{our_share:.0f} %"))
    return found


def compare_build_ids(theirs: File, ours: File, path: str) -> list[Difference]:
    their_ids, their_complaints = readers.build_ids(theirs)
    our_ids, our_complaints = readers.build_ids(ours)
    found = compare_complaints("buildid-list", their_complaints, our_complaints)
    if their_ids.get(path) != our_ids.get(path):
        found.append(Difference("build ids", path, their_ids.get(path, ""), our_ids.get(path, "")))
    return found


def compare(theirs: Recording, ours: Recording, counted: str | None, program: str) -> list[Difference]:
    """counted: the name of the command whose samples are counted; program: the file that it is of."""
    found = compare_ends(theirs, ours)
    if any(PERF_CRASHED.search(difference.theirs) for difference in found):
        return [difference for difference in found if difference.aspect == "exit status"]
    if not theirs.first or not ours.first:
        return found
    pair = theirs.first, ours.first
    found += compare_attributes(*pair)
    found += compare_headers(*pair)
    found += compare_dumps(*pair)
    their_events, their_complaints = readers.samples(theirs.first)
    our_events, our_complaints = readers.samples(ours.first)
    found += compare_complaints("script", their_complaints, our_complaints)
    found += compare_samples(their_events, our_events, counted)
    if counted:
        counts = {event: samples.by_comm[counted] for event, samples in their_events.items()}
        found += compare_shares(*pair, counted, counts)
        found += compare_build_ids(*pair, program)
    return found
