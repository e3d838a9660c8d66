"""A counterexample as a golden file, with both answers as comments."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import yaml

from dra_conform.conformance.allocate.answer import Outcome
from dra_conform.conformance.case import Case
from dra_conform.conformance.suite.golden import golden_cases
from dra_conform.fuzz.campaign.counterexamples import Counterexample, shows
from dra_conform.fuzz.campaign.steps_of_scenarios import given_steps, when_step
from dra_conform.fuzz.campaign.two_implementations import TwoImplementations
from dra_conform.fuzz.comparison.difference import DifferenceKind, Side
from dra_conform.fuzz.scenario import Scenario
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile, range_of
from dra_conform.kube.switches.fuzzer import FuzzerSwitches


def answer_lines(side: Side) -> Iterator[str]:
    """Yield the outcome of an answer as a line, then a line for each result, configuration and finding."""
    answer = side.answer
    if answer is None:
        yield " ".join(f"{side.says} {side.reply.detail}".split())
        return
    reasons = "; ".join(dict.fromkeys(reason.message or reason.category for reason in answer.reasons[:3]))
    yield " ".join(f"{side.says}{f' ({reasons})' if reasons else ''}".split())
    for claim, allocation in answer.allocations.items():
        for result in _entries(allocation, "results"):
            yield f"  {claim} {result.get('request')}: {', '.join(_facts(result, side.parts))}"
        for entry in _entries(allocation, "config") if "config" in side.parts else ():
            scope = ", ".join(entry.get("requests") or ()) or "all requests"
            yield f"  {claim} {entry.get('source')} for {scope}: {_short(entry.get('opaque'))}"
        if "nodeSelector" in side.parts:
            yield f"  {claim} on the nodes: {_short(allocation.get('nodeSelector'))}"
    for finding in side.findings:
        yield f"  violates {finding.rule}: {' '.join(finding.message.split())}"


def _facts(result: Json, parts: frozenset[str]) -> Iterator[str]:
    """Yield the device of a result, its consumed capacity, and the fields that differ."""
    yield "/".join(str(result.get(key)) for key in ("driver", "pool", "device"))
    yield from (f"{key} {text}" for key, text in (result.get("consumedCapacity") or {}).items())
    if result.get("shareID"):
        yield "shared allocation"
    if result.get("adminAccess"):
        yield "admin access"
    for name in sorted(parts & result.keys() - {"consumedCapacity", "shareID", "adminAccess"}):
        yield f"{name} {_short(result[name])}"


def _short(value: Json) -> str:
    return msgspec.json.encode(value).decode()


def _entries(allocation: Json, field: str) -> list[Json]:
    devices = allocation.get("devices") if isinstance(allocation, dict) else None
    entries = devices.get(field) if isinstance(devices, dict) else None
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


_TITLES = {
    DifferenceKind.OUTCOME: "Only one implementation allocates, or their failures differ in kind",
    DifferenceKind.INVALID: "An allocation violates an invariant",
    DifferenceKind.DETAIL: "The allocations have equal devices but different fields",
    DifferenceKind.CHOICE: "Both answers are valid, but different",
    DifferenceKind.FAULT: "An implementation gives no valid answer",
}


def write_counterexample(
    counterexample: Counterexample, both: TwoImplementations, command: str, folder: Path
) -> Path:
    """Write a counterexample into a folder and return the file. An existing file is not overwritten.

    `command` reproduces it. The file has short steps if their case still shows the difference. Raises
    OSError, and CannotStart if an implementation gave up.
    """
    scenario = msgspec.json.encode(counterexample.scenario, order="deterministic")
    digest = hashlib.sha256(scenario).hexdigest()[:8]
    name = f"{counterexample.difference.kind.value}-{digest}"
    texts = (golden_text(counterexample, both, command, name, short=short) for short in (True, False))
    text = next((text for text in texts if _replays(text, counterexample, both)), None)
    if text is None:
        text = golden_text(counterexample, both, command, name, short=False)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.yaml"
    if not path.exists():
        path.write_text(text, "utf-8")
    return path


def replayed_scenario(text: str) -> Scenario:
    """Return the scenario of a file that `write_counterexample` wrote. Raises InputError."""
    case: Case = next(iter(golden_cases(text, "golden/counterexample.yaml", lambda _: ())))
    return Scenario(case.objects, case.ask["node"], tuple(case.ask["claims"]), case.gates)


def _replays(text: str, counterexample: Counterexample, both: TwoImplementations) -> bool:
    try:
        return shows(both, replayed_scenario(text), counterexample.difference)
    except InputError:
        return False


def golden_text(
    counterexample: Counterexample, both: TwoImplementations, command: str, name: str, *, short: bool
) -> str:
    """Return a counterexample as a golden file, with `command` and both answers as comments.

    `short` has the same meaning as in `given_steps`.
    """
    then, why = _then(counterexample, both.names, Profile.named(both.profile))
    case = {
        "case": name,
        "title": _TITLES[counterexample.difference.kind],
        "requirements": [],
        "profiles": [range_of(Profile.named(both.profile))],
        "given": given_steps(counterexample.scenario, short=short),
        "when": when_step(counterexample.scenario),
        "then": then,
    }
    file = {"document": "KEP-5075", "area": "fuzz", "title": "Found by fuzzing", "cases": [case]}
    comments = [f"Found by {command}, in scenario {counterexample.number}."]
    for who, side in zip(both.names, counterexample.difference.sides, strict=True):
        comments += [f"{who}: {line}" for line in answer_lines(side)]
    why = " ".join((why, *_about(counterexample.scenario)))
    lines = "".join(f"# {line}\n" for line in (*comments, why, "Add the requirements."))
    return lines + yaml.safe_dump(
        file, sort_keys=False, default_flow_style=None, width=110, allow_unicode=True
    )


def _about(scenario: Scenario) -> Iterator[str]:
    """Yield comments on conditions of the case that are easy to overlook, such as disabled gates."""
    slices = scenario.objects.get("resourceSlices", ())
    if any(resource_slice["spec"].get("perDeviceNodeSelection") for resource_slice in slices):
        yield "The case needs perDeviceNodeSelection: each device of the ResourceSlice selects its own node."
    off = [gate for gate, on in scenario.gates.items() if not on]
    if off:
        yield f"The case needs {', '.join(sorted(off))} off, with objects stored while the gates were on."


def _then(counterexample: Counterexample, names: tuple[str, str], profile: Profile) -> tuple[list[Json], str]:
    """Return the Then steps of the case, and a sentence that says whether they are certainly correct."""
    sides, wrong = counterexample.difference.sides, counterexample.difference.wrong
    allocated = [{"allocated": claim.removeprefix("default/")} for claim in counterexample.scenario.claims]
    valid = [
        place
        for place, side in enumerate(sides)
        if side.answer is not None and side.answer.outcome is Outcome.ALLOCATED and not side.findings
    ]
    if counterexample.difference.kind is DifferenceKind.CHOICE:
        return allocated, "Both answers are right."
    if counterexample.difference.kind is DifferenceKind.DETAIL:
        fields = ", ".join(sorted(counterexample.difference.parts))
        return (
            allocated,
            f"The devices are equal, these fields differ: {fields}. Decide which implementation is right.",
        )
    if valid and wrong:
        return allocated, f"A valid allocation exists, so {names[min(wrong)]} is wrong."
    if valid and FuzzerSwitches.of(profile).unknown_rules:
        return allocated, (
            f"The judge has no finding for the allocation in {profile.name}. Decide whether the release has "
            "a rule of its own that rejects it."
        )
    if valid:
        return (
            allocated,
            "A valid allocation exists. Decide whether the error of the other implementation is right too.",
        )
    if len(wrong) == 1 and counterexample.difference.kind is DifferenceKind.INVALID:
        (loser,) = wrong
        return [{"nothingAllocated": True}], (
            f"The allocation of {names[loser]} is invalid, and {names[1 - loser]} allocates nothing. "
            "Decide whether an allocation is possible."
        )
    return [
        {"nothingAllocated": True}
    ], "Decide what is right: the expected outcome, no allocation, is a guess."
