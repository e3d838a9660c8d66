"""`dra-conform compare`: show the changes between two JSON reports."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from dra_conform.cli import exits
from dra_conform.cli.parsing import CommandParser
from dra_conform.cli.suite_index import print_former_ids
from dra_conform.conformance.suite.case_ids import read_former_ids
from dra_conform.conformance.suite.loading import shipped
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, JUDGED, Verdict
from dra_conform.kube.errors import InputError
from dra_conform.kube.input_files import read_input
from dra_conform.kube.printable import one_line, printable
from dra_conform.reports import figures
from dra_conform.reports.json_report import FORMAT
from dra_conform.reports.recorded_results import ResultRecord, finding_texts, verdict_text

Results = Mapping[str, ResultRecord]
"""The results of a run by case id."""

BROKEN, FIXED, CHANGED, NEW_FAILING = "broken", "fixed", "fails differently", "new, failing"
LOST, NOT_JUDGED, GONE, OTHER, NEW = "lost", "no longer judged", "gone", "other", "new"
KINDS = (BROKEN, LOST, FIXED, CHANGED, NOT_JUDGED, OTHER, NEW_FAILING, NEW, GONE)
"""The kinds of changes, in the order of the output. A lost case passed and is now unsupported."""
_WORSE = (BROKEN, LOST, CHANGED, NEW_FAILING)
_LESS = (NOT_JUDGED, GONE)


class _Named(msgspec.Struct, frozen=True):
    name: str
    version: str


class _Suite(msgspec.Struct, frozen=True):
    name: str
    version: str
    fingerprint: str


class _Run(msgspec.Struct, frozen=True):
    """The compared fields of a run in a report."""

    format: str
    tool: _Named
    implementation: _Named
    profile: str
    suite: _Suite
    complete: bool
    results: tuple[ResultRecord, ...]
    options: tuple[str, ...] = ()

    @property
    def choices(self) -> str:
        """How choices between equally valid answers are judged."""
        return "judged" if "--strict-choice" in self.options else "not judged"


class _Format(msgspec.Struct, frozen=True):
    format: str


class _Several(msgspec.Struct, frozen=True):
    runs: tuple[_Run, ...] | None = None


@dataclass(frozen=True, slots=True)
class ChangedCase:
    """A case whose result has changed; a result is None if its report does not have the case."""

    case: str
    before: ResultRecord | None
    after: ResultRecord | None


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Compare two reports of `run --json`, run by run. The output lists cases that are fixed, are broken, "
        "are lost (passed, now unsupported), fail differently or are no longer judged, and counts cases that "
        "are new or gone."
    )
    command.add_argument("old", metavar="OLD", help="the earlier report")
    command.add_argument("new", metavar="NEW", help="the later report")
    command.examples = ("dra-conform compare old.json new.json",)
    command.exit_codes = {
        0: "no case is worse",
        1: "a case is broken, lost, or fails differently",
        2: "bad usage or input",
        5: "fewer cases were judged, or suite, profile or --strict-choice differ",
    }
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    former_ids = read_former_ids(shipped())
    old, new = (_runs(file) for file in (arguments.old, arguments.new))
    worse, less = False, False
    for name, before, after in _pairs(arguments.old, old, arguments.new, new):
        print(one_line(name))
        if before is None or after is None:
            print(f"  only in {arguments.old if after is None else arguments.new}")
            less = True
            continue
        differences = list(_differences(before, after))
        results = (_results(run, former_ids.present) for run in (before, after))
        changed = changes(*results)
        print(
            "\n".join(
                [
                    *(one_line(f"  {difference}") for difference in differences),
                    *_change_lines(changed),
                    *_lost_line(before, changed[LOST]),
                ]
            )
        )
        worse |= any(changed[kind] for kind in _WORSE)
        less |= bool(differences) or any(changed[kind] for kind in _LESS)
    print_former_ids(former_ids)
    if worse:
        return exits.FAILURES
    return exits.INCOMPLETE if less else exits.OK


def changes(old: Results, new: Results) -> dict[str, list[ChangedCase]]:
    """Return the changes by kind, in the order of the cases in the later run."""
    changed: dict[str, list[ChangedCase]] = {kind: [] for kind in KINDS}
    for case, after in new.items():
        before = old.get(case)
        if before is None:
            changed[NEW_FAILING if after.verdict in CONFORMANCE_FAILURES else NEW].append(
                ChangedCase(case, None, after)
            )
        elif _failure(before) != _failure(after):
            changed[_kind(before, after)].append(ChangedCase(case, before, after))
    changed[GONE] = [ChangedCase(case, before, None) for case, before in old.items() if case not in new]
    return changed


def _kind(before: ResultRecord, after: ResultRecord) -> str:
    failed = before.verdict in CONFORMANCE_FAILURES
    if after.verdict in CONFORMANCE_FAILURES:
        return CHANGED if failed else BROKEN
    if before.verdict is Verdict.PASS and after.verdict is Verdict.UNSUPPORTED:
        return LOST
    if before.verdict in JUDGED and after.verdict not in JUDGED:
        return NOT_JUDGED
    return FIXED if failed else OTHER


def _failure(result: ResultRecord) -> tuple[str, tuple[str, ...]]:
    """Return the verdict and, for a failure, its findings; results of a case are equal if these are."""
    failed = result.verdict in CONFORMANCE_FAILURES
    return verdict_text(result), finding_texts(result.findings) if failed else ()


def _differences(old: _Run, new: _Run) -> Iterator[str]:
    """Yield the reasons why results of two runs are not fully comparable."""
    if old.suite.fingerprint != new.suite.fingerprint:
        suites = (
            f"{run.suite.name} {run.suite.version} ({run.suite.fingerprint[:12]})" for run in (old, new)
        )
        yield f"different suites: {' -> '.join(suites)}"
    if old.profile != new.profile:
        yield f"different profiles: {old.profile} -> {new.profile}"
    if old.choices != new.choices:
        yield f"different --strict-choice: choices are {old.choices} -> {new.choices}"
    for run, which in ((old, "old"), (new, "new")):
        not_run = sum(result.verdict is Verdict.NOT_RUN for result in run.results)
        if not run.complete or not_run:
            yield f"the {which} run is incomplete: {not_run} of {len(run.results)} cases were not run"
        elif not any(result.verdict in JUDGED for result in run.results):
            yield f"the {which} run judged no case"


def _change_lines(found: Mapping[str, list[ChangedCase]]) -> Iterator[str]:
    listed = {kind: some for kind, some in found.items() if some and kind not in (NEW, GONE)}
    for kind, some in listed.items():
        yield f"  {kind}:"
        for changed in some:
            verdicts = " -> ".join(
                dict.fromkeys(verdict_text(result) for result in (changed.before, changed.after) if result)
            )
            yield one_line(f"    {changed.case}  ({verdicts})")
            yield from (printable(f"      {line}") for line in _findings(changed))
    counts = (f"{len(some)} {kind}" for kind, some in found.items() if some)
    yield f"  {', '.join(counts) or 'no changes'}"


def _lost_line(before: _Run, lost: Sequence[ChangedCase]) -> Iterator[str]:
    """Yield how many of the passing cases are lost."""
    if lost:
        passed = sum(result.verdict is Verdict.PASS for result in before.results)
        share = figures.percent(len(lost), passed)
        yield f"  lost: {len(lost)} of {passed} passing cases ({share}) are now unsupported"


def _findings(changed: ChangedCase) -> Iterator[str]:
    """Yield the findings that are no longer reported, then the new findings."""
    before, after = (
        finding_texts(result.findings) if result else () for result in (changed.before, changed.after)
    )
    yield from (f"- {text}" for text in before if text not in after)
    yield from (f"+ {text}" for text in after if text not in before)


def _pairs(
    old_file: str, old: Sequence[_Run], new_file: str, new: Sequence[_Run]
) -> Iterator[tuple[str, _Run | None, _Run | None]]:
    """Pair runs with equal names. If each report has a single run, these two runs are a pair."""
    if len(old) == len(new) == 1:
        yield " -> ".join(dict.fromkeys(map(_name, (*old, *new)))), old[0], new[0]
        return
    before, after = _by_name(old_file, old, new), _by_name(new_file, new, old)
    if not before.keys() & after.keys():
        known = ", ".join(before)
        raise InputError(
            new_file,
            None,
            "runs",
            f"has no run with the implementation and profile of a run in {old_file}, expected one of {known}",
        )
    for name in dict.fromkeys((*after, *before)):
        yield name, before.get(name), after.get(name)


def _by_name(file: str, runs: Sequence[_Run], others: Sequence[_Run]) -> dict[str, _Run]:
    """Return runs by implementation and profile, also by version if a report has several versions."""
    counts = [Counter(map(_name, some)) for some in (runs, others)]
    by_name: dict[str, _Run] = {}
    for index, run in enumerate(runs):
        name = _name(run)
        if any(count[name] > 1 for count in counts):
            name = f"{run.implementation.name} {run.implementation.version}, {run.profile}"
        if name in by_name:
            raise InputError(
                file,
                None,
                f"runs[{index}]",
                f"is a duplicate run of {name}, expected one run for each implementation and profile",
            )
        by_name[name] = run
    return by_name


def _name(run: _Run) -> str:
    return f"{run.implementation.name}, {run.profile}"


def _results(run: _Run, present: Callable[[str], str]) -> Results:
    return {present(result.case): result for result in run.results}


def _runs(file: str) -> tuple[_Run, ...]:
    """Read the runs of a report; raise InputError if the file is not a report."""
    try:
        text = read_input(file)
    except OSError as error:
        raise InputError(file, None, "", f"cannot be read: {error.strerror}") from None
    try:
        head = msgspec.json.decode(text, type=_Format)
        if head.format != FORMAT:
            raise InputError(file, None, "format", f"is {head.format!r}, {_EXPECTED}")
        several = msgspec.json.decode(text, type=_Several).runs
        runs = several if several is not None else (msgspec.json.decode(text, type=_Run),)
    except RecursionError:
        raise InputError(file, None, "", f"is nested too deeply, {_EXPECTED}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(file, None, "", f"is not a report ({error}), {_EXPECTED}") from None
    if not runs:
        raise InputError(file, None, "runs", f"has no run, {_EXPECTED}")
    for index, run in enumerate(runs):
        _reject_duplicate_case(file, "" if several is None else f"runs[{index}].", run)
    return runs


_EXPECTED = f"expected {FORMAT} as written by `run --json`"


def _reject_duplicate_case(file: str, where: str, run: _Run) -> None:
    seen: set[str] = set()
    for index, result in enumerate(run.results):
        if result.case in seen:
            message = f"is a duplicate result of case {result.case!r}, expected one result for each case"
            raise InputError(file, None, f"{where}results[{index}]", message)
        seen.add(result.case)
