"""Faulty calculations of node resource usage: the textbook's with a changed step.

Each must fail a case of the violated requirement (`tests/quality/test_wrong_footprints.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor

from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from tests.reference.textbook_footprint import Sums, TextbookFootprint, exact, plus


class CountsClaimsForEachContainer(TextbookFootprint):
    def together(self, spec: Sums, claims: Mapping[str, Sums], pod: Json) -> Sums:
        return plus(spec, *(usage for name, usage in claims.items() for _ in self.users(pod, name) or [""]))


class TakesTheLargerOfBoth(TextbookFootprint):
    def together(self, spec: Sums, claims: Mapping[str, Sums], pod: Json) -> Sums:
        both = plus(*claims.values())
        return {name: max(spec.get(name, 0), both.get(name, 0)) for name in plus(spec, both)}  # type: ignore[misc]


class PutsClaimsInPlaceOfRequests(TextbookFootprint):
    def together(self, spec: Sums, claims: Mapping[str, Sums], pod: Json) -> Sums:
        return {**spec, **plus(*claims.values())}


class ForgetsWhatNoContainerRequests(TextbookFootprint):
    def together(self, spec: Sums, claims: Mapping[str, Sums], pod: Json) -> Sums:
        total = plus(spec, *claims.values())
        return {name: amount for name, amount in total.items() if name in spec}


class ForgetsUnusedClaims(TextbookFootprint):
    def together(self, spec: Sums, claims: Mapping[str, Sums], pod: Json) -> Sums:
        return plus(spec, *(usage for name, usage in claims.items() if self.users(pod, name)))


class ForgetsUnusedClaimsAmongOthers(TextbookFootprint):
    """Counts a claim that no container uses only if containers use no claim."""

    def together(self, spec: Sums, claims: Mapping[str, Sums], pod: Json) -> Sums:
        used = [usage for name, usage in claims.items() if self.users(pod, name)]
        return plus(spec, *(used or claims.values()))


class KnowsOneGeneratedClaim(TextbookFootprint):
    """Takes the first generated claim for every entry with a template."""

    def claims_of(self, pod: Json) -> list[str]:
        status = pod.get("status") or {}
        known = status.get("resourceClaimStatuses") or []
        first = [{**entry, "resourceClaimName": known[0]["resourceClaimName"]} for entry in known]
        return super().claims_of({**pod, "status": {**status, "resourceClaimStatuses": first}})


class ReadsOneEntryOfEachContainer(TextbookFootprint):
    def recorded(self, pod: Json) -> Iterator[tuple[str, Sums]]:
        entries = (pod.get("status") or {}).get("nodeAllocatableResourceClaimStatuses") or ()
        unique = {tuple(entry.get("containers") or ()): entry for entry in entries}
        status = {**(pod.get("status") or {}), "nodeAllocatableResourceClaimStatuses": [*unique.values()]}
        return super().recorded({**pod, "status": status})


class ForgetsEntriesWithoutContainers(TextbookFootprint):
    def recorded(self, pod: Json) -> Iterator[tuple[str, Sums]]:
        entries = (pod.get("status") or {}).get("nodeAllocatableResourceClaimStatuses") or ()
        used = [entry for entry in entries if entry.get("containers")]
        status = {**(pod.get("status") or {}), "nodeAllocatableResourceClaimStatuses": used}
        return super().recorded({**pod, "status": status})


class ForgetsClaimsOfInitContainers(TextbookFootprint):
    def together(self, spec: Sums, claims: Mapping[str, Sums], pod: Json) -> Sums:
        before = {container["name"] for container in pod["spec"].get("initContainers") or ()}
        used = {name: set(self.users(pod, name)) for name in claims}
        return plus(spec, *(usage for name, usage in claims.items() if not used[name] or used[name] - before))


class CountsEachEntry(TextbookFootprint):
    def together(self, spec: Sums, claims: Mapping[str, Sums], pod: Json) -> Sums:
        return plus(spec, *(claims.get(name, {}) for name in self.claims_of(pod)))


class ForgetsInitContainers(TextbookFootprint):
    def of_containers(self, pod: Json) -> Sums:
        return super().of_containers({**pod, "spec": {**pod["spec"], "initContainers": []}})


class AddsInitContainersUp(TextbookFootprint):
    def is_sidecar(self, container: Json) -> bool:
        return True


class EndsSidecars(TextbookFootprint):
    def is_sidecar(self, container: Json) -> bool:
        return False


class ForgetsOverhead(TextbookFootprint):
    def with_overhead(self, pod: Json, total: Sums) -> Sums:
        return total


class CountsOverheadInPodLevelRequests(TextbookFootprint):
    def with_overhead(self, pod: Json, total: Sums) -> Sums:
        whole = (pod["spec"].get("resources") or {}).get("requests") or {}
        more = super().with_overhead(pod, total)
        return {name: total[name] if name in whole else amount for name, amount in more.items()}


class IgnoresPodLevelRequests(TextbookFootprint):
    def with_pod_level(self, pod: Json, total: Sums) -> Sums:
        return total


class AddsPodLevelRequests(TextbookFootprint):
    def with_pod_level(self, pod: Json, total: Sums) -> Sums:
        return plus(total, super().with_pod_level(pod, {}))


class PodLevelRequestsReplaceAllResources(TextbookFootprint):
    def with_pod_level(self, pod: Json, total: Sums) -> Sums:
        return super().with_pod_level(pod, {}) or total


class AllowsAnyPodLevelRequests(TextbookFootprint):
    def check(self, pod: Json, claims: Mapping[str, Sums]) -> None:
        spec = {**pod["spec"], "resources": {}}
        super().check({**pod, "spec": spec}, claims)


class AllowsSharedClaims(TextbookFootprint):
    def claims_of(self, pod: Json) -> list[str]:
        return [] if pod["spec"].get("nodeName") else super().claims_of(pod)


class ReadsTheStatusWithTheGateOff(TextbookFootprint):
    def reads_status(self, profile: Profile) -> bool:
        return True


class ForgetsTheStatus(TextbookFootprint):
    def recorded(self, pod: Json) -> Iterator[tuple[str, Sums]]:
        return iter(())


class CountsTheFirstDevice(TextbookFootprint):
    def results(self, allocation: Json) -> Sequence[Json]:
        return super().results(allocation)[:1]


class CountsEachDeviceOnce(TextbookFootprint):
    def results(self, allocation: Json) -> Sequence[Json]:
        return list({result["device"]: result for result in super().results(allocation)}.values())


class IgnoresResultsOfSubrequests(TextbookFootprint):
    def results(self, allocation: Json) -> Sequence[Json]:
        return [result for result in super().results(allocation) if "/" not in result["request"]]


class ReadsClaimsOfAllNamespaces(TextbookFootprint):
    def is_beside(self, claim: Json, pod: Json) -> bool:
        return True


class ComparesAppContainersWithPodLevelRequests(TextbookFootprint):
    def check(self, pod: Json, claims: Mapping[str, Sums]) -> None:
        super().check({**pod, "spec": {**pod["spec"], "initContainers": []}}, claims)


class ListsContainersForEachRequest(TextbookFootprint):
    def users(self, pod: Json, claim: str) -> list[str]:
        containers = [*(pod["spec"].get("initContainers") or ()), *pod["spec"]["containers"]]
        times = {each["name"]: len((each.get("resources") or {}).get("claims") or ()) for each in containers}
        return [name for name in super().users(pod, claim) for _ in range(times[name])]


class IgnoresResultsWithAdminAccess(TextbookFootprint):
    def results(self, allocation: Json) -> Sequence[Json]:
        return [result for result in super().results(allocation) if not result.get("adminAccess")]


class TakesAnyDriver(TextbookFootprint):
    def is_of(self, spec: Json, result: Json) -> bool:
        return bool(spec["pool"]["name"] == result["pool"])


class TakesAnyPool(TextbookFootprint):
    def is_of(self, spec: Json, result: Json) -> bool:
        return bool(spec["driver"] == result["driver"])


class TakesOldGenerations(TextbookFootprint):
    def counts(self, pool: Json, newest: int) -> bool:
        return True


class RoundsUp(TextbookFootprint):
    def amount(self, device: Json, mapping: Json, result: Json) -> Fraction | None:
        quantity = super().amount(device, mapping, result)
        return None if quantity is None else Fraction(ceil(quantity))


class RoundsDown(TextbookFootprint):
    def amount(self, device: Json, mapping: Json, result: Json) -> Fraction | None:
        quantity = super().amount(device, mapping, result)
        return None if quantity is None else Fraction(floor(quantity))


class ForgetsMultipliersOfCapacities(TextbookFootprint):
    def amount(self, device: Json, mapping: Json, result: Json) -> Fraction | None:
        without = {name: value for name, value in mapping.items() if name != "allocationMultiplier"}
        return super().amount(device, without if "capacityKey" in mapping else mapping, result)


class ForgetsCapacities(TextbookFootprint):
    def amount(self, device: Json, mapping: Json, result: Json) -> Fraction | None:
        return exact(mapping.get("allocationMultiplier", "1"))


class TakesTheWholeCapacity(TextbookFootprint):
    def consumed(self, device: Json, key: str, result: Json) -> Fraction | None:
        return exact(device["capacity"][key]["value"])


class CountsUnknownCapacityAsZero(TextbookFootprint):
    def consumed(self, device: Json, key: str, result: Json) -> Fraction | None:
        unknown = result.get("consumedCapacity") is None and device.get("allowMultipleAllocations")
        return Fraction(0) if unknown else super().consumed(device, key, result)


class KnowsCpuAndMemory(TextbookFootprint):
    def of_device(self, result: Json) -> Sums:
        usage = super().of_device(result)
        return {name: amount for name, amount in usage.items() if name in ("cpu", "memory")}


class MixesHugePages(TextbookFootprint):
    def of_device(self, result: Json) -> Sums:
        return plus(
            *({name.partition("-")[0]: quantity} for name, quantity in super().of_device(result).items())
        )


_ONCE = "KEP-5517/accounting/claim-counted-once-per-pod"
_ADDS = "KEP-5517/accounting/claim-adds-to-spec-requests"
_INIT = "KEP-5517/pod-footprint/init-containers-max-then-claims"
_BY_NAME = "KEP-5517/mapping/device-resolved-by-driver-pool-and-name"

WRONG: dict[type[TextbookFootprint], str] = {
    CountsClaimsForEachContainer: _ONCE,
    TakesTheLargerOfBoth: _ADDS,
    PutsClaimsInPlaceOfRequests: _ADDS,
    ForgetsWhatNoContainerRequests: "KEP-5517/accounting/resource-present-only-in-claim",
    ForgetsUnusedClaims: "KEP-5517/accounting/unreferenced-claim-still-counted",
    ForgetsEntriesWithoutContainers: "KEP-5517/accounting/unreferenced-claim-still-counted",
    ForgetsClaimsOfInitContainers: _INIT,
    CountsEachEntry: "KEP-5517/accounting/claim-listed-under-two-pod-names-counted-once",
    ForgetsInitContainers: _INIT,
    AddsInitContainersUp: _INIT,
    EndsSidecars: "KEP-5517/pod-footprint/sidecar-init-containers",
    ForgetsUnusedClaimsAmongOthers: "KEP-5517/accounting/unreferenced-claim-still-counted",
    KnowsOneGeneratedClaim: "KEP-5517/accounting/different-claims-on-different-containers-sum",
    ReadsOneEntryOfEachContainer: "KEP-5517/pod-footprint/amounts-come-from-pod-status",
    ForgetsOverhead: "KEP-5517/pod-footprint/overhead-added-last",
    CountsOverheadInPodLevelRequests: "KEP-5517/pod-footprint/overhead-added-last",
    IgnoresPodLevelRequests: "KEP-5517/pod-level-resources/pod-level-wins",
    AddsPodLevelRequests: "KEP-5517/pod-level-resources/pod-level-wins",
    PodLevelRequestsReplaceAllResources: "KEP-5517/pod-level-resources/precedence-is-per-resource",
    AllowsAnyPodLevelRequests: "KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable",
    AllowsSharedClaims: "KEP-5517/shared-claim/inter-pod-sharing-rejected",
    ReadsTheStatusWithTheGateOff: "KEP-5517/pod-footprint/gate-off-ignores-status",
    ForgetsTheStatus: "KEP-5517/pod-footprint/amounts-come-from-pod-status",
    CountsTheFirstDevice: "KEP-5517/accounting/several-devices-in-one-claim-sum",
    IgnoresResultsOfSubrequests: "KEP-5517/accounting/several-devices-in-one-claim-sum",
    ReadsClaimsOfAllNamespaces: _ADDS,
    ComparesAppContainersWithPodLevelRequests: "KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable",
    ListsContainersForEachRequest: "KEP-5517/status/containers-include-init-and-regular",
    CountsEachDeviceOnce: "KEP-5517/mapping/multi-allocatable-device-with-multiplier-only",
    IgnoresResultsWithAdminAccess: "KEP-5517/accounting/admin-access-claims",
    TakesAnyDriver: _BY_NAME,
    TakesAnyPool: _BY_NAME,
    TakesOldGenerations: _BY_NAME,
    RoundsUp: "KEP-5517/mapping/fractional-multiplier",
    RoundsDown: "KEP-5517/mapping/fractional-multiplier",
    ForgetsMultipliersOfCapacities: "KEP-5517/mapping/capacity-key-times-multiplier",
    ForgetsCapacities: "KEP-5517/mapping/capacity-key-reads-consumed-capacity",
    TakesTheWholeCapacity: "KEP-5517/mapping/capacity-key-reads-consumed-capacity",
    CountsUnknownCapacityAsZero: "KEP-5517/mapping/missing-consumed-capacity",
    KnowsCpuAndMemory: "KEP-5517/mapping/all-node-resource-kinds",
    MixesHugePages: "KEP-5517/mapping/all-node-resource-kinds",
}
"""Each faulty calculation with a requirement that it violates."""
