"""Faulty allocators: the built-in with a changed request or answer. `make misreadings` runs the suite on them.

Only cases whose request or answer changes are run, in profile `kep` and then in a release, until a case fails. If
all cases pass, the suite lacks a case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import msgspec

from dra_conform.adapters.builtin import Builtin
from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.case import Case, applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.features import profile_of
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.json_values import Json, encode_json
from dra_conform.kube.profile import Profile

PROFILES = ("kep", "kubernetes-1.37")
_decode = msgspec.json.Decoder().decode


DeviceKey = tuple[str, str, str]
"""Driver, pool and name of a device."""


class World:
    """Copy of the objects of a request, which may be changed in place."""

    def __init__(self, objects: Json, ask: Json, profile: Profile) -> None:
        self.objects = _decode(encode_json(objects))
        self.ask: Json = ask
        self.profile = profile
        self.nodes: list[Json] = self.objects["nodes"]
        self.slices: list[Json] = self.objects.get("resourceSlices") or []
        self.classes: list[Json] = self.objects.get("deviceClasses") or []
        self.rules: list[Json] = self.objects.get("deviceTaintRules") or []
        by_key = {self._key(claim): claim for claim in self.objects.get("resourceClaims") or []}
        self.claims: list[Json] = [by_key[key] for key in ask["claims"]]
        self.holders: list[Json] = [one for key, one in by_key.items() if key not in ask["claims"]]

    def _key(self, claim: Json) -> str:
        return f"{claim['metadata'].get('namespace') or 'default'}/{claim['metadata']['name']}"

    @property
    def specs(self) -> list[Json]:
        """Return the specs of the slices."""
        return [resource_slice["spec"] for resource_slice in self.slices]

    @property
    def published(self) -> list[tuple[DeviceKey, Json]]:
        return [
            ((spec["driver"], spec["pool"]["name"], device["name"]), device)
            for spec in self.specs
            for device in spec.get("devices") or ()
        ]

    @property
    def devices(self) -> list[Json]:
        return [device for spec in self.specs for device in spec.get("devices") or ()]

    @property
    def attributes(self) -> list[Json]:
        return [
            attribute for device in self.devices for attribute in (device.get("attributes") or {}).values()
        ]

    @property
    def policies(self) -> list[Json]:
        """Return the request policies of all capacities."""
        return [capacity["requestPolicy"] for capacity in self.capacities if capacity.get("requestPolicy")]

    @property
    def capacities(self) -> list[Json]:
        return [value for device in self.devices for value in (device.get("capacity") or {}).values()]

    @property
    def entries(self) -> list[Json]:
        """Return the entries of consumesCounters of all devices."""
        return [entry for device in self.devices for entry in device.get("consumesCounters") or ()]

    @property
    def existing_results(self) -> list[Json]:
        """Return the results of the claims that are already allocated."""
        return [result for claim in self.holders for result in results_of(claim.get("status") or {})]

    @property
    def exact_requests(self) -> list[Json]:
        """Return all exact requests and subrequests."""
        return [
            subrequest
            for claim in self.claims
            for request in requests_of(claim)
            for subrequest in exact_requests_of(request)
        ]

    @property
    def lists(self) -> list[Json]:
        """Return the requests with firstAvailable."""
        return [
            request
            for claim in self.claims
            for request in requests_of(claim)
            if request.get("firstAvailable")
        ]

    @property
    def asks_for_all(self) -> bool:
        return any(request.get("allocationMode") == "All" for request in self.exact_requests)

    @property
    def asks_as_admin(self) -> bool:
        return any(request.get("adminAccess") for request in self.exact_requests)


def requests_of(claim: Json) -> list[Json]:
    return claim["spec"]["devices"].get("requests") or []


def exact_requests_of(request: Json) -> list[Json]:
    return [request["exactly"]] if "exactly" in request else request.get("firstAvailable") or []


def constraints_of(claim: Json) -> list[Json]:
    return claim["spec"]["devices"].get("constraints") or []


def results_of(status: Json) -> list[Json]:
    """Return the results of a claim's status, or of an answer in the form of a status."""
    return ((status.get("allocation") or {}).get("devices") or {}).get("results") or []


def device_of(result: Json) -> DeviceKey:
    return result["driver"], result["pool"], result["device"]


ChangesRequest = Callable[[World], object]
Parts = Callable[[World], Iterable[Json]]
"""Returns parts of a request."""


def where(holds: Callable[[World], object], change: ChangesRequest) -> ChangesRequest:
    """Change only the requests for which `holds` is true."""
    return lambda world: change(world) if holds(world) else None


def without(parts: Parts, *fields: str) -> ChangesRequest:
    """Remove fields of some parts."""

    def change_request(world: World) -> None:
        for part in parts(world):
            for field in fields:
                part.pop(field, None)

    return change_request


@dataclass(frozen=True, slots=True)
class FaultyAllocator:
    """Faulty allocator. `changes_request` changes the request, `changes_answer` the answer by claim.

    `decides` answers the request itself, and may call the correct allocator.
    """

    name: str
    changes_request: ChangesRequest | None = None
    changes_answer: Callable[[dict[str, Json], World], object] | None = None
    decides: Callable[[World, Callable[[World], Json]], Json] | None = None


class FaultyBuiltin:
    """The built-in with a fault."""

    name = "FaultyBuiltin"
    version = "1"

    def __init__(self, faulty: FaultyAllocator) -> None:
        self._faulty = faulty

    def allocate(self, objects: Json, ask: Json, profile: Profile, seed: int = 0) -> Mapping[str, Json]:
        """Return the body of a result."""
        world, faulty = World(objects, ask, profile), self._faulty
        if faulty.changes_request is not None:
            faulty.changes_request(world)
        if faulty.decides is not None:
            return faulty.decides(
                world, lambda other: Builtin.allocate(other.objects, other.ask, profile, seed)
            )  # type: ignore[no-any-return]
        answer = Builtin.allocate(world.objects, ask, profile, seed)
        if faulty.changes_answer is None or answer["outcome"] != "allocated":
            return answer
        changed = _decode(encode_json(answer))
        faulty.changes_answer(changed["allocations"], world)
        return changed  # type: ignore[no-any-return]


def _shows(faulty: FaultyAllocator, case: Case, profile: Profile) -> bool:
    """Return whether the fault changes the request of the case, or may change its answer."""
    if faulty.changes_request is None:
        return faulty.decides is not None or not case.rejects
    world = World(case.objects, case.ask, profile)
    before = encode_json(world.objects)
    faulty.changes_request(world)
    return encode_json(world.objects) != before


def failing(suite: LoadedSuite, faulty: FaultyAllocator) -> Iterator[tuple[str, str]]:
    """Yield profile and id of each case that fails."""
    for profile in PROFILES:
        cases = applicable([case for case in suite.cases if case.operation == "allocate"], profile)
        cases_to_run = [case for case in cases if _shows(faulty, case, profile_of(case, profile)[0])]
        implementation = InProcessImplementation(lambda: FaultyBuiltin(faulty), spec="faulty-builtin")
        for event in run(implementation, suite.as_suite(), cases_to_run, settings=Settings(profile)):
            if isinstance(event, CaseFinished) and event.result.verdict is Verdict.FAIL:
                yield profile, event.result.case.id
