"""Faulty allocators that violate one rule each.

Each must fail a case of the violated requirement (`tests/quality/test_wrong_allocators.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from tests.reference.textbook import MOST, Taken, Textbook
from tests.reference.textbook_world import Device, Pool, amount, selected

# Capacity.


class RoundsDown(Textbook):
    def steps(self, exact: Fraction) -> int:
        return math.floor(exact)


class IgnoresStep(Textbook):
    def rounded(self, policy: Mapping[str, Json] | None, value: Fraction) -> Fraction | None:
        if policy and policy.get("validRange"):
            allowed = {
                key: value_of_range for key, value_of_range in policy["validRange"].items() if key != "step"
            }
            return super().rounded({"validRange": allowed}, value)
        return super().rounded(policy, value)


class ClampsToMax(Textbook):
    def within(self, value: Fraction, high: Fraction | None) -> Fraction | None:
        return value if high is None else min(value, high)


class ForgetsMax(Textbook):
    def within(self, value: Fraction, high: Fraction | None) -> Fraction | None:
        return value


class ForgetsDefault(Textbook):
    def unrequested(self, capacity: Mapping[str, Json]) -> Fraction:
        return amount(capacity["value"])


class ComparesWithTotal(Textbook):
    def remaining(self, device: Device, name: str) -> Fraction:
        return amount(device.capacity[name]["value"])


class ForgetsZeroEntries(Textbook):
    def recorded(self, consumed: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
        return {name: value for name, value in consumed.items() if value}


class SharesExclusive(Textbook):
    def free(self, device: Device, claim: str, requested: Json) -> bool:
        return True


class ReusesShareId(Textbook):
    def share_id(self, device: Device) -> str:
        return "6ba7b810-9dad-41d1-80b4-00c04fd430c8"


class PassesUnknownName(Textbook):
    def unknown(self, device: Device, names: Sequence[str]) -> list[str]:
        return []


class RemembersReleased(Textbook):
    """Remembers released allocations, so that a rule can treat them as existing ones."""

    def _read_inventory(self, objects: Json) -> None:
        self.released: list[Taken] = []
        super()._read_inventory(objects)

    def leave(self, taken: Taken) -> None:
        super().leave(taken)
        self.released.append(taken)


class LosesCapacityOnBacktrack(RemembersReleased):
    def remaining(self, device: Device, name: str) -> Fraction:
        lost = [
            (released.consumed or {}).get(name, Fraction(0))
            for released in self.released
            if released.key == device.key
        ]
        return super().remaining(device, name) - sum(lost, Fraction(0))


# Constraints.


class IgnoresDistinct(Textbook):
    def distinct(self, values: Sequence[frozenset[tuple[str, Json]]]) -> bool:
        return True


class MatchesPairs(Textbook):
    def matching(self, values: Sequence[frozenset[tuple[str, Json]]]) -> bool:
        return all(value & other for value in values for other in values)


class MatchesEqualLists(Textbook):
    def matching(self, values: Sequence[frozenset[tuple[str, Json]]]) -> bool:
        return len(set(values)) <= 1


class DistinctUnlessEqual(Textbook):
    def distinct(self, values: Sequence[frozenset[tuple[str, Json]]]) -> bool:
        return len(set(values)) == len(values)


# Counters.


class ChargesEveryShare(Textbook):
    def already_draws(self, device: Device) -> bool:
        return False


class ForgetsHeldCounters(Textbook):
    def consumers(self, pool: Pool) -> set[str]:
        mine = {taken.key for taken in self.taken if taken.claim}
        return {device.name for device in pool.devices if device.key in mine}


class ForgetsCountersOfTheCall(Textbook):
    def consumers(self, pool: Pool) -> set[str]:
        earlier = {taken.key for taken in self.taken if not taken.claim}
        return {device.name for device in pool.devices if device.key in earlier}


class OneCounterSuffices(Textbook):
    def counted(self, device: Device) -> bool:
        return (
            self.already_draws(device)
            or not device.entries
            or any(
                amount(needed["value"]) <= self.counters_left(device.pool, entry["counterSet"], counter)
                for entry in device.entries
                for counter, needed in entry["counters"].items()
            )
        )


class MixesCounterSets(Textbook):
    def draws(self, device: Device, counter_set: str, counter: str) -> Fraction:
        return sum(
            (
                super(MixesCounterSets, self).draws(device, entry["counterSet"], counter)
                for entry in device.entries
            ),
            Fraction(0),
        )


class CountsWholeUnits(Textbook):
    def draws(self, device: Device, counter_set: str, counter: str) -> Fraction:
        return Fraction(math.floor(super().draws(device, counter_set, counter)))


class LosesCountersOnBacktrack(RemembersReleased):
    def consumers(self, pool: Pool) -> set[str]:
        return super().consumers(pool) | {
            released.key[2] for released in self.released if released.key[:2] == (pool.driver, pool.name)
        }


# Compatibility groups.


class IgnoresGroups(Textbook):
    def have_common_group(self, members: Sequence[frozenset[str]], candidate: frozenset[str]) -> bool:
        return True


class AdmitsUngroupedEverywhere(Textbook):
    def have_common_group(self, members: Sequence[frozenset[str]], candidate: frozenset[str]) -> bool:
        return not candidate or super().have_common_group(members, candidate)


class ComparesPairs(Textbook):
    def have_common_group(self, members: Sequence[frozenset[str]], candidate: frozenset[str]) -> bool:
        return all(super(ComparesPairs, self).have_common_group([member], candidate) for member in members)


class ComparesWithTheLatest(Textbook):
    def have_common_group(self, members: Sequence[frozenset[str]], candidate: frozenset[str]) -> bool:
        return super().have_common_group(members[-1:], candidate)


class RequiresEqualGroups(Textbook):
    def have_common_group(self, members: Sequence[frozenset[str]], candidate: frozenset[str]) -> bool:
        return all(member == candidate for member in members)


class LosesGroupsOnBacktrack(RemembersReleased):
    def members(self, pool: Pool, counter_set: str) -> list[frozenset[str]]:
        lost = [released for released in self.released if released.key[:2] == (pool.driver, pool.name)]
        groups = [frozenset(taken.groups[counter_set]) for taken in lost if taken.groups.get(counter_set)]
        return [*super().members(pool, counter_set), *groups]


class ReadsGroupsFromTheSlice(Textbook):
    def members(self, pool: Pool, counter_set: str) -> list[frozenset[str]]:
        keys = {taken.key for taken in self.taken if self.uses(taken)}
        return [
            frozenset(device.groups()[counter_set])
            for device in pool.devices
            if device.key in keys and counter_set in device.groups()
        ]


class ForgetsToRecordGroups(Textbook):
    def result(self, taken: Taken) -> Json:
        return {key: value for key, value in super().result(taken).items() if key != "compatibilityGroups"}


class OneSetSuffices(Textbook):
    def compatible(self, device: Device) -> bool:
        return (
            not self.grouping
            or not device.entries
            or any(
                self.have_common_group(self.members(device.pool, name), frozenset(mine))
                for name, mine in device.groups().items()
            )
        )


class AllSkipsIncompatibleDevices(Textbook):
    def in_all(self, device: Device, requested: Json) -> bool:
        return super().in_all(device, requested) and self.compatible(device)


class IgnoresGroupsWhenOff(Textbook):
    def compatible(self, device: Device) -> bool:
        return not self.grouping or super().compatible(device)


# Taints.


class IgnoresTaints(Textbook):
    def untolerated(self, device: Device, requested: Json) -> list[Json]:
        return []


class IgnoresNoExecute(Textbook):
    def prevents(self, taint: Json) -> bool:
        return bool(taint["effect"] == "NoSchedule")


class OneTolerationForAllTaints(Textbook):
    def untolerated(self, device: Device, requested: Json) -> list[Json]:
        taints = super().untolerated(device, requested)
        return taints if len(taints) == len(device.taints) else []


class ToleratesByKey(Textbook):
    def tolerates(self, toleration: Json, taint: Json) -> bool:
        key = toleration.get("key") or ""
        effect = toleration.get("effect") or ""
        return key in ("", taint["key"]) and effect in ("", taint["effect"])


class ForgetsTheEffect(Textbook):
    def tolerates(self, toleration: Json, taint: Json) -> bool:
        return super().tolerates({**toleration, "effect": ""}, taint)


class ExemptsAdminAccess(Textbook):
    def untolerated(self, device: Device, requested: Json) -> list[Json]:
        return [] if self.is_admin(requested) else super().untolerated(device, requested)


class AllSkipsTaintedDevices(Textbook):
    def in_all(self, device: Device, requested: Json) -> bool:
        return super().in_all(device, requested) and not self.untolerated(device, requested)


class RulesWithoutSelectorTaint(Textbook):
    def rule_selects(self, rule: Json, device: Device) -> bool:
        return rule["spec"].get("deviceSelector") is None or super().rule_selects(rule, device)


class RulesNeedOneCriterion(Textbook):
    def rule_selects(self, rule: Json, device: Device) -> bool:
        selector = rule["spec"].get("deviceSelector") or {}
        parts = [{"spec": {"deviceSelector": {name: value}}} for name, value in selector.items()]
        return any(super(RulesNeedOneCriterion, self).rule_selects(part, device) for part in parts)


class RulesIgnoreClasses(Textbook):
    def rule_selects(self, rule: Json, device: Device) -> bool:
        selector = dict(rule["spec"].get("deviceSelector") or {})
        selector.pop("deviceClassName", None)
        return super().rule_selects(
            {"spec": {"deviceSelector": selector}} if selector else {"spec": {}}, device
        )


# Admin access.


class AdminAccessNeedsAFreeDevice(Textbook):
    def free(self, device: Device, claim: str, requested: Json) -> bool:
        return super().free(device, claim, {**requested, "adminAccess": False})


class AdminAccessConsumes(Textbook):
    def uses(self, taken: Taken) -> bool:
        return True


class AdminAccessForTheWholeClaim(Textbook):
    def _requests(
        self, key: str, claim: Json, requests: Sequence[Json], done: list[Taken]
    ) -> Iterator[list[Taken]]:
        requested = [
            request["exactly"] for request in claim["spec"]["devices"]["requests"] if "exactly" in request
        ]
        if any(map(self.is_admin, requested)):
            requests = [
                {**request, "exactly": {**request["exactly"], "adminAccess": True}}
                if "exactly" in request
                else request
                for request in requests
            ]
        return super()._requests(key, claim, requests, done)


class OmitsAdminAccess(Textbook):
    def result(self, taken: Taken) -> Json:
        return {key: value for key, value in super().result(taken).items() if key != "adminAccess"}


# Prioritized lists.


class MixesSubrequests(Textbook):
    """Allocates devices of several subrequests to one request."""

    def alternatives_of(self, request: Json) -> list[tuple[str, Json]]:
        subrequests = super().alternatives_of(request)
        if "firstAvailable" not in request:
            return subrequests
        expressions = [
            " && ".join(
                f"({all_selector['cel']['expression']})" for all_selector in self._all_selectors(requested)
            )
            or "true"
            for _, requested in subrequests
        ]
        any_of = {"cel": {"expression": " || ".join(f"({expression})" for expression in expressions)}}
        name, first = subrequests[0]
        self.classes[""] = {"spec": {}}
        return [*subrequests, (name, {**first, "deviceClassName": "", "selectors": [any_of]})]

    def _all_selectors(self, requested: Json) -> list[Json]:
        of = self.classes.get(requested["deviceClassName"]) or {}
        return [*((of.get("spec") or {}).get("selectors") or ()), *(requested.get("selectors") or ())]


class LastSubrequestFirst(Textbook):
    def alternatives_of(self, request: Json) -> list[tuple[str, Json]]:
        return super().alternatives_of(request)[::-1]


class NeverBacktracksSubrequests(Textbook):
    """Does not backtrack to another subrequest if a later request cannot be allocated."""

    def _requests(
        self, key: str, claim: Json, requests: Sequence[Json], done: list[Taken]
    ) -> Iterator[list[Taken]]:
        if not requests:
            yield done
            return
        request, *rest = requests
        for name, requested in self.alternatives_of(request):
            had = False
            spare = MOST - len(done) - sum(map(self._least, rest))
            for chosen in self._alternative(key, claim, name, requested, spare, done):
                had = True
                yield from self._requests(key, claim, rest, chosen)
            if had:
                return


class ConfiguresEverySubrequest(Textbook):
    def config(self, claim: Json, results: list[Taken]) -> list[Json]:
        return (
            [*super().config(claim, []), *super().config(claim, results)]
            if not results
            else [
                *(entry for entry in super().config(claim, results) if entry["source"] == "FromClass"),
                *(
                    {"source": "FromClaim", "requests": [], **entry}
                    for entry in claim["spec"]["devices"].get("config") or ()
                ),
            ]
        )


class OmitsTheSubrequestName(Textbook):
    def result(self, taken: Taken) -> Json:
        return {**super().result(taken), "request": taken.request.split("/")[0]}


# Pools, nodes, counts, classes.


class UsesObsoleteGenerations(Textbook):
    def pools(self, slices: Sequence[Json]) -> Iterator[Pool]:
        oldest: dict[tuple[str, str], int] = {}
        for resource_slice in slices:
            pool = resource_slice["spec"]["pool"]
            key = (resource_slice["spec"]["driver"], pool["name"])
            oldest[key] = min(oldest.get(key, pool.get("generation", 0)), pool.get("generation", 0))
        return super().pools(
            [
                resource_slice
                for resource_slice in slices
                if resource_slice["spec"]["pool"].get("generation", 0)
                == oldest[resource_slice["spec"]["driver"], resource_slice["spec"]["pool"]["name"]]
            ]
        )


class ReadsTheSliceCountOfOneSlice(Textbook):
    def complete(self, pool: Pool) -> bool:
        return any(
            len(pool.slices) == resource_slice["spec"]["pool"]["resourceSliceCount"]
            for resource_slice in pool.slices
        )


class UsesIncompletePools(Textbook):
    def complete(self, pool: Pool) -> bool:
        return True


class MixesDrivers(Textbook):
    """Takes a device for allocated if another driver's device with the same pool and name is."""

    def of(self, device: Device) -> list[Taken]:
        return [taken for taken in self.taken if taken.key[1:] == device.key[1:] and self.uses(taken)]


