"""The checks of the API server that allocation relies on, for manifests that never met an API server.

Not the whole of API validation: what would make an answer meaningless is refused, with Kubernetes' paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dra_conform.kube.resource import (
    ALL,
    EXACT_COUNT,
    Device,
    DeviceAttribute,
    DeviceCapacity,
    DeviceClaim,
    DeviceClass,
    DeviceConstraint,
    DeviceSelector,
    DeviceSubRequest,
    DeviceTaint,
    DeviceTaintRule,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimTemplate,
    ResourceSlice,
)

Found = tuple[str, str]
"""A path and what is wrong there."""

_EFFECTS = ("NoSchedule", "NoExecute", "None")


def validate(value: Any) -> list[Found]:
    """What is wrong with an object; kinds that allocation does not read are never wrong."""
    match value:
        case ResourceSlice():
            return list(_slice(value))
        case ResourceClaim():
            return list(_claim(value.spec.devices, "spec.devices"))
        case ResourceClaimTemplate():
            return list(_claim(value.spec.spec.devices, "spec.spec.devices"))
        case DeviceClass():
            return list(_selectors(value.spec.selectors, "spec.selectors"))
        case DeviceTaintRule():
            return list(_taint(value.spec.taint, "spec.taint"))
        case _:
            return []


def _slice(value: ResourceSlice) -> Iterator[Found]:
    spec = value.spec
    if not spec.driver:
        yield "spec.driver", "is empty, expected the name of a driver"
    if not spec.pool.name:
        yield "spec.pool.name", "is empty, expected the name of a pool"
    if spec.pool.resource_slice_count < 1:
        yield "spec.pool.resourceSliceCount", f"is {spec.pool.resource_slice_count}, expected at least 1"
    if spec.pool.generation < 0:
        yield "spec.pool.generation", f"is {spec.pool.generation}, expected at least 0"
    chosen = _chosen(spec.node_name, spec.node_selector, spec.all_nodes, spec.per_device_node_selection)
    if chosen != 1:
        yield (
            "spec",
            f"has {chosen} node selections, expected exactly one of nodeName, nodeSelector, allNodes "
            "and perDeviceNodeSelection",
        )
    if spec.node_selector is not None and len(spec.node_selector.node_selector_terms) != 1:
        terms = len(spec.node_selector.node_selector_terms)
        yield "spec.nodeSelector.nodeSelectorTerms", f"has {terms} terms, expected exactly one"
    yield from _duplicates(
        (counters.name for counters in spec.shared_counters), "spec.sharedCounters", ".name"
    )
    if spec.devices and spec.shared_counters:
        yield "spec", "has devices and sharedCounters, expected only one of them"
    yield from _duplicates((device.name for device in spec.devices), "spec.devices", ".name")
    for index, device in enumerate(spec.devices):
        path = f"spec.devices[{index}]"
        yield from _device(device, path)
        own = _chosen(device.node_name, device.node_selector, device.all_nodes)
        if own != (1 if spec.per_device_node_selection else 0):
            yield (
                path,
                f"has {own} node selections, expected "
                + (
                    "exactly one" if spec.per_device_node_selection else "none without perDeviceNodeSelection"
                ),
            )


def _chosen(*members: object) -> int:
    return sum(bool(member) for member in members)


def _device(device: Device, path: str) -> Iterator[Found]:
    if not device.name:
        yield f"{path}.name", "is empty, expected a name"
    for name, attribute in device.attributes.items():
        yield from _attribute(attribute, f"{path}.attributes[{name}]")
    for name, capacity in device.capacity.items():
        inner = f"{path}.capacity[{name}].requestPolicy"
        if capacity.request_policy is not None and not device.allow_multiple_allocations:
            yield inner, "is set on a device without allowMultipleAllocations, expected it unset"
        yield from _policy(capacity, inner)
    sets = (consumed.counter_set for consumed in device.consumes_counters)
    yield from _duplicates(sets, f"{path}.consumesCounters", ".counterSet")
    for index, taint in enumerate(device.taints):
        yield from _taint(taint, f"{path}.taints[{index}]")


def _taint(taint: DeviceTaint, path: str) -> Iterator[Found]:
    if taint.effect not in _EFFECTS:
        yield f"{path}.effect", f"is {taint.effect!r}, expected one of {', '.join(_EFFECTS)}"


def _attribute(attribute: DeviceAttribute, path: str) -> Iterator[Found]:
    members = (
        attribute.int_,
        attribute.bool_,
        attribute.string,
        attribute.version,
        attribute.ints,
        attribute.bools,
        attribute.strings,
        attribute.versions,
    )
    given = sum(member is not None for member in members)
    if given != 1:
        yield (
            path,
            f"has {given} values, expected exactly one of int, bool, string, version or a list of them",
        )


def _policy(capacity: DeviceCapacity, path: str) -> Iterator[Found]:
    """KEP-5075/policy-validation: the policy's amounts agree with each other and with the capacity."""
    policy = capacity.request_policy
    if policy is None:
        return
    allowed = policy.valid_range
    if policy.valid_values and allowed is not None:
        yield path, "has validValues and validRange, expected only one of them"
        return
    if (policy.valid_values or allowed is not None) and policy.default is None:
        yield f"{path}.default", "is missing, expected one with validValues or validRange"
    for index, value in enumerate(policy.valid_values):
        if index and value <= policy.valid_values[index - 1]:
            yield f"{path}.validValues[{index}]", f"is {value}, expected more than the value before it"
        if value > capacity.value:
            yield (
                f"{path}.validValues[{index}]",
                f"is {value}, expected at most the capacity {capacity.value}",
            )
    if policy.valid_values and policy.default is not None and policy.default not in policy.valid_values:
        yield f"{path}.validValues", f"lacks the default {policy.default}, expected it among them"
    if allowed is None:
        return
    inner = f"{path}.validRange"
    if allowed.min is None:
        yield f"{inner}.min", "is missing, expected the smallest amount"
        return
    if allowed.min > capacity.value:
        yield f"{inner}.min", f"is {allowed.min}, expected at most the capacity {capacity.value}"
    if allowed.max is not None and not allowed.min <= allowed.max <= capacity.value:
        yield f"{inner}.max", f"is {allowed.max}, expected between {allowed.min} and {capacity.value}"
    if policy.default is not None and policy.default < allowed.min:
        yield f"{inner}.min", f"is above the default {policy.default}, expected at most the default"
    if policy.default is not None and allowed.max is not None and policy.default > allowed.max:
        yield f"{inner}.max", f"is below the default {policy.default}, expected at least the default"
    if allowed.step is None:
        return
    if allowed.step.nano <= 0:
        yield f"{inner}.step", f"is {allowed.step}, expected more than zero"
        return
    if allowed.min + allowed.step > capacity.value:
        yield f"{inner}.step", f"is {allowed.step}, expected min + step at most the capacity {capacity.value}"
    for name, amount in (("default", policy.default), ("max", allowed.max)):
        if amount is not None and (amount.nano - allowed.min.nano) % allowed.step.nano:
            yield (
                f"{inner}.step",
                f"is {allowed.step}, expected {name} {amount} to be min plus a multiple of it",
            )


