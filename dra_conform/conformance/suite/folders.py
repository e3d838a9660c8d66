"""The folders of a suite, and the files in them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

FOLDERS = ("features", "golden", "fixtures", "requirements")


def is_suite(folder: Path) -> bool:
    """Whether a folder has features, golden files and requirements."""
    return all((folder / name).is_dir() for name in ("features", "golden", "requirements"))


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
