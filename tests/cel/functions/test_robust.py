"""Library functions raise EvaluationError for any bad input, and no other exception."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dra_conform.cel.checking.environment import LIBRARY_OVERLOADS
from dra_conform.cel.functions.formats import NAMED
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.functions.url import OVERLOADS as OF_URLS
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.types import BOOL, DYN, INT, STRING, Type, list_of
from dra_conform.cel.values.value import Value
from tests.support.draws import examples
from tests.support.rows import mostly_slow

PIECES = (
    *r"1.-+:/%[]()*?|\^$aé@#ev0",
    "http://",
    "Ki",
    "::",
    "{2}",
    r"\p",
    "%s",
    "%.2f",
    "%d",
    "9" * 30,
    "\n",
    " ",
)
pieces = st.lists(st.one_of(st.sampled_from(PIECES), st.characters(codec="utf-8")), max_size=12)
text = pieces.map("".join)
integer = st.one_of(st.integers(-3, 20), st.sampled_from((2**63 - 1, -(2**63))))
anything = st.one_of(text, integer, st.booleans(), st.none(), st.floats(), st.binary(max_size=4))
ARGUMENTS: dict[Type, st.SearchStrategy[Value]] = {
    STRING: text,
    INT: integer,
    BOOL: st.booleans(),
    list_of(STRING): st.lists(text, max_size=3).map(tuple),
    list_of(DYN): st.lists(anything, max_size=3).map(tuple),
}
PLAIN = [o for o in LIBRARY_OVERLOADS if o.params and all(p in ARGUMENTS for p in o.params)]


@pytest.mark.parametrize(
    "overload",
    mostly_slow([pytest.param(o, id=f"{o.name}({', '.join(map(str, o.params))})") for o in PLAIN], 10),
)
def test_functions_of_plain_values(overload: Overload) -> None:
    @settings(max_examples=40)
    @given(st.tuples(*(ARGUMENTS[p] for p in overload.params)))
    def check(arguments: tuple[Value, ...]) -> None:
        with suppress(EvaluationError):
            result = overload.call(*arguments)
            assert overload.cost is None or overload.cost(arguments, result) >= 0

    check()


@examples(200)
@given(text)
def test_formats_and_parts_of_urls(text: str) -> None:
    for wanted in NAMED.values():
        assert all(isinstance(wrong, str) for wrong in wanted.check(text))
    with suppress(EvaluationError):
        url = next(o for o in OF_URLS if o.name == "url").call(text)
        for part in OF_URLS:
            if part.member:
                part.call(url)
