"""`adapter check` reports fields that an adapter never writes, and shapes that would fail many cases."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from dra_conform.adapters import check as checking
from dra_conform.adapters.builtin import Builtin
from dra_conform.adapters.check import check
from dra_conform.adapters.checked_allocations import missing_parts
from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.features import FEATURES, RESULT_PARTS
from dra_conform.conformance.implementation import Suite
from dra_conform.kube.json_values import Json, encode_json


def bare(objects: Json, ask: Json, profile: Json) -> Json:
    """Return the answer of the built-in with only the names of the devices."""
    body = Builtin.allocate(objects, ask, profile)
    for allocation in body.get("allocations", {}).values():
        allocation.pop("nodeSelector", None)
        allocation["devices"] = {
            "results": [
                {name: one[name] for name in ("request", "driver", "pool", "device")}
                for one in allocation["devices"]["results"]
            ]
        }
    return body


def missing(**features: str) -> list[str]:
    """Return the missing fields of `bare` if it declares these features."""
    declared = {name.replace("_", "-"): value for name, value in features.items()}
    trial = type("Bare", (), {"allocate": staticmethod(bare), "features": declared})
    implementation = InProcessImplementation(lambda: trial, spec="trial")
    return list(missing_parts(implementation, implementation.start(Suite("s", "1", "sha256:none"))))


def test_the_builtin_writes_every_part() -> None:
    assert not any(item.warning for item in check("builtin"))


def test_each_missing_part_is_found() -> None:
    assert missing() == list(RESULT_PARTS)


def test_a_declined_part_is_not_missing() -> None:
    assert "share-id" not in missing(share_id="none")
    assert missing(**{name.replace("-", "_"): "none" for name in FEATURES}) == [
        "configuration",
        "node-selector",
    ]


SHAPES = "the adapter writes every field of an allocation in its shape"


def _numbers(allocation: Json) -> None:
    for result in allocation["devices"]["results"]:
        if result.get("consumedCapacity"):
            result["consumedCapacity"] = dict.fromkeys(result["consumedCapacity"], 3)


def _empty_selector(allocation: Json) -> None:
    allocation["nodeSelector"] = {}


def _empty_share_id(allocation: Json) -> None:
    for result in allocation["devices"]["results"]:
        result.setdefault("shareID", "")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (_numbers, "a result with share-id: "),
        (_empty_selector, "/nodeSelector: has no term, so it selects no node; leave it out if every node"),
        (_empty_share_id, "/devices/results/0/shareID: is empty, expected it to be absent"),
    ],
)
def test_shapes_that_would_fail_many_cases(
    change: Callable[[Json], None], problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    [advice] = _advice(change, monkeypatch)
    assert problem in advice


def test_null_lists_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(allocation: Json) -> None:
        for name in ("results", "config"):
            allocation["devices"][name] = allocation["devices"].get(name) or None

    assert _advice(change, monkeypatch) == []


def _advice(change: Callable[[Json], None], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    def allocate(objects: Json, ask: Json, profile: Json) -> Json:
        body = json.loads(encode_json(Builtin.allocate(objects, ask, profile)))
        for allocation in body.get("allocations", {}).values():
            change(allocation)
        return body

    monkeypatch.setattr(
        checking, "open_implementation", lambda spec: InProcessImplementation(lambda: allocate, spec=spec)
    )
    return [item.advice for item in check("trial") if item.title == SHAPES and not item.ok]
