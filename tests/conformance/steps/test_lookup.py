"""The sentence that a mistyped step most likely means."""

from __future__ import annotations

import pytest

from dra_conform.conformance.steps.lookup import nearest
from dra_conform.conformance.suite.composition import known_steps


@pytest.mark.parametrize(
    ("keyword", "words", "sentence"),
    [
        ("given", 'a resourceclaim "c" requesting 1 device', 'a ResourceClaim "{claim}" requesting {count}['),
        ("given", 'a device class "gpu"', 'a DeviceClass "{name}"['),
        (
            "given",
            'a pod "p" using claim "c"',
            'a pod "{pod}"[ on node "{node}"] that uses ResourceClaim[s] ',
        ),
        ("when", 'allocation of claim "c" is attempted', 'allocation of ResourceClaim "{claims}"['),
        ("then", 'Pod "p" is running', 'pod "{pod}" is Running['),
        ("then", 'ResourceClaim "c" gets 1 device', 'ResourceClaim "{claim}" is allocated {count} device[s]'),
    ],
)
def test_the_nearest_sentence(keyword: str, words: str, sentence: str) -> None:
    assert nearest(known_steps(keyword, None), keyword, words).startswith(sentence)


def test_no_sentence_is_near() -> None:
    assert nearest(known_steps("when", None), "when", "it rains") == ""
