"""The shrinking loop of all scenarios, the smallest allocation scenario that still differs, and its one-step
simplifications: removals first, then simpler values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations, islice
from math import inf
from time import monotonic
from typing import TypeVar

import msgspec

from dra_conform.apiserver import Admitted, StatusReason, Surroundings, Verb, WriteRequest, admit
from dra_conform.conformance.steps.given import DRIVER
from dra_conform.fuzz.scenario import Scenario
from dra_conform.fuzz.shrinking.plainer_values import plainer_values, rescaled
from dra_conform.fuzz.shrinking.removals import KEPT_OF_MANY, long_device_lists, removable, repair, value_at
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import KEP, Profile
from dra_conform.kube.switches.api_server import ApiServerSwitches


def _mergeable_slices(whole: Json) -> Iterator[tuple[int, int]]:
    """Yield pairs of mergeable slices of one pool: both have counters, or equal node selection modes."""
    slices = whole["objects"].get("resourceSlices", [])
    kinds = [
        (
            *_pool(resource_slice),
            "sharedCounters" in resource_slice["spec"],
            "perDeviceNodeSelection" in resource_slice["spec"],
        )
        for resource_slice in slices
    ]
    yield from ((i, j) for i, j in combinations(range(len(slices)), 2) if kinds[i] == kinds[j])


def _merge_slices(whole: Json, first: int, last: int) -> None:
    """Move the content of the later slice to the earlier one, in place."""
    slices = whole["objects"]["resourceSlices"]
    removed = slices.pop(last)["spec"]
    for field in ("devices", "sharedCounters"):
        if field in removed:
            slices[first]["spec"][field] = slices[first]["spec"].get(field, []) + removed[field]
    _complete_pools(whole)


def _complete_pools(whole: Json) -> None:
    """Set `resourceSliceCount` of each pool to its number of slices, in place."""
    slices = whole["objects"].get("resourceSlices", [])
    for resource_slice in slices:
        generation = resource_slice["spec"]["pool"]["generation"]
        same = [
            o
            for o in slices
            if _pool(o) == _pool(resource_slice) and o["spec"]["pool"]["generation"] == generation
        ]
        resource_slice["spec"]["pool"]["resourceSliceCount"] = len(same)


def _pool(resource_slice: Json) -> tuple[str, str]:
    return resource_slice["spec"]["driver"], resource_slice["spec"]["pool"]["name"]


_NUMBERED = (
    *(("d", 1), ("r", 0), ("s", 0), ("c", 0), ("h", 0)),
    *(("node-", 1), ("pool-", 1), ("set-", 1), ("rule-", 0)),
)
"""Prefixes of names, with the number of the first name."""


def _rename(whole: Json) -> None:
    """Give a single driver its usual name, and number names in order of appearance, in place."""
    slices = whole["objects"].get("resourceSlices", [])
    drivers = {resource_slice["spec"]["driver"] for resource_slice in slices}
    for number, resource_slice in enumerate(slices, 1):
        resource_slice["metadata"]["name"] = f"slice-{number}"
    text = msgspec.json.encode(whole).decode()
    if len(drivers) == 1:
        text = text.replace(f'"{drivers.pop()}"', f'"{DRIVER}"')
    for prefix, first in _NUMBERED:
        pattern = re.compile(rf"\b{prefix}([0-9]{{1,2}})\b")
        order = {name: str(first + at) for at, name in enumerate(dict.fromkeys(pattern.findall(text)))}
        text = pattern.sub(lambda match, p=prefix, o=order: p + o[match[1]], text)  # type: ignore[misc] # defaults bind the loop's names
    whole.clear()
    whole.update(msgspec.json.decode(text))


_pack = msgspec.json.Encoder().encode
_unpack = msgspec.json.Decoder().decode


def simplifications(scenario: Scenario) -> Iterator[Scenario]:
    """Yield scenarios that each have one part removed or simplified; their objects can be invalid.

    No simplification undoes another, so shrinking ends.
    """
    whole = {
        "objects": {name: list(items) for name, items in scenario.objects.items()},
        "node": scenario.node,
        "claims": list(scenario.claims),
        "gates": dict(scenario.gates),
    }
    text = _pack(whole)
    for path in removable(whole):
        copy = _unpack(text)
        del value_at(copy, path[:-1])[path[-1]]
        yield from _finished(copy)
        if path[1] == "resourceSlices" and len(path) == 3:
            _complete_pools(copy)
            yield from _finished(copy)
    for path, value in plainer_values(whole):
        copy = _unpack(text)
        value_at(copy, path[:-1])[path[-1]] = value
        yield from _finished(copy)
    for many in long_device_lists(whole):
        copy = _unpack(text)
        del value_at(copy, many)[KEPT_OF_MANY:]
        yield from _finished(copy)
    for first, last in _mergeable_slices(whole):
        copy = _unpack(text)
        _merge_slices(copy, first, last)
        yield from _finished(copy)
    for change in (_complete_pools, _rename):
        copy = _unpack(text)
        change(copy)
        yield from _finished(copy)
    yield from (simplified for other in rescaled(_unpack(text)) for simplified in _finished(other))


def _finished(whole: Json) -> Iterator[Scenario]:
    """Repair an edited copy of a scenario; yield it if it still has a claim to allocate."""
    objects = whole["objects"]
    repair(objects)
    names = [
        f"{claim['metadata']['namespace']}/{claim['metadata']['name']}" for claim in objects["resourceClaims"]
    ]
    claims = tuple(name for name in whole["claims"] if name in names)
    if claims:
        kept = {name: tuple(items) for name, items in objects.items() if items}
        yield Scenario(_unpack_tuples(kept), whole["node"], claims, whole["gates"])


def _unpack_tuples(objects: Json) -> dict[str, tuple[Json, ...]]:
    return {name: tuple(_unpack(_pack(item)) for item in items) for name, items in objects.items()}


LIMIT = 2000
"""The most runs of both implementations to shrink one scenario."""

LONGEST = 120.0
"""The time limit in seconds to shrink one scenario, so slow scenarios stay larger."""

_PROFILE = Profile.named(KEP)
_SURROUNDINGS = Surroundings({"default": {ApiServerSwitches.of(_PROFILE).admin_label: "true"}})
_PLACE = re.compile(r"\[[^\]]*\]")


_Scenario = TypeVar("_Scenario")


def shrink(
    scenario: Scenario,
    shows: Callable[[Scenario], bool],
    *,
    limit: int = LIMIT,
    longest: float = LONGEST,
) -> Scenario:
    """Simplify a scenario as `smallest` does. A candidate may only have errors that the scenario has too."""
    known = _problems(scenario) or frozenset()

    def allowed(candidate: Scenario) -> bool:
        problems = _problems(candidate)
        return problems is not None and problems <= known

    return smallest(scenario, simplifications, shows, allowed, limit=limit, longest=longest)


def smallest(
    scenario: _Scenario,
    simpler: Callable[[_Scenario], Iterable[_Scenario]],
    shows: Callable[[_Scenario], bool],
    allowed: Callable[[_Scenario], bool] = lambda _: True,
    *,
    limit: int,
    longest: float = inf,
) -> _Scenario:
    """Simplify a scenario as long as `shows` stays true, until nothing is left to simplify or a limit is
    reached.

    `simpler` yields the candidates, of which only `allowed` ones are tried. The limits are `limit` runs and
    `longest` seconds. After a successful simplification the search continues with the next simplifications,
    because the previous simplifications have just failed.
    """
    end = monotonic() + longest
    runs = 0
    tried: set[bytes] = set()
    position = 0
    finished = False
    while not finished:
        finished = position == 0
        for candidate in islice(simpler(scenario), position, None):
            position += 1
            key = msgspec.json.encode(candidate)
            if key in tried:
                continue
            tried.add(key)
            if candidate == scenario or not allowed(candidate):
                continue
            if runs == limit or monotonic() > end:
                return scenario
            runs += 1
            if shows(candidate):
                scenario = candidate
                position -= 1
                finished = False
                break
        else:
            position = 0
    return scenario


def _problems(scenario: Scenario) -> frozenset[str] | None:
    """Return the errors for which an API server rejects the objects, None if an object cannot be decoded.

    In a profile with other rules, the original scenario can have errors too.
    """
    errors = [_problems_of(msgspec.json.encode(item)) for each in scenario.objects.values() for item in each]
    return None if None in errors else frozenset[str]().union(*filter(None, errors))


@lru_cache(maxsize=4096)
def _problems_of(raw: bytes) -> frozenset[str] | None:
    """Return types and paths of errors, without list indexes, which change during shrinking."""
    answer = admit(WriteRequest(Verb.CREATE, msgspec.json.decode(raw)), _SURROUNDINGS, _PROFILE)
    if isinstance(answer, Admitted):
        return frozenset()
    if answer.reason is not StatusReason.INVALID:
        return None
    return frozenset(f"{_PLACE.sub('[]', error.path)} {error.type}" for error in answer.errors)
