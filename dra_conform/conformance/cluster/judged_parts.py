"""The components that a scenario judges: those that decide what its expectations are about.

An implementation that is only such a part is asked to tell the story, with the built-in's other parts around
it; of a story that it cannot bear upon it is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dra_conform.conformance.case import Act
from dra_conform.conformance.cluster.expectation import ActExpectation, Fact

Json = Any

ALLOCATOR, ADMISSION = "allocator", "admission"
_APISERVER = "apiserver"
_WRITES = ("create", "update", "change", "patch", "apply")
_DECIDED_BY_ALLOCATION = ("Pod", "ResourceClaim")


def with_judges(ask: Mapping[str, Json], acts: Sequence[Act]) -> dict[str, Json]:
    """The question with the parts that it judges.

    Admission decides what becomes of the story's own writes: it is judged where something is said of a write,
    of what is read, or of objects that it alone decides on; and where the story writes to an API server that
    runs otherwise than the profile says. The allocator is judged where something is said of claims or pods.
    """
    said = [one for act in acts for one in _said(act)]
    writes = any(action["do"] in _WRITES for action in ask["actions"])
    admission = writes and (_switches_api_server(ask) or any(map(_about_writes, said)))
    judged = {ALLOCATOR: any(map(_about_allocation, said)), ADMISSION: admission}
    return {**ask, "judges": [part for part, judges in judged.items() if judges]}


def _said(act: Act) -> Iterator[ActExpectation]:
    several = (act.expectation, *(departure.expectation for departure in act.departures))
    return (one for one in several if isinstance(one, ActExpectation))


def _about_writes(said: ActExpectation) -> bool:
    return said.write is not None or any(fact.kind not in _DECIDED_BY_ALLOCATION for fact in said.facts)


def _about_allocation(said: ActExpectation) -> bool:
    return bool(said.claims) or any(map(_of_allocation, said.facts))


def _of_allocation(fact: Fact) -> bool:
    """What is read bears upon allocation where it is an allocation."""
    return fact.kind in _DECIDED_BY_ALLOCATION or (
        not fact.kind and fact.path.startswith("status.allocation")
    )


def _switches_api_server(ask: Mapping[str, Json]) -> bool:
    runs_otherwise = _APISERVER in ask.get("components", {})
    switched: Iterable[Json] = (action.get("components", ()) for action in ask["actions"])
    return runs_otherwise or any(_APISERVER in names for names in switched)
