"""The figures of a run: cases by verdict, requirements by document and area, and the requirements that a
failure is charged to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dra_conform.conformance.case import Case
from dra_conform.conformance.requirement import MAY, MUST, SHOULD, Requirement
from dra_conform.conformance.suite.coverage import covered
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, JUDGED, CaseResult, Finding, Verdict
from dra_conform.kube.printable import printable
from dra_conform.reports.runs import Run


def violates_only_other_requirements(result: CaseResult) -> bool:
    """Whether a failure does not count against the requirements of its case, because it violates only
    requirements that the case does not cite.

    Such a case shows neither that its own requirements are met nor that they are violated.
    """
    return (
        result.verdict is Verdict.FAIL
        and bool(result.findings)
        and all(finding.requirement not in ("", *result.case.requirements) for finding in result.findings)
    )


def charged(result: CaseResult) -> tuple[str, ...]:
    """Return the requirements that a failure shows as violated, each once."""
    if result.verdict not in CONFORMANCE_FAILURES:
        return ()
    own = () if violates_only_other_requirements(result) else result.case.requirements
    return tuple(dict.fromkeys((*own, *(finding.requirement for finding in invariants(result)))))


def cited(result: CaseResult) -> tuple[str, ...]:
    """Return the requirements to show with a result: those that its findings name, then those of its case.

    A failure that violates only others has none of its case.
    """
    if violates_only_other_requirements(result):
        return charged(result)
    named = (finding.requirement for finding in invariants(result))
    return tuple(dict.fromkeys((*named, *result.case.requirements)))


def is_malformed(result: CaseResult) -> bool:
    """Whether an answer could not be judged because of its form."""
    return bool(result.findings) and all(finding.rule == "shape" for finding in result.findings)


def invariants(result: CaseResult) -> Iterator[Finding]:
    """Yield the violations of invariants with a requirement of their own."""
    return (finding for finding in result.findings if finding.requirement)


def unexplained(result: CaseResult) -> Iterable[Finding]:
    """Return the unmet expectations that no violated invariant explains.

    A violated invariant about one result part explains the expectations of this part. Any other violated
    invariant explains all expectations, because the allocation as a whole is wrong.
    """
    parts = {finding.part for finding in invariants(result)}
    if "" in parts:
        return ()
    return [
        finding
        for finding in result.findings
        if not finding.requirement and (not finding.part or finding.part not in parts)
    ]


class RequirementState(StrEnum):
    """The state of one requirement in a run."""

    PASSED = "passed"
    FAILED = "failed"
    UNSUPPORTED = "unsupported"
    NOT_RUN = "not-run"
    NOT_SHOWN = "not-shown"
    """Its cases fail, but only because of other requirements (`charges.violates_only_other_requirements`)."""
    UNCOVERED = "uncovered"
    """No case of the run violates the requirement, and the cases do not test each of its polarities."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of requirements: all, those covered by the run (`coverage.covered`) or violated, and the passed.

    `declined`: the covered requirements of which the implementation took on no case. `not_run`: those of
    which no case was judged, since the run ended early. `undecided`: those that neither pass nor fail
    although a case was judged. Other cases were declined or not run, fail only because of other
    requirements, or test MAY behavior that is not provided. `uncovered`: those that are not covered although
    a case was judged.
    """

    total: int
    covered: int
    passed: int
    declined: int = 0
    not_run: int = 0
    undecided: int = 0
    uncovered: int = 0

    @property
    def taken_on(self) -> int:
        """Return the number of covered requirements with a judged case or a violation."""
        return self.covered - self.declined - self.not_run


@dataclass(frozen=True, slots=True)
class RequirementResults:
    """One requirement with the results of its cases in a run, and the state that follows from them."""

    requirement: Requirement
    results: tuple[CaseResult, ...]
    state: RequirementState


def state_of(
    requirement: Requirement, results: Sequence[CaseResult], *, violated: bool = False
) -> RequirementState:
    """Return the state of a requirement from the results of its cases.

    It is passed if its passing cases cover it and no other case fails; declined cases do not count.
    `violated`: a case that does not cite the requirement violates it.
    """
    if violated or any(
        result.verdict in CONFORMANCE_FAILURES and not violates_only_other_requirements(result)
        for result in results
    ):
        return RequirementState.FAILED
    if not covered(requirement, (result.case for result in results)):
        return RequirementState.UNCOVERED
    verdicts = {result.verdict for result in results}
    if Verdict.NOT_RUN in verdicts:
        return RequirementState.NOT_RUN
    passing = (result.case for result in results if result.verdict is Verdict.PASS)
    if Verdict.OPTIONAL not in verdicts and covered(requirement, passing):
        return RequirementState.PASSED
    return RequirementState.NOT_SHOWN if Verdict.FAIL in verdicts else RequirementState.UNSUPPORTED


def requirement_results(run: Run) -> tuple[RequirementResults, ...]:
    """Return the requirements in the order of the catalogue, then those that only cases name."""
    results: dict[str, list[CaseResult]] = {}
    for result in run.results:
        for name in dict.fromkeys(result.case.requirements):
            results.setdefault(name, []).append(result)
    known = {requirement.id: requirement for requirement in run.started.catalogue}
    for name in results:
        known.setdefault(name, unlisted(name))
    violated = {name for result in run.results for name in charged(result)}
    return tuple(
        RequirementResults(
            requirement,
            tuple(results.get(name, ())),
            state_of(requirement, results.get(name, ()), violated=name in violated),
        )
        for name, requirement in known.items()
    )


def tally(rows: Iterable[RequirementResults]) -> Tally:
    """Count requirements: all, those that the run covers or violates, and these by what came of them."""
    known = tuple(rows)
    covered_by_run = [row for row in known if row.state is not RequirementState.UNCOVERED]
    open_states = Counter(
        (row.state, any(result.verdict in JUDGED for result in row.results))
        for row in covered_by_run
        if row.state not in (RequirementState.PASSED, RequirementState.FAILED)
    )
    return Tally(
        len(known),
        len(covered_by_run),
        sum(row.state is RequirementState.PASSED for row in known),
        declined=open_states[RequirementState.UNSUPPORTED, False],
        not_run=open_states[RequirementState.NOT_RUN, False],
        undecided=sum(count for (_, judged), count in open_states.items() if judged),
        uncovered=sum(
            row.state is RequirementState.UNCOVERED
            and any(result.verdict in JUDGED for result in row.results)
            for row in known
        ),
    )


@dataclass(frozen=True, slots=True)
class StateTally:
    """Covered or violated requirements of one level or document by state: passed, failed, and others."""

    name: str
    passed: int
    failed: int
    other: int


def by_level(rows: Iterable[RequirementResults]) -> tuple[StateTally, ...]:
    """Count requirements by level, the strongest first; a level without a covered requirement is omitted."""
    grouped: dict[str, list[RequirementResults]] = {level: [] for level in (MUST, SHOULD, MAY)}
    for row in rows:
        grouped.setdefault(row.requirement.level, []).append(row)
    return state_tallies(grouped)


def state_tallies(grouped: Mapping[str, Sequence[RequirementResults]]) -> tuple[StateTally, ...]:
    """Count the requirements of each group by state; a group without a covered requirement is omitted."""
    counters = {name: Counter(row.state for row in rows) for name, rows in grouped.items()}
    return tuple(
        StateTally(name, passed, failed, covered_by_run - passed - failed)
        for name, states in counters.items()
        for passed, failed in [(states[RequirementState.PASSED], states[RequirementState.FAILED])]
        if (covered_by_run := states.total() - states[RequirementState.UNCOVERED])
    )


def by_document(rows: Iterable[RequirementResults]) -> Mapping[str, tuple[RequirementResults, ...]]:
    """Group requirements by document, in the order of first appearance."""
    grouped: dict[str, list[RequirementResults]] = {}
    for row in rows:
        grouped.setdefault(row.requirement.document, []).append(row)
    return {document: tuple(found) for document, found in grouped.items()}


def counts(results: Iterable[CaseResult]) -> Mapping[Verdict, int]:
    """Count results by verdict. Each verdict has an entry, in the order of the enum."""
    counter = Counter(result.verdict for result in results)
    return {verdict: counter[verdict] for verdict in Verdict}


def reasons_unsupported(results: Iterable[CaseResult]) -> Sequence[tuple[str, int]]:
    """Count the reasons why cases are unsupported, the most frequent first."""
    unsupported = (result for result in results if result.verdict is Verdict.UNSUPPORTED)
    reasons = Counter(
        printable(result.detail).split("\n", 1)[0] or "no reason given" for result in unsupported
    )
    return reasons.most_common()


def failures(results: Iterable[CaseResult]) -> tuple[CaseResult, ...]:
    """Return the results that are conformance failures."""
    return tuple(result for result in results if result.verdict in CONFORMANCE_FAILURES)


def only_recommended(results: Iterable[CaseResult]) -> str:
    """Return how many of the failures test only recommendations, empty if none does."""
    count = sum(result.only_recommended for result in results)
    verb = "tests" if count == 1 else "test"
    return f"{count} of them {verb} only recommendations (SHOULD)" if count else ""


def place(case: Case, catalogue: Mapping[str, Requirement]) -> tuple[str, str]:
    """Return document and area of a case, from its first requirement or, without requirements, its id."""
    for name in case.requirements:
        requirement = catalogue.get(name) or unlisted(name)
        return requirement.document, requirement.area
    parts = case.id.split("/")
    return (parts[0] if len(parts) > 1 else "other"), (parts[1] if len(parts) > 2 else "other")


def area_of(requirement: str) -> str:
    """Return the document and the area of the id of a requirement, such as `KEP-5075/rounding`."""
    return requirement.rpartition("/")[0]


def percent(part: int, whole: int) -> str:
    """Format a percentage such as `99.7 %`, rounded down so that `100 %` means all."""
    if whole == 0:
        return "-"
    tenths = 1000 * part // whole
    return f"{tenths // 10} %" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10} %"


def unlisted(name: str) -> Requirement:
    """Make a requirement for an id that is not in the catalogue."""
    parts = name.split("/")
    area = parts[1] if len(parts) > 2 else ""
    return Requirement(name, parts[0], area, "", "", "", "")
