"""Checks that the tests of steps have each sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dra_conform.conformance.steps.step import Step


def require_each_phrase(steps: Sequence[Step], keyword: str, tested: Iterable[str]) -> None:
    """Fail unless each phrase of the steps is tested, and each tested sentence is of exactly one phrase."""
    sentences = [text.partition("\n")[0] for text in tested]
    phrases = [phrase for step in steps if step.keyword == keyword for phrase in step.phrases]
    assert [each.words for each in phrases if not any(map(each.pattern.fullmatch, sentences))] == []
    for text in sentences:
        assert sum(bool(phrase.pattern.fullmatch(text)) for phrase in phrases) == 1, text
