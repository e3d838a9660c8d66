"""Two implementations that get the same requests, with their replies in pairs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from dra_conform import __version__
from dra_conform.conformance.case import Case
from dra_conform.conformance.case_profiles import profile_of
from dra_conform.conformance.features import GATES
from dra_conform.conformance.implementation import (
    CannotStart,
    Identity,
    Implementation,
    Reply,
    Request,
    Status,
    Suite,
)
from dra_conform.fuzz.comparison.difference import Comparison, NoComparison
from dra_conform.fuzz.comparison.replies import compare
from dra_conform.fuzz.scenario import Scenario
from dra_conform.kube.profile import Profile

SCENARIOS_AT_ONCE = 64
"""So many requests are on their way to an implementation before its replies are read."""


@dataclass(frozen=True, slots=True)
class ComparedScenario:
    """A scenario and what came of it."""

    scenario: Scenario
    comparison: Comparison


class TwoImplementations:
    """Two implementations and the profile they are asked in.

    `specs` are as the user gave them. `seed` is part of every request, `deadline_ms` the time a scenario has.
    """

    def __init__(
        self,
        implementations: tuple[Implementation, Implementation],
        specs: tuple[str, str],
        *,
        profile: str,
        seed: int = 0,
        deadline_ms: int = 2000,
    ) -> None:
        self.specs = specs
        self.profile = profile
        self._implementations = implementations
        self._seed = seed
        self._deadline_ms = deadline_ms
        self._identities: tuple[Identity, ...] = ()

    def start(self) -> None:
        """Start both; raises CannotStart."""
        digest = hashlib.sha256(f"fuzz {self._seed}".encode()).hexdigest()
        suite = Suite("dra-conform fuzz", __version__, f"sha256:{digest}")
        self._identities = tuple(one.start(suite) for one in self._implementations)

    @property
    def names(self) -> tuple[str, str]:
        """What each says it is called, and its version; two of one name are told apart by their place."""
        first, second = (f"{one.name} {one.version}".strip() for one in self._identities)
        return (first, second) if first != second else (f"{first} (first)", f"{second} (second)")

    def close(self) -> None:
        """Stop both."""
        for one in self._implementations:
            one.close()

    def declared(self, feature: str) -> set[str]:
        """How far the two support a feature: `full` where one is silent, `none` if the profile lacks it."""
        gate = GATES.get(feature)
        known = gate is None or Profile.named(self.profile).has(gate)
        said = {identity.features.get(feature, "full") for identity in self._identities}
        return said if known else said | {"none"}

    def compare_one(self, scenario: Scenario) -> Comparison:
        """Put a single scenario to both; raises CannotStart if one of them has given up."""
        return next(iter(self._compare_together([scenario]))).comparison

    def compare(self, scenarios: Iterable[Scenario]) -> Iterator[ComparedScenario]:
        """Put scenarios to both, some at a time; raises CannotStart if one of them has given up."""
        source = iter(scenarios)
        while together := list(islice(source, SCENARIOS_AT_ONCE)):
            yield from self._compare_together(together)

    def _compare_together(self, scenarios: Sequence[Scenario]) -> Iterator[ComparedScenario]:
        cases = [scenario.case(f"fuzz-{index}") for index, scenario in enumerate(scenarios)]
        requests = {index: one for index, case in enumerate(cases) if (one := self._request(index, case))}
        first, second = (_replies(one, requests.values()) for one in self._implementations)
        for index, scenario in enumerate(scenarios):
            request = requests.get(index)
            if request is None:
                yield ComparedScenario(scenario, NoComparison.UNSUPPORTED)
                continue
            replies = first[index], second[index]
            for reply, name in zip(replies, self.names, strict=True):
                if reply.status is Status.NOT_RUN:
                    raise CannotStart(f"{name}: gave up: {reply.detail}")
            yield ComparedScenario(scenario, compare(cases[index], request.profile, *replies))

    def _request(self, index: int, case: Case) -> Request | None:
        """The request, None where the profile or one of the two has nothing of a feature it needs."""
        profile, missing = profile_of(case, self.profile)
        if missing or any("none" in self.declared(feature) for feature in case.features):
            return None
        ask = case.ask
        return Request(index, case.id, "allocate", profile, case.objects, ask, self._seed, self._deadline_ms)


def _replies(implementation: Implementation, requests: Iterable[Request]) -> dict[int, Reply]:
    asked = list(requests)
    missing = {one.id: Reply(one.id, Status.NOT_RUN, detail="it gave no reply") for one in asked}
    return missing | {reply.id: reply for reply in implementation.run(asked)}
