"""Quantities are parsed, printed and compared as in apimachinery, for generated strings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from dra_conform.kube.quantity import NANO, Format, Quantity, QuantityError
from tests.support.kube_allocator.builds import ask, build
from tests.support.kube_allocator.quantity_texts import texts

pytestmark = pytest.mark.slow

COUNT = 200_000
BATCH = 2_000
LARGEST_SUFFIX = 1000 * 10**18 * NANO
"""Apimachinery prints multiples of 1000E without suffix, such as 1000E as 1. The built-in prints the value."""

INT64 = 2**63


@pytest.mark.parametrize("release", ["v0.34.13", "v0.36.6", "v0.37.2"])
def test_generated_strings_have_equal_results(release: str) -> None:
    everything = texts(seed=1, count=COUNT)
    batches = [everything[i : i + BATCH] for i in range(0, COUNT, BATCH)]
    answers = ask(build(release), "quantity", ({"texts": batch} for batch in batches))
    differences = [
        found
        for batch, answer in zip(batches, answers, strict=True)
        for found in [*_single(batch, answer["parsed"]), *_pairs(batch, answer["pairs"])]
    ]
    assert differences == []


def test_generated_strings_are_valid_and_invalid() -> None:
    parsed = [_parse(text) for text in texts(seed=1, count=20_000)]
    good = [quantity for quantity in parsed if quantity is not None]
    assert 0.8 < len(good) / len(parsed) < 0.95
    assert {quantity.format for quantity in good} == set(Format)
    assert any(a == b and str(a) != str(b) for a, b in pairwise(good))


def _parse(text: str) -> Quantity | None:
    try:
        return Quantity.parse(text)
    except QuantityError:
        return None


def _single(batch: Sequence[str], answers: Sequence[dict[str, Any]]) -> list[str]:
    found = []
    for text, theirs in zip(batch, answers, strict=True):
        ours = _parse(text)
        if ours is None or "error" in theirs:
            if ours is not None or "error" not in theirs:
                found.append(f"{text!r}: ours {ours}, theirs {theirs}")
            continue
        pairs: list[tuple[object, object]] = [(ours.format, theirs["format"])]
        if _printable(ours):
            pairs.append((str(ours), theirs["canonical"]))
        # Apimachinery overflows above INT64, and rounds negative values in either direction.
        if 0 <= ours.value() < INT64:
            pairs.append((ours.value(), theirs.get("value", 0)))
        found += [f"{text!r}: ours {a!r}, theirs {b!r}" for a, b in pairs if a != b]
    return found


def _pairs(batch: Sequence[str], answers: Sequence[dict[str, Any] | None]) -> list[str]:
    found = []
    for (left, right), theirs in zip(pairwise(batch), answers, strict=True):
        a, b = _parse(left), _parse(right)
        if a is None or b is None or theirs is None:
            continue
        pairs: list[tuple[object, object]] = [((a > b) - (a < b), theirs["compare"])]
        if _printable(a + b):
            pairs.append((str(a + b), theirs["sum"]))
        if _printable(a - b):
            pairs.append((str(a - b), theirs["difference"]))
        found += [f"{left!r} and {right!r}: ours {a!r}, theirs {b!r}" for a, b in pairs if a != b]
    return found


def _printable(quantity: Quantity) -> bool:
    return quantity.nano == 0 or quantity.nano % LARGEST_SUFFIX != 0 or quantity.format != Format.DECIMAL_SI