class IgnoresNodes(Textbook):
    def is_accessible(self, source: Json) -> bool:
        return True


class NodeSelectorOfTheFirstDevice(Textbook):
    def node_selector(self, devices: Sequence[Device]) -> list[Json]:
        return super().node_selector(devices[:1])


class AllocatesFewerThanTheCount(Textbook):
    """Allocates fewer devices than the count if not enough are free."""

    def _some(
        self,
        key: str,
        claim: Json,
        name: str,
        requested: Json,
        devices: list[Device],
        count: int,
        done: list[Taken],
    ) -> Iterator[list[Taken]]:
        yield from super()._some(key, claim, name, requested, devices, count, done)
        if count > 1:
            yield from self._some(key, claim, name, requested, devices, count - 1, done)


class AllSkipsDevicesInUse(Textbook):
    def in_all(self, device: Device, requested: Json) -> bool:
        return super().in_all(device, requested) and self.free(device, "", requested)


class ForgetsTheClass(Textbook):
    def _selected(self, device: Device, requested: Json) -> bool:
        return selected(device, requested.get("selectors") or (), sharing=self.sharing)


class ForgetsTheRequest(Textbook):
    def _selected(self, device: Device, requested: Json) -> bool:
        return super()._selected(device, {**requested, "selectors": []})


