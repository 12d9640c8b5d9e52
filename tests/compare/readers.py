# SPDX-License-Identifier: LGPL-2.1-or-later
"""What perf's own readers say of a file, taken apart."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

READER_TIMEOUT_SEC = 60

# Of the recording itself, different each time.
VOLATILE_HEADER = re.compile(
    r"# (captured on|data (size|offset)|feat offset|perf version|cmdline|time of|sample duration|event|========)"
    r"|#$|# header version|# reference time"
)
# Come and go with what the machine does meanwhile.
MACHINE_KINDS = frozenset({"EXIT", "LOST", "LOST_SAMPLES", "THROTTLE", "UNTHROTTLE", "KSYMBOL", "BPF_EVENT"})

SAMPLE_LINE = re.compile(
    r"^\s*(?P<comm>\S.*?)\s+(?P<tid>\d+(?:/\d+)?)(?P<cpu>\s+\[\d+\])?(?P<time>\s+\d+\.\d+:)?"
    r"(?P<period>\s+\d+)?\s+(?P<event>\S+?):(?:\s(?P<rest>.*)|$)"
)


# perf 6.1 leaves guests out of its default event, but not on AMD's CPUs; newer ones and we nowhere.
DEFAULT_EVENT = "cpu-clock:ppp"
DEFAULT_OF_INTEL = DEFAULT_EVENT + "H"


@dataclass
class Samples:
    """Those of one event."""
    by_comm: Counter[str] = field(default_factory=Counter)
    unknown_by_comm: Counter[str] = field(default_factory=Counter)
    fields: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class File:
    """One perf.data; piped: what was written to a pipe, and is read from one."""
    path: Path
    piped: bool = False
    home: Path | None = None

    def read(self, *command: str) -> tuple[str, str]:
        """What perf COMMAND says: its output, and its complaints."""
        try:
            with open(self.path, "rb") as stdin:
                done = subprocess.run(
                    ["perf", *command, "-i", "-" if self.piped else str(self.path)],
                    stdin=stdin if self.piped else subprocess.DEVNULL, capture_output=True, timeout=READER_TIMEOUT_SEC,
                    check=False, text=True, errors="replace", cwd=self.path.parent)
        except subprocess.TimeoutExpired:
            return "", f"perf {command[0]} did not end within {READER_TIMEOUT_SEC} s"
        complaints = done.stderr.strip()
        if done.returncode != 0:
            complaints = f"{complaints} (exit status {done.returncode})".strip()
        return done.stdout.replace(DEFAULT_OF_INTEL, DEFAULT_EVENT), complaints


def attributes(file: File) -> tuple[list[tuple[str, dict[str, str]]], str]:
    """Each event's name and fields, in the file's order."""
    text, complaints = file.read("evlist", "-v")
    events = []
    for line in text.splitlines():
        match = re.match(r"(.*?): ((?:type|size): .*)", line)
        if match:
            pairs = re.findall(r"(\{[^}]*\}|\w+): ([^,]*)", match.group(2))
            events.append((match.group(1), {name: value.strip() for name, value in pairs}))
    return events, complaints


@dataclass
class Header:
    lines: list[str] = field(default_factory=list)      # without what is always different
    missing: set[str] = field(default_factory=set)      # features
    bpf: dict[str, str] = field(default_factory=dict)   # programs and types by their ids: they come and go


def header(file: File) -> tuple[Header, str]:
    text, complaints = file.read("report", "--header-only", "-I")
    found = Header()
    lines, missing = found.lines, found.missing
    bpf = ""
    for line in text.splitlines():
        if match := re.match(r"# (bpf_prog_info|btf info of id) (\d+)(.*)", line):
            bpf = f"{match[1]} {match[2]}"
            found.bpf[bpf] = match[3]
        elif re.match(r"#\s+sub_prog ", line):
            found.bpf[bpf] += line[1:]
        elif line.startswith("# missing features: "):
            missing.update(line.split(": ", 1)[1].split())
        elif line.startswith("# pmu mappings: "):
            lines.append("# pmu mappings: " + ", ".join(sorted(line.split(": ", 1)[1].split(", "))))
        elif not VOLATILE_HEADER.match(line):
            lines.append(re.sub(r"(meminfo .*) total = .*", r"\1 total, free", line)) # a virtual machine's grows
    return found, complaints


def dump(file: File) -> tuple[Counter[str], set[str], str]:
    """The kinds of records, and the fields that are dumped of samples."""
    text, complaints = file.read("report", "-D", "--no-inline")
    kinds = Counter(kind for kind in re.findall(r"PERF_RECORD_([A-Z0-9_]+)", text) if kind not in MACHINE_KINDS)
    fields = {re.sub(r"\s+", " ", name).strip() for name in re.findall(r"^ ?\.{1,3} ([a-zA-Z_ ]+?):", text, re.MULTILINE)}
    return kinds, fields, complaints


def samples(file: File) -> tuple[dict[str, Samples], str]:
    """By event: how many of which command, how many without a symbol, what is printed of them."""
    text, complaints = file.read("script", "--no-inline")
    events: dict[str, Samples] = {}
    last: tuple[Samples, str] | None = None
    for line in text.splitlines():
        match = SAMPLE_LINE.match(line)
        if match and not line.startswith("\t"):
            event, comm = events.setdefault(match["event"], Samples()), match["comm"]
            event.by_comm[comm] += 1
            event.fields.update(name for name in ("cpu", "time", "period") if match[name])
            event.fields.add("pid/tid" if "/" in match["tid"] else "tid")
            if "[unknown]" in (match["rest"] or ""):
                event.unknown_by_comm[comm] += 1
            last = event, comm
        elif line.startswith("\t") and last:
            event, comm = last
            event.fields.add("stack")
            if "[unknown]" in line:
                event.unknown_by_comm[comm] += 1
            last = None # of a stack, the first frame counts
    return events, complaints


def shares(file: File, comm: str) -> tuple[dict[str, dict[str, float]], str]:
    """By event: the symbols of a command, in per cent of its samples."""
    text, complaints = file.read("report", "--stdio", "--no-inline", "--no-children", "-g", "none", "--comm", comm, "--percentage", "relative",
                                 "--sort", "dso,sym")
    events: dict[str, dict[str, float]] = {}
    event = ""
    for line in text.splitlines():
        if match := re.match(r"# Samples: .* of event '(.*)'", line):
            event = match[1]
        elif match := re.match(r"\s+(\d+\.\d+)%\s+(\S+)\s+\[.\]\s+(\S+)", line):
            events.setdefault(event, {})[f"{match[2]} {match[3]}"] = float(match[1])
    return events, complaints


def build_ids(file: File) -> tuple[dict[str, str], str]:
    text, complaints = file.read("buildid-list")
    found = {}
    for line in text.splitlines():
        build_id, _, path = line.partition(" ")
        found[path.strip()] = build_id
    return found, complaints
