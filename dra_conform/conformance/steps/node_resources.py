"""What a device takes of its node's own resources (KEP-5517), as cases write it and as the API has it.

Releases have two forms of it. A device is published with both, and each release reads the one it knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dra_conform.conformance.steps.step import Amount, Json, Params, StepError, listed

_TAKEN = re.compile(
    r"(?:(?P<times>[-+.0-9]\S*)(?: x (?P<of>\S+))?|(?P<capacity>\S+?))(?: as (?P<policy>\S+))?"
)
_NEEDED = re.compile(r"(?P<amount>\S+) per (?P<each>pod|container)")


class TakenOfNode(Params, frozen=True, kw_only=True):
    """The amount of one resource: of a `capacity` what is consumed, `times` something, or only `times`.

    `policy` is the accounting policy, which the documents sketch.
    """

    capacity: str | None = None
    times: Amount = None
    policy: str | None = None


class NeededBesides(Params, frozen=True, kw_only=True):
    """The amount of one resource that the users of a device need besides, in releases since 1.37."""

    pod: Amount = None
    container: Amount = None


def node_resources(
    takes: Mapping[str, TakenOfNode], overhead: Mapping[str, NeededBesides]
) -> dict[str, dict[str, Json]]:
    """The fields of a device; an amount of overhead is known to the newer form alone."""
    fields: dict[str, dict[str, Json]] = {}
    if takes:
        fields["nodeAllocatableResourceMappings"] = {name: _until_1_36(one) for name, one in takes.items()}
    if takes or overhead:
        fields["nodeAllocatableResources"] = {
            name: {
                **({"mapping": _since_1_37(takes[name])} if name in takes else {}),
                **({"overhead": overhead_of(overhead[name])} if name in overhead else {}),
            }
            for name in dict.fromkeys([*takes, *overhead])
        }
    return fields


def _until_1_36(one: TakenOfNode) -> dict[str, Json]:
    times = None if one.times is None else str(one.times)
    said = {"capacityKey": one.capacity, "allocationMultiplier": times, "accountingPolicy": one.policy}
    return {name: value for name, value in said.items() if value is not None}


def _since_1_37(one: TakenOfNode) -> dict[str, Json]:
    times = "1" if one.times is None else str(one.times)
    if one.capacity is None:
        return {"deviceMultiplier": times}
    return {"capacityKey": one.capacity, "capacityMultiplier": times}


def overhead_of(one: NeededBesides) -> dict[str, Json]:
    """The amounts as the API has them: `perPod`, `perContainer`."""
    said = {"perPod": one.pod, "perContainer": one.container}
    return {name: str(amount) for name, amount in said.items() if amount is not None}


def taken(text: str) -> dict[str, Json]:
    """`2` for each device, `cores` as much as is consumed, `2 x cores` twice that; `empty` says nothing.

    Each may have a policy, as in `2 as Max`. Raises StepError.
    """
    if text == "empty":
        return {}
    found = _TAKEN.fullmatch(text)
    if found is None:
        raise StepError(f"is {text!r}, expected an amount, a capacity, or both such as 2 x cores")
    said = {"times": found["times"], "capacity": found["of"] or found["capacity"], "policy": found["policy"]}
    return {name: one for name, one in said.items() if one is not None}


def needed(text: str) -> dict[str, Json]:
    """`1 per pod, 100m per container` or one of them; raises StepError."""
    made = {}
    for part in listed(text):
        found = _NEEDED.fullmatch(part)
        if found is None:
            raise StepError(f"is {text!r}, expected amounts such as 1 per pod, 100m per container")
        made[found["each"]] = found["amount"]
    return made
