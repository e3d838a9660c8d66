"""`dra-conform compare`: what has changed between two JSON reports."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dra_conform.cli import exits
from dra_conform.cli.run import tell_former
from dra_conform.conformance.suite.former_ids import read_former_ids
from dra_conform.conformance.suite.loading import shipped
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES
from dra_conform.kube.errors import InputError
from dra_conform.kube.input_files import read_input
from dra_conform.kube.printable import printable
from dra_conform.reports.json_report import FORMAT

Json = Any
Results = Mapping[str, Json]
"""The results of a run by the id of their case."""

_FAILED = frozenset(verdict.value for verdict in CONFORMANCE_FAILURES)


@dataclass(frozen=True, slots=True)
class ChangedCase:
    """One case whose result is another now; empty texts where a report does not have it."""

    case: str
    before: str
    after: str


def configure(command: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Compare two reports that `run --json` has written, run by run: what is fixed, what is broken, what "
        "fails otherwise, and which cases are new or gone. Exit code 1 when a case fails that did not."
    )
    command.add_argument("old", metavar="OLD", help="the report to compare with")
    command.add_argument("new", metavar="NEW", help="the report to compare")
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    former_ids = read_former_ids(shipped())
    old, new = (_runs(file, former_ids.present) for file in (arguments.old, arguments.new))
    tell_former(former_ids)
    broken = False
    for name in _pairs(arguments.old, old, arguments.new, new):
        found = changes(old[name[0]], new[name[1]])
        print(f"{name[0]} -> {name[1]}" if name[0] != name[1] else name[1])
        print("\n".join(_told(found)))
        broken |= bool(found["broken"] or found["new, failing"])
    return exits.FAILURES if broken else exits.OK


def changes(old: Results, new: Results) -> dict[str, list[ChangedCase]]:
    """The changes by sort, in the order of the cases of the newer run."""
    sorts: dict[str, list[ChangedCase]] = {
        name: [] for name in ("broken", "fixed", "fails otherwise", "other", "new, failing", "new", "gone")
    }
    for case, result in new.items():
        if case not in old:
            sorts["new, failing" if _failed(result) else "new"].append(ChangedCase(case, "", _said(result)))
        elif _said(result) != _said(old[case]):
            sorts[_sort(old[case], result)].append(ChangedCase(case, _said(old[case]), _said(result)))
    sorts["gone"] = [ChangedCase(case, _said(result), "") for case, result in old.items() if case not in new]
    return sorts


def _sort(before: Json, after: Json) -> str:
    if _failed(after):
        return "fails otherwise" if _failed(before) else "broken"
    return "fixed" if _failed(before) and after["verdict"] == "pass" else "other"


def _failed(result: Json) -> bool:
    return result["verdict"] in _FAILED


def _said(result: Json) -> str:
    """The verdict, of a failure with its kind and the rules that are broken."""
    rules = sorted({one["rule"] for one in result.get("findings", ())})
    return " ".join((": ".join(filter(None, (result["verdict"], result.get("kind")))), *rules))


def _told(found: Mapping[str, list[ChangedCase]]) -> Iterator[str]:
    listed = {name: some for name, some in found.items() if some and name not in ("new", "gone")}
    for name, some in listed.items():
        yield f"  {name}:"
        for one in some:
            said = " -> ".join(filter(None, (one.before, one.after)))
            yield printable(f"    {one.case}  ({said})")
    counts = (f"{len(some)} {name}" for name, some in found.items() if some)
    yield f"  {', '.join(counts) or 'nothing has changed'}"


def _pairs(
    old_file: str, old: Mapping[str, Results], new_file: str, new: Mapping[str, Results]
) -> list[tuple[str, str]]:
    """Runs of one name belong together; where each report has a single run, those do."""
    if len(old) == len(new) == 1:
        return [(next(iter(old)), next(iter(new)))]
    common = [(name, name) for name in new if name in old]
    if not common:
        known = ", ".join(old)
        raise InputError(
            new_file, None, "runs", f"has none of the runs of {old_file}, expected one of {known}"
        )
    return common


def _runs(file: str, present: Callable[[str], str]) -> dict[str, Results]:
    """The results of each run by `implementation, profile`; raises InputError for another file."""
    try:
        document = json.loads(read_input(file).decode("utf-8"))
    except OSError as error:
        raise InputError(file, None, "", f"cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise InputError(file, None, "", f"is no JSON: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        message = f"is not there, expected {FORMAT}, as `run --json` writes it"
        raise InputError(file, None, "format", message)
    try:
        return {
            f"{run['implementation']['name']}, {run['profile']}": {
                present(result["case"]): result for result in run["results"]
            }
            for run in document.get("runs", [document])
        }
    except (KeyError, TypeError) as error:
        raise InputError(file, None, "runs", f"is not complete: {error} is missing") from None
