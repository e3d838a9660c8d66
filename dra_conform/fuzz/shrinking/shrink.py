"""The shrinking loop: from a counterexample to the smallest one that still differs."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import islice
from time import monotonic

import msgspec

from dra_conform.controlplane.apiserver import Admitted, StatusReason, Surroundings, Verb, Write, admit
from dra_conform.controlplane.apiserver.strictness import Strictness
from dra_conform.fuzz.scenario import Scenario
from dra_conform.fuzz.shrinking.simplifications import simplifications
from dra_conform.kube.profile import KEP, Profile

LIMIT = 2000
"""How often both implementations are asked at most for one scenario."""

LONGEST = 120.0
"""Seconds after which no more are asked: a scenario that takes seconds to answer stays larger."""

_PROFILE = Profile.named(KEP)
_SURROUNDINGS = Surroundings({"default": {Strictness.of(_PROFILE).admin_label: "true"}})
_PLACE = re.compile(r"\[[^\]]*\]")


def shrink(
    scenario: Scenario,
    shows: Callable[[Scenario], bool],
    *,
    limit: int = LIMIT,
    longest: float = LONGEST,
) -> Scenario:
    """Follow every simplification after which `shows` still holds, until none is left or a bound is met: so
    often asked, or so many seconds.

    After a step that helped, the ones after it are tried first: those before it were in vain a moment ago.
    """
    known = _problems(scenario) or frozenset()
    end = monotonic() + longest
    asked = 0
    refused: set[bytes] = set()
    position = 0
    in_vain = False
    while not in_vain:
        in_vain = position == 0
        for candidate in islice(simplifications(scenario), position, None):
            position += 1
            key = msgspec.json.encode(candidate)
            if key in refused:
                continue
            refused.add(key)
            problems = _problems(candidate)
            if candidate == scenario or problems is None or not problems <= known:
                continue
            if asked == limit or monotonic() > end:
                return scenario
            asked += 1
            if shows(candidate):
                scenario = candidate
                position -= 1
                in_vain = False
                break
        else:
            position = 0
    return scenario


def _problems(scenario: Scenario) -> frozenset[str] | None:
    """Why the API server would not store the objects, None if they are no objects at all.

    A scenario of a profile with other rules has problems from the start.
    """
    found = [_problems_of(msgspec.json.encode(one)) for each in scenario.objects.values() for one in each]
    return None if None in found else frozenset[str]().union(*filter(None, found))


@lru_cache(maxsize=4096)
def _problems_of(raw: bytes) -> frozenset[str] | None:
    """The types of errors with their paths, without the places in lists, which change from step to step."""
    answer = admit(Write(Verb.CREATE, msgspec.json.decode(raw)), _SURROUNDINGS, _PROFILE)
    if isinstance(answer, Admitted):
        return frozenset()
    if answer.reason is not StatusReason.INVALID:
        return None
    return frozenset(f"{_PLACE.sub('[]', error.path)} {error.type}" for error in answer.errors)
