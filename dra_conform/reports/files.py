"""Files that reports are written to: checked before the run, replaced whole at its end."""

from __future__ import annotations

import os
from pathlib import Path

from dra_conform.kube.errors import InputError


def ensure_writable(path: str) -> Path:
    """The resolved path; raises InputError where a report could not be written there. Writes nothing."""
    target = _resolved(path)
    if target.is_dir():
        raise InputError(path, None, "", "is a folder, expected a file to write the report to")
    if target.exists():
        if not os.access(target, os.W_OK):
            raise InputError(path, None, "", "is not writable, expected a file to write the report to")
        if not target.is_file():
            return target
    folder = target.parent
    if not folder.is_dir():
        raise InputError(path, None, "", f"there is no folder {folder}, expected an existing one")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(path, None, "", f"the folder {folder} is not writable, expected one that is")
    return target


def write_text(path: str | Path, text: str) -> None:
    """Write a whole file in UTF-8, so that a reader sees the old one or the new one and never a half.

    What is no regular file (a pipe, `/dev/stdout`) is written straight. Raises InputError.
    """
    target = ensure_writable(str(path))
    try:
        if target.exists() and not target.is_file():
            with target.open("w", encoding="utf-8") as stream:
                stream.write(text)
            return
        _replace(target, text)
    except OSError as error:
        raise InputError(str(path), None, "", f"cannot be written: {error.strerror or error}") from None


def _resolved(path: str) -> Path:
    if not path or "\0" in path:
        raise InputError(path.replace("\0", "\\0"), None, "", "is not a path, expected a file to write to")
    try:
        return Path(path).resolve()
    except (OSError, RuntimeError) as error:
        raise InputError(path, None, "", f"cannot be reached: {error}") from None


def _replace(target: Path, text: str) -> None:
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    temporary = target.with_name(f".{target.name[:200]}.{os.getpid()}.tmp")
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
