"""The steps of When and Then: the action, and what is right."""

from __future__ import annotations

from dra_conform.conformance import steps_cells as cells
from dra_conform.conformance.building import CaseBuilder
from dra_conform.conformance.expecting import REFUSALS, Expecting
from dra_conform.conformance.outcome import Outcome
from dra_conform.conformance.phrases import plain, tabled
from dra_conform.conformance.step import Part, Step, Yes
from dra_conform.conformance.steps_params import (
    AllocateStep,
    AlternativesStep,
    ConsumesStep,
    CountStep,
    Name,
    Refusal,
    ResultsStep,
)

WHEN = (
    Step(
        "allocate",
        Part.WHEN,
        "Allocate claims, all of them or none, on one node.",
        AllocateStep,
        CaseBuilder.allocate,
        tuple(
            plain(
                wording + where,
                lambda at: {
                    "claims": cells.names(at["claims"]),
                    **({"node": at["node"]} if "node" in at else {}),
                },
            )
            for wording in ('claim "{claims}" is allocated', 'the claims "{claims}" are allocated together')
            for where in ("", ' on node "{node}"')
        ),
    ),
)


def _refusal(key: str, wording: str, summary: str, outcomes: frozenset[Outcome]) -> Step:
    def effect(expecting: Expecting, refusal: Refusal | bool) -> Expecting:
        return expecting.refused(outcomes, refusal if isinstance(refusal, Refusal) else None)

    return Step(
        key,
        Part.THEN,
        summary,
        Refusal | Yes,
        effect,
        (
            plain(wording, lambda _: True),
            plain(f"{wording} because of {{category}}", lambda at: {"category": at["category"]}),
        ),
    )


THEN = (
    Step(
        "allocated",
        Part.THEN,
        "The claim gets any valid allocation.",
        Name,
        Expecting.allocated,
        (plain('claim "{claim}" is allocated', lambda at: at["claim"]),),
    ),
    Step(
        "gets",
        Part.THEN,
        "The claim gets these results and no others, in any order.",
        ResultsStep,
        Expecting.gets,
        (
            tabled(
                'claim "{claim}" gets exactly',
                lambda at, table: {"claim": at["claim"], "results": cells.RESULTS.rows(table)},
            ),
        ),
    ),
    Step(
        "gets-one-of",
        Part.THEN,
        "The claim gets exactly one of several lists of results.",
        AlternativesStep,
        Expecting.gets_one_of,
        (
            tabled(
                'claim "{claim}" gets one of',
                lambda at, table: {"claim": at["claim"], "alternatives": cells.alternatives(table)},
            ),
        ),
    ),
    Step(
        "has",
        Part.THEN,
        "The claim gets a valid allocation with these results among others.",
        ResultsStep,
        Expecting.has,
        tuple(
            tabled(
                f'claim "{{claim}}" has the {noun}',
                lambda at, table: {"claim": at["claim"], "results": cells.RESULTS.rows(table)},
            )
            for noun in ("result", "results")
        ),
    ),
    Step(
        "consumes",
        Part.THEN,
        "The claim gets a valid allocation, and one of its devices consumes this.",
        ConsumesStep,
        Expecting.consumes,
        (
            plain(
                'claim "{claim}" consumes {amounts}',
                lambda at: {"claim": at["claim"], "capacity": cells.amounts(at["amounts"])},
            ),
        ),
    ),
    Step(
        "devices",
        Part.THEN,
        "The claim gets a valid allocation of so many devices.",
        CountStep,
        Expecting.counts,
        tuple(
            plain(
                f'claim "{{claim}}" gets {{count}} {noun}',
                lambda at: {"claim": at["claim"], "count": int(at["count"])},
            )
            for noun in ("devices", "device")
        ),
    ),
    _refusal(
        "nothing-fits",
        "nothing fits",
        "The input is fine and nothing fits.",
        frozenset({Outcome.UNALLOCATABLE}),
    ),
    _refusal(
        "error",
        "the allocation ends in an error",
        "The implementation reports an error.",
        frozenset({Outcome.ERRORED}),
    ),
    _refusal(
        "not-allocated",
        "nothing is allocated",
        "Nothing is allocated: nothing fits, the input is refused, or there is an error.",
        REFUSALS,
    ),
)
