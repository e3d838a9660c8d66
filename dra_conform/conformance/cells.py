"""The cells of Gherkin data tables."""

from __future__ import annotations

from collections.abc import Mapping

from dra_conform.conformance.building import StepError

_FLAGS = {"yes": True, "no": False}


def columns(row: Mapping[str, str], prefix: str) -> dict[str, str]:
    """The filled cells of the columns `PREFIX name`, by name."""
    return {
        column.removeprefix(f"{prefix} "): cell
        for column, cell in row.items()
        if column.startswith(f"{prefix} ") and cell
    }


def plain(row: Mapping[str, str], *prefixes: str) -> dict[str, str]:
    """The filled cells of all other columns."""
    return {
        column: cell
        for column, cell in row.items()
        if cell and not any(column.startswith(f"{prefix} ") for prefix in prefixes)
    }


def flag(text: str) -> bool:
    """`yes` or `no`; raises StepError."""
    if text not in _FLAGS:
        raise StepError(f"is {text!r}, expected yes or no")
    return _FLAGS[text]
