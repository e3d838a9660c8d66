"""Writing of the simplest row of a difference as a golden case, in the form of the counterexamples of
`fuzz`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import yaml

from dra_conform.conformance.case import Case
from dra_conform.conformance.features import profile_of
from dra_conform.conformance.implementation import Implementation, Request, Status
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.suite.golden import golden_cases
from dra_conform.kube.errors import InputError
from dra_conform.kube.listing import counted
from dra_conform.kube.profile import Profile, range_of
from dra_conform.sweep.areas.table import AREAS
from dra_conform.sweep.decision import RowDecision, RowOutcome
from dra_conform.sweep.part import Found, SweepSettings
from dra_conform.sweep.totals import CauseFound

_WORDS = 50
"""The maximum number of characters of an id before its digest; the whole id has at most 60."""


def write_case(
    cause: CauseFound, settings: SweepSettings, implementation: Implementation, command: str, folder: Path
) -> Path:
    """Write a cause as a golden case into a folder and return the file; an existing file is kept.

    `command` reproduces it. The case has short steps if it still shows the difference then. Raises OSError.
    """
    texts = [golden_text(cause, settings, command, short=short) for short in (True, False)]
    text = next((text for text in texts if shows(text, implementation, settings)), texts[-1])
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{case_id(cause.found, settings)}.yaml"
    if not path.exists():
        path.write_text(text, "utf-8")
    return path


def case_id(found: Found, settings: SweepSettings) -> str:
    """Return the id of the case of a cause, equal for equal rows of equal sweeps."""
    words = re.sub(r"[^a-z0-9]+", "-", f"{settings.area} {found.family} {found.kind}".lower())
    row = (settings.area, settings.profile, found.classes, found.expected, found.actual)
    digest = hashlib.sha256(msgspec.json.encode(row)).hexdigest()[:8]
    return f"{words[:_WORDS].strip('-')}-{digest}"


def golden_text(cause: CauseFound, settings: SweepSettings, command: str, *, short: bool) -> str:
    """Return a cause as a golden file, with the command, the answer and the classes as comments."""
    found = cause.found
    row = cause.row(settings)
    steps = AREAS[settings.area].case(row, decision_of(found.expected), settings.release(), short=short)
    case = {
        "case": case_id(found, settings),
        "title": _title(found),
        "requirements": [],
        "profiles": [range_of(Profile.named(settings.profile))],
        "given": steps.given,
        "when": steps.when,
        "then": steps.then,
    }
    file = {"document": steps.document, "area": "sweep", "title": "Found by a sweep", "cases": [case]}
    factors = zip(AREAS[settings.area].factors, found.classes, strict=True)
    comments = [
        f"Found by {command}.",
        f"{counted(found.count, 'row')}: {found.kind}.",
        "Classes: " + "; ".join(f"{factor} {name}" for factor, name in factors) + ".",
        f"Answer: {' '.join(' '.join((*found.actual, found.detail)).split())}",
        *([f"Known: {found.reason}."] if found.reason else []),
        "Add the requirements.",
    ]
    lines = "".join(f"# {line}\n" for line in comments)
    return lines + yaml.safe_dump(
        file, sort_keys=False, default_flow_style=None, width=110, allow_unicode=True
    )


def shows(text: str, implementation: Implementation, settings: SweepSettings) -> bool:
    """Whether the implementation fails the case of a golden file."""
    try:
        case: Case = next(iter(golden_cases(text, "golden/counterexample.yaml", lambda _: ())))
    except InputError:
        return False
    profile, missing = profile_of(case, settings.profile)
    if missing:
        return False
    request = Request(
        0, case.id, case.operation, profile, case.objects, case.ask, settings.seed, settings.deadline_ms
    )
    [reply] = implementation.run([request])
    if reply.status is not Status.OK or reply.answer is None:
        return reply.status not in (Status.UNSUPPORTED, Status.UNDECLARED)
    expectations: Sequence[object] = [step.expectation for step in case.case_steps]
    judgement = OPERATIONS[case.operation].judge(case, profile, expectations, reply.answer, strict=False)
    return bool(judgement.findings)


def decision_of(plain: tuple[str, str]) -> RowDecision:
    """Return the result of a row from the strings in which a part recorded it."""
    outcome, nano = plain
    return RowDecision(RowOutcome(outcome), int(nano) if nano else None)


def _title(found: Found) -> str:
    return f"{found.family}: {found.kind}"[:90]
