"""The language of titles: valid titles, and the messages for invalid ones."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.language import wrong_title, wrong_words


@pytest.mark.parametrize(
    "title",
    [
        "A request between two steps is rounded up to the next step",
        "adminAccess in a subrequest is dropped as an unknown field",
        "metadata.generation of a ResourceSlice grows with a spec change, not with a label",
        "User story 4: CPUs are allocated and counted if no GPU exists",
    ],
)
def test_valid_titles(title: str) -> None:
    assert list(wrong_title(title)) == []


@pytest.mark.parametrize(
    ("title", "problem"),
    [
        ("a device is rejected", "the title begins with a lower-case letter, expected its subject"),
        ("A device is rejected.", "the title ends with a period"),
        ("1 by a plugin, 1 and 1 by DRA, 1 claimed count 4, 3 and 3", "the title has data"),
        ("A slice with {cpu: {}} is rejected", "the title has data"),
        ("No device for the claim", "the title has no verb"),
        ("A device is refused", 'the title has "refused", expected the standard term: rejected'),
        ("A dedicated device is allocated", '"dedicated", expected the standard term: exclusive'),
    ],
)
def test_invalid_titles(title: str, problem: str) -> None:
    assert any(problem in one for one in wrong_title(title))


def test_each_word_is_reported_once() -> None:
    assert len(list(wrong_words("An amount beside an amount is refused."))) == 3
