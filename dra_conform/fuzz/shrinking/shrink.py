"""The shrinking loop of all scenarios, and the smallest allocation scenario that still differs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import islice
from math import inf
from time import monotonic
from typing import TypeVar

import msgspec

from dra_conform.controlplane.apiserver import Admitted, StatusReason, Surroundings, Verb, WriteRequest, admit
from dra_conform.fuzz.scenario import Scenario
from dra_conform.fuzz.shrinking.simplifications import simplifications
from dra_conform.kube.profile import KEP, Profile
from dra_conform.kube.switches.api_server import ApiServerSwitches

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
