"""When many rows are evaluated as columns instead of one by one."""

from __future__ import annotations

from enum import StrEnum


class ColumnUse(StrEnum):
    """Whether columns are used: for every number of rows, for none, or where there are many.

    The results are equal in all three.
    """

    ALWAYS = "always"
    NEVER = "never"
    BY_SIZE = "by-size"

    def applies(self, rows: int, worthwhile: int) -> bool:
        """Whether so many rows are evaluated as columns; `worthwhile` is the size for BY_SIZE."""
        return self is ColumnUse.ALWAYS or (self is ColumnUse.BY_SIZE and rows >= worthwhile)
