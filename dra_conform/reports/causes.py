"""Failures grouped by their probable cause: the few causes that explain most failures come first, each with
its simplest case as the example."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from dra_conform.conformance.features import GATES
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, JUDGED, CaseResult, Kind, Verdict
from dra_conform.reports import failure_explanation
from dra_conform.reports.figures import area_of, charged, invariants, is_malformed, unexplained
from dra_conform.reports.lacking_features import lacking_features, stays_unallocated
from dra_conform.reports.leading_requirements import leading_requirements, pattern_of, violates_as_node
from dra_conform.reports.message_patterns import common_message
from dra_conform.reports.plainness import level_rank, plainness
from dra_conform.reports.recorded_results import verdict_text
from dra_conform.reports.runs import Run

_Key = tuple[str, str]
"""The kind of a cause (part, feature, area, requirement or message) and its name."""
_PART, _FEATURE, _AREA, _REQUIREMENT, _MESSAGE = "part", "feature", "area", "requirement", "message"
_MUCH_LARGER = 3
"""How many times as many failures the largest cause needs to explain those of an area that mostly passes."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Failures that are probably removed by one repair.

    `message` says what is wrong in the example. If the messages of the failures differ, it is their pattern,
    with `…` for the names and quantities that differ. `results` begins with the example: the plainest case.
    Each failure is in the results of one cause. `also`: how many failures of other causes have this cause,
    too. `alone`: how many of the results violate the requirement and have no other cause. `requirement`: the
    requirement that explains most of the failures, empty if there is no answer to judge or a `feature`.
    `part`: the result part that all findings are about, as a feature id, otherwise empty. `feature`: the
    feature that all results use and that is never allocated, otherwise empty. `known`: all failures are as in
    the ledger of the run.
    """

    verdict: str
    message: str
    results: tuple[CaseResult, ...]
    requirement: str = ""
    part: str = ""
    feature: str = ""
    also: int = 0
    alone: int = 0
    known: bool = False

    @property
    def example(self) -> CaseResult:
        """Return the plainest failure."""
        return self.results[0]

    @property
    def requirements(self) -> tuple[tuple[str, int], ...]:
        """The violated requirements with the number of failures: first `requirement`, then by frequency."""
        counts = Counter(name for result in self.results for name in charged(result))
        return tuple(sorted(counts.items(), key=lambda entry: (entry[0] != self.requirement, -entry[1])))

    def message_of(self, result: CaseResult) -> str:
        """Return what is wrong in one of the results, if possible with the part or the requirement."""
        return failure_explanation.headline(result, self.part, self.requirement)


def causes_of(run: Run) -> tuple[Cause, ...]:
    """Group the failures of a run by cause: first those that differ from its ledger, then the known ones."""
    known = [result for result in run.results if result.case.id in run.known]
    others = [result for result in run.results if result.case.id not in run.known]
    return (*causes(others), *(replace(cause, known=True) for cause in causes(known)))


def causes(results: Sequence[CaseResult]) -> tuple[Cause, ...]:
    """Group the failures of a run by cause: those that violate a MUST first, then those of most failures.

    `results` are all results of the run: passing cases tell which requirements are met. Violations of
    invariants about one result part have one cause, and so have ResourceClaims that stay unallocated because
    of one feature. Other failures have one cause for each area of requirements. An area of which most judged
    cases pass is no cause of its own if another explains much more.
    Drivers and kubelets have few cases with much in each, so each requirement that most failures cite is a
    cause of its own, unless failures of several requirements have the same message.
    Of equally frequent causes, the one with the most specific requirement comes first.
    """
    failures = [result for result in results if result.verdict in CONFORMANCE_FAILURES]
    lacking = lacking_features(results)
    leading = leading_requirements(failures)
    keys = {id(result): _keys(result, lacking, leading) for result in failures}
    judged = _judged(results)
    members = _members(failures, keys, judged)
    ordered = sorted(members, key=lambda key: -len(members[key]))
    taken = _assigned(ordered, members)
    found = [_cause(key, taken[key], members[key], keys, judged) for key in ordered if taken[key]]
    found.sort(key=lambda cause: (_level(cause), -len(cause.results) - cause.also, judged[cause.requirement]))
    return tuple(_basic_first(found))


def _basic_first(ordered: Sequence[Cause]) -> list[Cause]:
    """Put a cause before the first cause that builds on it: that has all its features and others.

    A fault in a feature also shows in the features that need it, and there often in more cases.
    """
    moved: list[Cause] = []
    for cause in ordered:
        features = _features(cause)
        place = next(
            (
                index
                for index, larger in enumerate(moved)
                if features < _features(larger)
                and 4 * len(cause.results) >= len(larger.results)
                and _level(cause) <= _level(larger)
            ),
            len(moved),
        )
        moved.insert(place, cause)
    return moved


def _level(cause: Cause) -> int:
    return min(map(level_rank, cause.results))


def _features(cause: Cause) -> frozenset[str]:
    """Return the features with a gate that all failures of a cause use."""
    return frozenset.intersection(*(result.case.features for result in cause.results)) & GATES.keys()


def _keys(result: CaseResult, lacking: Mapping[str, int], leading: Mapping[int, str]) -> tuple[_Key, ...]:
    """Return the possible causes of a failure, the certain ones before the areas of its requirements.

    `lacking` has the features that are never allocated, with their failures, `leading` the requirements of
    failures of drivers and kubelets.
    """
    unsupported = result.case.features & lacking.keys()
    if unsupported and stays_unallocated(result):
        return ((_FEATURE, max(sorted(unsupported), key=lambda name: lacking[name])),)
    if result.verdict is not Verdict.FAIL or result.kind is Kind.MUTATED_INPUT or is_malformed(result):
        return ((_MESSAGE, f"{result.verdict}: {pattern_of(result)}"),)
    if violates_as_node(result):
        return ((_REQUIREMENT, leading[id(result)]),)
    certain = (
        (_PART, finding.part) if finding.part else (_AREA, area_of(finding.requirement))
        for finding in result.findings
        if finding.part or finding.requirement
    )
    uncertain: Iterable[_Key] = ()
    if not result.findings or any(not finding.part for finding in unexplained(result)):
        uncertain = ((_AREA, area_of(name)) for name in result.case.requirements or (result.case.id,))
    return tuple(dict.fromkeys((*certain, *uncertain)))


def _judged(results: Iterable[CaseResult]) -> Mapping[str, int]:
    """Count the judged cases of each requirement and of each area, and those that violate it."""
    counts: Counter[str] = Counter()
    for result in results:
        if result.verdict in JUDGED:
            names = {*result.case.requirements, *charged(result)}
            counts.update(names | {area_of(name) for name in names})
    return counts


def _members(
    failures: Sequence[CaseResult], keys: Mapping[int, Sequence[_Key]], judged: Mapping[str, int]
) -> dict[_Key, list[CaseResult]]:
    """Choose causes until each failure has one: first the certain ones, then areas that fail in most cases.

    An area that all remaining failures cite is chosen before areas of only some of them, because one fault is
    more likely than several. An area of which most judged cases pass is chosen only if no much larger cause
    was found. Otherwise its failures count with the largest cause, but never with one without an answer.
    """
    members: dict[_Key, list[CaseResult]] = defaultdict(list)
    left: list[CaseResult] = []
    for result in failures:
        certain = [key for key in keys[id(result)] if key[0] != _AREA or _is_certain(key, result)]
        for key in certain:
            members[key].append(result)
        if any(kind in (_REQUIREMENT, _FEATURE, _MESSAGE) for kind, _ in certain):
            continue
        if not certain or any(not finding.part for finding in unexplained(result)):
            left.append(result)
    of_area = _parts_by_area(members)
    while left:
        counts = Counter(key for result in left for key in keys[id(result)] if key[0] == _AREA)
        score = {key: counts[key] / sqrt(judged[key[1]] or counts[key]) for key in counts}
        known = [key for key in counts if of_area.get(key, key) in members]
        cited_by_all = [key for key in counts if counts[key] == len(left)]
        best = max(known or cited_by_all or counts, key=lambda key: score[key])
        cause = of_area.get(best, best)
        answered = [key for key in members if key[0] != _MESSAGE]
        if not known and answered and 2 * counts[best] < judged[best[1]]:
            largest = max(answered, key=lambda key: len(members[key]))
            if len(members[largest]) >= _MUCH_LARGER * counts[best]:
                cause = largest
        ids = set(map(id, members[cause]))
        of_best = [result for result in left if best in keys[id(result)]]
        members[cause] += [result for result in of_best if id(result) not in ids]
        left = [result for result in left if best not in keys[id(result)]]
    return members


def _parts_by_area(members: Mapping[_Key, Sequence[CaseResult]]) -> dict[_Key, _Key]:
    """Return the cause about a result part by the area of the requirement that it violates most often."""
    by_area: dict[_Key, _Key] = {}
    for key, results in members.items():
        if key[0] == _PART:
            areas = Counter(area_of(name) for result in results for name in _of_part(result, key[1]))
            by_area |= {
                (_AREA, area): key for area, _ in areas.most_common(1) if (_AREA, area) not in members
            }
    return by_area


def _of_part(result: CaseResult, part: str) -> set[str]:
    return {finding.requirement for finding in invariants(result) if finding.part == part}


def _is_certain(key: _Key, result: CaseResult) -> bool:
    return any(not finding.part and area_of(finding.requirement) == key[1] for finding in invariants(result))


def _assigned(
    ordered: Sequence[_Key], members: Mapping[_Key, Sequence[CaseResult]]
) -> dict[_Key, list[CaseResult]]:
    """Give each failure to one cause: the largest, or one that would have no failure otherwise."""
    owner: dict[int, _Key] = {}
    for key in ordered:
        free = [result for result in members[key] if id(result) not in owner]
        for result in free or members[key][:1]:
            owner[id(result)] = key
    taken: dict[_Key, list[CaseResult]] = {key: [] for key in ordered}
    for key in ordered:
        taken[key] = [result for result in members[key] if owner[id(result)] == key]
    return taken


def _cause(
    key: _Key,
    results: Sequence[CaseResult],
    members: Sequence[CaseResult],
    keys: Mapping[int, Sequence[_Key]],
    judged: Mapping[str, int],
) -> Cause:
    kind, name = key
    requirement = name if kind == _REQUIREMENT else ""
    if kind in (_PART, _AREA):
        requirement = _requirement(key, members, judged)
    ordered = sorted(
        results,
        key=lambda result: (
            bool(result.case.not_admitted),
            result.kind is Kind.FLAKY,
            keys[id(result)] != (key,),  # a failure that has other causes, too, is no plain example
            plainness(result, requirement),
        ),
    )
    part = name if kind == _PART else ""
    own = [result for result in results if kind != _AREA or requirement in charged(result)]
    messages = [failure_explanation.headline(result, part, requirement) for result in ordered]
    return Cause(
        verdict=verdict_text(ordered[0]),
        message=messages[0] if len(set(messages)) == 1 else common_message(messages[0], messages),
        results=tuple(ordered),
        requirement=requirement,
        part=part,
        feature=name if kind == _FEATURE else "",
        also=len(members) - len(results),
        alone=sum(keys[id(result)] == (key,) for result in own),
    )


def _requirement(key: _Key, members: Sequence[CaseResult], judged: Mapping[str, int]) -> str:
    """Return the requirement that explains most of the failures and that few other cases cite."""
    kind, name = key
    own = [
        _of_part(result, name)
        if kind == _PART
        else {finding.requirement for finding in invariants(result) if area_of(finding.requirement) == name}
        for result in members
    ]
    areas = {area_of(each) for some in own for each in some} or {name}
    counts = Counter(
        each
        for result, violated in zip(members, own, strict=True)
        for each in violated | {cited for cited in result.case.requirements if area_of(cited) in areas}
    )
    if not counts:  # failures that only count with a part say nothing about its requirement
        about = [result for result in members if any(finding.part == name for finding in result.findings)]
        counts = Counter(each for result in about or members for each in set(result.case.requirements))
    return max(
        sorted(counts), key=lambda each: (counts[each] / sqrt(judged[each] or 1), -judged[each]), default=""
    )
