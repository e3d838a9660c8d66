"""Parts of messages."""

from __future__ import annotations

from dra_conform.kube.listing import quoted


def test_a_value_that_is_cut_has_dots_after_its_quotes() -> None:
    assert quoted("9" * 40) == f"'{'9' * 40}'"
    assert quoted("9" * 41) == f"'{'9' * 40}'..."
