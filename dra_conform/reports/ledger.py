"""The ledger of `run --expect`: known failures with their reasons, and the breadth of each run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec
import yaml

from dra_conform.conformance.case import Case
from dra_conform.conformance.features import RESULT_PARTS
from dra_conform.conformance.levels import ALL, LEVELS
from dra_conform.conformance.suite.selection import matches_glob
from dra_conform.conformance.verdict import CaseResult, Finding
from dra_conform.kube.input_files import decode_document, read_text
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import PROFILES, RELEASE_PROFILES
from dra_conform.kube.yaml import Document
from dra_conform.reports.breadth import Breadth
from dra_conform.reports.files import write_text
from dra_conform.reports.recorded_results import finding_texts, verdict_text
from dra_conform.reports.runs import Run

FORMAT = "dra-conform-ledger/v1"
UNEXPLAINED = "not investigated yet"
"""The reason that `--update` writes if `--reason` is not given."""

_HEAD = "# Known failures, for `dra-conform run --expect`. Each group says why its cases fail.\n"


class KnownFailure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A known failure: the verdict with its kind, such as `fail: wrong-result`, and all findings."""

    verdict: str
    findings: tuple[str, ...] = ()


class KnownPattern(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Failures with something in common. All fields that are not empty must match; `*` and `?` are wildcards.

    `case`, `requirement` and `feature` describe cases, and so does `deviation`: the profile of a release for
    which the case states a deviation from the specification. `part` (a result part) and `finding`
    (`RULE: MESSAGE`) describe findings: a failure with another finding, too, is not known.
    """

    case: str = ""
    requirement: str = ""
    feature: str = ""
    deviation: str = ""
    part: str = ""
    finding: str = ""

    def is_about(self, case: Case) -> bool:
        """Whether the pattern matches a case."""
        return (
            (not self.case or matches_glob(case.id, self.case))
            and (
                not self.requirement
                or any(matches_glob(name, self.requirement) for name in case.requirements)
            )
            and (not self.feature or any(matches_glob(name, self.feature) for name in case.features))
            and (not self.deviation or bool(case.deviation(self.deviation)))
        )

    def explains(self, finding: Finding) -> bool:
        """Whether the pattern matches a finding of a case."""
        [text] = finding_texts((finding,))
        return self.part in ("", finding.part) and (not self.finding or matches_glob(text, self.finding))

    @property
    def is_selective(self) -> bool:
        """Whether a field has more than wildcards. Other patterns match almost every failure."""
        return any(value.strip("*?") for value in msgspec.structs.astuple(self))

    @property
    def is_about_findings(self) -> bool:
        """Whether the pattern names a result part or a message, and so matches only some findings."""
        return bool(self.part or self.finding)


def explained(result: CaseResult, patterns: Iterable[KnownPattern]) -> bool:
    """Whether patterns explain a failure: each of its findings, or the failure as a whole."""
    about = [pattern for pattern in patterns if pattern.is_about(result.case)]
    if any(not pattern.is_about_findings for pattern in about):
        return True
    return bool(result.findings) and all(
        any(pattern.explains(finding) for pattern in about) for finding in result.findings
    )


class KnownGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Cases that fail for the same reason, in all runs or only for one implementation or profile.

    `cases` has single failures, `matching` patterns of failures. With `sometimes` they depend on chance, and
    it is no difference if they pass.
    """

    reason: str
    implementation: str = ""
    profile: str = ""
    sometimes: bool = False
    cases: dict[str, KnownFailure] = {}
    matching: tuple[KnownPattern, ...] = ()

    def covers(self, run: Run) -> bool:
        """Whether the group applies to this run."""
        name = run.started.implementation.name
        return self.implementation in ("", name) and self.profile in ("", run.started.profile)


class KnownBreadth(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The least breadth of the whole suite, for one implementation, profile and level."""

    implementation: str
    profile: str
    level: str = ALL
    share: Annotated[str, msgspec.Meta(pattern=r"^\d{1,3}(\.\d)? %$")]

    def covers(self, run: Run) -> bool:
        """Whether the run has the implementation, profile and level of this breadth."""
        started = run.started
        named = (started.implementation.name, started.profile, started.level)
        return named == (self.implementation, self.profile, self.level)

    def is_reached(self, breadth: Breadth) -> bool:
        """Whether a breadth, rounded down to tenths of a percent, is at least this one."""
        whole, _, tenth = self.share.removesuffix(" %").partition(".")
        return int(breadth.share * 1000) >= 10 * int(whole) + int(tenth or 0)


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: str
    breadth: tuple[KnownBreadth, ...] = ()
    known: tuple[KnownGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class Ledger:
    """The known failures and breadths, with the file that has them.

    `published`: it belongs to the suite and to one version of an implementation.
    """

    file: str
    groups: tuple[KnownGroup, ...]
    breadth: tuple[KnownBreadth, ...] = ()
    document: Document | None = None
    published: bool = False

    def covers(self, run: Run) -> bool:
        """Whether a group or a breadth applies to this run."""
        return any(group.covers(run) for group in self.groups) or any(
            breadth.covers(run) for breadth in self.breadth
        )


def read_ledger(path: str, present: Callable[[str], str] = lambda case_id: case_id) -> Ledger:
    """Read a ledger; raise InputError with file and line if it is invalid.

    `present` maps a former id of a case to its current id.
    """
    text = read_text(path, "does not exist, expected a ledger; `run --expect FILE --update` writes one")
    content, document = decode_document(text, path, _File)
    if content.format != FORMAT:
        raise document.error(("format",), f"is {content.format!r}, expected {FORMAT}")
    for place, value, allowed in _words(content):
        if value not in allowed:
            expected = ", ".join(filter(None, allowed))
            raise document.error(place, f"is {value!r}, expected one of {expected}")
    for index, group in enumerate(content.known):
        if not group.reason.strip():
            raise document.error(
                ("known", index, "reason"), "is empty, expected the reason why these cases fail"
            )
        if not group.cases and not group.matching:
            raise document.error(("known", index), "has no failure, expected cases or matching")
        for number, pattern in enumerate(group.matching):
            if not pattern.is_selective:
                fields = ", ".join(KnownPattern.__struct_fields__)
                message = f"matches every failure, expected at least one of {fields} with more than wildcards"
                raise document.error(("known", index, "matching", number), message)
        for case in group.cases:
            _reject_duplicate(document, content.known[:index], group, index, case)
    groups = (
        msgspec.structs.replace(
            group, cases={present(case): failure for case, failure in group.cases.items()}
        )
        for group in content.known
    )
    return Ledger(path, tuple(groups), content.breadth, document)


def _words(content: _File) -> Iterator[tuple[tuple[str | int, ...], str, Iterable[str]]]:
    """Yield the path and value of each field with known values, and these values, empty if it is optional.

    An entry with another value would have no effect, without any notice.
    """
    for index, entry in enumerate(content.breadth):
        yield ("breadth", index, "profile"), entry.profile, PROFILES
        yield ("breadth", index, "level"), entry.level, LEVELS
    for index, group in enumerate(content.known):
        yield ("known", index, "profile"), group.profile, ("", *PROFILES)
        for number, pattern in enumerate(group.matching):
            place = ("known", index, "matching", number)
            yield (*place, "deviation"), pattern.deviation, ("", *RELEASE_PROFILES)
            yield (*place, "part"), pattern.part, ("", *RESULT_PARTS)


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


def known_failure(result: CaseResult) -> KnownFailure:
    """Return the verdict and the findings of a failure as the ledger records them."""
    return KnownFailure(verdict_text(result), finding_texts(result.findings))


def write_ledger(path: str, groups: Sequence[KnownGroup], breadth: Sequence[KnownBreadth] = ()) -> None:
    """Write the groups; those with equal reason, implementation and profile are merged."""
    merged: dict[tuple[str, str, str, bool], KnownGroup] = {}
    for group in groups:
        key = (group.reason, group.implementation, group.profile, group.sometimes)
        other = merged.get(key)
        merged[key] = group if other is None else _merged(other, group)
    known: list[Mapping[str, Json]] = []
    for group in merged.values():
        of_run = {"reason": group.reason, "implementation": group.implementation, "profile": group.profile}
        named = {name: value for name, value in of_run.items() if value}
        patterns = [
            {name: value for name, value in msgspec.structs.asdict(pattern).items() if value}
            for pattern in group.matching
        ]
        failures = {
            case: {
                "verdict": recorded.verdict,
                **({"findings": list(recorded.findings)} if recorded.findings else {}),
            }
            for case, recorded in group.cases.items()
        }
        parts = {"sometimes": group.sometimes, "matching": patterns, "cases": failures}
        known.append({**named, **{name: part for name, part in parts.items() if part}})
    least = {"breadth": [msgspec.structs.asdict(entry) for entry in breadth]} if breadth else {}
    content = {"format": FORMAT, **least, "known": known}
    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=1000)
    write_text(path, _HEAD + text)


def _merged(group: KnownGroup, other: KnownGroup) -> KnownGroup:
    matching = tuple(dict.fromkeys((*group.matching, *other.matching)))
    return msgspec.structs.replace(group, cases={**group.cases, **other.cases}, matching=matching)
