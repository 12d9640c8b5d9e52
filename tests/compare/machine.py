# SPDX-License-Identifier: LGPL-2.1-or-later
"""The machine that is recorded: what it has, and the load, control group and probes that the cases speak of."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

DEVICES = Path("/sys/bus/event_source/devices")
TRACEFS = Path("/sys/kernel/tracing")
LOAD_SEC = 900
OTHER_USER = "nobody"


def has(need: str) -> bool:
    """A word beside a case: counters, lbr, kprobes, or a system of tracepoints."""
    if need == "counters":
        return any((DEVICES / name).exists() for name in ("cpu", "cpu_core", "armv8_pmuv3_0"))
    if need == "lbr":
        return (DEVICES / "cpu/caps/branches").exists()
    if need == "kprobes":
        return (DEVICES / "kprobe").exists()
    if need == "cgroups":
        return cgroup_root() is not None
    return (TRACEFS / "events" / need).is_dir()


def cgroup_root() -> Path | None:
    """Of the unified hierarchy, where perf looks for control groups."""
    for line in Path("/proc/mounts").read_text().splitlines():
        words = line.split()
        if words[2] == "cgroup2":
            return Path(words[1])
    return None


def libc_of(pid: int) -> str:
    match = re.search(r"\s(/\S*/libc\.so\.6)$", Path(f"/proc/{pid}/maps").read_text(), re.MULTILINE)
    return match[1] if match else "libc.so.6"


@contextlib.contextmanager
def probe(event: str, *words: str) -> Iterator[None]:
    """Made by perf probe, unless it is there; taken away again if it was made."""
    there = (TRACEFS / "events" / event.replace(":", "/")).is_dir()
    if not there:
        subprocess.run(["perf", "probe", "-q", *words], capture_output=True, check=False)
    try:
        yield
    finally:
        if not there:
            subprocess.run(["perf", "probe", "-q", "--del", event], capture_output=True, check=False)


@contextlib.contextmanager
def cgroup_with(pid: int) -> Iterator[str]:
    """A control group that the process is in; its name below the root."""
    root = cgroup_root()
    if not root:
        yield "none"
        return
    folder = Path(tempfile.mkdtemp(prefix="perf-recorder-compare-", dir=root))
    before = next((line.split("::", 1)[1] for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines() if "::" in line), "/")
    try:
        (folder / "cgroup.procs").write_text(str(pid))
        yield folder.name
    finally:
        with contextlib.suppress(OSError):
            (root / before.lstrip("/") / "cgroup.procs").write_text(str(pid))
        with contextlib.suppress(OSError):
            folder.rmdir()


@contextlib.contextmanager
def load_of_other_user(steady: Path, folder: Path) -> Iterator[str]:
    """The name of a user who has but this process."""
    copy = folder / "steady-of-user"
    shutil.copy(steady, copy)
    with subprocess.Popen([copy, str(LOAD_SEC)], stdin=subprocess.DEVNULL, user=OTHER_USER) as process:
        try:
            yield OTHER_USER
        finally:
            process.kill()


@contextlib.contextmanager
def steady_rate() -> Iterator[None]:
    """The kernel lowers the rate of samples that it allows while the machine is busy, perhaps between the two recorders' starts."""
    setting = Path("/proc/sys/kernel/perf_cpu_time_max_percent")
    before = setting.read_text()
    setting.write_text("0")
    try:
        yield
    finally:
        setting.write_text(before)


@contextlib.contextmanager
def steady_load(programs: Path, folder: Path) -> Iterator[dict[str, str]]:
    """What the words of the cases stand for, while the load runs."""
    steady, busy = programs / "steady", programs / "busy-program"
    folder.chmod(0o755)
    with load_of_other_user(steady, folder) as user, subprocess.Popen([steady, str(LOAD_SEC)], stdin=subprocess.DEVNULL) as process:
        try:
            while len(tasks := os.listdir(f"/proc/{process.pid}/task")) < 2:
                time.sleep(0.01)
            with cgroup_with(process.pid) as cgroup:
                yield {
                    "PID": str(process.pid),
                    "TID": max(tasks, key=int),
                    "USER": user,
                    "CGROUP": cgroup,
                    "LIBC": libc_of(process.pid),
                    "BUSY": f"{busy} 40",
                    "FAULTS": f"{busy} 1",
                    "SLEEP": "sleep 0.4",
                    "NAP": "sleep 2.3",
                    "TRUE": "true",
                    "FAIL": "sh -c 'exit 3'",
                    "STEADY": str(steady),
                }
        finally:
            process.kill()


@contextlib.contextmanager
def probes(values: dict[str, str]) -> Iterator[None]:
    """Those that cases name: of the C library, and from the notes of the steady load."""
    subprocess.run(["perf", "buildid-cache", "--add", values["STEADY"]], capture_output=True, check=False)
    with probe("probe_libc:malloc", "-x", values["LIBC"], "malloc"), probe("sdt_steady:turn", "sdt_steady:turn"):
        yield
