"""Report files: checked before the run, replaced atomically at its end."""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from dra_conform.kube.errors import InputError

STDOUT = Path("-")
"""Standard output, which `-` and `/dev/stdout` name."""


IN_USE = "another run is writing it, expected a different file"
"""The message of the error for a file that is open for writing."""


def is_stdout(path: str) -> bool:
    """Whether a path means standard output."""
    return path in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


def ensure_writable(path: str, inputs: Iterable[Path] = ()) -> Path:
    """Return the resolved path; raise InputError if no report can be written there. Writes nothing.

    A path is also rejected if it is one of the `inputs` or inside a folder of `inputs`.
    """
    target = _resolved(path)
    if target == STDOUT:
        return target
    # Path.resolve raises an error for a loop of symbolic links; os.path.realpath does not.
    read = [os.path.realpath(path) for path in inputs]
    if any(target.is_relative_to(path) for path in read) or _is_link_to(target, inputs):
        raise InputError(path, None, "", "is read by this command, expected a different file")
    if target.is_dir():
        raise InputError(path, None, "", "is a folder, expected a file to write the report to")
    if target.exists():
        if not os.access(target, os.W_OK):
            raise InputError(path, None, "", "is not writable, expected a file to write the report to")
        if not target.is_file():
            return target
    folder = target.parent
    if not folder.is_dir():
        raise InputError(path, None, "", f"there is no folder {folder}, expected an existing folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(path, None, "", f"folder {folder} is not writable, expected a writable folder")
    return target


def ensure_folder(path: str, inputs: Iterable[Path] = ()) -> Path:
    """Return the resolved path of a folder for reports; it is created if its parent exists.

    Raises InputError if no report can be written there, or if the folder is one of the `inputs`.
    """
    target = _resolved(path)
    if not target.is_dir():
        if target.exists():
            raise InputError(path, None, "", "is a file, expected a folder for reports")
        ensure_writable(str(target), inputs)
        try:
            target.mkdir()
        except OSError as error:
            raise InputError(path, None, "", f"cannot be created: {error.strerror}") from None
    ensure_writable(str(target / "report"), inputs)
    return target


def write_text(path: str | Path, text: str, inputs: Iterable[Path] = ()) -> None:
    """Write a file in UTF-8 atomically: a reader sees either the old or the new content.

    Pipes and standard output are written directly. Raises InputError, also if the file is one of the
    `inputs`.
    """
    target = ensure_writable(str(path), inputs)
    if target == STDOUT:
        sys.stdout.write(text)
        return
    try:
        if target.exists() and not target.is_file():
            with open_unbuffered(target) as stream:
                stream.write(text)
            return
        _replace(target, text.encode())
    except OSError as error:
        raise InputError(str(path), None, "", f"cannot be written: {error.strerror or error}") from None


def write_bytes(path: str | Path, content: bytes, inputs: Iterable[Path] = ()) -> None:
    """Write a binary file atomically; raises InputError, also for standard output."""
    target = ensure_writable(str(path), inputs)
    if target == STDOUT:
        raise InputError(str(path), None, "", "is standard output, expected a file to write")
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(content)
            return
        _replace(target, content)
    except OSError as error:
        raise InputError(str(path), None, "", f"cannot be written: {error.strerror or error}") from None


@contextmanager
def open_unbuffered(target: Path) -> Iterator[TextIO]:
    """Open a path that `ensure_writable` returned, to write as data comes; an existing file is truncated.

    Raises OSError for a pipe without reader, and for a file that another process has opened this way.
    """
    if target == STDOUT:
        yield sys.stdout
        return
    if target.is_fifo():
        os.close(os.open(target, os.O_WRONLY | os.O_NONBLOCK))
    if target.exists() and not target.is_file():
        with target.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        return
    with target.open("a", encoding="utf-8", newline="\n") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BlockingIOError(errno.EAGAIN, IN_USE) from None
        stream.truncate(0)
        yield stream


def _resolved(path: str) -> Path:
    if not path or "\0" in path:
        raise InputError(path.replace("\0", "\\0"), None, "", "is not a path, expected a file to write to")
    if is_stdout(path):
        return STDOUT
    if _is_foreign_link(Path(path)):
        message = "is a link of another user in a folder that everybody may write to, expected an own file"
        raise InputError(path, None, "", message)
    try:
        if Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir():
            return Path(path).absolute()  # /dev/fd/63 resolves to a target without a path
        return Path(path).resolve()
    except (OSError, RuntimeError) as error:
        raise InputError(path, None, "", f"cannot be resolved to a file: {error}") from None


def _is_foreign_link(path: Path) -> bool:
    """Whether following a path is what `fs.protected_symlinks` of Linux prevents when a file is opened.

    Reports replace the target of a link, which the kernel does not prevent.
    """
    try:
        link, folder = path.lstat(), path.parent.stat()
    except OSError:
        return False
    return (
        stat.S_ISLNK(link.st_mode)
        and bool(folder.st_mode & stat.S_IWOTH)
        and link.st_uid not in (os.geteuid(), folder.st_uid)
    )


def _is_link_to(target: Path, inputs: Iterable[Path]) -> bool:
    """Whether a file is a hard link to one of the inputs or to a file inside one."""
    if not target.is_file() or target.stat().st_nlink == 1:
        return False
    files = (file for path in inputs for file in (path.rglob("*") if path.is_dir() else (path,)))
    return any(file.is_file() and file.samefile(target) for file in files)


def _replace(target: Path, content: bytes) -> None:
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    # The name is random, and mode "x" fails if a file exists, so an attacker cannot put a link there.
    temporary = target.with_name(f".{target.name[:200]}.{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as stream:
            stream.write(content)
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