def _claim(claim: DeviceClaim, path: str) -> Iterator[Found]:
    yield from _duplicates((request.name for request in claim.requests), f"{path}.requests", ".name")
    for index, request in enumerate(claim.requests):
        inner = f"{path}.requests[{index}]"
        if not request.name:
            yield f"{inner}.name", "is empty, expected a name"
        if (request.exactly is None) == (not request.first_available):
            given = "both" if request.exactly else "neither"
            yield inner, f"has {given} of exactly and firstAvailable, expected one of them"
        if request.exactly is not None:
            yield from _asked(request.exactly, f"{inner}.exactly")
        names = (sub.name for sub in request.first_available)
        yield from _duplicates(names, f"{inner}.firstAvailable", ".name")
        for position, sub in enumerate(request.first_available):
            yield from _asked(sub, f"{inner}.firstAvailable[{position}]")
    known = {request.name for request in claim.requests} | {
        f"{request.name}/{sub.name}" for request in claim.requests for sub in request.first_available
    }
    for index, constraint in enumerate(claim.constraints):
        yield from _constraint(constraint, known, f"{path}.constraints[{index}]")
    for index, config in enumerate(claim.config):
        yield from _references(config.requests, known, f"{path}.config[{index}].requests")


def _asked(asked: ExactDeviceRequest | DeviceSubRequest, path: str) -> Iterator[Found]:
    if not asked.device_class_name:
        yield f"{path}.deviceClassName", "is missing, expected the name of a device class"
    if asked.allocation_mode not in ("", EXACT_COUNT, ALL):
        yield f"{path}.allocationMode", f"is {asked.allocation_mode!r}, expected {EXACT_COUNT} or {ALL}"
    if asked.allocation_mode == ALL and asked.count:
        yield f"{path}.count", f"is {asked.count} with allocationMode All, expected it unset"
    if asked.allocation_mode != ALL and asked.count < 0:
        yield f"{path}.count", f"is {asked.count}, expected at least 1"
    yield from _selectors(asked.selectors, f"{path}.selectors")


def _selectors(selectors: Sequence[DeviceSelector], path: str) -> Iterator[Found]:
    for index, selector in enumerate(selectors):
        if selector.cel is None:
            yield f"{path}[{index}].cel", "is missing, expected a CEL expression"


def _constraint(constraint: DeviceConstraint, known: set[str], path: str) -> Iterator[Found]:
    yield from _references(constraint.requests, known, f"{path}.requests")
    if constraint.match_attribute is None and constraint.distinct_attribute is None:
        yield path, "has no attribute, expected matchAttribute or distinctAttribute"
    for field, name in (
        ("matchAttribute", constraint.match_attribute),
        ("distinctAttribute", constraint.distinct_attribute),
    ):
        if name is not None and "/" not in name:
            yield f"{path}.{field}", f"is {name!r}, expected a name with its domain, such as example.com/numa"


def _references(names: Sequence[str], known: set[str], path: str) -> Iterator[Found]:
    for index, name in enumerate(names):
        if name not in known:
            yield f"{path}[{index}]", f"names {name!r}, expected a request of the claim"


def _duplicates(names: Iterable[str], path: str, suffix: str) -> Iterator[Found]:
    seen = set()
    for index, name in enumerate(names):
        if name in seen:
            yield f"{path}[{index}]{suffix}", f"is {name!r} a second time, expected it once"
        seen.add(name)
