"""The built-in allocator of a scheduler, with the devices and allocations that it remembers."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import json

from dra_conform.allocator import Allocated, AllocationSession, Allocator, Failed, Unallocatable
from dra_conform.allocator.allocation_session import RefusalKey
from dra_conform.allocator.grouped_refusals import RefusalGroup, grouped
from dra_conform.controlplane.simulation.changes import Changes
from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.keys import Key, key_in
from dra_conform.controlplane.simulation.pods import allocation_of
from dra_conform.controlplane.simulation.scheduling.phases import Code, PhaseRefused
from dra_conform.controlplane.simulation.snapshot import Snapshot
from dra_conform.kube.core import Node
from dra_conform.kube.objects import decode, encode
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import DeviceRequestAllocationResult, ResourceClaim

Json = Any
_Results = tuple[DeviceRequestAllocationResult, ...]
_PUBLISHED = ("ResourceSlice", "DeviceClass", "DeviceTaintRule")


class OwnAllocation:
    """Gives the answers that the allocator gives when it is told everything each time.

    A session goes on as long as claims only take devices. Where one gives some back, or does not get in the
    store what it was given here, a new session begins.
    """

    def __init__(self, client: Client, seed: int) -> None:
        self.generation = 0
        self._client = client
        self._seed = seed
        self._changes = Changes(client)
        self._allocator: Allocator | None = None
        self._session: AllocationSession | None = None
        self._held: dict[Key, _Results] = {}
        """What claims have in the store."""
        self._given: dict[Key, _Results] = {}
        """What claims were given since, which the session holds already."""
        self._asked: Sequence[Json] = ()
        self._typed: Sequence[ResourceClaim] = ()
        """The claims that were asked for last."""
        self._failing: dict[tuple[bytes, ...], bool] = {}
        """Whether claims can end in errors, by their specs."""
        self._explained: dict[tuple[tuple[bytes, ...], RefusalKey], Sequence[RefusalGroup]] = {}
        """Why claims are refused, by their names and specs, on nodes that refuse them in the same words."""
        self._shares: set[str] = set()
        """The IDs of all shares that were ever given."""

    def look(self) -> None:
        """Bring up to date what claims hold, and forget devices that are published otherwise now."""
        if [kind for kind in _PUBLISHED if self._changes.of(kind)]:
            self._allocator = None
            self._failing.clear()
            self._explained.clear()
            self._begin_anew()
        given, self._given = self._given, {}
        claims = self._client.by_key("ResourceClaim")
        changed = set(self._changes.of("ResourceClaim"))
        for key in [one for one in given if one not in claims]:
            written = self._written_since(given[key], changed - given.keys(), claims)
            if written is not None:
                given[written] = given.pop(key)
        for key in {*changed, *given}:
            now = _results(claims.get(key))
            held = self._held.pop(key, ())
            if now:
                self._held[key] = now
            if not _same(given.get(key) or held, now):
                if held or key in given:
                    self._begin_anew()
                elif self._session is not None:
                    self._session.hold(now)

    def on(
        self, node: Node, claims: Sequence[Json], snapshot: Snapshot, profile: Profile
    ) -> Mapping[str, Json] | None:
        """What the claims get by `namespace/name`, None where they do not all fit; raises PhaseRefused."""
        if not claims:
            return {}
        self._take_back()
        decision = self._running(snapshot, profile).allocate(node, self._read(claims))
        match decision:
            case Allocated(allocations=allocations):
                keys = [key_in(claim) for claim in claims]
                got = zip(keys, allocations, strict=True)
                self._given = {key: tuple(one.devices.results) for key, one in got}
                given = (result for results in self._given.values() for result in results)
                self._shares.update(one.share_id for one in given if one.share_id)
                return {"/".join(key[1:]): encode(one) for key, one in zip(keys, allocations, strict=True)}
            case Unallocatable():
                return None
        raise PhaseRefused(Code.ERROR, decision.message)

    def may_fail(self, claims: Sequence[Json], snapshot: Snapshot, profile: Profile) -> bool:
        """Found out once for claims that ask for the same, as long as the devices stay as they are."""
        session = self._running(snapshot, profile)
        asked = tuple(json.encode(claim["spec"]) for claim in claims)
        if asked not in self._failing:
            typed = self._read(claims)
            self._failing[asked] = any(session.may_fail(node, typed) for node in snapshot.nodes)
        return self._failing[asked]

    def explain(
        self, node: Node, claims: Sequence[Json], snapshot: Snapshot, profile: Profile
    ) -> Sequence[RefusalGroup]:
        """The refusals of each claim, request and reason; none where the claims fit."""
        self._take_back()
        session = self._running(snapshot, profile)
        key = session.refusal_key(node)
        asked = tuple(json.encode([key_in(claim), claim["spec"]]) for claim in claims)
        if key is None or (asked, key) not in self._explained:
            found = self._explain(session, node, claims)
            if key is None:
                return found
            self._explained[asked, key] = found
        return self._explained[asked, key]

    def _explain(
        self, session: AllocationSession, node: Node, claims: Sequence[Json]
    ) -> Sequence[RefusalGroup]:
        decision = session.allocate(node, self._read(claims), explain=True)
        match decision:
            case Allocated():
                self._begin_anew()
                return ()
            case Failed(category=category, message=message):
                return (RefusalGroup("", "", category, message),)
        return grouped(decision.trace)

    def _take_back(self) -> None:
        """What claims were given since the attempt began was on another node, which is not the one yet."""
        if self._given:
            self._given = {}
            self._begin_anew()

    def _read(self, claims: Sequence[Json]) -> Sequence[ResourceClaim]:
        """The claims as the types have them; they are asked for on one node after the other."""
        same = len(claims) == len(self._asked) and all(map(operator.is_, claims, self._asked))
        if not same:
            self._asked, self._typed = claims, [decode(claim) for claim in claims]
        return self._typed

    def _written_since(
        self, given: _Results, changed: Iterable[Key], claims: Mapping[Key, Json]
    ) -> Key | None:
        """The new claim that has what was given to one without a name yet."""
        new = (one for one in changed if one not in self._held)
        return next((one for one in sorted(new) if _same(given, _results(claims.get(one)))), None)

    def _running(self, snapshot: Snapshot, profile: Profile) -> AllocationSession:
        """The session; raises DecodeErrors for objects that cannot be understood."""
        if self._allocator is None:
            self._allocator = Allocator(
                [decode(one) for one in snapshot.objects["resourceSlices"]],
                [decode(one) for one in snapshot.objects["deviceClasses"]],
                profile=profile,
                taint_rules=[decode(one) for one in snapshot.objects["deviceTaintRules"]],
                seed=self._seed,
            )
        if self._session is None:
            self._session = self._allocator.session(gone=self._shares)
            for results in self._held.values():
                self._session.hold(results)
        return self._session

    def _begin_anew(self) -> None:
        self._session = None
        self.generation += 1


def _results(claim: Json | None) -> _Results:
    """Raises DecodeErrors."""
    if claim is None or allocation_of(claim) is None:
        return ()
    allocation = decode(claim).allocation
    return tuple(allocation.devices.results) if allocation else ()


def _same(some: Iterable[DeviceRequestAllocationResult], others: _Results) -> bool:
    """Whether they are the same as far as later allocations go."""
    return [_taken(one) for one in some] == [_taken(one) for one in others]


def _taken(result: DeviceRequestAllocationResult) -> Json:
    return (
        (result.driver, result.pool, result.device, result.share_id),
        result.consumed_capacity,
        result.admin_access,
        result.compatibility_groups,
    )
