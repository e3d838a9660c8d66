"""The request policy of a capacity (KEP-5075/policy-validation)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.apiserver.objects import (
    Errors,
    create,
    errors,
    profile,
    shared_device,
    slice_of,
    update,
)

P = "spec.devices[0].capacity[bw].requestPolicy"
Policy = dict[str, Any]


def between(
    least: str | None = "1", most: str | None = None, step: str | None = None, default: str | None = "2"
) -> Policy:
    amounts = {"min": least, "max": most, "step": step}
    policy: Policy = {"validRange": {name: one for name, one in amounts.items() if one is not None}}
    return policy if default is None else {**policy, "default": default}


def among(*values: str, default: str | None = "2") -> Policy:
    return {"validValues": list(values)} | ({} if default is None else {"default": default})


def invalid(*fields: str) -> Errors:
    return {(f"{P}.{field}", "Invalid") for field in fields}


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ({}, set()),
        ({"default": "20"}, set()),
        (between(), set()),
        (between(most="10"), set()),
        (between(least="10", default="10"), set()),
        (between(least="1", step="9", default="1"), set()),
        (between(default="11"), set()),
        (between(default=None), {(f"{P}.default", "Required")}),
        (between(least=None), {(f"{P}.validRange.min", "Required")}),
        (between(least="11", default="11"), invalid("validRange.min")),
        (between(most="11"), invalid("validRange.max")),
        (between(least="3", most="2", default="3"), invalid("validRange.max", "validRange.default")),
        (between(default="0"), invalid("validRange.default")),
        (between(most="3", default="4"), invalid("validRange.default")),
        (between(step="10", default="1"), invalid("validRange.step")),
        (between(step="2", default="2"), invalid("validRange.step")),
        (between(step="2", most="4", default="3"), invalid("validRange.step")),
        (between(step="0"), invalid("validRange.step")),
        (between(step="-1"), invalid("validRange.step")),
        (between(least="0", step="0.5", default="1.5"), set()),
        (between(least="0", step="0.5", default="1.2"), invalid("validRange.step")),
        (between(least="0.0001", default="1"), invalid("validRange.min")),
        (between(least="-1", default="1", step="1"), invalid("validRange.min")),
        (
            between(least="11", most="12", default="13"),
            invalid("validRange.min", "validRange.max", "validRange.default"),
        ),
        (among("1", "2", "10"), set()),
        (among("1", "2", default=None), {(f"{P}.default", "Required")}),
        (among("2", "1"), invalid("validValues[1]")),
        (among("2", "2"), {(f"{P}.validValues[1]", "Duplicate")}),
        (among("2", "2000m"), set()),
        (among("2", "11"), invalid("validValues[1]")),
        (among("1", "3"), invalid("validValues")),
        (among("1", "1.5", "2"), set()),
        (among(*map(str, range(1, 11))), set()),
        (
            among(*(f"{n}00m" for n in range(10, 21))),
            {(f"{P}.validValues", "TooMany"), (f"{P}.validValues", "Invalid")},
        ),
        ({**between(), **among("2")}, {(P, "Forbidden")}),
    ],
)
def test_policy(policy: Policy, expected: Errors) -> None:
    assert errors(create(slice_of(shared_device("10", **policy)))) == expected


@pytest.mark.parametrize("sharing", [None, False])
def test_only_devices_with_multiple_allocations_can_have_a_policy(sharing: bool | None) -> None:
    device = shared_device("10", default="1") | {"allowMultipleAllocations": sharing}
    assert errors(create(slice_of(device))) == {(P, "Forbidden")}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("kubernetes-1.34", invalid("validRange.min")),
        ("kubernetes-1.36", invalid("validRange.min")),
        ("kep", invalid("validRange.default")),
    ],
)
def test_the_path_of_a_default_below_the_range(name: str, expected: Errors) -> None:
    assert errors(create(slice_of(shared_device("10", **between(default="0"))), profile(name))) == expected


def test_only_the_specification_rejects_a_negative_min_without_a_step() -> None:
    written = slice_of(shared_device("10", **between(least="-1")))
    assert errors(create(written)) == set()
    assert errors(create(written, profile("kep"))) == invalid("validRange.min")


@pytest.mark.parametrize("name", ["kubernetes-1.34", "kubernetes-1.36"])
def test_a_step_of_zero_crashes_older_servers(name: str) -> None:
    answer = create(slice_of(shared_device("10", **between(step="0"))), profile(name))
    assert errors(answer) == {("", "InternalError")}


def test_without_the_gate_quantities_are_integers() -> None:
    where = profile(DRAFractionalCapacityRange=False)
    assert errors(create(slice_of(shared_device("10", **among("0.5", "0.7", "2"))), where)) == {
        (f"{P}.validValues[1]", "Duplicate")
    }
    assert (
        errors(create(slice_of(shared_device("10", **between(least="0", step="2", default="1.2"))), where))
        == set()
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [("kubernetes-1.37", set()), ("kubernetes-1.36", {(P, "Forbidden")}), ("kep", {(P, "Forbidden")})],
)
def test_a_policy_that_is_left_on_an_exclusive_device(name: str, expected: Errors) -> None:
    old = slice_of(shared_device("10", default="1"))
    new = slice_of(shared_device("10", default="1") | {"allowMultipleAllocations": False})
    assert errors(update(new, old, profile(name))) == expected
