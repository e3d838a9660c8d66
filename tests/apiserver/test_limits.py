"""Every limit, at its bound and one above it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.apiserver.objects import (
    DRIVER,
    SHARE,
    Errors,
    allocated,
    changed,
    claim_of,
    counter_slice,
    create,
    device_status,
    errors,
    exactly,
    first_available,
    of,
    profile,
    result,
    selector,
    slice_of,
    template_of,
    update,
)

D = "spec.devices[0]"
Build = Callable[[int], Any]


def names(count: int) -> list[str]:
    return [f"n{number}" for number in range(count)]


def devices(count: int, **fields: Any) -> list[dict[str, Any]]:
    return [{"name": name, **fields} for name in names(count)]


def conditions(count: int) -> dict[str, Any]:
    return {
        "bindingConditions": [f"a{n}" for n in range(count)],
        "bindingFailureConditions": [f"b{n}" for n in range(count)],
    }


def consuming(sets: int = 1, counters: int = 1, groups: int = 0) -> dict[str, Any]:
    amounts = {name: {"value": "1"} for name in names(counters)}
    return {
        "name": "d",
        "consumesCounters": [
            {"counterSet": name, "counters": amounts, "compatibilityGroups": names(groups)}
            for name in names(sets)
        ],
    }


def parameters(size: int) -> dict[str, Any]:
    return {"opaque": {"driver": DRIVER, "parameters": {"a": "x" * (size - len('{"a":""}'))}}}


def expression(size: int) -> str:
    return "true".ljust(size)


@pytest.mark.parametrize(
    ("bound", "build", "expected"),
    [
        (128, lambda n: slice_of(*devices(n)), {("spec.devices", "TooMany")}),
        (
            64,
            lambda n: slice_of(*devices(n, taints=[{"key": "k", "effect": "NoSchedule"}])),
            {("spec.devices", "TooMany")},
        ),
        (
            64,
            lambda n: slice_of(*devices(n, consumesCounters=consuming()["consumesCounters"])),
            {("spec.devices", "TooMany")},
        ),
        (64, lambda n: slice_of(*devices(n, attributes={"a": {"ints": [1]}})), {("spec.devices", "TooMany")}),
        (
            32,
            lambda n: slice_of({"name": "d", "attributes": {one: {"int": 1} for one in names(n)}}),
            {(D, "Invalid")},
        ),
        (
            32,
            lambda n: slice_of(
                {
                    "name": "d",
                    "attributes": {"a": {"int": 1}},
                    "capacity": {one: {"value": "1"} for one in names(n - 1)},
                }
            ),
            {(D, "Invalid")},
        ),
        (
            48,
            lambda n: slice_of(
                {"name": "d", "attributes": {"a": {"ints": list(range(n - 1))}, "b": {"int": 1}}}
            ),
            {(D, "Invalid")},
        ),
        (
            64,
            lambda n: slice_of({"name": "d", "attributes": {"a": {"strings": ["x" * n]}}}),
            {(f"{D}.attributes[a].strings[0]", "TooLong")},
        ),
        (
            16,
            lambda n: slice_of({"name": "d", "taints": [{"key": "k", "effect": "NoSchedule"}] * n}),
            {(f"{D}.taints", "TooMany")},
        ),
        (
            4,
            lambda n: slice_of({"name": "d", **conditions(n)}),
            {(f"{D}.bindingConditions", "TooMany"), (f"{D}.bindingFailureConditions", "TooMany")},
        ),
        (2, lambda n: slice_of(consuming(sets=n)), {(f"{D}.consumesCounters", "TooMany")}),
        (32, lambda n: slice_of(consuming(counters=n)), {(f"{D}.consumesCounters[0].counters", "TooMany")}),
        (
            2,
            lambda n: slice_of(consuming(groups=n)),
            {(f"{D}.consumesCounters[0].compatibilityGroups", "TooMany")},
        ),
        (8, lambda n: counter_slice(*names(n)), {("spec.sharedCounters", "TooMany")}),
        (
            32,
            lambda n: changed(
                counter_slice("s"),
                {"spec.sharedCounters.0.counters": {one: {"value": "1"} for one in names(n)}},
            ),
            {("spec.sharedCounters[0].counters", "TooMany")},
        ),
        (
            32,
            lambda n: claim_of(*(exactly(name) for name in names(n))),
            {("spec.devices.requests", "TooMany")},
        ),
        (
            8,
            lambda n: claim_of(first_available("r", *({"name": name} for name in names(n)))),
            {("spec.devices.requests[0].firstAvailable", "TooMany")},
        ),
        (
            32,
            lambda n: claim_of(exactly(), constraints=[{"matchAttribute": "a.example.com/b"}] * n),
            {("spec.devices.constraints", "TooMany")},
        ),
        (
            32,
            lambda n: claim_of(exactly(), config=[parameters(20)] * n),
            {("spec.devices.config", "TooMany")},
        ),
        (
            32,
            lambda n: claim_of(exactly(selectors=[selector("true")] * n)),
            {("spec.devices.requests[0].exactly.selectors", "TooMany")},
        ),
        (
            10240,
            lambda n: claim_of(exactly(selectors=[selector(expression(n))])),
            {("spec.devices.requests[0].exactly.selectors[0].cel.expression", "TooLong")},
        ),
        (
            10240,
            lambda n: claim_of(exactly(), config=[parameters(n)]),
            {("spec.devices.config[0].opaque.parameters", "TooLong")},
        ),
        (
            10240,
            lambda n: template_of(claim_of(exactly(), config=[parameters(n)])),
            {("spec.spec.devices.config[0].opaque.parameters", "TooLong")},
        ),
        (
            32,
            lambda n: of("DeviceClass", {"selectors": [selector("true")] * n}),
            {("spec.selectors", "TooMany")},
        ),
        (32, lambda n: of("DeviceClass", {"config": [parameters(20)] * n}), {("spec.config", "TooMany")}),
    ],
)
def test_of_objects(bound: int, build: Build, expected: Errors) -> None:
    assert errors(create(build(bound))) == set()
    assert errors(create(build(bound + 1))) == expected


@pytest.mark.parametrize(
    ("bound", "build", "path", "kind"),
    [
        (
            32,
            lambda n: allocated(*(result(name) for name in names(n))),
            "allocation.devices.results",
            "TooMany",
        ),
        (
            64,
            lambda n: {
                "allocation": {"devices": {"config": [{"source": "FromClass", **parameters(20)}] * n}}
            },
            "allocation.devices.config",
            "TooMany",
        ),
        (
            256,
            lambda n: allocated(
                result(), reservedFor=[{"resource": "pods", "name": "p", "uid": name} for name in names(n)]
            ),
            "reservedFor",
            "TooMany",
        ),
        (
            8,
            lambda n: allocated(
                result(),
                devices=[
                    device_status(
                        conditions=[
                            {
                                "type": name,
                                "status": "True",
                                "reason": "R",
                                "lastTransitionTime": "2020-01-01T00:00:00Z",
                            }
                            for name in names(n)
                        ]
                    )
                ],
            ),
            "devices[0].conditions",
            "TooMany",
        ),
        (
            10240,
            lambda n: allocated(
                result(), devices=[device_status(data=parameters(n)["opaque"]["parameters"])]
            ),
            "devices[0].data",
            "TooLong",
        ),
        (
            256,
            lambda n: allocated(result(), devices=[device_status(networkData={"interfaceName": "x" * n})]),
            "devices[0].networkData.interfaceName",
            "TooLong",
        ),
        (
            128,
            lambda n: allocated(result(), devices=[device_status(networkData={"hardwareAddress": "x" * n})]),
            "devices[0].networkData.hardwareAddress",
            "TooLong",
        ),
        (
            16,
            lambda n: allocated(
                result(),
                devices=[device_status(networkData={"ips": [f"10.0.0.{number}/24" for number in range(n)]})],
            ),
            "devices[0].networkData.ips",
            "TooMany",
        ),
    ],
)
def test_of_the_status_of_claims(bound: int, build: Build, path: str, kind: str) -> None:
    old = claim_of(exactly())
    assert errors(update({**old, "status": build(bound)}, old, subresource="status")) == set()
    assert errors(update({**old, "status": build(bound + 1)}, old, subresource="status")) == {
        (f"status.{path}", kind)
    }


def test_conditions_of_a_taint_rule() -> None:
    old = of("DeviceTaintRule", {"taint": {"key": "k", "effect": "None"}})
    many = [
        {"type": name, "status": "True", "reason": "R", "lastTransitionTime": "2020-01-01T00:00:00Z"}
        for name in names(9)
    ]
    assert errors(update({**old, "status": {"conditions": many[:8]}}, old, subresource="status")) == set()
    assert errors(update({**old, "status": {"conditions": many}}, old, subresource="status")) == {
        ("status.conditions", "TooMany")
    }


@pytest.mark.parametrize(
    ("bound", "build", "expected"),
    [
        (
            4,
            lambda n: slice_of({"name": "d", "taints": [{"key": "k", "effect": "NoSchedule"}] * n}),
            {(f"{D}.taints", "TooMany")},
        ),
        (
            128,
            lambda n: slice_of(*devices(n, taints=[{"key": "k", "effect": "NoSchedule"}])),
            {("spec.devices", "TooMany")},
        ),
        (
            32,
            lambda n: slice_of(
                sharedCounters=[{"name": "s", "counters": {one: {"value": "1"} for one in names(n)}}]
            ),
            {("spec.sharedCounters", "Invalid")},
        ),
    ],
)
def test_until_1_34(bound: int, build: Build, expected: Errors) -> None:
    where = profile("kubernetes-1.34")
    assert errors(create(build(bound), where)) == set()
    assert errors(create(build(bound + 1), where)) == expected


def test_until_1_34_the_items_of_long_lists_are_validated() -> None:
    requests = [exactly(name, count=-1) for name in names(33)]
    paths = {(f"spec.devices.requests[{n}].exactly.count", "Invalid") for n in range(33)}
    too_many = {("spec.devices.requests", "TooMany")}
    assert errors(create(claim_of(*requests), profile("kubernetes-1.34"))) == paths | too_many
    assert errors(create(claim_of(*requests), profile("kubernetes-1.35"))) == too_many


def test_until_1_34_all_counters_of_a_slice_have_a_limit() -> None:
    where = profile("kubernetes-1.34")
    sets = [{"name": "s", "counters": {one: {"value": "1"} for one in names(32)}}]
    wide = {"consumesCounters": [{"counterSet": "s", "counters": {one: {"value": "1"} for one in names(32)}}]}
    assert errors(create(slice_of(*devices(32, **wide), sharedCounters=sets), where)) == set()
    assert errors(create(slice_of(*devices(33, **wide), sharedCounters=sets), where)) == {
        ("spec.devices", "Invalid")
    }


def test_stored_parameters_may_be_larger() -> None:
    old = of("DeviceClass", {"config": [parameters(20000)]})
    assert errors(update(of("DeviceClass", old["spec"], labels={"a": "b"}), old)) == set()


def test_a_share_id_does_not_count_for_the_limits() -> None:
    old = claim_of(exactly())
    status = allocated(*(result(shareID=SHARE) for _ in range(32)))
    assert errors(update({**old, "status": status}, old, subresource="status")) == set()
