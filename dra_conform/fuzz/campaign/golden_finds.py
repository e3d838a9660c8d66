"""A find as a golden file that replays, with both answers as comments."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import yaml

from dra_conform.conformance.case import Case
from dra_conform.conformance.golden import golden_cases
from dra_conform.conformance.outcome import Outcome
from dra_conform.fuzz.campaign.finds import Find, shows
from dra_conform.fuzz.campaign.steps_of_scenarios import given, when
from dra_conform.fuzz.campaign.two_implementations import TwoImplementations
from dra_conform.fuzz.comparison.replies import DifferenceKind, Side
from dra_conform.fuzz.scenario import Scenario
from dra_conform.kube.errors import InputError

Json = Any

TITLES = {
    DifferenceKind.OUTCOME: "One allocates or refuses, the other does not",
    DifferenceKind.INVALID: "An allocation breaks an invariant",
    DifferenceKind.DETAIL: "The same devices, told otherwise",
    DifferenceKind.CHOICE: "Two valid allocations",
    DifferenceKind.FAULT: "There is no answer",
}


def write(find: Find, both: TwoImplementations, command: str, folder: Path) -> Path:
    """Write the find into the folder and return the file; a find that is there already is left as it is.

    Short steps are used if the case they make still shows the difference. Raises OSError.
    """
    digest = hashlib.sha256(msgspec.json.encode(find.scenario, order="deterministic")).hexdigest()[:8]
    name = f"{find.difference.kind.value}-{digest}"
    texts = (text_of(find, both, command, name, short=short) for short in (True, False))
    text = next((one for one in texts if _replays(one, find, both)), None)
    if text is None:
        text = text_of(find, both, command, name, short=False)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.yaml"
    if not path.exists():
        path.write_text(text, "utf-8")
    return path


def replayed(text: str) -> Scenario:
    """The scenario of a golden file that `write` made; raises InputError."""
    case: Case = next(iter(golden_cases(text, "golden/find.yaml", lambda _: ())))
    return Scenario(case.objects, case.action.ask["node"], tuple(case.action.ask["claims"]), case.gates)


def _replays(text: str, find: Find, both: TwoImplementations) -> bool:
    try:
        return shows(both, replayed(text), find.difference)
    except InputError:
        return False


def text_of(find: Find, both: TwoImplementations, command: str, name: str, *, short: bool) -> str:
    """The golden file of a find."""
    then, why = _then(find, both.names)
    case = {
        "case": name,
        "title": TITLES[find.difference.kind],
        "requirements": [],
        "profiles": [both.profile],
        "given": given(find.scenario, short=short),
        "when": when(find.scenario),
        "then": then,
    }
    file = {"document": "KEP-5075", "area": "fuzz", "title": "Found by fuzzing", "cases": [case]}
    comments = [f"Found by {command}, in scenario {find.number}."]
    for who, side in zip(both.names, find.difference.sides, strict=True):
        comments += [f"{who}: {line}" for line in told(side)]
    lines = "".join(f"# {line}\n" for line in (*comments, why, "The requirements are still to be named."))
    return lines + yaml.safe_dump(
        file, sort_keys=False, default_flow_style=None, width=110, allow_unicode=True
    )


def told(side: Side) -> Iterator[str]:
    """What one implementation answered, and what is wrong with it, line by line."""
    answer = side.answer
    if answer is None:
        yield " ".join(f"{side.says} {side.reply.detail}".split())
        return
    reasons = "; ".join(dict.fromkeys(reason.message or reason.category for reason in answer.reasons[:3]))
    yield " ".join(f"{side.says}{f' ({reasons})' if reasons else ''}".split())
    for claim, allocation in answer.allocations.items():
        for one in _entries(allocation, "results"):
            yield f"  {claim} {one.get('request')}: {', '.join(_facts(one, side.parts))}"
        for one in _entries(allocation, "config") if "config" in side.parts else ():
            scope = ", ".join(one.get("requests") or ()) or "all requests"
            yield f"  {claim} {one.get('source')} for {scope}: {_short(one.get('opaque'))}"
        if "nodeSelector" in side.parts:
            yield f"  {claim} on the nodes: {_short(allocation.get('nodeSelector'))}"
    for finding in side.findings:
        yield f"  breaks {finding.rule}: {' '.join(finding.message.split())}"


def _facts(result: Json, parts: frozenset[str]) -> Iterator[str]:
    """Which device, what is consumed of it, and the fields that the difference is about."""
    yield "/".join(str(result.get(key)) for key in ("driver", "pool", "device"))
    yield from (f"{key} {text}" for key, text in (result.get("consumedCapacity") or {}).items())
    if result.get("shareID"):
        yield "a share"
    if result.get("adminAccess"):
        yield "admin access"
    for name in sorted(parts & result.keys() - {"consumedCapacity", "shareID", "adminAccess"}):
        yield f"{name} {_short(result[name])}"


def _short(value: Json) -> str:
    return msgspec.json.encode(value).decode()


def _entries(allocation: Json, field: str) -> list[Json]:
    devices = allocation.get("devices") if isinstance(allocation, dict) else None
    entries = devices.get(field) if isinstance(devices, dict) else None
    return [one for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []


def _then(find: Find, names: tuple[str, str]) -> tuple[list[Json], str]:
    """The expectation, as far as the judge can tell, and a sentence on how far that is."""
    sides, wrong = find.difference.sides, find.difference.wrong
    allocated = [{"allocated": claim.removeprefix("default/")} for claim in find.scenario.claims]
    valid = [
        place
        for place, side in enumerate(sides)
        if side.answer is not None and side.answer.outcome is Outcome.ALLOCATED and not side.findings
    ]
    if find.difference.kind is DifferenceKind.CHOICE:
        return allocated, "Both answers are right."
    if find.difference.kind is DifferenceKind.DETAIL:
        fields = ", ".join(sorted(find.difference.parts))
        return allocated, f"The devices are the same; which {fields} is right is to be decided."
    if valid and wrong:
        return allocated, f"A valid allocation exists, so {names[min(wrong)]} is wrong."
    if valid:
        return allocated, "A valid allocation exists; whether the error is right as well is to be decided."
    if len(wrong) == 1 and find.difference.kind is DifferenceKind.INVALID:
        (loser,) = wrong
        return [{"not-allocated": True}], (
            f"{names[loser]} is wrong; that nothing fits is the word of {names[1 - loser]}."
        )
    return [{"not-allocated": True}], "What is right is to be decided; the expectation is a guess."
