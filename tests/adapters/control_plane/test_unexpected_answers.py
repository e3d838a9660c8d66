"""Answers of API servers that nobody expects cost the verdict of one request, not the run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from dra_conform.adapters.control_plane import plane_runner
from dra_conform.adapters.control_plane.control_plane_file import ControlPlaneFile
from dra_conform.adapters.control_plane.implementation import KubeImplementation
from dra_conform.adapters.control_plane.initial_objects import has_all
from dra_conform.conformance.implementation import Request, Status, Suite
from dra_conform.kube.profile import Profile


@pytest.mark.parametrize("stored", [None, "", 1, {}, [], [None]])
def test_a_stored_value_of_another_type_lacks_fields_and_items(stored: Any) -> None:
    assert not has_all({"spec": {"devices": stored}}, {"spec": {"devices": [{"name": "d"}]}})
    assert not has_all({"spec": stored}, {"spec": {"driver": "d"}})


def test_an_unexpected_error_is_the_verdict_of_its_request(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> dict[str, Any]:
        raise TypeError("object of type 'NoneType' has no len()")

    answers = {"admit": fails, "allocate": lambda *_: {"outcome": "unallocatable"}}
    monkeypatch.setattr(plane_runner, "ControlPlane", lambda *_, **__: SimpleNamespace(close=lambda: None))
    monkeypatch.setattr(plane_runner, "_operations", lambda _: answers)
    opened = KubeImplementation(ControlPlaneFile("v1.37.1", {}), spec="kube:v1.37.1")
    opened.start(Suite("dra-conform", "1", "sha256:0"))
    profile = Profile.named("kubernetes-1.37")
    requests = [Request(n, f"case-{n}", name, profile, {}, {}) for n, name in enumerate(answers)]
    replies = {reply.id: reply for reply in opened.run(requests)}
    opened.close()
    assert replies[0].status is Status.FAILED
    assert "asking the control plane failed" in replies[0].detail
    assert replies[1].status is Status.OK
