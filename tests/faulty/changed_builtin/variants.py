"""Allocators that misread one variant of an object, such as constraints on versions or rules for a pool."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.faulty_allocator import (
    ChangesRequest,
    FaultyAllocator,
    World,
    constraints_of,
    device_of,
)
from tests.faulty.changed_builtin.requests import drop, in_asked

Kind = Callable[[Json], Any]


def _kept(found: list[Json], dropped: Kind) -> None:
    found[:] = [match for match in found if not dropped(match)]


def _tolerations(dropped: Kind) -> ChangesRequest:
    return in_asked(
        lambda request: _kept(request["tolerations"], dropped), lambda request: request.get("tolerations")
    )


def _taints(dropped: Kind) -> ChangesRequest:
    def change_request(world: World) -> None:
        for device in world.devices:
            _kept(device.get("taints") or [], dropped)

    return change_request


def _rules(dropped: Kind) -> ChangesRequest:
    return lambda world: _kept(world.rules, dropped)


def _selects(field: str) -> Kind:
    return lambda rule: (rule["spec"].get("deviceSelector") or {}).get(field)


def _constraints(dropped: Kind) -> ChangesRequest:
    def change_request(world: World) -> None:
        for claim in world.claims:
            _kept(constraints_of(claim), dropped)

    return change_request


def _constraints_on(constraint: str, kind: str) -> ChangesRequest:
    """Remove the constraints on an attribute that some device has with this type."""

    def change_request(world: World) -> None:
        names = {
            name.rpartition("/")[2]
            for device in world.devices
            for name, value in (device.get("attributes") or {}).items()
            if kind in value
        }
        for claim in world.claims:
            _kept(
                constraints_of(claim), lambda item: (item.get(constraint) or "").rpartition("/")[2] in names
            )

    return change_request


def _config(dropped: Kind) -> ChangesRequest:
    def change_request(world: World) -> None:
        for claim in world.claims:
            _kept(claim["spec"]["devices"].get("config") or [], dropped)

    return change_request


def _of_last_alternative(field: str) -> ChangesRequest:
    def change_request(world: World) -> None:
        for request in world.lists:
            request["firstAvailable"][-1].pop(field, None)

    return change_request


def _policies(change: Callable[[Json], object]) -> ChangesRequest:
    def change_request(world: World) -> None:
        for policy in world.policies:
            change(policy)

    return change_request


def _values_as_range(policy: Json) -> None:
    values = policy.pop("validValues", None)
    if values:
        policy["validRange"] = {"min": values[0], "max": values[-1]}


def _values_from_default(policy: Json) -> None:
    if policy.get("validValues") and policy.get("default") in policy["validValues"]:
        policy["validValues"] = policy["validValues"][policy["validValues"].index(policy["default"]) :]


def _range_from_default(policy: Json) -> None:
    if policy.get("validRange") and policy.get("default") is not None:
        policy["validRange"]["min"] = policy["default"]


def _step_of_min(policy: Json) -> None:
    valid = policy.get("validRange") or {}
    if valid.get("min") not in (None, 0, "0"):
        valid.setdefault("step", valid["min"])


def _no_range_with_default(policy: Json) -> None:
    if policy.get("default") is not None:
        policy.pop("validRange", None)


def _no_values_with_default(policy: Json) -> None:
    if policy.get("default") is not None:
        policy.pop("validValues", None)


def _policy_for_all(world: World) -> None:
    for device in world.devices:
        found = [
            value["requestPolicy"]
            for value in (device.get("capacity") or {}).values()
            if value.get("requestPolicy")
        ]
        for value in (device.get("capacity") or {}).values():
            if found:
                value.setdefault("requestPolicy", found[0])


def _held_without_policy(world: World) -> None:
    names = {
        name
        for device in world.devices
        for name, capacity in (device.get("capacity") or {}).items()
        if capacity.get("requestPolicy")
    }
    for result in world.existing_results:
        held = result.get("consumedCapacity") or {}
        for name in [name for name in held if name not in names]:
            del held[name]


def _held_up_to_value(world: World) -> None:
    values = {key: device.get("capacity") or {} for key, device in world.published}
    for result in world.existing_results:
        known = values.get(device_of(result), {})
        for name, amount in (result.get("consumedCapacity") or {}).items():
            value = str((known.get(name) or {}).get("value", ""))
            if value.isdecimal() and str(amount).isdecimal() and int(amount) > int(value):
                result["consumedCapacity"][name] = value


def _union_of_amounts(world: World) -> None:
    every: dict[str, Json] = {}
    asking = [request for request in world.exact_requests if (request.get("capacity") or {}).get("requests")]
    for request in asking:
        every = {**request["capacity"]["requests"], **every}
    for request in asking:
        request["capacity"]["requests"] = {**every, **request["capacity"]["requests"]}


def _of_tolerations() -> Iterable[FaultyAllocator]:
    for operator in ("Equal", "Exists"):
        for effect in ("", "NoSchedule", "NoExecute"):
            yield FaultyAllocator(
                f"tolerations with operator {operator} and {f'effect {effect}' if effect else 'no effect'} are none",
                _tolerations(
                    lambda toleration, operator=operator, effect=effect: (
                        (toleration.get("operator") or "Equal") == operator
                        and (toleration.get("effect") or "") == effect
                    )
                ),
            )


OF_KINDS = (
    *_of_tolerations(),
    *(FaultyAllocator(f"{constraint} on {kind} values holds", _constraints_on(constraint, kind)) for constraint in ("matchAttribute", "distinctAttribute") for kind in ("int", "bool", "string", "version", "ints", "bools", "strings", "versions")),
    FaultyAllocator("taints without a value are ignored", _taints(lambda taint: not taint.get("value"))),
    FaultyAllocator("taints of NoSchedule with a value are ignored", _taints(lambda taint: taint.get("value") and taint["effect"] == "NoSchedule")),
    FaultyAllocator("taints of NoExecute with a value are ignored", _taints(lambda taint: taint.get("value") and taint["effect"] == "NoExecute")),
    *(FaultyAllocator(f"rules that select by {field} are none", _rules(_selects(field))) for field in ("driver", "pool", "device", "deviceClassName", "selectors")),
    FaultyAllocator("constraints that name a subrequest hold", _constraints(lambda constraint: any("/" in name for name in constraint.get("requests") or ()))),
    FaultyAllocator("constraints that name two requests hold", _constraints(lambda constraint: len(constraint.get("requests") or ()) == 2)),
    FaultyAllocator("constraints that name no request hold", _constraints(lambda constraint: not constraint.get("requests"))),
    FaultyAllocator("configuration that names a subrequest is ignored", _config(lambda entry: any("/" in name for name in entry.get("requests") or ()))),
    FaultyAllocator("configuration that names two requests is ignored", _config(lambda entry: len(entry.get("requests") or ()) == 2)),
    FaultyAllocator("configuration that names no request is ignored", _config(lambda entry: not entry.get("requests"))),
    FaultyAllocator("adminAccess to all devices is ignored", in_asked(drop("adminAccess"), lambda request: request.get("allocationMode") == "All")),
    FaultyAllocator("adminAccess to several devices is ignored", in_asked(drop("adminAccess"), lambda request: request.get("count", 1) > 1)),
    FaultyAllocator("adminAccess with requested capacity is ignored", in_asked(drop("adminAccess"), lambda request: request.get("capacity"))),
    FaultyAllocator("adminAccess with tolerations is ignored", in_asked(drop("adminAccess"), lambda request: request.get("tolerations"))),
    *(FaultyAllocator(f"the last alternative has no {field}", _of_last_alternative(field)) for field in ("count", "tolerations", "capacity", "selectors", "allocationMode")),
    FaultyAllocator("valid values are a range", _policies(_values_as_range)),
    FaultyAllocator("valid values begin at the default", _policies(_values_from_default)),
    FaultyAllocator("a range begins at the default", _policies(_range_from_default)),
    FaultyAllocator("a range without step has its min for one", _policies(_step_of_min)),
    FaultyAllocator("a range with a default is ignored", _policies(_no_range_with_default)),
    FaultyAllocator("valid values with a default are ignored", _policies(_no_values_with_default)),
    FaultyAllocator("the first policy of a device is for all its capacities", _policy_for_all),
    FaultyAllocator("allocated capacities without a policy do not count", _held_without_policy),
    FaultyAllocator("allocated capacities end at the capacity", _held_up_to_value),
    FaultyAllocator("the capacity of a request is requested by all", _union_of_amounts),
)  # fmt: skip
