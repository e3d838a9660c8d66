"""Multi-step scenarios for partial implementations.

The implementation provides the components that a scenario judges; the built-in provides all other components.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from dra_conform.adapters.answers import MalformedResult, to_reply
from dra_conform.conformance.allocations.matching import written_allocation
from dra_conform.conformance.implementation import Identity, Implementation, Reply, Request, Status, Suite
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile

if TYPE_CHECKING:  # imported with the first scenario: most commands only start the implementation
    from dra_conform.simulation.parts import Objects, Parts


CLUSTER = "cluster"
"""The operation of multi-step scenarios."""

PARTS = {"allocator": "allocate", "admission": "admit"}
"""The components that an implementation can provide, each with its operation."""


class PartialImplementation:
    """An implementation that can run multi-step scenarios too if it offers a component of a cluster.

    The `judges` of a scenario names the components that it judges; by default it judges all. A scenario that
    never asks such a component gets the status `undeclared`. Requests of other operations are passed on
    unchanged, before the scenarios. Everything is passed on to an implementation that offers `cluster`
    itself.
    """

    def __init__(self, implementation: Implementation) -> None:
        self._implementation = implementation
        self._offered: frozenset[str] = frozenset()

    @property
    def added_operations(self) -> frozenset[str]:
        """The operations that the started implementation does not declare itself."""
        return frozenset({CLUSTER}) if self._offered else frozenset()

    @property
    def warnings(self) -> Iterable[str]:
        """Problems of the implementation that are not a fault of a case."""
        return getattr(self._implementation, "warnings", ())

    def start(self, suite: Suite) -> Identity:
        """Start the implementation; raises CannotStart.

        The identity declares `cluster` if the implementation offers a component.
        """
        identity = self._implementation.start(suite)
        if CLUSTER in identity.operations:
            return identity
        self._offered = frozenset(part for part, name in PARTS.items() if name in identity.operations)
        return replace(identity, operations=identity.operations | {CLUSTER}) if self._offered else identity

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """Yield one reply for each request, those of multi-step scenarios last."""
        scenarios: list[Request] = []
        yield from self._implementation.run(self._without_scenarios(requests, scenarios))
        yield from map(self._run_scenario, scenarios)

    def close(self) -> None:
        """Close the implementation."""
        self._implementation.close()

    def _without_scenarios(self, requests: Iterable[Request], scenarios: list[Request]) -> Iterator[Request]:
        for request in requests:
            if self._offered and request.operation == CLUSTER:
                scenarios.append(request)
            else:
                yield request

    def _run_scenario(self, scenario: Request) -> Reply:
        from dra_conform.simulation import Unsettled  # noqa: PLC0415 - see above
        from dra_conform.simulation.simulated_cluster import run_scenario  # noqa: PLC0415

        judged = self._offered & set(scenario.ask.get("judges", PARTS))
        if not judged:
            detail = f"the scenario judges none of {', '.join(sorted(self._offered))}"
            return Reply(scenario.id, Status.UNDECLARED, detail=detail)
        began = perf_counter()
        asked: set[str] = set()
        try:
            parts = self._parts(judged, scenario, asked)
            body = run_scenario(scenario.objects, scenario.ask, scenario.profile, scenario.seed, parts)
        except _NoAnswer as fault:
            return replace(fault.reply, answer=None, seconds=perf_counter() - began)
        except (Unsettled, ValueError, KeyError) as error:
            return Reply(scenario.id, Status.FAILED, detail=f"{type(error).__name__}: {error}")
        reply = to_reply(scenario, {"type": "result", "status": "ok", **body}, perf_counter() - began)
        if isinstance(reply, MalformedResult):
            return Reply(scenario.id, Status.FAILED, detail=reply.problem)
        if reply.status is Status.UNSUPPORTED:
            # The built-in components do not support it; the implementation declared nothing about that.
            return replace(reply, status=Status.UNDECLARED)
        if not asked:
            operations = " or ".join(sorted(PARTS[part] for part in judged))
            detail = f"the scenario sends no request to {operations}"
            return Reply(scenario.id, Status.UNDECLARED, detail=detail)
        return reply

    def _parts(self, judged: frozenset[str], scenario: Request, asked: set[str]) -> Parts:
        """Return the components; the judged components call the implementation and are added to `asked`."""
        from dra_conform.simulation.parts import Parts  # noqa: PLC0415 - see above

        parts = Parts()
        if "allocator" in judged:

            def allocate(objects: Objects, ask: Mapping[str, Json], profile: Profile, seed: int) -> Json:
                asked.add("allocator")
                request = replace(scenario, operation="allocate", ask=ask, profile=profile, seed=seed)
                return self._answer(request, objects, scenario.profile)

            parts = replace(parts, allocator=allocate)
        if "admission" in judged:

            def admit(objects: Objects, ask: Mapping[str, Json], profile: Profile) -> Json:
                asked.add("admission")
                request = replace(scenario, operation="admit", ask=ask, profile=profile)
                return self._answer(request, objects, scenario.profile)

            parts = replace(parts, admission=admit)
        return parts

    def _answer(self, request: Request, objects: Objects, case_profile: Profile) -> Json:
        """Return the implementation's answer to a request within a scenario; raises _NoAnswer.

        An unsupported request with a release other than that of the case makes the scenario `undeclared`.
        """
        collections = {name: tuple(items) for name, items in objects.items()}
        # To the end: an implementation whose run is left early starts its process anew.
        [reply] = self._implementation.run([replace(request, objects=collections)])
        if reply.status is not Status.OK:
            detail = f"request to {request.operation} within the scenario: {reply.detail}"
            other_release = request.profile.release != case_profile.release
            undeclared = reply.status is Status.UNSUPPORTED and other_release
            status = Status.UNDECLARED if undeclared else reply.status
            raise _NoAnswer(replace(reply, status=status, detail=detail))
        body = OPERATIONS[request.operation].write(reply.answer)
        for key, allocation in body.get("allocations", {}).items():
            try:
                body["allocations"] = {**body["allocations"], key: written_allocation(allocation)}
            except ValueError as error:
                problem = f"ResourceClaim {key}: status.allocation is malformed: {error}"
                detail = f"request to {request.operation} within the scenario: {problem}"
                raise _NoAnswer(replace(reply, status=Status.PROTOCOL, detail=detail)) from None
        return body


class _NoAnswer(Exception):  # noqa: N818 - it reads as what happened
    """The implementation did not answer a request within a scenario; `reply` is its reply."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.detail)
        self.reply = reply
