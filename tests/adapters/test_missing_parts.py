"""`adapter check` reports fields of an allocation that an adapter never writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dra_conform.adapters import missing_parts as looking
from dra_conform.adapters.builtin import Builtin
from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.adapters.missing_parts import missing_parts
from dra_conform.conformance.features import FEATURES, RESULT_PARTS

Json = Any


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


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Return the missing fields of `bare` if it declares these features."""

    def missing_with(**features: str) -> list[str]:
        class Bare:
            allocate = staticmethod(bare)

        Bare.features = {name.replace("_", "-"): value for name, value in features.items()}  # type: ignore[attr-defined]
        monkeypatch.setattr(
            looking, "open_implementation", lambda spec: InProcessImplementation(lambda: Bare, spec=spec)
        )
        return list(missing_parts("trial"))

    return missing_with


def test_the_builtin_writes_every_part() -> None:
    assert list(missing_parts("builtin")) == []


def test_each_missing_part_is_found(missing: Callable[..., list[str]]) -> None:
    assert missing() == list(RESULT_PARTS)


def test_a_declined_part_is_not_missing(missing: Callable[..., list[str]]) -> None:
    assert "share-id" not in missing(share_id="none")
    assert missing(**{name.replace("-", "_"): "none" for name in FEATURES}) == [
        "configuration",
        "node-selector",
    ]
