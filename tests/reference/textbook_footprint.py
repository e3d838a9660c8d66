"""Node resource usage of pods, written from KEP-5517 alone, independent of the built-in.

Each step is a method, so that `faulty/implementations/footprints.py` can violate a single one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from dra_conform.conformance.features import FEATURES
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity

Objects = Mapping[str, Sequence[Json]]
Sums = dict[str, Fraction]


class NotCounted(Exception):  # noqa: N818 - an outcome, not an error
    """Nothing is counted, for the reason in the first argument."""


class TextbookFootprint:
    """Implementation of the operation `footprint` in profile `kep`."""

    name = "textbook footprint"
    version = "1"
    operations = ("footprint",)
    features = MappingProxyType(dict.fromkeys(FEATURES, "full"))

    def footprint(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        self.objects = objects
        [pod] = [item for item in objects["pods"] if _key(item) == ask["pod"]]
        without = ask.get("without", ())
        try:
            if ask["from"] == "status":
                claims = dict(self.recorded(pod)) if self.reads_status(profile) else {}
            else:
                claims = dict(self.allocated(pod)) if self.reads_claims(profile) else {}
                self.check(pod, claims)
        except NotCounted as why:
            return {"outcome": "refused", "reason": why.args[0]}
        total = self.total(pod, claims, whole="pod-level" not in without)
        if "overhead" not in without:
            total = self.with_overhead(pod, total)
        claim_usages = [
            {"claim": name, "containers": self.users(pod, name), "resources": _as_quantities(sums)}
            for name, sums in sorted(claims.items())
            if sums
        ]
        return {"outcome": "counted", "resources": _as_quantities(total), "claims": claim_usages}

    def total(self, pod: Json, claims: Mapping[str, Sums], *, whole: bool) -> Sums:
        total = self.together(self.of_containers(pod), claims, pod)
        return self.with_pod_level(pod, total) if whole else total

    def together(self, spec: Sums, claims: Mapping[str, Sums], pod: Json) -> Sums:
        return plus(spec, *claims.values())

    def with_pod_level(self, pod: Json, total: Sums) -> Sums:
        return {**total, **_sums((pod["spec"].get("resources") or {}).get("requests"))}

    def with_overhead(self, pod: Json, total: Sums) -> Sums:
        return plus(total, _sums(pod["spec"].get("overhead")))

    def of_containers(self, pod: Json) -> Sums:
        """Return the maximum over time: an init container runs with earlier sidecars, then all containers run."""
        sidecars: Sums = {}
        moments = []
        for container in pod["spec"].get("initContainers") or ():
            moments.append(plus(sidecars, _requests(container)))
            if self.is_sidecar(container):
                sidecars = plus(sidecars, _requests(container))
        moments.append(plus(sidecars, *map(_requests, pod["spec"].get("containers") or ())))
        return {name: max(moment.get(name, Fraction(0)) for moment in moments) for name in plus(*moments)}

    def is_sidecar(self, container: Json) -> bool:
        return bool(container.get("restartPolicy") == "Always")

    def reads_claims(self, profile: Profile) -> bool:
        return profile.enabled("DRANodeAllocatableResources")

    def reads_status(self, profile: Profile) -> bool:
        return profile.enabled("DRANodeAllocatableResources")

    def recorded(self, pod: Json) -> Iterator[tuple[str, Sums]]:
        for status in (pod.get("status") or {}).get("nodeAllocatableResourceClaimStatuses") or ():
            yield status["resourceClaimName"], _sums(status["resources"])

    def allocated(self, pod: Json) -> Iterator[tuple[str, Sums]]:
        for name in dict.fromkeys(self.claims_of(pod)):
            named_claims = [
                claim
                for claim in self.objects.get("resourceClaims", ())
                if claim["metadata"]["name"] == name and self.is_beside(claim, pod)
            ]
            allocation = (named_claims[0].get("status") or {}).get("allocation") if named_claims else None
            if not allocation:
                raise NotCounted("ClaimNotAllocated")
            yield name, plus(*(self.of_device(result) for result in self.results(allocation)))

    def is_beside(self, claim: Json, pod: Json) -> bool:
        namespaces = {each["metadata"].get("namespace") or "default" for each in (claim, pod)}
        return len(namespaces) == 1

    def claims_of(self, pod: Json) -> list[str]:
        generated = {
            claim_status["name"]: claim_status
            for claim_status in (pod.get("status") or {}).get("resourceClaimStatuses") or ()
        }
        return [
            claim.get("resourceClaimName") or generated.get(claim["name"], {}).get("resourceClaimName", "")
            for claim in pod["spec"].get("resourceClaims") or ()
        ]

    def users(self, pod: Json, claim: str) -> list[str]:
        entries = {
            entry["name"]
            for entry, name in zip(pod["spec"].get("resourceClaims") or (), self.claims_of(pod), strict=True)
            if name == claim
        }
        return [
            container["name"]
            for container in (*(pod["spec"].get("initContainers") or ()), *pod["spec"]["containers"])
            if any(used["name"] in entries for used in (container.get("resources") or {}).get("claims") or ())
        ]

    def results(self, allocation: Json) -> Sequence[Json]:
        return allocation["devices"].get("results") or ()

    def of_device(self, result: Json) -> Sums:
        device = self.device(result)
        mappings = (device or {}).get("nodeAllocatableResourceMappings") or {}
        quantities = {name: self.amount(device, mapping, result) for name, mapping in mappings.items()}
        return {name: amount for name, amount in quantities.items() if amount is not None}

    def device(self, result: Json) -> Json:
        of_pool = [
            resource_slice["spec"]
            for resource_slice in self.objects["resourceSlices"]
            if self.is_of(resource_slice["spec"], result)
        ]
        newest = max((spec_of_slice["pool"].get("generation", 0) for spec_of_slice in of_pool), default=0)
        for spec in of_pool:
            for device in spec.get("devices") or ():
                if device["name"] == result["device"] and self.counts(spec["pool"], newest):
                    return device
        return None

    def is_of(self, spec: Json, result: Json) -> bool:
        return (spec["driver"], spec["pool"]["name"]) == (result["driver"], result["pool"])

    def counts(self, pool: Json, newest: int) -> bool:
        return bool(pool.get("generation", 0) == newest)

    def amount(self, device: Json, mapping: Json, result: Json) -> Fraction | None:
        times = exact(mapping.get("allocationMultiplier", "1"))
        if not mapping.get("capacityKey"):
            return times
        consumed = self.consumed(device, mapping["capacityKey"], result)
        return None if consumed is None else consumed * times

    def consumed(self, device: Json, key: str, result: Json) -> Fraction | None:
        if result.get("consumedCapacity") is not None:
            quantity = result["consumedCapacity"].get(key)
            return None if quantity is None else exact(quantity)
        if device.get("allowMultipleAllocations"):
            raise NotCounted("CapacityUnknown")
        return exact(device["capacity"][key]["value"])

    def check(self, pod: Json, claims: Mapping[str, Sums]) -> None:
        for other in self.objects["pods"]:
            resources = (other.get("status") or {}).get("phase") in ("Succeeded", "Failed")
            same = other["metadata"].get("namespace") == pod["metadata"].get("namespace")
            if other is pod or resources or not same or not other["spec"].get("nodeName"):
                continue
            if any(claims.get(name) for name in self.claims_of(other)):
                raise NotCounted("ClaimShared")
        taken = self.total(pod, claims, whole=False)
        budget = _sums((pod["spec"].get("resources") or {}).get("requests"))
        if any(taken.get(name, 0) > amount for name, amount in budget.items()):
            raise NotCounted("OverBudget")


def plus(*sums: Mapping[str, Fraction]) -> Sums:
    """Return the sum of each resource."""
    return {
        name: sum((resources.get(name, Fraction(0)) for resources in sums), Fraction(0))
        for name in dict.fromkeys(name for resources in sums for name in resources)
    }


def exact(text: str) -> Fraction:
    """Return a quantity as a fraction."""
    return Fraction(Quantity.parse(str(text)).nano, 10**9)


def _sums(amounts: Json) -> Sums:
    return {name: exact(amount) for name, amount in (amounts or {}).items()}


def _requests(container: Json) -> Sums:
    return _sums((container.get("resources") or {}).get("requests"))


def _as_quantities(sums: Sums) -> dict[str, str]:
    return {name: str(Quantity(int(amount * 10**9))) for name, amount in sums.items()}


def _key(pod: Json) -> str:
    return f"{pod['metadata'].get('namespace') or 'default'}/{pod['metadata']['name']}"
