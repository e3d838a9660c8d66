"""Read the locks: pip's requirement files with a version and hashes for every package."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCKS = Path(__file__).parents[2] / "locks"
RUNTIME = LOCKS / "runtime.txt"
DEVELOPMENT = LOCKS / "development.txt"


@dataclass(frozen=True, slots=True)
class LockedPackage:
    """A package of a lock. `hashes` are the SHA-256 of all files of its version, in hexadecimal."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]


def locked_packages(lock: Path) -> Iterator[LockedPackage]:
    """Yield the packages of a lock in its order. Raises ValueError for a line without a pinned version."""
    for line in lock.read_text("utf-8").replace("\\\n", " ").splitlines():
        text = line.partition("#")[0].strip()
        if not text:
            continue
        pinned, *hashes = text.split("--hash=sha256:")
        requirement = Requirement(pinned)
        (exact,) = requirement.specifier
        if exact.operator != "==" or not hashes:
            raise ValueError(f"{lock.name}: {pinned} is not pinned, expected a version and hashes")
        yield LockedPackage(
            canonicalize_name(requirement.name),
            exact.version,
            str(requirement.marker or ""),
            tuple(hash_.strip() for hash_ in hashes),
        )
