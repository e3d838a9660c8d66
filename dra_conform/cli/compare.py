"""`dra-conform compare`: show the changes between two JSON reports."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from dra_conform.cli import exits
from dra_conform.cli.run import tell_former
from dra_conform.conformance.suite.former_ids import read_former_ids
from dra_conform.conformance.suite.loading import shipped
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, JUDGED, Verdict
from dra_conform.kube.errors import InputError
from dra_conform.kube.input_files import read_input
from dra_conform.kube.printable import printable
from dra_conform.reports.json_report import FORMAT
from dra_conform.reports.recorded_results import ResultRecord, finding_texts, verdict_text

Results = Mapping[str, ResultRecord]
"""The results of a run by the id of their case."""

BROKEN, FIXED, CHANGED, NEW_FAILING = "broken", "fixed", "fails otherwise", "new, failing"
NOT_JUDGED, GONE, OTHER, NEW = "no longer judged", "gone", "other", "new"
SORTS = (BROKEN, FIXED, CHANGED, NOT_JUDGED, OTHER, NEW_FAILING, NEW, GONE)
"""All sorts of changes, as they are printed."""
_WORSE = (BROKEN, CHANGED, NEW_FAILING)
_LESS = (NOT_JUDGED, GONE)


class _Named(msgspec.Struct, frozen=True):
    name: str
    version: str


class _Suite(msgspec.Struct, frozen=True):
    name: str
    version: str
    fingerprint: str


class _Run(msgspec.Struct, frozen=True):
    """What of a run in a report is compared."""

    format: str
    tool: _Named
    implementation: _Named
    profile: str
    suite: _Suite
    complete: bool
    results: tuple[ResultRecord, ...]


class _Format(msgspec.Struct, frozen=True):
    format: str


class _Several(msgspec.Struct, frozen=True):
    runs: tuple[_Run, ...] | None = None


@dataclass(frozen=True, slots=True)
class ChangedCase:
    """One case whose result has changed; None where a report does not have it."""

    case: str
    before: ResultRecord | None
    after: ResultRecord | None


def configure(command: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Compare two reports that `run --json` has written, run by run: what is fixed, what is broken, what "
        "fails otherwise, which cases are new or gone, and which are no longer judged. Exit code 1 when a "
        "case fails that did not, or fails otherwise; 5 when less was judged, or of another suite or profile."
    )
    command.add_argument("old", metavar="OLD", help="the report to compare with")
    command.add_argument("new", metavar="NEW", help="the report to compare")
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    former_ids = read_former_ids(shipped())
    old, new = (_runs(file) for file in (arguments.old, arguments.new))
    worse, less = False, False
    for name, before, after in _pairs(arguments.old, old, arguments.new, new):
        print(printable(name))
        if before is None or after is None:
            print(f"  only in {arguments.old if after is None else arguments.new}")
            less = True
            continue
        differences = list(_differences(before, after))
        results = (_results(one, former_ids.present) for one in (before, after))
        found = changes(*results)
        print("\n".join([*(printable(f"  {one}") for one in differences), *_told(found)]))
        worse |= any(found[sort] for sort in _WORSE)
        less |= bool(differences) or any(found[sort] for sort in _LESS)
    tell_former(former_ids)
    if worse:
        return exits.FAILURES
    return exits.INCOMPLETE if less else exits.OK


def changes(old: Results, new: Results) -> dict[str, list[ChangedCase]]:
    """The changes by sort, in the order of the cases of the newer run."""
    found: dict[str, list[ChangedCase]] = {sort: [] for sort in SORTS}
    for case, after in new.items():
        before = old.get(case)
        if before is None:
            found[NEW_FAILING if after.verdict in CONFORMANCE_FAILURES else NEW].append(
                ChangedCase(case, None, after)
            )
        elif _failure(before) != _failure(after):
            found[_sort(before, after)].append(ChangedCase(case, before, after))
    found[GONE] = [ChangedCase(case, before, None) for case, before in old.items() if case not in new]
    return found


def _sort(before: ResultRecord, after: ResultRecord) -> str:
    failed = before.verdict in CONFORMANCE_FAILURES
    if after.verdict in CONFORMANCE_FAILURES:
        return CHANGED if failed else BROKEN
    if before.verdict in JUDGED and after.verdict not in JUDGED:
        return NOT_JUDGED
    return FIXED if failed else OTHER


def _failure(result: ResultRecord) -> tuple[str, tuple[str, ...]]:
    """What makes two results of a case the same."""
    failed = result.verdict in CONFORMANCE_FAILURES
    return verdict_text(result), finding_texts(result.findings) if failed else ()


def _differences(old: _Run, new: _Run) -> Iterator[str]:
    """Why results of two runs can't be compared as they stand."""
    if old.suite.fingerprint != new.suite.fingerprint:
        told = (f"{one.suite.name} {one.suite.version} ({one.suite.fingerprint[:12]})" for one in (old, new))
        yield f"another suite: {' -> '.join(told)}"
    if old.profile != new.profile:
        yield f"another profile: {old.profile} -> {new.profile}"
    for run, which in ((old, "old"), (new, "new")):
        not_run = sum(result.verdict is Verdict.NOT_RUN for result in run.results)
        if not run.complete or not_run:
            yield f"the {which} run is incomplete: {not_run} of {len(run.results)} cases were not run"
        elif not any(result.verdict in JUDGED for result in run.results):
            yield f"the {which} run judged no case"


