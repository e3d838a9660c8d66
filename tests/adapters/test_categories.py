"""The built-in names its reasons in the words of the closed list, though it may not import it."""

from __future__ import annotations

from dra_conform.allocator import explain
from dra_conform.conformance.allocate.answer import Category


def test_every_category_of_the_built_in_is_a_known_one() -> None:
    named = {value for name, value in vars(explain).items() if name.isupper() and isinstance(value, str)}
    assert len(named) >= 20
    assert named <= {category.value for category in Category}
