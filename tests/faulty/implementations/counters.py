"""Faulty quota evaluators: the built-in with a changed request or answer.

Each must fail a case of the violated requirement (`tests/quality/test_wrong_counters.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from dra_conform.conformance.features import FEATURES
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.simulation.quotas import count_usage

Objects = Mapping[str, Sequence[Json]]


class QuotaCounter:
    """Built-in quota evaluator that a subclass changes."""

    name = "wrong counter"
    version = "1"
    operations = ("usage",)
    features = MappingProxyType(dict.fromkeys(FEATURES, "full"))

    def usage(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        changed = {
            name: [self.seen(item) for item in objects_of_kind] for name, objects_of_kind in objects.items()
        }
        changed["resourceClaims"] = list(self.claims(changed.get("resourceClaims", [])))
        return count_usage(changed, ask, self.switched(profile))

    def seen(self, item: Json) -> Json:
        return item

    def claims(self, claims: list[Json]) -> Iterator[Json]:
        for claim in claims:
            requests = [self.request(request) for request in claim["spec"]["devices"].get("requests", ())]
            yield {**claim, "spec": {"devices": {"requests": [request for request in requests if request]}}}

    def request(self, request: Json) -> Json:
        return request

    def switched(self, profile: Profile) -> Profile:
        return profile


class CountsClaimsTwice(QuotaCounter):
    def claims(self, claims: list[Json]) -> Iterator[Json]:
        return iter([*claims, *claims])


class IgnoresSubrequests(QuotaCounter):
    def request(self, request: Json) -> Json:
        return None if "firstAvailable" in request else request


class TakesTheLastSubrequest(QuotaCounter):
    def request(self, request: Json) -> Json:
        if "firstAvailable" not in request:
            return request
        exactly = {name: value for name, value in request["firstAvailable"][-1].items() if name != "name"}
        return {"name": request["name"], "exactly": exactly}


class CountsModeAllAsOne(QuotaCounter):
    def request(self, request: Json) -> Json:
        if request.get("exactly", {}).get("allocationMode") != "All":
            return request
        return {**request, "exactly": {**request["exactly"], "allocationMode": "ExactCount", "count": 1}}


class ExemptsAdminAccessRequests(QuotaCounter):
    def request(self, request: Json) -> Json:
        return None if request.get("exactly", {}).get("adminAccess") else request


class NeverAdjusts(QuotaCounter):
    def switched(self, profile: Profile) -> Profile:
        return profile.with_gates({"DRAExtendedResource": False})


class AlwaysAdjusts(QuotaCounter):
    def switched(self, profile: Profile) -> Profile:
        return profile.with_gates({"DRAExtendedResource": True})


class CountsEveryNamespace(QuotaCounter):
    def seen(self, item: Json) -> Json:
        return {**item, "metadata": {**item["metadata"], "namespace": "default"}}


class CountsExtendedResourceClaimsInFull(QuotaCounter):
    def seen(self, item: Json) -> Json:
        return {**item, "metadata": {**item["metadata"], "annotations": {}}}


class IgnoresExtendedResourceClaims(QuotaCounter):
    def claims(self, claims: list[Json]) -> Iterator[Json]:
        return (claim for claim in claims if not claim["metadata"].get("annotations"))


class KnowsNoClasses(QuotaCounter):
    def seen(self, item: Json) -> Json:
        return {**item, "spec": {}} if item["kind"] == "DeviceClass" else item


class KnowsNoPods(QuotaCounter):
    def usage(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        return super().usage({**objects, "pods": []}, ask, profile)


class _OfPods(QuotaCounter):
    """Sees changed pods."""

    def seen(self, item: Json) -> Json:
        return {**item, "spec": self.spec(item)} if item["kind"] == "Pod" else item

    def spec(self, pod: Json) -> Json:
        raise NotImplementedError


class CountsUsageOfClaims(_OfPods):
    def spec(self, pod: Json) -> Json:
        entries = (pod.get("status") or {}).get("nodeAllocatableResourceClaimStatuses") or ()
        taken = [
            {"name": entry["resourceClaimName"], "resources": {"requests": entry["resources"]}}
            for entry in entries
        ]
        return {**pod["spec"], "containers": [*pod["spec"]["containers"], *taken]}


class CountsNoInitContainers(_OfPods):
    def spec(self, pod: Json) -> Json:
        return {**pod["spec"], "initContainers": []}


class CountsNoOverhead(_OfPods):
    def spec(self, pod: Json) -> Json:
        return {**pod["spec"], "overhead": {}}


class AddsContainersToPodLevelRequests(_OfPods):
    def spec(self, pod: Json) -> Json:
        return {**pod["spec"], "resources": None}


class IgnoresClaimsOfDeletedPods(QuotaCounter):
    def usage(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        pods = {pod["metadata"]["name"] for pod in objects.get("pods", ())}
        claims = [
            claim
            for claim in objects.get("resourceClaims", ())
            if all(owner["name"] in pods for owner in claim["metadata"].get("ownerReferences") or ())
        ]
        return super().usage({**objects, "resourceClaims": claims}, ask, profile)


_CLAIMS = "KEP-5004/quota/explicit-counts-resource-claims"
_SPEC = "KEP-5517/accounting/quota-counts-spec-only"

WRONG: dict[type[QuotaCounter], str] = {
    CountsClaimsTwice: _CLAIMS,
    IgnoresSubrequests: _CLAIMS,
    TakesTheLastSubrequest: _CLAIMS,
    CountsModeAllAsOne: _CLAIMS,
    ExemptsAdminAccessRequests: _CLAIMS,
    IgnoresClaimsOfDeletedPods: _CLAIMS,
    NeverAdjusts: "KEP-5004/quota/worked-example-after-adjustment",
    AlwaysAdjusts: "KEP-5004/quota/worked-example-before-adjustment",
    CountsEveryNamespace: "KEP-5004/quota/per-namespace",
    CountsExtendedResourceClaimsInFull: "KEP-5004/quota/no-double-count",
    IgnoresExtendedResourceClaims: "KEP-5004/quota/class-counts-special-claims",
    KnowsNoClasses: "KEP-5004/quota/two-classes-one-name",
    KnowsNoPods: "KEP-5004/quota/pending-pod",
    CountsUsageOfClaims: _SPEC,
    CountsNoInitContainers: _SPEC,
    CountsNoOverhead: _SPEC,
    AddsContainersToPodLevelRequests: _SPEC,
}
"""Each faulty evaluator with a requirement that it violates."""
