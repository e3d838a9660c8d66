"""Constructors of runs for tests of reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from dra_conform.conformance.allocate.answer import Outcome
from dra_conform.conformance.allocate.expectation import AllocationExpectation
from dra_conform.conformance.allocations.checks import Check, ExpectedResult, MatchMode
from dra_conform.conformance.case import Case, CaseStep, Deviation, Source
from dra_conform.conformance.events import CaseFinished, Event, Handler, RunFinished, RunStarted
from dra_conform.conformance.implementation import Identity, Suite
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CaseResult, Finding, Kind, Verdict
from dra_conform.reports.runs import Run, RunCollector

STEP_UP = "KEP-5075/rounding/step-up"
DEFAULTS = "KEP-5075/defaults/default-used"
GROUPS = "KEP-5963/groups/same-group"
UNSHOWN = "KEP-5963/groups/never-shown"

CATALOGUE = (
    Requirement(
        STEP_UP,
        "KEP-5075",
        "rounding",
        "MUST",
        "consume",
        "Design Details / Scheduling enhancement",
        "With a step, an amount between two valid points is raised to the next one.",
        "The comment on validRange says refuse; the more specific text says raise.",
    ),
    Requirement(
        DEFAULTS,
        "KEP-5075",
        "defaults",
        "MUST",
        "consume",
        "Design Details / API enhancement",
        "A request without an amount consumes the default of the policy.",
    ),
    Requirement(
        GROUPS,
        "KEP-5963",
        "groups",
        "SHOULD",
        "allocate",
        "Proposal",
        "Devices of one claim share a compatibility group.",
    ),
    Requirement(UNSHOWN, "KEP-5963", "groups", "MAY", "allocate", "Proposal", "Nobody shows this <yet>."),
)

ALLOCATED: dict[str, Any] = {
    "outcome": "allocated",
    "claims": {"default/c": [{"request": "r0", "device": "d", "consumedCapacity": {"bw": "5"}}]},
}


def case(
    name: str = "kep-5075/rounding/step-up",
    *,
    requirements: Sequence[str] = (STEP_UP,),
    title: str = "An amount between two valid points goes up to the next one",
    checks: Sequence[Check] = (),
    deviations: Sequence[Deviation] = (),
) -> Case:
    expectation = AllocationExpectation(
        frozenset({Outcome.ALLOCATED}), tuple(checks), steps=('ResourceClaim "c" consumes 5 of "bw"',)
    )
    return Case(
        id=name,
        title=title,
        source=Source("golden/kep-5075/rounding.yaml", 12),
        kind="golden",
        requirements=tuple(requirements),
        objects={},
        operation="allocate",
        ask={"node": "node-1", "claims": ["default/c"]},
        case_steps=(
            CaseStep('When allocation of ResourceClaim "c" is attempted', expectation, tuple(deviations)),
        ),
        given=(
            'the device "d" with bw 10, policy default 1, min 1, step 4',
            'a ResourceClaim "c" requesting 3 of "bw"',
        ),
    )


def exact(*results: ExpectedResult, match: MatchMode = MatchMode.EXACT) -> Check:
    return Check("default/c", match, (tuple(results),))


def result(verdict: Verdict = Verdict.PASS, name: str = "", **more: Any) -> CaseResult:
    """Return a result of a verdict, with the fields that such results have."""
    parts = {key: more.pop(key) for key in ("requirements", "title", "checks", "deviations") if key in more}
    case_result = CaseResult(
        case(name or f"kep-5075/rounding/{verdict}", **parts), "kep", verdict, seconds=0.0015
    )
    if verdict is Verdict.FAIL:
        wrong = {**ALLOCATED, "claims": {"default/c": [result_of(bw="3")]}}
        case_result = replace(
            case_result,
            kind=Kind.WRONG_RESULT,
            findings=(Finding("expectation", "no result has device d, consuming 5 of bw", 0),),
            expected=ALLOCATED,
            actual=wrong,
            why=("request r0", "  device d: 3 of bw goes up to 5 (min 1, step 4)"),
        )
    elif verdict not in (Verdict.PASS, Verdict.UNSUPPORTED):
        case_result = replace(
            case_result, detail=f"it ended in {verdict}", log="Traceback of theirs\nboom\x1b[31m"
        )
    elif verdict is Verdict.UNSUPPORTED:
        case_result = replace(case_result, detail="feature taints is declared as not supported")
    return replace(case_result, **more)


def result_of(device: str = "d", request: str = "r0", bw: str = "5", **more: Any) -> dict[str, Any]:
    return {"request": request, "device": device, "consumedCapacity": {"bw": bw}, **more}


def of_every_sort() -> list[CaseResult]:
    """Return a result of each verdict, a failure of each kind and a deviation."""
    results = [result(verdict) for verdict in Verdict]
    results += [result(Verdict.FAIL, f"kep-5075/rounding/{kind}", kind=kind) for kind in Kind]
    results.append(
        result(
            name="kep-5075/defaults/departs",
            requirements=[DEFAULTS],
            deviation="release 1.36 rounds in whole units",
        )
    )
    results.append(
        result(name="kep-5963/groups/same[1-2]", requirements=[GROUPS, DEFAULTS], title="a | b <b>")
    )
    return results


def many(count: int = 10_000, *, every_fails: int = 100) -> list[CaseResult]:
    """Return the results of a large suite: many rows, each case with one or two requirements."""
    names = [f"KEP-5075/area-{index % 12}/requirement-number-{index}" for index in range(300)]
    results = []
    for index in range(count):
        name = names[index % len(names)]
        shown = (name, names[(index * 7) % len(names)]) if index % 4 == 0 else (name,)
        area = index % 12
        results.append(
            result(
                Verdict.FAIL if index % every_fails == every_fails - 1 else Verdict.PASS,
                f"kep-5075/area-{area}/the-case-of-some-length-{index // 50}[{index}-10Gi-4Mi]",
                requirements=shown,
                title=f"A title in words that says what group {index // 50} of cases is about",
            )
        )
    return results


def events(
    results: Iterable[CaseResult],
    *,
    name: str = "builtin",
    catalogue: Sequence[Requirement] = CATALOGUE,
    aborted: str = "",
    profile: str = "kep",
) -> list[Event]:
    case_results = list(results)
    identity = Identity(
        name,
        "0.1.0",
        spec=name,
        language="Python",
        homepage="https://example.com/?a=1&b=2",
        source="javascript:alert(1)",
        features={"consumable-capacity": "full", "taints": "none"},
        components={"scheduler": "./my-scheduler '<gates>'"},
    )
    suite = Suite("dra-conform", "0.1.0", "ab12" * 16)
    started = RunStarted(
        identity, profile, suite, len(case_results), tuple(catalogue), "2026-11-20T21:00:00+00:00"
    )
    return [started, *map(CaseFinished, case_results), RunFinished(1.25, aborted, bool(aborted))]


def run(results: Iterable[CaseResult], **more: Any) -> Run:
    gathering = RunCollector()
    for event in events(results, **more):
        gathering.add(event)
    return gathering.runs()[0]


def put(handlers: Iterable[Handler], *streams: Iterable[Event]) -> None:
    """Pass events to handlers as the command line does."""
    listed = list(handlers)
    for stream in streams:
        for event in stream:
            for handler in listed:
                handler.handle(event)
    for handler in listed:
        handler.close()
