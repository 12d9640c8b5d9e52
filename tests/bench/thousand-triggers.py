#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""thousand-triggers.py WORKER DIRECTORY: 1,000 triggers at 1 kHz on the control FIFO of a flight recorder, and their answers.

Each trigger has an id. An answer names a dump, whose attributes have the time of its last sample; that must not be earlier
than the trigger, minus the interval of two samples.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

N = 1000
SAMPLES_PER_SECOND = 4000
SLACK_USEC = 20_000


def main() -> None:
    worker, directory = sys.argv[1], Path(sys.argv[2])
    os.chdir(directory)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listener.bind("notify")
    os.mkfifo("control")
    control = os.open("control", os.O_RDWR)
    recorder = subprocess.Popen(
        [worker, "-a", "-e", "cpu-clock", "-F", str(SAMPLES_PER_SECOND), "--overwrite", "-o", "data", "--control=fifo:control"],
        stderr=subprocess.DEVNULL, env={**os.environ, "NOTIFY_SOCKET": str(directory / "notify")})
    loads = [subprocess.Popen(["dd", "if=/dev/zero", "of=/dev/null", "bs=1"], stderr=subprocess.DEVNULL)
             for _ in range(os.cpu_count() or 1)]
    try:
        while b"READY=1" not in listener.recv(65536):
            pass
        sent: dict[str, int] = {}
        answers: dict[str, str] = {}
        listener.setblocking(False)
        begin = time.monotonic()
        deadline = begin + 60
        while len(answers) < N and time.monotonic() < deadline:
            while len(sent) < N and time.monotonic() - begin >= len(sent) / 1000:
                name = str(len(sent))
                sent[name] = time.time_ns() // 1000
                os.write(control, f"snapshot {name}\n".encode())
            try:
                message = dict(line.split("=", 1) for line in listener.recv(65536).decode().splitlines() if "=" in line)
            except BlockingIOError:
                time.sleep(0.0002)
                continue
            for name in message.get("X_PERF_DUMP_IDS", "").split():
                answers[name] = message.get("X_PERF_DUMP", "")
        last = {dump: int(os.getxattr(dump, "user.perf-recorder.last")) for dump in set(answers.values()) if dump}
        covered = sum(1 for name, dump in answers.items() if dump and last[dump] + SLACK_USEC >= sent[name])
        print(f"triggers: of {N} at 1 kHz {len(answers)} answered, {covered} by a dump that covers their moment, {len(last)} dumps")
    finally:
        for process in (*loads, recorder):
            process.kill()
            process.wait()


main()
