"""The invariants of constraints: matchAttribute and distinctAttribute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dra_conform.conformance.allocate.judged_answer import Decided, Taken
from dra_conform.conformance.allocate.rules import Rules
from dra_conform.kube.resource import DeviceAttribute, DeviceConstraint

_KINDS = (
    ("int", "int_", "ints"),
    ("bool", "bool_", "bools"),
    ("string", "string", "strings"),
    ("version", "version", "versions"),
)


@dataclass(frozen=True, slots=True)
class Values:
    """The compared values of an attribute: one of a plain attribute, several of a list, all of one kind.

    An attribute with empty `values` is never equal to another one.
    """

    kind: str
    values: frozenset[object]

    def common(self, other: Values) -> Values:
        """Return the values that both have; none if the kinds differ."""
        return Values(self.kind, self.values & other.values if self.kind == other.kind else frozenset())

    def __str__(self) -> str:
        return " and ".join(sorted(map(repr, self.values)))


def constraints_hold(decided: Decided) -> Iterator[str]:
    """The devices of a constraint have its attribute: with a common value, or with different values.

    DRA/claim/constraints-limit-devices, KEP-5075/constraint/*. An attribute can be a list of values:
    matchAttribute requires one value that all devices have, distinctAttribute no value that two devices have.
    """
    for key, claim in decided.asked.items():
        for constraint in claim.spec.devices.constraints:
            covered = [taken for taken in decided.taken if taken.claim == key and _covers(constraint, taken)]
            if constraint.match_attribute is not None:
                yield from _match(constraint.match_attribute, covered, decided.rules)
            elif constraint.distinct_attribute is not None and decided.rules.features.consumable_capacity:
                yield from _distinct(constraint.distinct_attribute, covered, decided.rules)


def _covers(constraint: DeviceConstraint, taken: Taken) -> bool:
    return (
        not constraint.requests
        or taken.result.request in constraint.requests
        or taken.parent in constraint.requests
    )


def _values(taken: Taken, name: str, rules: Rules) -> Values | None:
    """Return the values of an attribute by its full name, None if the device lacks it."""
    if taken.placed is None:
        return None
    attributes = taken.placed.device.attributes
    found = attributes.get(name)
    domain, _, bare = name.partition("/")
    if found is None and domain == taken.key[0]:
        found = attributes.get(bare)
    return None if found is None else _compared(found, rules)


def _compared(attribute: DeviceAttribute, rules: Rules) -> Values:
    for kind, single, several in _KINDS:
        if rules.features.list_attributes and getattr(attribute, several):
            return Values(kind, frozenset(getattr(attribute, several)))
        if getattr(attribute, single) is not None:
            return Values(kind, frozenset((getattr(attribute, single),)))
    return Values("", frozenset())


def _match(name: str, covered: Sequence[Taken], rules: Rules) -> Iterator[str]:
    common: Values | None = None
    for taken in covered:
        where = f"{taken.label}: attribute {name} of device {taken.key[2]}"
        found = _values(taken, name, rules)
        if found is None:
            yield f"{taken.label}: device {taken.key[2]} lacks {name}, required by matchAttribute"
        elif not found.values:
            if len(covered) > 1 or rules.features.list_attributes:
                yield f"{where} has no value, expected one that can match"
        elif common is None:
            common = found
        elif not common.common(found).values:
            yield f"{where} is {found}, expected {common} as in the other devices"
        else:
            common = common.common(found)


def _distinct(name: str, covered: Sequence[Taken], rules: Rules) -> Iterator[str]:
    seen: dict[object, tuple[Taken, Values]] = {}
    for position, taken in enumerate(covered):
        where = f"{taken.label}: attribute {name} of device {taken.key[2]}"
        found = _values(taken, name, rules)
        if found is None:
            yield f"{taken.label}: device {taken.key[2]} lacks {name}, required by distinctAttribute"
            continue
        # A release that forgets values on backtracking may treat any device as the first one.
        forgets = rules.constraints.distinct_by_request
        unchecked = forgets or not (position or rules.features.list_attributes)
        if not found.values and not unchecked:
            yield f"{where} has no value, expected one that can be distinct"
        # If one value is remembered for each request, backtracking loses it: its own devices may be equal.
        owner: object = taken.parent if forgets else position
        twice = [
            found.common(other)
            for known, (before, other) in seen.items()
            if known != owner and (before.key == taken.key or not rules.constraints.distinct_compares_devices)
        ]
        yield from (
            f"{where} is {shared}, expected a value that no other device has"
            for shared in twice
            if shared.values
        )
        seen[owner] = (taken, found)
