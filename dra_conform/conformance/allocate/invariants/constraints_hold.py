"""The invariants of constraints: matchAttribute and distinctAttribute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dra_conform.conformance.allocate.invariants.violation import Violation
from dra_conform.conformance.allocate.judged_answer import AllocatedDevice, JudgedAnswer
from dra_conform.kube.resource import DeviceAttribute, DeviceConstraint
from dra_conform.kube.switches.allocation import AllocationSwitches

_KINDS = (
    ("int", "int_", "ints"),
    ("bool", "bool_", "bools"),
    ("string", "string", "strings"),
    ("version", "version", "versions"),
)


@dataclass(frozen=True, slots=True)
class Values:
    """The compared values of an attribute: one for a scalar, several for a list, all of one kind.

    An attribute with empty `values` is never equal to another attribute.
    """

    kind: str
    values: frozenset[object]

    def common(self, other: Values) -> Values:
        """Return the values that both attributes have; none if the kinds differ."""
        return Values(self.kind, self.values & other.values if self.kind == other.kind else frozenset())

    def __str__(self) -> str:
        return " and ".join(sorted(map(repr, self.values)))


def constraints_hold(answer: JudgedAnswer) -> Iterator[Violation]:
    """The devices of a constraint have its attribute: with a common value, or with different values.

    DRA/claim/constraints-limit-devices, KEP-5075/constraint/*. An attribute can be a list of values:
    matchAttribute requires one value that all devices have, distinctAttribute no value that two devices have.
    """
    for key, claim in answer.claims.items():
        for constraint in claim.spec.devices.constraints:
            constrained = [
                allocated
                for allocated in answer.allocated_devices
                if allocated.claim == key and _covers(constraint, allocated)
            ]
            if constraint.match_attribute is not None:
                yield from _match(constraint.match_attribute, constrained, answer.switches)
            elif constraint.distinct_attribute is not None and answer.switches.features.consumable_capacity:
                yield from _distinct(constraint.distinct_attribute, constrained, answer.switches)


def _covers(constraint: DeviceConstraint, allocated: AllocatedDevice) -> bool:
    return (
        not constraint.requests
        or allocated.result.request in constraint.requests
        or allocated.parent in constraint.requests
    )


def _values(allocated: AllocatedDevice, name: str, switches: AllocationSwitches) -> Values | None:
    """Return the values of an attribute by its full name, None if the device lacks it."""
    if allocated.published is None:
        return None
    attributes = allocated.published.device.attributes
    attribute = attributes.get(name)
    domain, _, bare = name.partition("/")
    if attribute is None and domain == allocated.key[0]:
        attribute = attributes.get(bare)
    return None if attribute is None else _compared(attribute, switches)


def _compared(attribute: DeviceAttribute, switches: AllocationSwitches) -> Values:
    for kind, single, several in _KINDS:
        members: tuple[object, ...] = getattr(attribute, several) if switches.features.list_attributes else ()
        if not members and getattr(attribute, single) is not None:
            members = (getattr(attribute, single),)
        if members and kind == "version" and not switches.constraints.builds_differ:
            members = tuple(str(version).partition("+")[0] for version in members)
        if members:
            return Values(kind, frozenset(members))
    return Values("", frozenset())


def _match(
    name: str, constrained: Sequence[AllocatedDevice], switches: AllocationSwitches
) -> Iterator[Violation]:
    requirement = "DRA/claim/constraints-limit-devices"
    common: Values | None = None
    for allocated in constrained:
        where = f"{allocated.label}: attribute {name} of device {allocated.key[2]}"
        values = _values(allocated, name, switches)
        if values is None:
            message = f"{allocated.label}: device {allocated.key[2]} lacks {name}, required by matchAttribute"
            yield Violation(requirement, message)
        elif not values.values:
            if len(constrained) > 1 or switches.features.list_attributes:
                message = f"{where} has no value, expected a value that other devices have too"
                yield Violation(requirement, message)
        elif common is None:
            common = values
        elif not common.common(values).values:
            lists = len(values.values) > 1 or len(common.values) > 1
            message = f"{where} is {values}, expected {common} as in the other devices"
            yield Violation("API/attribute/lists-match" if lists else requirement, message)
        else:
            common = common.common(values)


def _distinct(
    name: str, constrained: Sequence[AllocatedDevice], switches: AllocationSwitches
) -> Iterator[Violation]:
    missing = "KEP-5075/constraint/distinct-missing-attribute"
    seen: dict[object, tuple[AllocatedDevice, Values]] = {}
    for position, allocated in enumerate(constrained):
        where = f"{allocated.label}: attribute {name} of device {allocated.key[2]}"
        values = _values(allocated, name, switches)
        if values is None:
            message = (
                f"{allocated.label}: device {allocated.key[2]} lacks {name}, required by distinctAttribute"
            )
            yield Violation(missing, message)
            continue
        # A release that forgets values on backtracking may treat any device as the first one.
        forgets = switches.constraints.distinct_by_request
        unchecked = forgets or not (position or switches.features.list_attributes)
        if not values.values and not unchecked:
            yield Violation(missing, f"{where} has no value, expected a value that no other device has")
        # If one value is remembered for each request, backtracking loses it: its own devices may be equal.
        owner: object = allocated.parent if forgets else position
        repeated = [
            (values.common(other), other_device.key == allocated.key, len(other.values) > 1)
            for known, (other_device, other) in seen.items()
            if known != owner
            and (other_device.key == allocated.key or not switches.constraints.distinct_compares_devices)
        ]
        yield from (
            Violation(
                _not_distinct(same_device=same_device, lists=is_list or len(values.values) > 1),
                f"{where} is {shared}, expected a value that no other device has",
            )
            for shared, same_device, is_list in repeated
            if shared.values
        )
        seen[owner] = (allocated, values)


def _not_distinct(*, same_device: bool, lists: bool) -> str:
    """Return the requirement that two devices with a common value violate."""
    if same_device:
        return "KEP-5075/constraint/distinct-prevents-same-device"
    return "API/attribute/lists-distinct" if lists else "KEP-5075/constraint/distinct-different-values"
