"""Own rules and device filters: invariants of an allocation that plugins add.

They get objects as JSON, because own fields are no fields of the typed API objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from traceback import extract_tb

from dra_conform.conformance.allocate.case_objects import DeviceKey
from dra_conform.conformance.case import Case
from dra_conform.conformance.plugin_entries import BadPlugin
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import to_v1

RuleCheck = Callable[[Case, Profile, Mapping[str, Json]], Iterator[str]]
"""Yields messages about violations in the allocations of an answer, by `namespace/name` of their claim.

`case.objects` are the objects of the case. `profile` has the feature gates of the case.
"""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its name in reports, such as `power-class-matches`."""

    name: str
    check: RuleCheck


FilterCheck = Callable[[Mapping[str, Json], Mapping[str, Json], Profile], str]
"""Returns why a request or subrequest is not allocated a device, such as `has the power class low, expected
high`, or an empty string. The request and the device have their own fields."""


@dataclass(frozen=True, slots=True)
class DeviceFilter:
    """A condition of devices for a request, with its name in reports, such as `power-class-matches`.

    An allocated device must meet it, and allocationMode All leaves out devices that do not.
    """

    name: str
    problem: FilterCheck


FilteredOut = Mapping[tuple[str, str, DeviceKey], Mapping[str, str]]
"""The problems by name of the filter, by ResourceClaim, request as results name it, and device."""

_RULES: list[Rule] = []
_FILTERS: list[DeviceFilter] = []


def add(rules: Iterable[Rule], filters: Iterable[DeviceFilter] = ()) -> None:
    """Add rules and filters, which then apply to each allocation."""
    _RULES.extend(rules)
    _FILTERS.extend(filters)


def added() -> tuple[Rule | DeviceFilter, ...]:
    """Return the rules and filters that were added."""
    return (*_RULES, *_FILTERS)


def filtered_out(case: Case, profile: Profile, claims: Iterable[str]) -> FilteredOut:
    """Return the devices that filters exclude for requests of ResourceClaims; raises BadPlugin."""
    if not _FILTERS:
        return {}
    requests = {
        (f"{raw['metadata']['namespace']}/{raw['metadata']['name']}", name): request
        for raw in map(to_v1, case.objects.get("resourceClaims", ()))
        for name, request in _requests((raw["spec"].get("devices") or {}).get("requests") or ())
    }
    devices = {
        (spec["driver"], spec["pool"]["name"], device["name"]): device
        for raw in map(to_v1, case.objects.get("resourceSlices", ()))
        for spec in (raw["spec"],)
        for device in spec.get("devices") or ()
    }
    wanted = set(claims)
    found = {
        (*request, key): _problems(requests[request], device, profile)
        for request in requests
        if request[0] in wanted
        for key, device in devices.items()
    }
    return {place: problems for place, problems in found.items() if problems}


def _requests(requests: Sequence[Json]) -> Iterator[tuple[str, Mapping[str, Json]]]:
    for request in requests:
        if "exactly" in request:
            yield request["name"], request["exactly"]
        for subrequest in request.get("firstAvailable") or ():
            yield f"{request['name']}/{subrequest['name']}", subrequest


def _problems(request: Mapping[str, Json], device: Mapping[str, Json], profile: Profile) -> Mapping[str, str]:
    messages = {}
    for each in _FILTERS:
        with _plugin_code(f"device filter {each.name}", "the problem of a device, or an empty string"):
            messages[each.name] = each.problem(request, device, profile)
    return {name: message for name, message in messages.items() if message}


def broken_rules(
    case: Case, profile: Profile, allocations: Mapping[str, Json], filtered: FilteredOut
) -> Mapping[str, tuple[str, ...]]:
    """Return the violated rules and filters by name, with their messages; raises BadPlugin for a rule that
    fails."""
    messages: dict[str, tuple[str, ...]] = {}
    for rule in _RULES:
        with _plugin_code(f"rule {rule.name}", "a message for each violation"):
            messages[rule.name] = tuple(rule.check(case, profile, allocations))
    for each in _FILTERS:
        messages[each.name] = tuple(
            f"ResourceClaim {claim}, request {result['request']}: "
            f"device {result['device']} {problems[each.name]}"
            for claim, allocation in allocations.items()
            for result in (allocation.get("devices") or {}).get("results") or ()
            for problems in (filtered.get((claim, result["request"], _key(result)), {}),)
            if each.name in problems
        )
    return {name: texts for name, texts in messages.items() if texts}


def _key(result: Json) -> DeviceKey:
    return (result["driver"], result["pool"], result["device"])


@contextmanager
def _plugin_code(what: str, expected: str) -> Iterator[None]:
    """Run a function of a plugin; raises BadPlugin with its place if it raises an exception."""
    try:
        yield
    except Exception as error:
        last = extract_tb(error.__traceback__)[-1]
        raised = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise BadPlugin(
            f"{what} of a plugin fails at {last.filename}:{last.lineno} with {raised}, expected {expected}"
        ) from error
