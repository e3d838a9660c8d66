"""The choice whether many rows are evaluated as columns or one by one."""

from __future__ import annotations

from enum import StrEnum


class ColumnUse(StrEnum):
    """Whether rows are evaluated as columns: always, never, or if there are many rows.

    The results are always equal.
    """

    ALWAYS = "always"
    NEVER = "never"
    BY_SIZE = "by-size"

    def applies(self, rows: int, worthwhile: int) -> bool:
        """Whether this number of rows is evaluated as columns; for BY_SIZE, from `worthwhile` rows on."""
        return self is ColumnUse.ALWAYS or (self is ColumnUse.BY_SIZE and rows >= worthwhile)
