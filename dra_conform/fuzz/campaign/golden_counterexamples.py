"""A counterexample as a golden file that can be run again, with both answers as comments."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import yaml

from dra_conform.conformance.allocate.answer import Outcome
from dra_conform.conformance.case import Case
from dra_conform.conformance.suite.golden import golden_cases
from dra_conform.fuzz.campaign.answer_lines import answer_lines
from dra_conform.fuzz.campaign.counterexamples import Find, shows
from dra_conform.fuzz.campaign.steps_of_scenarios import given_steps, when_step
from dra_conform.fuzz.campaign.two_implementations import TwoImplementations
from dra_conform.fuzz.comparison.difference import DifferenceKind
from dra_conform.fuzz.scenario import Scenario
from dra_conform.kube.errors import InputError
from dra_conform.kube.profile import Profile
from dra_conform.kube.profile_range import range_of

Json = Any

_TITLES = {
    DifferenceKind.OUTCOME: "One allocates or refuses, the other does not",
    DifferenceKind.INVALID: "An allocation breaks an invariant",
    DifferenceKind.DETAIL: "The same devices, told otherwise",
    DifferenceKind.CHOICE: "Two valid allocations",
    DifferenceKind.FAULT: "There is no answer",
}


def write_find(find: Find, both: TwoImplementations, command: str, folder: Path) -> Path:
    """Write the find into the folder and return the file; a find that is there already is left as it is.

    `command` finds it again. Short steps are used if the case they make still shows the difference. Raises
    OSError, and CannotStart where an implementation has given up.
    """
    digest = hashlib.sha256(msgspec.json.encode(find.scenario, order="deterministic")).hexdigest()[:8]
    name = f"{find.difference.kind.value}-{digest}"
    texts = (golden_text(find, both, command, name, short=short) for short in (True, False))
    text = next((one for one in texts if _replays(one, find, both)), None)
    if text is None:
        text = golden_text(find, both, command, name, short=False)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.yaml"
    if not path.exists():
        path.write_text(text, "utf-8")
    return path


def replayed_scenario(text: str) -> Scenario:
    """The scenario of a golden file that `write_find` wrote; raises InputError."""
    case: Case = next(iter(golden_cases(text, "golden/find.yaml", lambda _: ())))
    return Scenario(case.objects, case.ask["node"], tuple(case.ask["claims"]), case.gates)


def _replays(text: str, find: Find, both: TwoImplementations) -> bool:
    try:
        return shows(both, replayed_scenario(text), find.difference)
    except InputError:
        return False


def golden_text(find: Find, both: TwoImplementations, command: str, name: str, *, short: bool) -> str:
    """The golden file of a find, `command` and both answers as comments; `short` as in `given_steps`."""
    then, why = _then(find, both.names, Profile.named(both.profile))
    case = {
        "case": name,
        "title": _TITLES[find.difference.kind],
        "requirements": [],
        "profiles": [range_of(Profile.named(both.profile))],
        "given": given_steps(find.scenario, short=short),
        "when": when_step(find.scenario),
        "then": then,
    }
    file = {"document": "KEP-5075", "area": "fuzz", "title": "Found by fuzzing", "cases": [case]}
    comments = [f"Found by {command}, in scenario {find.number}."]
    for who, side in zip(both.names, find.difference.sides, strict=True):
        comments += [f"{who}: {line}" for line in answer_lines(side)]
    why = " ".join((why, *_about(find.scenario)))
    lines = "".join(f"# {line}\n" for line in (*comments, why, "The requirements are still to be named."))
    return lines + yaml.safe_dump(
        file, sort_keys=False, default_flow_style=None, width=110, allow_unicode=True
    )


def _about(scenario: Scenario) -> Iterator[str]:
    """What the smallest scenario is still about, where that is easily overlooked."""
    slices = scenario.objects.get("resourceSlices", ())
    if any(one["spec"].get("perDeviceNodeSelection") for one in slices):
        yield "It needs perDeviceNodeSelection: the devices of a slice are on nodes of their own."
    off = [gate for gate, on in scenario.gates.items() if not on]
    if off:
        yield f"It needs {', '.join(sorted(off))} off, with what was stored while it was on."


def _then(find: Find, names: tuple[str, str], profile: Profile) -> tuple[list[Json], str]:
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
    if valid and profile.release is not None:
        return allocated, (
            f"The judge finds nothing wrong with the allocation in {profile.name}; whether it has a "
            "rule of its own that refuses it is to be decided."
        )
    if valid:
        return allocated, "A valid allocation exists; whether the error is right as well is to be decided."
    if len(wrong) == 1 and find.difference.kind is DifferenceKind.INVALID:
        (loser,) = wrong
        return [{"nothingAllocated": True}], (
            f"{names[loser]} is wrong; that nothing fits is the word of {names[1 - loser]}."
        )
    return [{"nothingAllocated": True}], "What is right is to be decided; the expectation is a guess."