class OneSelectorSuffices(Textbook):
    def _selected(self, device: Device, requested: Json) -> bool:
        selectors = [
            super(OneSelectorSuffices, self)._selected(device, {**requested, "selectors": [selector]})
            for selector in requested.get("selectors") or ()
        ]
        return any(selectors) if selectors else super()._selected(device, requested)


class CountsCountersOfItsNamespace(Textbook):
    """Ignores the counters that devices of ResourceClaims in other namespaces consume."""

    def allocate(self, objects: Json, ask: Json, profile: Profile) -> Json:
        self._namespaces = {key.partition("/")[0] for key in ask["claims"]}
        return super().allocate(objects, ask, profile)

    def _held(self, claim: Json) -> Iterator[Taken]:
        for taken in super()._held(claim):
            taken.claim = self._key(claim)
            yield taken

    def consumers(self, pool: Pool) -> set[str]:
        mine = {taken.key for taken in self.taken if taken.claim.partition("/")[0] in self._namespaces}
        return super().consumers(pool) & {device.name for device in pool.devices if device.key in mine}


WRONG: Mapping[type[Textbook], str] = {
    CountsCountersOfItsNamespace: "DRA/partitionable/allocatable-iff-enough-left",
    RoundsDown: "KEP-5075/rounding/step-up",
    IgnoresStep: "KEP-5075/rounding/step-up",
    ClampsToMax: "KEP-5075/rounding/above-max-refused",
    ForgetsMax: "KEP-5075/rounding/above-max-refused",
    ForgetsDefault: "KEP-5075/default/policy-default-used-when-absent",
    ComparesWithTotal: "KEP-5075/capacity-accounting/one-over-refused",
    ForgetsZeroEntries: "KEP-5075/status/consumed-capacity-zero-entries",
    SharesExclusive: "KEP-5075/allocation/dedicated-only-once",
    ReusesShareId: "KEP-5075/status/share-id-unique-per-device",
    PassesUnknownName: "KEP-5075/filter/unknown-capacity-ineligible",
    LosesCapacityOnBacktrack: "KEP-5075/capacity-accounting/backtracking-restores",
    IgnoresDistinct: "KEP-5075/constraint/distinct-different-values",
    MatchesPairs: "DRA/claim/constraints-limit-devices",
    MatchesEqualLists: "DRA/claim/constraints-limit-devices",
    DistinctUnlessEqual: "DRA/claim/constraints-limit-devices",
    ChargesEveryShare: "KEP-5075/allocation/partition-counters-once",
    ForgetsHeldCounters: "DRA/partitionable/allocatable-iff-enough-left",
    ForgetsCountersOfTheCall: "DRA/partitionable/same-attempt-counts",
    OneCounterSuffices: "DRA/partitionable/each-counter-and-set-checked",
    MixesCounterSets: "DRA/partitionable/sets-independent",
    CountsWholeUnits: "DRA/partitionable/quantities-by-value",
    LosesCountersOnBacktrack: "DRA/partitionable/same-attempt-counts",
    IgnoresGroups: "KEP-5963/compatibility/disjoint-groups-refused",
    AdmitsUngroupedEverywhere: "KEP-5963/compatibility/ungrouped-candidate-beside-grouped-refused",
    ComparesPairs: "KEP-5963/rolling-intersection/pairwise-overlap-not-enough",
    ComparesWithTheLatest: "KEP-5963/rolling-intersection/narrowed-state-refuses-earlier-overlap",
    RequiresEqualGroups: "KEP-5963/compatibility/shared-group-admits",
    LosesGroupsOnBacktrack: "KEP-5963/backtracking/state-restored",
    ReadsGroupsFromTheSlice: "KEP-5963/snapshot/authoritative-over-changed-slice",
    ForgetsToRecordGroups: "KEP-5963/snapshot/recorded-at-allocation",
    OneSetSuffices: "KEP-5963/compatibility/every-consumed-set-must-admit",
    AllSkipsIncompatibleDevices: "KEP-5963/backtracking/all-mode-needs-one-common-group",
    IgnoresGroupsWhenOff: "KEP-5963/feature-gate/off-skips-declaring-devices",
    IgnoresTaints: "DRA/taint/noschedule-blocks-allocation",
    IgnoresNoExecute: "DRA/taint/noexecute-implies-noschedule",
    OneTolerationForAllTaints: "DRA/taint/every-taint-must-be-tolerated",
    ToleratesByKey: "DRA/toleration/key-and-value-equal",
    ForgetsTheEffect: "DRA/toleration/limited-to-effect",
    ExemptsAdminAccess: "DRA/taint/admin-access-not-exempt",
    AllSkipsTaintedDevices: "DRA/taint/all-mode",
    RulesWithoutSelectorTaint: "DRA/taint-rule/no-selector-matches-nothing",
    RulesNeedOneCriterion: "DRA/taint-rule/criteria-are-combined",
    RulesIgnoreClasses: "DRA/taint-rule/select-by-class",
    AdminAccessNeedsAFreeDevice: "DRA/admin-access/reaches-devices-in-use",
    AdminAccessConsumes: "DRA/admin-access/does-not-consume",
    AdminAccessForTheWholeClaim: "DRA/admin-access/per-request",
    OmitsAdminAccess: "DRA/admin-access/flag-visible-to-driver",
    MixesSubrequests: "DRA/prioritized-list/counts-per-subrequest",
    LastSubrequestFirst: "DRA/prioritized-list/first-satisfiable-wins",
    NeverBacktracksSubrequests: "DRA/prioritized-list/with-other-requests",
    ConfiguresEverySubrequest: "DRA/prioritized-list/configuration-of-the-chosen",
    OmitsTheSubrequestName: "DRA/prioritized-list/chosen-alternative-recorded",
    UsesObsoleteGenerations: "DRA/pool/highest-generation-only",
    ReadsTheSliceCountOfOneSlice: "API/slice/one-count",
    UsesIncompletePools: "DRA/pool/incomplete-exact-count",
    MixesDrivers: "DRA/pool/identity-by-driver-and-name",
    IgnoresNodes: "DRA/node-access/node-name",
    NodeSelectorOfTheFirstDevice: "DRA/node-access/several-devices-intersect",
    AllocatesFewerThanTheCount: "DRA/allocation-mode/exact-count",
    AllSkipsDevicesInUse: "DRA/allocation-mode/all-needs-every-device-free",
    ForgetsTheClass: "DRA/class/claim-narrows-class",
    ForgetsTheRequest: "DRA/selector/cel-on-attributes",
    OneSelectorSuffices: "DRA/selector/all-must-hold",
}
"""Each faulty allocator with a requirement that it violates."""
