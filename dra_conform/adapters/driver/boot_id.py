"""The boot ID of an emulated node, by which drivers notice that the node was rebooted."""

from __future__ import annotations

import os
import subprocess
import uuid
from pathlib import Path

_BOOT_ID = "/proc/sys/kernel/random/boot_id"
_MOUNT = f'mount --bind "$1" {_BOOT_ID} && shift && exec "$@"'


class BootId:
    """A boot ID in a file; a driver sees it instead of that of the machine, in its own mount namespace."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.renew()

    def renew(self) -> None:
        """Write another boot ID, as a reboot does."""
        self._path.unlink(missing_ok=True)  # A driver may have put a link to another file there.
        with self._path.open("x", encoding="ascii") as file:
            file.write(f"{uuid.uuid4()}\n")

    def seen_by(self, command: tuple[str, ...]) -> tuple[str, ...]:
        """Return the command that runs a command with this boot ID."""
        options = "-m" if os.geteuid() == 0 else "-rm"
        return ("unshare", options, "sh", "-c", _MOUNT, "sh", str(self._path), *command)

    def can_be_seen(self) -> bool:
        """Whether this user may make such a namespace on this machine."""
        try:
            tried = subprocess.run(self.seen_by(("true",)), capture_output=True, check=False)
        except OSError:
            return False
        return tried.returncode == 0
