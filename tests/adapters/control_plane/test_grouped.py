"""In which order a control plane is asked, so that components seldom start again and few answers wait."""

from __future__ import annotations

from dra_conform.adapters.control_plane.implementation import grouped
from dra_conform.conformance.implementation import Request
from dra_conform.kube.profile import Profile


def request(number: int, operation: str, **gates: bool) -> Request:
    profile = Profile.named("kubernetes-1.37").with_gates(gates)
    return Request(number, f"case-{number}", operation, profile, {}, {})


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