def _told(found: Mapping[str, list[ChangedCase]]) -> Iterator[str]:
    listed = {sort: some for sort, some in found.items() if some and sort not in (NEW, GONE)}
    for sort, some in listed.items():
        yield f"  {sort}:"
        for one in some:
            said = " -> ".join(
                dict.fromkeys(verdict_text(result) for result in (one.before, one.after) if result)
            )
            yield printable(f"    {one.case}  ({said})")
            yield from (printable(f"      {line}") for line in _findings(one))
    counts = (f"{len(some)} {sort}" for sort, some in found.items() if some)
    yield f"  {', '.join(counts) or 'nothing has changed'}"


def _findings(changed: ChangedCase) -> Iterator[str]:
    """Findings that are gone, and those that are new."""
    before, after = (finding_texts(one.findings) if one else () for one in (changed.before, changed.after))
    yield from (f"- {text}" for text in before if text not in after)
    yield from (f"+ {text}" for text in after if text not in before)


def _pairs(
    old_file: str, old: Sequence[_Run], new_file: str, new: Sequence[_Run]
) -> Iterator[tuple[str, _Run | None, _Run | None]]:
    """Runs of one name belong together; where each report has a single run, those do."""
    if len(old) == len(new) == 1:
        yield " -> ".join(dict.fromkeys(map(_name, (*old, *new)))), old[0], new[0]
        return
    before, after = _by_name(old_file, old, new), _by_name(new_file, new, old)
    if not before.keys() & after.keys():
        known = ", ".join(before)
        raise InputError(
            new_file, None, "runs", f"has none of the runs of {old_file}, expected one of {known}"
        )
    for name in dict.fromkeys((*after, *before)):
        yield name, before.get(name), after.get(name)


def _by_name(file: str, runs: Sequence[_Run], others: Sequence[_Run]) -> dict[str, _Run]:
    """The runs by implementation and profile, with the version where a report has several versions of one."""
    counts = [Counter(map(_name, some)) for some in (runs, others)]
    found: dict[str, _Run] = {}
    for index, run in enumerate(runs):
        name = _name(run)
        if any(count[name] > 1 for count in counts):
            name = f"{run.implementation.name} {run.implementation.version}, {run.profile}"
        if name in found:
            raise InputError(file, None, f"runs[{index}]", f"is a second run of {name}, expected one of each")
        found[name] = run
    return found


def _name(run: _Run) -> str:
    return f"{run.implementation.name}, {run.profile}"


def _results(run: _Run, present: Callable[[str], str]) -> Results:
    return {present(result.case): result for result in run.results}


def _runs(file: str) -> tuple[_Run, ...]:
    """The runs of a report; raises InputError for another file."""
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
        raise InputError(file, None, "", f"is no report ({error}), {_EXPECTED}") from None
    if not runs:
        raise InputError(file, None, "runs", f"has no run, {_EXPECTED}")
    for index, run in enumerate(runs):
        _refuse_second_case(file, "" if several is None else f"runs[{index}].", run)
    return runs


_EXPECTED = f"expected {FORMAT}, as `run --json` writes it"


def _refuse_second_case(file: str, where: str, run: _Run) -> None:
    seen: set[str] = set()
    for index, result in enumerate(run.results):
        if result.case in seen:
            message = f"is a second result of {result.case!r}, expected one of each case"
            raise InputError(file, None, f"{where}results[{index}]", message)
        seen.add(result.case)
