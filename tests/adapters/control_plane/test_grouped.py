"""In which order a control plane is asked, so that components seldom start again and few answers wait."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.adapters.control_plane.implementation import by_isolation, grouped
from dra_conform.adapters.live.isolation import Isolation
from dra_conform.conformance.implementation import Request
from dra_conform.kube.profile import Profile


def request(number: int, operation: str, **gates: bool) -> Request:
    profile = Profile.named("kubernetes-1.37").with_gates(gates)
    return Request(number, f"case-{number}", operation, profile, {}, {})


def story(number: int, *actions: Mapping[str, Any]) -> Request:
    return Request(
        number, f"case-{number}", "cluster", Profile.named("kubernetes-1.37"), {}, {"actions": [*actions]}
    )


def test_equal_gates_are_asked_in_a_row_and_the_largest_group_last() -> None:
    asked = [
        request(0, "cluster"),
        request(1, "cluster", DRADeviceTaints=False),
        request(2, "allocate"),
        request(3, "cluster"),
        request(4, "admit"),
        request(5, "admit", DRADeviceTaints=False),
    ]
    assert [[one.id for one in group] for group in grouped(asked)] == [[5], [4, 2], [1], [0, 3]]


def test_stories_of_a_group_are_told_by_whom_they_can_be_told_beside() -> None:
    settle, restart = {"do": "settle"}, {"do": "restart", "components": ["scheduler"]}
    asked = [
        story(0, settle, restart),
        request(1, "admit"),
        story(2, settle),
        story(3, {"do": "create", "object": {}}),
        story(4, settle),
    ]
    found = {company: [one.id for one in several] for company, several in by_isolation(asked)}
    assert list(found.items()) == [
        (None, [1]),
        (Isolation.ONLY_WRITES, [3]),
        (Isolation.OWN_OBJECTS, [2, 4]),
        (Isolation.WHOLE_CLUSTER, [0]),
    ]
