"""The folders of a suite, and the files in them."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

FOLDERS = ("features", "golden", "fixtures", "requirements")
_REQUIRED = ("features", "golden", "requirements")


def is_suite(folder: Path) -> bool:
    """Whether a folder has features, golden files and requirements."""
    return not _missing(folder)


def not_a_suite(folder: Path) -> str:
    """Return the message for a folder that is not a suite, with the folders that are missing in it."""
    message = "is not a suite, expected a folder with features, golden and requirements"
    missing = _missing(folder)
    if len(missing) == len(_REQUIRED):
        return message
    return f"{message}; {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"


def _missing(folder: Path) -> list[str]:
    return [name for name in _REQUIRED if not os.path.isdir(folder / name)]  # noqa: PTH112 - also if unreadable


@cache
def shipped() -> Path:
    """Return the folder of the shipped suite: in the installed package, or in the checkout."""
    package = Path(__file__).resolve().parents[2]
    inside = package / "suite"
    return inside if is_suite(inside) else package.parent


def case_files(root: Path) -> list[Path]:
    """Return all files with cases, in the order of the suite."""
    return [*sorted((root / "features").rglob("*.feature")), *sorted((root / "golden").rglob("*.yaml"))]


def requirement_files(root: Path) -> list[Path]:
    """Return all files of the catalogue, in its order."""
    return sorted((root / "requirements").rglob("*.yaml"))
