"""Facts of requests of `allocate` as numbers, by which faulty wrappers choose when to be faulty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from dra_conform.kube.json_values import Json


def facts(objects: Json, ask: Json) -> Mapping[str, int]:
    """Return the numbers of objects by name, 0 for absent ones."""
    numbers: Counter[str] = Counter()
    requests = set(ask["claims"])
    slices = objects.get("resourceSlices", ())
    numbers["slices"] = len(slices)
    numbers["pools"] = len(
        {
            (resource_slice["spec"]["driver"], resource_slice["spec"]["pool"]["name"])
            for resource_slice in slices
        }
    )
    numbers["nodes"] = len(objects.get("nodes", ()))
    numbers["classes"] = len(objects.get("deviceClasses", ()))
    numbers["rules"] = len(objects.get("deviceTaintRules", ()))
    numbers["claims"] = len(requests)
    numbers["counter sets"] = sum(
        len(resource_slice["spec"].get("sharedCounters") or ()) for resource_slice in slices
    )
    for device in (published for part in slices for published in part["spec"].get("devices") or ()):
        _of_device(device, numbers)
    for claim in objects.get("resourceClaims", ()):
        name = f"{claim['metadata'].get('namespace') or 'default'}/{claim['metadata']['name']}"
        if name in requests:
            _of_claim(claim["spec"]["devices"], numbers)
        else:
            results = (((claim.get("status") or {}).get("allocation") or {}).get("devices") or {}).get(
                "results"
            )
            numbers["held claims"] += bool(results)
            numbers["held devices"] += len(results or ())
            numbers["held shares"] += sum("shareID" in result for result in results or ())
            numbers["held with admin access"] += sum(
                bool(result.get("adminAccess")) for result in results or ()
            )
    return numbers


def _most(found: Counter[str], name: str, number: int) -> None:
    found[name] = max(found[name], number)


def _of_device(device: Json, found: Counter[str]) -> None:
    found["devices"] += 1
    found["shared devices"] += bool(device.get("allowMultipleAllocations"))
    found["partitions"] += bool(device.get("consumesCounters"))
    found["tainted devices"] += bool(device.get("taints"))
    found["binding devices"] += bool(device.get("bindingConditions"))
    found["list attributes"] += sum(
        any(kind.endswith("s") for kind in attribute)
        for attribute in (device.get("attributes") or {}).values()
    )
    entries = device.get("consumesCounters") or ()
    found["grouped devices"] += any(entry.get("compatibilityGroups") for entry in entries)
    _most(found, "taints of a device", len(device.get("taints") or ()))
    _most(found, "attributes of a device", len(device.get("attributes") or ()))
    _most(found, "capacities of a device", len(device.get("capacity") or ()))
    _most(found, "sets of a device", len(entries))
    _most(found, "counters of a device", sum(len(entry["counters"]) for entry in entries))
    found["policies"] += sum("requestPolicy" in value for value in (device.get("capacity") or {}).values())


def _of_claim(spec: Json, found: Counter[str]) -> None:
    requests = spec.get("requests") or ()
    _most(found, "requests", len(requests))
    found["lists"] += sum("firstAvailable" in request for request in requests)
    for constraint in spec.get("constraints") or ():
        found["constraints"] += 1
        found["matching constraints" if constraint.get("matchAttribute") else "distinct constraints"] += 1
    found["claim configurations"] += len(spec.get("config") or ())
    for request in _exact(requests):
        _most(
            found, "subrequests", max((len(sub.get("firstAvailable") or ()) for sub in requests), default=0)
        )
        _most(found, "count", request.get("count") or 1)
        found["all"] += request.get("allocationMode") == "All"
        found["admin access"] += bool(request.get("adminAccess"))
        _most(found, "selectors", len(request.get("selectors") or ()))
        _most(found, "tolerations", len(request.get("tolerations") or ()))
        found["capacity requests"] += bool((request.get("capacity") or {}).get("requests"))
        _most(found, "amounts of a request", len((request.get("capacity") or {}).get("requests") or ()))


def _exact(requests: Json) -> Iterator[Json]:
    for request in requests:
        yield from [request["exactly"]] if "exactly" in request else request.get("firstAvailable") or ()


def amounts(objects: Json, ask: Json) -> frozenset[str]:
    """Return the requested capacities of the claims as they are written."""
    quantities = set()
    for claim in objects.get("resourceClaims", ()):
        if f"{claim['metadata'].get('namespace') or 'default'}/{claim['metadata']['name']}" in ask["claims"]:
            for request in _exact(claim["spec"]["devices"].get("requests") or ()):
                quantities |= set(map(str, ((request.get("capacity") or {}).get("requests") or {}).values()))
    return frozenset(quantities)
