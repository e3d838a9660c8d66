"""The invariant that an allocation has the configuration of its DeviceClasses and its ResourceClaim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dra_conform.conformance.allocate.invariants.violation import requires
from dra_conform.conformance.allocate.judged_answer import JudgedAnswer
from dra_conform.conformance.allocations.documents import canonical_json
from dra_conform.kube.resource import AllocationResult, OpaqueDeviceConfiguration

FROM_CLASS, FROM_CLAIM = "FromClass", "FromClaim"

Entry = tuple[str, str]
"""Source, and driver with parameters as a canonical string."""


@requires("DRA/claim/configuration-applies-to-pod")
def configuration_complete(answer: JudgedAnswer) -> Iterator[str]:
    """An allocation has the configuration of its DeviceClasses and its ResourceClaim, by request.

    Configuration of a subrequest that was not chosen is left out.
    Duplicates, the order, and whether requests are listed differ by release and are not compared.
    """
    for key, allocation in answer.allocations.items():
        if any(
            answer.allocates_unspecified_devices(request)
            for request in answer.claims[key].spec.devices.requests
        ):
            continue
        chosen = _chosen(answer, key)
        expected = _expected(answer, key, chosen)
        actual = _actual(allocation, chosen)
        for entry in {**expected, **actual}:
            expected_requests, actual_requests = expected.get(entry, set()), actual.get(entry, set())
            source, content = entry
            where = f"ResourceClaim {key}: {source} configuration {content}"
            if missing := expected_requests - actual_requests:
                yield f"{where} is missing for {_requests(missing)}"
            if surplus := actual_requests - expected_requests:
                yield f"{where} is not expected for {_requests(surplus)}"


def _requests(names: set[str]) -> str:
    return f"request{'s' * (len(names) > 1)} {', '.join(sorted(names))}"


def _chosen(answer: JudgedAnswer, key: str) -> tuple[str, ...]:
    """Return the names of the requests in the form that results have, such as `request/subrequest`."""
    names = {
        allocated.parent: allocated.result.request
        for allocated in answer.allocated_devices
        if allocated.claim == key
    }
    return tuple(
        names.get(request.name, request.name) for request in answer.claims[key].spec.devices.requests
    )


def _named_requests(requests: Sequence[str], chosen: Sequence[str]) -> set[str]:
    """Return the chosen requests that a list names, directly or by their parent. An empty list names all."""
    return {name for name in chosen if not requests or name in requests or name.partition("/")[0] in requests}


def _expected(answer: JudgedAnswer, key: str, chosen: Sequence[str]) -> dict[Entry, set[str]]:
    entries: dict[Entry, set[str]] = {}
    devices = answer.claims[key].spec.devices
    for request, name in zip(devices.requests, chosen, strict=True):
        subrequest = name.partition("/")[2]
        content = request.exactly or next(
            (sub for sub in request.first_available if sub.name == subrequest), None
        )
        device_class = answer.objects.classes.get(content.device_class_name) if content is not None else None
        for class_entry in device_class.spec.config if device_class is not None else ():
            entries.setdefault((FROM_CLASS, _text(class_entry.opaque)), set()).add(name)
    for entry in devices.config:
        requests = _named_requests(entry.requests, chosen)
        if requests:
            entries.setdefault((FROM_CLAIM, _text(entry.opaque)), set()).update(requests)
    return entries


def _actual(allocation: AllocationResult, chosen: Sequence[str]) -> dict[Entry, set[str]]:
    """Return the actual entries. An entry for no chosen request keeps its own request names."""
    entries: dict[Entry, set[str]] = {}
    for entry in allocation.devices.config:
        requests = _named_requests(entry.requests, chosen) or set(entry.requests)
        entries.setdefault((entry.source, _text(entry.opaque)), set()).update(requests)
    return entries


def _text(opaque: OpaqueDeviceConfiguration | None) -> str:
    return (
        "without opaque parameters"
        if opaque is None
        else f"of {opaque.driver} {canonical_json(opaque.parameters)}"
    )
