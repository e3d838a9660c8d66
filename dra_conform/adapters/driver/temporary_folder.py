"""A temporary folder that does not outlive this process, even if this process is killed."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from dra_conform.adapters.supervised_command import scrubbed

MAX_SOCKET_PATH = 107
"""The longest path of a Unix socket, in bytes."""
_LONGEST_SOCKET = "k/plugins_registry/reference.dra-conform.example-12345678-reg.sock"
"""The longest path of a socket in a temporary folder, if a driver gives its socket no longer name."""
_PREFIX = "dra-"
_RANDOM = "12345678"
REMOVAL_SECONDS = 60.0
"""How long the removal of a folder may take."""

_REMOVE = """
read -r _
tries=0
while [ -e "$1" ] && [ "$tries" -lt 100 ]; do
    while read -r _ mounted _; do
        case $mounted in */"${1##*/}"/*) umount -l -- "$(printf %b "$mounted")" ;; esac
    done </proc/self/mounts
    if ! grep -qs "/${1##*/}/" /proc/self/mounts; then
        rm -rf -- "$1" && continue
        chmod -R u+rwX -- "$1"
    fi
    tries=$((tries + 1))
    sleep 0.1
done
"""
"""A shell script that removes a folder at the end of its input, although processes may still write there.

What a process has mounted in the folder is unmounted first, because its files are those of others.
"""


class TemporaryFolder:
    """A folder for sockets and files of processes that are not trusted.

    A small process waits for `close` or for the end of this process and then removes the folder. `rm` also
    removes folders that are nested too deeply for Python. It is in /tmp if paths of sockets would be too long
    in the folder for temporary files.
    """

    def __init__(self) -> None:
        parent = tempfile.gettempdir()
        longest = os.fsencode(Path(parent, _PREFIX + _RANDOM, _LONGEST_SOCKET))
        self.path = Path(
            tempfile.mkdtemp(prefix=_PREFIX, dir=parent if len(longest) <= MAX_SOCKET_PATH else "/tmp")
        )
        try:
            self._remover = subprocess.Popen(
                ("sh", "-c", _REMOVE, "sh", str(self.path)),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=scrubbed(os.environ),
                start_new_session=True,  # Ctrl-C must not end it before the folder is removed.
            )
        except OSError:
            self.path.rmdir()
            raise

    def close(self) -> None:
        """Remove the folder."""
        try:
            self._remover.communicate(timeout=REMOVAL_SECONDS)
        except subprocess.TimeoutExpired:
            self._remover.kill()
            self._remover.communicate()
