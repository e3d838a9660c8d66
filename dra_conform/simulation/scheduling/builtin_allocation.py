"""The built-in allocator in a scheduler, with cached devices and allocations."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence

from msgspec import json

from dra_conform.allocator import Allocated, AllocationSession, Allocator, Failed, Unallocatable
from dra_conform.allocator.allocation_decision import FailureReasonGroup, grouped
from dra_conform.allocator.allocation_session import FailureKey
from dra_conform.cluster_state.object_keys import Key, key_in
from dra_conform.cluster_state.pods import allocation_of
from dra_conform.kube.category import Category
from dra_conform.kube.core import Node
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import decode, encode
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import DeviceRequestAllocationResult, ResourceClaim
from dra_conform.simulation.client import Changes, Client
from dra_conform.simulation.scheduling.phases import Code, PhaseFailed
from dra_conform.simulation.snapshot import Snapshot

_Results = tuple[DeviceRequestAllocationResult, ...]
_PUBLISHED = ("ResourceSlice", "DeviceClass", "DeviceTaintRule")


class BuiltinAllocation:
    """Allocation by the built-in allocator, with the same results as without a session.

    A session is used as long as claims are only allocated. A new session begins when a claim is deallocated,
    or when its stored allocation differs from the one returned here.
    """

    def __init__(self, client: Client, seed: int) -> None:
        self.generation = 0
        self._client = client
        self._seed = seed
        self._changes = Changes(client)
        self._allocator: Allocator | None = None
        self._session: AllocationSession | None = None
        self._stored: dict[Key, _Results] = {}
        """The results of the stored claims."""
        self._new: dict[Key, _Results] = {}
        """The results of this attempt that the allocator's session already has."""
        self._claims: Sequence[Json] = ()
        self._typed: Sequence[ResourceClaim] = ()
        """The claims of the last call, decoded."""
        self._failing: dict[tuple[bytes, ...], bool] = {}
        """Whether an allocation can fail with an error, by the specs of the claims."""
        self._explained: dict[tuple[tuple[bytes, ...], FailureKey], Sequence[FailureReasonGroup]] = {}
        """The reasons by names and specs of the claims, and by the key of nodes with equal reasons."""
        self._shares: set[str] = set()
        """All share IDs that were ever assigned."""

    def update(self) -> None:
        """Read changed claims, and discard the caches if devices, DeviceClasses or DeviceTaintRules
        changed."""
        if [kind for kind in _PUBLISHED if self._changes.of(kind)]:
            self._allocator = None
            self._failing.clear()
            self._explained.clear()
            self._reset_session()
        new, self._new = self._new, {}
        claims = self._client.by_key("ResourceClaim")
        changed = set(self._changes.of("ResourceClaim"))
        for key in [key for key in new if key not in claims]:
            written = self._written_since(new[key], changed - new.keys(), claims)
            if written is not None:
                new[written] = new.pop(key)
        for key in {*changed, *new}:
            now = _results(claims.get(key))
            before = self._stored.pop(key, ())
            if now:
                self._stored[key] = now
            if not _same(new.get(key) or before, now):
                if before or key in new:
                    self._reset_session()
                elif self._session is not None:
                    self._session.hold(now)

    def on(
        self, node: Node, claims: Sequence[Json], snapshot: Snapshot, profile: Profile
    ) -> Mapping[str, Json] | None:
        """Return the allocations on a node by `namespace/name`, None if not all fit; raises PhaseFailed."""
        if not claims:
            return {}
        self._discard_new()
        decision = self._running(snapshot, profile).allocate(node, self._read(claims))
        match decision:
            case Allocated(allocations=allocations):
                keys = [key_in(claim) for claim in claims]
                allocated = zip(keys, allocations, strict=True)
                self._new = {key: tuple(allocation.devices.results) for key, allocation in allocated}
                new = (result for results in self._new.values() for result in results)
                self._shares.update(result.share_id for result in new if result.share_id)
                return {
                    "/".join(key[1:]): encode(allocation)
                    for key, allocation in zip(keys, allocations, strict=True)
                }
            case Unallocatable():
                return None
        raise PhaseFailed(Code.ERROR, decision.message)

    def may_end_with_error(self, claims: Sequence[Json], snapshot: Snapshot, profile: Profile) -> bool:
        """Whether an allocation can fail with an error; cached by the specs of the claims."""
        session = self._running(snapshot, profile)
        specs = tuple(json.encode(claim["spec"]) for claim in claims)
        if specs not in self._failing:
            typed = self._read(claims)
            self._failing[specs] = any(session.may_end_with_error(node, typed) for node in snapshot.nodes)
        return self._failing[specs]

    def explain(
        self, node: Node, claims: Sequence[Json], snapshot: Snapshot, profile: Profile
    ) -> Sequence[FailureReasonGroup]:
        """Return the reasons by claim and request, none if the claims can be allocated."""
        self._discard_new()
        session = self._running(snapshot, profile)
        key = session.failure_key(node)
        identities = tuple(json.encode([key_in(claim), claim["spec"]]) for claim in claims)
        if key is None or (identities, key) not in self._explained:
            refusals = self._explain(session, node, claims)
            if key is None:
                return refusals
            self._explained[identities, key] = refusals
        return self._explained[identities, key]

    def _explain(
        self, session: AllocationSession, node: Node, claims: Sequence[Json]
    ) -> Sequence[FailureReasonGroup]:
        decision = session.allocate(node, self._read(claims), explain=True)
        match decision:
            case Allocated():
                self._reset_session()
                return ()
            case Failed(category=category, message=message) if category is not Category.POOL_INVALID:
                return (FailureReasonGroup("", "", category, message),)
        return grouped(decision.trace)

    def _discard_new(self) -> None:
        """Discard the allocations on the previously tried node, which was not chosen."""
        if self._new:
            self._new = {}
            self._reset_session()

    def _read(self, claims: Sequence[Json]) -> Sequence[ResourceClaim]:
        """Return the decoded claims, cached because each node is tried with the same claims."""
        same = len(claims) == len(self._claims) and all(map(operator.is_, claims, self._claims))
        if not same:
            self._claims, self._typed = claims, [decode(claim) for claim in claims]
        return self._typed

    def _written_since(
        self, results: _Results, changed: Iterable[Key], claims: Mapping[Key, Json]
    ) -> Key | None:
        """Return the key of a newly created claim by its results, which had no name before."""
        created = (key for key in changed if key not in self._stored)
        return next((key for key in sorted(created) if _same(results, _results(claims.get(key)))), None)

    def _running(self, snapshot: Snapshot, profile: Profile) -> AllocationSession:
        """Return the current session, which is created if needed; raise DecodeErrors for malformed
        objects."""
        if self._allocator is None:
            self._allocator = Allocator(
                [decode(raw) for raw in snapshot.objects["resourceSlices"]],
                [decode(raw) for raw in snapshot.objects["deviceClasses"]],
                profile=profile,
                taint_rules=[decode(raw) for raw in snapshot.objects["deviceTaintRules"]],
                seed=self._seed,
            )
        if self._session is None:
            self._session = self._allocator.session(gone=self._shares)
            for results in self._stored.values():
                self._session.hold(results)
        return self._session

    def _reset_session(self) -> None:
        self._session = None
        self.generation += 1


def _results(claim: Json | None) -> _Results:
    """Return the allocation results of a claim; raise DecodeErrors."""
    if claim is None or allocation_of(claim) is None:
        return ()
    allocation = decode(claim).allocation
    return tuple(allocation.devices.results) if allocation else ()


def _same(some: Iterable[DeviceRequestAllocationResult], others: _Results) -> bool:
    """Whether two lists of results have the same effect on later allocations."""
    return [_effect(result) for result in some] == [_effect(result) for result in others]


def _effect(result: DeviceRequestAllocationResult) -> Json:
    return (
        (result.driver, result.pool, result.device, result.share_id),
        result.consumed_capacity,
        result.admin_access,
        result.compatibility_groups,
    )
