"""The ledger of `run --expect`: known failures with their reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import yaml

from dra_conform.conformance.events import Event
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, JUDGED, CaseResult, Verdict
from dra_conform.kube.errors import InputError
from dra_conform.kube.input_files import read_input
from dra_conform.kube.objects import DecodeErrors, decode_as
from dra_conform.kube.yaml import Document, parse_yaml
from dra_conform.reports.files import write_text
from dra_conform.reports.recorded_results import finding_texts, verdict_text
from dra_conform.reports.runs import Run, RunCollector

Json = Any
FORMAT = "dra-conform-ledger/v1"
UNEXPLAINED = "not investigated yet"
"""The reason that `--update` writes if `--reason` is not given."""

_HEAD = "# Known failures, for `dra-conform run --expect`. Each group says why its cases fail.\n"


class KnownFailure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A known failure: the verdict with its kind, such as `fail: wrong-result`, and all findings."""

    verdict: str
    findings: tuple[str, ...] = ()


class KnownGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Cases that fail for the same reason, in all runs or only for one implementation or profile."""

    reason: str
    implementation: str = ""
    profile: str = ""
    cases: dict[str, KnownFailure]

    def covers(self, run: Run) -> bool:
        """Whether the group applies to this run."""
        name = run.started.implementation.name
        return self.implementation in ("", name) and self.profile in ("", run.started.profile)


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: str
    known: tuple[KnownGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class Ledger:
    """The known failures, with the file that has them."""

    file: str
    groups: tuple[KnownGroup, ...]
    document: Document | None = None


@dataclass(frozen=True, slots=True)
class UnexpectedResult:
    """A case whose result differs from the ledger.

    `line` is the line of the case in the ledger, None if the ledger lacks the case.
    """

    run: str
    case: str
    line: int | None
    message: str


def read_ledger(path: str, present: Callable[[str], str] = lambda case_id: case_id) -> Ledger:
    """Read a ledger; raise InputError with file and line if it is invalid.

    `present` maps a former id of a case to its current id.
    """
    try:
        text = read_input(path).decode("utf-8")
    except FileNotFoundError:
        message = "does not exist, expected a ledger; `run --expect FILE --update` writes one"
        raise InputError(path, None, "", message) from None
    except OSError as error:
        raise InputError(path, None, "", f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(path, None, "", "is not UTF-8, expected UTF-8 text") from None
    documents = parse_yaml(text, path)
    if len(documents) != 1:
        raise InputError(path, 1, "", f"has {len(documents)} YAML documents, expected one")
    document = documents[0]
    try:
        content: _File = decode_as(_File, document.value)
    except DecodeErrors as error:
        problem = error.problems[0]
        raise document.error(problem.path, problem.message) from None
    if content.format != FORMAT:
        raise document.error(("format",), f"is {content.format!r}, expected {FORMAT}")
    for index, group in enumerate(content.known):
        if not group.reason.strip():
            raise document.error(
                ("known", index, "reason"), "is empty, expected the reason why these cases fail"
            )
        for case in group.cases:
            _reject_duplicate(document, content.known[:index], group, index, case)
    groups = (
        msgspec.structs.replace(
            group, cases={present(case): failure for case, failure in group.cases.items()}
        )
        for group in content.known
    )
    return Ledger(path, tuple(groups), document)


def _reject_duplicate(
    document: Document, before: Sequence[KnownGroup], group: KnownGroup, index: int, case: str
) -> None:
    for other in before:
        implementation = not (other.implementation and group.implementation) or (
            other.implementation == group.implementation
        )
        profile = not (other.profile and group.profile) or other.profile == group.profile
        if case in other.cases and implementation and profile:
            raise document.error(
                ("known", index, "cases", case),
                "is listed in two groups that apply to the same run, expected one entry",
            )


def unexpected_results(ledger: Ledger, run: Run, cases: Iterable[str]) -> Iterator[UnexpectedResult]:
    """Yield each result of a run that differs from the ledger. `cases` are all cases of the suite.

    A case that was not run is not reported.
    """
    known = {
        case: (index, failure)
        for index, group in enumerate(ledger.groups)
        if group.covers(run)
        for case, failure in group.cases.items()
    }

    def unexpected(case: str, message: str) -> UnexpectedResult:
        name = f"{run.name}, profile {run.started.profile}"
        path = ("known", known[case][0], "cases", case) if case in known else ()
        line = ledger.document.line_of(path) if path and ledger.document else None
        return UnexpectedResult(name, case, line, message)

    for result in run.results:
        case, now = result.case.id, known_failure(result)
        if result.verdict is Verdict.NOT_RUN:
            continue
        if case not in known:
            if result.verdict in CONFORMANCE_FAILURES:
                yield unexpected(
                    case, f"is {now.verdict} and not in the ledger, expected pass or an entry in the ledger"
                )
            continue
        before = known[case][1]
        if result.verdict not in CONFORMANCE_FAILURES:
            yield unexpected(
                case, f"is now {now.verdict}, expected {before.verdict}; remove it from the ledger"
            )
        elif now.verdict != before.verdict:
            yield unexpected(case, f"is now {now.verdict}, expected {before.verdict}")
        elif now.findings != tuple(sorted(before.findings)):
            yield unexpected(case, f"has other findings: {_change(before.findings, now.findings)}")
    in_suite = set(cases)
    for case in known:
        if case not in in_suite:
            yield unexpected(case, "is not a case of the suite; remove it from the ledger")


def known_failure(result: CaseResult) -> KnownFailure:
    """Return the verdict and the findings of a failure as the ledger records them."""
    return KnownFailure(verdict_text(result), finding_texts(result.findings))


def _change(before: Sequence[str], now: Sequence[str]) -> str:
    """Describe the first new and the first missing finding, and count the others."""
    new, missing = (
        [finding for finding in some if finding not in others]
        for some, others in ((now, before), (before, now))
    )
    counted = ((new, "is new"), (missing, "is missing"))
    return "; ".join(
        f"{some[0]!r} {what}" + (f" and {len(some) - 1} more" if some[1:] else "")
        for some, what in counted
        if some
    )


def updated(
    groups: Sequence[KnownGroup], run: Run, cases: Iterable[str], reason: str
) -> tuple[KnownGroup, ...]:
    """Update groups after a run: keep reasons, add failures with `reason`, remove cases that pass."""
    failing = {
        result.case.id: known_failure(result)
        for result in run.results
        if result.verdict in CONFORMANCE_FAILURES
    }
    judged = {result.case.id for result in run.results if result.verdict is not Verdict.NOT_RUN}
    in_suite = set(cases)
    kept: list[KnownGroup] = []
    for group in groups:
        if not group.covers(run):
            kept.append(group)
            continue
        still = {
            case: failing.pop(case, failure)
            for case, failure in group.cases.items()
            if case in in_suite and (case in failing or case not in judged)
        }
        if still:
            kept.append(msgspec.structs.replace(group, cases=still))
    if failing:
        identity, profile = run.started.implementation, run.started.profile
        kept.append(KnownGroup(reason=reason, implementation=identity.name, profile=profile, cases=failing))
    return tuple(kept)


def write_ledger(path: str, groups: Sequence[KnownGroup]) -> None:
    """Write the groups; those with equal reason, implementation and profile are merged."""
    merged: dict[tuple[str, str, str], dict[str, KnownFailure]] = {}
    for group in groups:
        merged.setdefault((group.reason, group.implementation, group.profile), {}).update(group.cases)
    known: list[Mapping[str, Json]] = []
    for (reason, implementation, profile), cases in merged.items():
        of_run = {"implementation": implementation, "profile": profile}
        named = {name: value for name, value in of_run.items() if value}
        failures = {
            case: {
                "verdict": recorded.verdict,
                **({"findings": list(recorded.findings)} if recorded.findings else {}),
            }
            for case, recorded in cases.items()
        }
        known.append({"reason": reason, **named, "cases": failures})
    text = yaml.safe_dump({"format": FORMAT, "known": known}, sort_keys=False, allow_unicode=True, width=1000)
    write_text(path, _HEAD + text)


class LedgerCheck:
    """Compare runs with the ledger after the last run.

    `found` has the results that differ from the ledger.
    """

    def __init__(self, ledger: Ledger, cases: Iterable[str], *, update: bool, reason: str) -> None:
        self._ledger = ledger
        self._cases = tuple(cases)
        self._update = update
        self._reason = reason
        self._collector = RunCollector()
        self._unjudged: list[str] = []
        self.found: list[UnexpectedResult] = []

    def handle(self, event: Event) -> None:
        self._collector.add(event)

    def close(self) -> None:
        """Compare all runs with the ledger, or write the new ledger."""
        groups = self._ledger.groups
        for run in self._collector.runs():
            if self._update:
                groups = updated(groups, run, self._cases, self._reason)
            else:
                self.found += unexpected_results(self._ledger, run, self._cases)
            if not any(result.verdict in JUDGED for result in run.results):
                self._unjudged.append(f"{run.name}, profile {run.started.profile}")
        if self._update:
            write_ledger(self._ledger.file, groups)

    def lines(self) -> Iterator[str]:
        """Yield a line for each difference from the ledger, then their number."""
        file = self._ledger.file
        if self._update:
            yield f"{file}: written"
            return
        for difference in self.found:
            yield str(
                InputError(file, difference.line, difference.case, f"{difference.run}: {difference.message}")
            )
        yield from (f"{file}: {run}: no case was judged" for run in self._unjudged)
        if self.found:
            differ = "result differs" if len(self.found) == 1 else "results differ"
            yield f"{file}: {len(self.found)} {differ} from the ledger"
        elif not self._unjudged:
            yield f"{file}: all results are as in the ledger"
