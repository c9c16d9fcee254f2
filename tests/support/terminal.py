"""Run commands on a pseudo-terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios


def printed(columns: int, *arguments: object, **environment: str) -> str:
    """Return what a command prints on a terminal of this width."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
    command = [sys.executable, "-m", "runner.cli", *map(str, arguments)]
    with subprocess.Popen(command, stdout=follower, stderr=subprocess.DEVNULL, env=kept | environment) as process:
        os.close(follower)
        out = b""
        while True:
            try:
                got = os.read(leader, 1 << 16)
            except OSError:  # Linux says so when the other end is closed
                break
            if not got:
                break
            out += got
    os.close(leader)
    assert process.returncode == 0
    return out.decode().replace("\r\n", "\n")
