"""The invariant of configuration: an allocation has that of its DeviceClasses and its ResourceClaim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dra_conform.conformance.allocate.judged_answer import Decided
from dra_conform.kube.resource import AllocationResult, OpaqueDeviceConfiguration
from dra_conform.kube.scalars import Number

FROM_CLASS, FROM_CLAIM = "FromClass", "FromClaim"

Entry = tuple[str, str]
"""Source, and driver with parameters as a canonical string."""


def configuration_complete(decided: Decided) -> Iterator[str]:
    """An allocation has the configuration of its DeviceClasses and its ResourceClaim, by request.

    DRA/claim/configuration-applies-to-pod. Configuration of a subrequest that was not chosen is left out.
    Duplicates, the order, and whether requests are listed differ by release and are not compared.
    """
    for key, allocation in decided.allocations.items():
        if any(
            decided.allocates_unspecified_devices(request)
            for request in decided.asked[key].spec.devices.requests
        ):
            continue
        chosen = _chosen(decided, key)
        expected = _expected(decided, key, chosen)
        actual = _actual(allocation, chosen)
        for entry in {**expected, **actual}:
            wanted, found = expected.get(entry, set()), actual.get(entry, set())
            source, content = entry
            where = f"ResourceClaim {key}: {source} configuration {content}"
            if missing := wanted - found:
                yield f"{where} is missing for {_requests(missing)}"
            if surplus := found - wanted:
                yield f"{where} is not expected for {_requests(surplus)}"


def _requests(names: set[str]) -> str:
    return f"request{'s' * (len(names) > 1)} {', '.join(sorted(names))}"


def _chosen(decided: Decided, key: str) -> tuple[str, ...]:
    """Return the names of the requests as results have them, such as `request/subrequest`."""
    served = {taken.parent: taken.result.request for taken in decided.taken if taken.claim == key}
    return tuple(
        served.get(request.name, request.name) for request in decided.asked[key].spec.devices.requests
    )


def _covered(requests: Sequence[str], chosen: Sequence[str]) -> set[str]:
    """Return the chosen requests that a list names, directly or by their parent. An empty list names all."""
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
    """Return the actual entries. An entry for no chosen request keeps its own request names."""
    entries: dict[Entry, set[str]] = {}
    for item in allocation.devices.config:
        covered = _covered(item.requests, chosen) or set(item.requests)
        entries.setdefault((item.source, _text(item.opaque)), set()).update(covered)
    return entries


def _text(opaque: OpaqueDeviceConfiguration | None) -> str:
    return (
        "without opaque parameters"
        if opaque is None
        else f"of {opaque.driver} {_canonical(opaque.parameters)}"
    )


def _canonical(value: object) -> str:
    """Return a JSON value as a string with sorted keys and normalized numbers."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_canonical(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_canonical, value)) + "]"
    if isinstance(value, Number):
        value = float(value.text)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return repr(value)
