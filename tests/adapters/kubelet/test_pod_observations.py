"""The pods of a kubelet in its PodResources API."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dra_conform.adapters.driver.plugin_client import CallFailed
from dra_conform.adapters.kubelet import pod_observations
from dra_conform.adapters.kubelet.pod_observations import ShownPods

POD: Any = {"metadata": {"namespace": "default", "name": "p"}}


@pytest.mark.parametrize(("code", "calls"), [("DEADLINE_EXCEEDED", 1), ("UNAVAILABLE", 3)])
def test_a_call_without_an_answer_is_not_made_again(
    code: str, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def fail(_: Path, __: str, name: str) -> None:
        made.append(name)
        raise CallFailed(code, "")

    monkeypatch.setattr(pod_observations, "resources_of_pod", fail)
    monkeypatch.setattr(pod_observations, "pod_resources", lambda _: ())
    shown = ShownPods(Path("socket"))
    assert [(shown.listed(), shown.alone(POD)) for _ in range(3)] == [({}, None)] * 3
    assert made == ["p"] * calls
