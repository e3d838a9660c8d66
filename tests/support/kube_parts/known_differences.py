"""Where the built-in counts otherwise than Kubernetes does, and why it stays so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from dra_conform.kube.quantity import Quantity
from tests.support.kube_parts.asked import Asked
from tests.support.kube_parts.known_attempt_differences import of_attempts

Json = Any

TWO_CLASSES = "of the classes of one extended resource that a claim asks for, the evaluator counts any one"
OLDER_SLICE = "the scheduler finds a device in any generation of its pool, whichever slice comes first"
NO_DEVICE = "a device that is not published any more ends the attempt to schedule the pod as an error"
SHARED_FIRST = "that a claim is shared is found before what it takes is counted"
NOTHING_CONSUMED = (
    "a claim is not shared if its device has a mapping, even one of a capacity that it consumes nothing of"
)


def reason(one: Asked) -> str:
    """Why the answers to a question differ, empty if that is not known."""
    if "actions" in one.ask:
        return of_attempts(one)
    if "namespace" in one.ask:
        return TWO_CLASSES if set(_differing(one)) <= set(_of_two_classes(one.objects)) else ""
    held = list(_held(one.objects))
    if one.real.get("reason") == "ClaimShared" and one.ours.get("reason") == "CapacityUnknown":
        return SHARED_FIRST
    consumed = any("consumedCapacity" in result for result in held)
    if one.real.get("reason") == "ClaimShared" and one.ours["outcome"] == "counted" and consumed:
        return NOTHING_CONSUMED
    if one.real["status"] == "failed" and any(result["device"] == "gone" for result in held):
        return NO_DEVICE
    newest: Counter[tuple[str, str]] = Counter()
    for spec in (slice_["spec"] for slice_ in one.objects["resourceSlices"]):
        pool = spec["driver"], spec["pool"]["name"]
        newest[pool] = max(newest[pool], spec["pool"]["generation"])
    older = {
        spec["pool"]["name"]
        for spec in (slice_["spec"] for slice_ in one.objects["resourceSlices"])
        if spec["pool"]["generation"] < newest[spec["driver"], spec["pool"]["name"]]
    }
    return OLDER_SLICE if any(result["pool"] in older for result in held) else ""


def _differing(one: Asked) -> Iterator[str]:
    ours, real = one.ours["used"], one.real["used"]
    return (name for name in ours if Quantity.parse(ours[name]) != Quantity.parse(real.get(name, "0")))


def _of_two_classes(objects: Json) -> Iterator[str]:
    """The quotas of resources of which a claim asks for several classes."""
    resources = {
        device_class["metadata"]["name"]: device_class["spec"].get("extendedResourceName")
        for device_class in objects["deviceClasses"]
    }
    for claim in objects["resourceClaims"]:
        asked = {
            each["deviceClassName"]
            for request in claim["spec"]["devices"]["requests"]
            for each in (request.get("exactly"), *request.get("firstAvailable", ()))
            if each
        }
        several = Counter(resources.get(name) for name in asked)
        yield from (f"requests.{name}" for name, count in several.items() if name and count > 1)


def _held(objects: Json) -> Iterator[Json]:
    """The results of the claims of the pod that is asked for."""
    names = {entry["resourceClaimName"] for entry in objects["pods"][0]["spec"]["resourceClaims"]}
    for claim in objects["resourceClaims"]:
        if claim["metadata"]["name"] in names:
            yield from claim["status"].get("allocation", {}).get("devices", {}).get("results", ())
