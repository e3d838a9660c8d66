"""The shrinking loop: reduce a counterexample to the smallest scenario that still differs."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import islice
from time import monotonic

import msgspec

from dra_conform.controlplane.apiserver import Admitted, StatusReason, Surroundings, Verb, Write, admit
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


def shrink(
    scenario: Scenario,
    shows: Callable[[Scenario], bool],
    *,
    limit: int = LIMIT,
    longest: float = LONGEST,
) -> Scenario:
    """Simplify a scenario as long as `shows` stays true, until nothing is left to simplify or a limit is
    reached.

    The limits are `limit` runs and `longest` seconds. After a successful simplification the search continues
    with the next simplifications, because the previous simplifications have just failed.
    """
    known = _problems(scenario) or frozenset()
    end = monotonic() + longest
    runs = 0
    tried: set[bytes] = set()
    position = 0
    finished = False
    while not finished:
        finished = position == 0
        for candidate in islice(simplifications(scenario), position, None):
            position += 1
            key = msgspec.json.encode(candidate)
            if key in tried:
                continue
            tried.add(key)
            problems = _problems(candidate)
            if candidate == scenario or problems is None or not problems <= known:
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
    answer = admit(Write(Verb.CREATE, msgspec.json.decode(raw)), _SURROUNDINGS, _PROFILE)
    if isinstance(answer, Admitted):
        return frozenset()
    if answer.reason is not StatusReason.INVALID:
        return None
    return frozenset(f"{_PLACE.sub('[]', error.path)} {error.type}" for error in answer.errors)
