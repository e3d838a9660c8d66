"""The invariants of a claim's constraints: matchAttribute and distinctAttribute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dra_conform.conformance.decision import Decided, Taken
from dra_conform.kube.resource import DeviceAttribute, DeviceConstraint

Typed = tuple[str, object]
"""An attribute's type and value; both count in comparisons."""


def constraints_hold(decided: Decided) -> Iterator[str]:
    """The devices a constraint covers have its attribute, all alike (match) or all different (distinct)."""
    for key, claim in decided.asked.items():
        for constraint in claim.spec.devices.constraints:
            covered = [taken for taken in decided.taken if taken.claim == key and _covers(constraint, taken)]
            if constraint.match_attribute is not None:
                yield from _match(constraint.match_attribute, covered)
            elif constraint.distinct_attribute is not None and decided.rules.consumable:
                yield from _distinct(
                    constraint.distinct_attribute, covered, by_request=decided.rules.distinct_by_request
                )


def _covers(constraint: DeviceConstraint, taken: Taken) -> bool:
    return (
        not constraint.requests
        or taken.result.request in constraint.requests
        or taken.parent in constraint.requests
    )


def _value(taken: Taken, name: str) -> Typed | None:
    if taken.placed is None:
        return None
    attributes = taken.placed.device.attributes
    found = attributes.get(name)
    domain, _, bare = name.partition("/")
    if found is None and domain == taken.key[0]:
        found = attributes.get(bare)
    return None if found is None else _typed(found)


def _typed(attribute: DeviceAttribute) -> Typed | None:
    for kind in ("int_", "bool_", "string", "version"):
        value = getattr(attribute, kind)
        if value is not None:
            return kind, value
    return None


def _match(name: str, covered: Sequence[Taken]) -> Iterator[str]:
    first: Typed | None = None
    for taken in covered:
        value = _value(taken, name)
        if value is None:
            yield f"{taken.label}: device {taken.key[2]} lacks {name}, which must match"
        elif first is None:
            first = value
        elif value != first:
            yield f"{taken.label}: {name} of device {taken.key[2]} is {value[1]!r}, not {first[1]!r}"


def _distinct(name: str, covered: Sequence[Taken], *, by_request: bool) -> Iterator[str]:
    seen: dict[object, Typed] = {}
    for position, taken in enumerate(covered):
        value = _value(taken, name)
        if value is None:
            yield f"{taken.label}: device {taken.key[2]} lacks {name}, which must be distinct"
            continue
        # Where a request has one value, backtracking loses it, so its own devices may well be alike.
        owner: object = taken.parent if by_request else position
        if any(other == value for known, other in seen.items() if known != owner):
            yield f"{taken.label}: {name} of device {taken.key[2]} is {value[1]!r} a second time"
        seen[owner] = value
