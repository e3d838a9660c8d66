"""Correct allocators that record allocations in another form than the built-in, or count adminAccess as use.

`tests/reference/right.py` has correct allocators that choose other devices.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from dra_conform.conformance.features import FEATURES
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.simulation.parts import allocate
from tests.reference.textbook import Taken, Textbook
from tests.right.allocations import as_part
from tests.right.notation import in_thousandths


class OtherForms:
    """Reverses results, repeats node selector terms, splits configurations, and gives no reasons.

    Results with adminAccess have no consumedCapacity.
    """

    name = "correct allocator"
    version = "1"
    operations = ("allocate",)
    features = MappingProxyType(dict.fromkeys(FEATURES, "full"))

    def allocate(
        self, objects: Mapping[str, Sequence[Json]], ask: Mapping[str, Json], profile: Profile, seed: int = 0
    ) -> dict[str, Json]:
        answer = copy.deepcopy(dict(allocate(objects, ask, profile, seed)))
        answer.pop("reasons", None)
        for key, allocation in (answer.get("allocations") or {}).items():
            answer["allocations"][key] = _in_other_form(allocation)
        return answer


class CountsAdminAccess(OtherForms):
    """Counts devices that are allocated with adminAccess as in use, which only recommendations forbid."""

    def allocate(
        self, objects: Mapping[str, Sequence[Json]], ask: Mapping[str, Json], profile: Profile, seed: int = 0
    ) -> dict[str, Json]:
        return dict(as_part(_AdminAccessIsUse)(objects, ask, profile, seed))


class OtherConfiguration(OtherForms):
    """Records configuration of the ResourceClaim first, and names all requests where it applies to all."""

    def allocate(
        self, objects: Mapping[str, Sequence[Json]], ask: Mapping[str, Json], profile: Profile, seed: int = 0
    ) -> dict[str, Json]:
        answer = copy.deepcopy(dict(allocate(objects, ask, profile, seed)))
        for allocation in (answer.get("allocations") or {}).values():
            names = {result["request"]: None for result in allocation["devices"].get("results") or ()}
            config = allocation["devices"].get("config") or []
            config.sort(key=lambda entry: entry["source"] != "FromClaim")
            for entry in config:
                entry["requests"] = entry.get("requests") or list(names)
        return answer


class _AdminAccessIsUse(Textbook):
    def uses(self, taken: Taken) -> bool:
        return True


def _in_other_form(allocation: Json) -> Json:
    written = (allocation["devices"].get("results") or ())[::-1]
    results = [in_thousandths(_consuming_nothing(result)) for result in written]
    names = {result["request"] for result in results}
    chosen = names | {name.partition("/")[0] for name in names}
    configurations = allocation["devices"].get("config") or ()
    changed = {
        **allocation,
        "allocationTimestamp": "2026-01-01T10:00:00Z",
        "devices": {
            "results": results,
            "config": [entry for one in configurations for entry in _split(one, chosen)],
        },
    }
    if "nodeSelector" in allocation:
        terms = allocation["nodeSelector"]["nodeSelectorTerms"]
        changed["nodeSelector"] = {"nodeSelectorTerms": [*terms[::-1], *terms]}
    return changed


def _consuming_nothing(result: Json) -> Json:
    """Return a result with adminAccess without consumedCapacity; no document says that it consumes capacity."""
    dropped = ("consumedCapacity",) if result.get("adminAccess") else ()
    return {name: value for name, value in result.items() if name not in dropped}


def _split(configuration: Json, chosen: set[str]) -> Iterator[Json]:
    """Yield one configuration for each chosen request of a configuration for several requests."""
    requests = configuration.get("requests") or []
    if len(requests) < 2:
        yield configuration
    else:
        yield from ({**configuration, "requests": [request]} for request in requests if request in chosen)


RIGHT: tuple[type[OtherForms], ...] = (OtherForms, CountsAdminAccess, OtherConfiguration)
"""Each must pass the suite."""
