"""Known differences of counts between the built-in and Kubernetes, with their reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dra_conform.kube.json_values import Json
from dra_conform.kube.quantity import Quantity
from tests.support.kube_parts.answered_request import AnsweredRequest
from tests.support.kube_parts.known_attempt_differences import of_attempts

TWO_CLASSES = (
    "a claim requests several DeviceClasses of one extended resource: the evaluator counts any of them"
)
OLDER_SLICE = "the scheduler finds a device in any generation of its pool, in the first slice that has it"
NO_DEVICE = "a device that is no longer published fails the attempt to schedule the pod with an error"
SHARED_FIRST = "a shared claim is detected before its node resource usage is counted"
NOTHING_CONSUMED = (
    "a claim is not shared if its device has a mapping, even of a capacity that it does not consume"
)


def reason(asked: AnsweredRequest) -> str:
    """Return the reason why the answers differ, empty if it is unknown."""
    if "actions" in asked.ask:
        return of_attempts(asked)
    if "namespace" in asked.ask:
        return TWO_CLASSES if set(_differing(asked)) <= set(_of_two_classes(asked.objects)) else ""
    results = list(_held(asked.objects))
    if asked.real.get("reason") == "ClaimShared" and asked.ours.get("reason") == "CapacityUnknown":
        return SHARED_FIRST
    consumed = any("consumedCapacity" in result for result in results)
    if asked.real.get("reason") == "ClaimShared" and asked.ours["outcome"] == "counted" and consumed:
        return NOTHING_CONSUMED
    if asked.real["status"] == "failed" and any(result["device"] == "gone" for result in results):
        return NO_DEVICE
    newest: Counter[tuple[str, str]] = Counter()
    for spec in (slice_["spec"] for slice_ in asked.objects["resourceSlices"]):
        pool = spec["driver"], spec["pool"]["name"]
        newest[pool] = max(newest[pool], spec["pool"]["generation"])
    older = {
        spec["pool"]["name"]
        for spec in (slice_["spec"] for slice_ in asked.objects["resourceSlices"])
        if spec["pool"]["generation"] < newest[spec["driver"], spec["pool"]["name"]]
    }
    return OLDER_SLICE if any(result["pool"] in older for result in results) else ""


def _differing(asked: AnsweredRequest) -> Iterator[str]:
    ours, real = asked.ours["used"], asked.real["used"]
    return (name for name in ours if Quantity.parse(ours[name]) != Quantity.parse(real.get(name, "0")))


def _of_two_classes(objects: Json) -> Iterator[str]:
    """Yield the quotas of resources of which a claim requests several DeviceClasses."""
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
    """Yield the results of the claims of the requested pod."""
    names = {entry["resourceClaimName"] for entry in objects["pods"][0]["spec"]["resourceClaims"]}
    for claim in objects["resourceClaims"]:
        if claim["metadata"]["name"] in names:
            yield from claim["status"].get("allocation", {}).get("devices", {}).get("results", ())
