"""The invariant of an allocation's configuration: it has that of the used classes and of the claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dra_conform.conformance.allocate.judged_answer import Decided
from dra_conform.kube.resource import AllocationResult, OpaqueDeviceConfiguration
from dra_conform.kube.scalars import Number

FROM_CLASS, FROM_CLAIM = "FromClass", "FromClaim"

Entry = tuple[str, str]
"""Source, and the driver with its parameters as text that is the same for the same value."""


def configuration_complete(decided: Decided) -> Iterator[str]:
    """An allocation has the configuration of each class used and of the claim, for the requests it is for.

    DRA/claim/configuration-applies-to-pod. What is for a subrequest that was not chosen is left out. How
    often an entry is there, in which order, and whether its requests are spelled out, differs by release.
    """
    for key, allocation in decided.allocations.items():
        if any(decided.goes_astray(request) for request in decided.asked[key].spec.devices.requests):
            continue
        chosen = _chosen(decided, key)
        expected = _expected(decided, key, chosen)
        actual = _actual(allocation, chosen)
        for entry in {**expected, **actual}:
            wanted, found = expected.get(entry, set()), actual.get(entry, set())
            source, told = entry
            if missing := wanted - found:
                yield f"claim {key}: the allocation lacks {source} configuration {told} for {_told(missing)}"
            if surplus := found - wanted:
                yield f"claim {key}: the allocation has {source} configuration {told} for {_told(surplus)}"


def _told(names: set[str]) -> str:
    return ", ".join(sorted(names))


def _chosen(decided: Decided, key: str) -> tuple[str, ...]:
    """The claim's requests as results name them: a subrequest with its request before it."""
    served = {taken.parent: taken.result.request for taken in decided.taken if taken.claim == key}
    return tuple(
        served.get(request.name, request.name) for request in decided.asked[key].spec.devices.requests
    )


def _covered(requests: Sequence[str], chosen: Sequence[str]) -> set[str]:
    """The chosen requests that a list names, by their own name or their request's; no list means all."""
    return {name for name in chosen if not requests or name in requests or name.partition("/")[0] in requests}


def _expected(decided: Decided, key: str, chosen: Sequence[str]) -> dict[Entry, set[str]]:
    entries: dict[Entry, set[str]] = {}
    devices = decided.asked[key].spec.devices
    for request, name in zip(devices.requests, chosen, strict=True):
        subrequest = name.partition("/")[2]
        asked = request.exactly or next((a for a in request.first_available if a.name == subrequest), None)
        device_class = decided.world.classes.get(asked.device_class_name) if asked is not None else None
        for item in device_class.spec.config if device_class is not None else ():
            entries.setdefault((FROM_CLASS, _text(item.opaque)), set()).add(name)
    for entry in devices.config:
        covered = _covered(entry.requests, chosen)
        if covered:
            entries.setdefault((FROM_CLAIM, _text(entry.opaque)), set()).update(covered)
    return entries


def _actual(allocation: AllocationResult, chosen: Sequence[str]) -> dict[Entry, set[str]]:
    """What is there; an entry for nothing that was chosen stands with the names it has."""
    entries: dict[Entry, set[str]] = {}
    for item in allocation.devices.config:
        covered = _covered(item.requests, chosen) or set(item.requests)
        entries.setdefault((item.source, _text(item.opaque)), set()).update(covered)
    return entries


def _text(opaque: OpaqueDeviceConfiguration | None) -> str:
    return "nothing" if opaque is None else f"of {opaque.driver}: {_canonical(opaque.parameters)}"


def _canonical(value: object) -> str:
    """A JSON value as text: keys in order, numbers by their value."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_canonical(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_canonical, value)) + "]"
    if isinstance(value, Number):
        value = float(value.text)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return repr(value)
