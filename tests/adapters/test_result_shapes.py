"""`adapter check` explains shapes of results that would fail many cases."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from dra_conform.adapters import check as checking
from dra_conform.adapters.builtin import Builtin
from dra_conform.adapters.check import check
from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.kube.json_values import encode_json

Json = Any
SHAPES = "the adapter writes every field of an allocation in its shape"


def _numbers(allocation: Json) -> None:
    for result in allocation["devices"]["results"]:
        if result.get("consumedCapacity"):
            result["consumedCapacity"] = dict.fromkeys(result["consumedCapacity"], 3)


def _nil_results(allocation: Json) -> None:
    allocation["devices"]["results"] = allocation["devices"]["results"] or None


def _nil_configuration(allocation: Json) -> None:
    allocation["devices"]["config"] = None


def _empty_selector(allocation: Json) -> None:
    allocation["nodeSelector"] = {}


def _empty_share_id(allocation: Json) -> None:
    for result in allocation["devices"]["results"]:
        result.setdefault("shareID", "")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (_numbers, "a result with share-id: "),
        (_nil_results, "a ResourceClaim without requests: "),
        (_nil_configuration, "Expected `array`, got `null`"),
        (_empty_selector, "/nodeSelector: has no term, so it selects no node; leave it out if every node"),
        (_empty_share_id, "/devices/results/0/shareID: is empty, expected it to be absent"),
    ],
)
def test_shapes_that_would_fail_many_cases(
    change: Callable[[Json], None], problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def allocate(objects: Json, ask: Json, profile: Json) -> Json:
        body = json.loads(encode_json(Builtin.allocate(objects, ask, profile)))
        for allocation in body.get("allocations", {}).values():
            change(allocation)
        return body

    monkeypatch.setattr(
        checking, "open_implementation", lambda spec: InProcessImplementation(lambda: allocate, spec=spec)
    )
    [advice] = [item.advice for item in check("trial") if item.title == SHAPES and not item.ok]
    assert problem in advice
