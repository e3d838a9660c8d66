"""Two implementations that get equal requests, and the comparison of their replies."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from dra_conform import __version__
from dra_conform.conformance.case import Case
from dra_conform.conformance.features import GATES, profile_of
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
"""The number of requests that an implementation gets before its replies are read."""


@dataclass(frozen=True, slots=True)
class ComparedScenario:
    """A scenario with the result of its comparison."""

    scenario: Scenario
    comparison: Comparison


class TwoImplementations:
    """Two implementations and the profile of all requests.

    `specs` are the values of `--implementation`. `seed` is part of each request, and `deadline_ms` is the
    time limit of a scenario.
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
        """Start both implementations. Raises CannotStart."""
        digest = hashlib.sha256(f"fuzz {self._seed}".encode()).hexdigest()
        suite = Suite("dra-conform fuzz", __version__, f"sha256:{digest}")
        self._identities = tuple(implementation.start(suite) for implementation in self._implementations)

    @property
    def names(self) -> tuple[str, str]:
        """Return name and version of each implementation; equal names get their position appended."""
        first, second = (f"{identity.name} {identity.version}".strip() for identity in self._identities)
        return (first, second) if first != second else (f"{first} (first)", f"{second} (second)")

    def close(self) -> None:
        """Stop both implementations."""
        for implementation in self._implementations:
            implementation.close()

    def declared(self, feature: str) -> set[str]:
        """Return the support levels of a feature that the implementations declare, by default `full`.

        The levels include `none` if the profile lacks the gate of the feature.
        """
        gate = GATES.get(feature)
        known = gate is None or Profile.named(self.profile).has(gate)
        levels = {identity.features.get(feature, "full") for identity in self._identities}
        return levels if known else levels | {"none"}

    def compare_one(self, scenario: Scenario) -> Comparison:
        """Run one scenario on both implementations. Raises CannotStart if an implementation gave up."""
        return next(iter(self._compare_together([scenario]))).comparison

    def compare(self, scenarios: Iterable[Scenario]) -> Iterator[ComparedScenario]:
        """Run scenarios on both implementations, several at a time.

        Raises CannotStart if an implementation gave up.
        """
        source = iter(scenarios)
        while together := list(islice(source, SCENARIOS_AT_ONCE)):
            yield from self._compare_together(together)

    def _compare_together(self, scenarios: Sequence[Scenario]) -> Iterator[ComparedScenario]:
        cases = [scenario.case(f"fuzz-{index}") for index, scenario in enumerate(scenarios)]
        requests = {
            index: request for index, case in enumerate(cases) if (request := self._request(index, case))
        }
        first, second = (
            _replies(implementation, requests.values()) for implementation in self._implementations
        )
        for index, scenario in enumerate(scenarios):
            request = requests.get(index)
            if request is None:
                yield ComparedScenario(scenario, NoComparison.UNSUPPORTED)
                continue
            replies = first[index], second[index]
            for reply, name in zip(replies, self.names, strict=True):
                if reply.status is Status.NOT_RUN:
                    raise CannotStart(f"{name}: the implementation gave up: {reply.detail}")
            yield ComparedScenario(scenario, compare(cases[index], request.profile, *replies))

    def _request(self, index: int, case: Case) -> Request | None:
        """Make the request, None if the profile or one implementation lacks a feature that the case needs."""
        profile, missing = profile_of(case, self.profile)
        if missing or any("none" in self.declared(feature) for feature in case.features):
            return None
        ask = case.ask
        return Request(index, case.id, "allocate", profile, case.objects, ask, self._seed, self._deadline_ms)


def _replies(implementation: Implementation, requests: Iterable[Request]) -> dict[int, Reply]:
    asked = list(requests)
    missing = {request.id: Reply(request.id, Status.NOT_RUN, detail="no reply") for request in asked}
    return missing | {reply.id: reply for reply in implementation.run(asked)}
