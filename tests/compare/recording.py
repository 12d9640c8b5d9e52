# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs a recorder on a case's line: perf and ours side by side, so that both see the same machine."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from cases import Case
from readers import File

TIMEOUT_SEC = 40
INTERRUPT_AFTER_SEC = 0.5  # from the time on that the events are open

PIPED_OUTPUT = "standard-output"


@dataclass(frozen=True)
class Recorder:
    name: str                   # of the side: perf or ours
    argv: tuple[str, ...]


@dataclass
class Recording:
    status: int                 # as the shell has it: 128 + N for a signal
    words: str                  # what it said
    files: list[File]
    seconds: float
    hung: bool = False

    @property
    def first(self) -> File | None:
        return self.files[0] if self.files else None


def has_perf_events(pid: int) -> bool:
    folder = f"/proc/{pid}/fd"
    try:
        return any(os.readlink(f"{folder}/{fd}") == "anon_inode:[perf_event]" for fd in os.listdir(folder))
    except OSError:
        return False


def interrupt(process: subprocess.Popen[bytes], deadline: float) -> None:
    """As somebody would who has waited until it records."""
    while process.poll() is None and not has_perf_events(process.pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    try:
        process.wait(INTERRUPT_AFTER_SEC)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)


def files_left(folder: Path, line: list[str]) -> list[File]:
    """In the order of their names; what a switch of outputs made is there besides, or instead."""
    piped = folder / PIPED_OUTPUT
    if piped.stat().st_size > 0:
        return [File(piped, piped=True)]
    return [File(path) for path in sorted(folder.glob("*.data*")) if path.is_file() and not path.is_symlink()]


def record(recorder: Recorder, line: list[str], folder: Path, interrupted: bool) -> Recording:
    """With the folder, which is made, as working directory."""
    folder.mkdir(parents=True)
    start = time.monotonic()
    hung = False
    with open(folder / PIPED_OUTPUT, "wb") as stdout, open(folder / "words", "wb") as stderr:
        process = subprocess.Popen([*recorder.argv, *line], stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, cwd=folder)
        if interrupted:
            interrupt(process, start + TIMEOUT_SEC)
        try:
            process.wait(max(1.0, start + TIMEOUT_SEC - time.monotonic()))
        except subprocess.TimeoutExpired:
            hung = True
            process.kill()
            process.wait()
    status = process.returncode if process.returncode >= 0 else 128 - process.returncode
    words = (folder / "words").read_text(errors="replace")
    return Recording(status, words, files_left(folder, line), time.monotonic() - start, hung)


def substitute(text: str, values: dict[str, str]) -> str:
    """With what the words stand for: the steady load's numbers, the commands."""
    return re.sub(r"\b(" + "|".join(values) + r")\b", lambda match: values[match[1]], text)


def fill_in(case: Case, values: dict[str, str]) -> list[str]:
    return shlex.split(substitute(case.line, values))
