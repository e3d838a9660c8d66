"""Comparison of two replies, and of the parts of two allocations: the choice of devices, and other fields.

Answers that differ only in a choice that the specification or the release leaves open do not disagree.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome
from dra_conform.conformance.allocate.expectation import ANYTHING
from dra_conform.conformance.allocate.judging import judge
from dra_conform.conformance.case import Case
from dra_conform.conformance.implementation import Reply, Status
from dra_conform.conformance.verdict import Finding, Verdict
from dra_conform.fuzz.comparison.difference import Comparison, Difference, DifferenceKind, NoComparison, Side
from dra_conform.kube.category import Category
from dra_conform.kube.codec import ConversionError, convert
from dra_conform.kube.core import Node
from dra_conform.kube.json_values import Json
from dra_conform.kube.meta import NodeSelector, ObjectMeta
from dra_conform.kube.node_selectors import SelectorError, node_matches
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity, QuantityError
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.fuzzer import FuzzerSwitches

_FIELDS = (
    *("consumedCapacity", "shareID", "adminAccess", "compatibilityGroups"),
    *("tolerations", "bindingConditions", "bindingFailureConditions"),
)


@dataclass(frozen=True, slots=True)
class ComparedAllocations:
    """Allocations in a comparable form; absent, null and empty values are equal.

    `chosen` has request, driver, pool and device of each result, sorted, by claim. `written` has the other
    fields by name: fields of results in the order of `chosen`, configuration in its own order, and the names
    of the nodes that the node selector matches.
    """

    chosen: Mapping[str, Sequence[Json]]
    written: Mapping[str, Json]

    def parts(self, other: ComparedAllocations) -> frozenset[str]:
        """Return the names of the `written` fields that differ."""
        return frozenset(name for name, value in self.written.items() if other.written[name] != value)

    @staticmethod
    def of(allocations: Mapping[str, Json], nodes: Sequence[Json]) -> ComparedAllocations:
        """Convert the allocations of an answer by claim (`namespace/name`), with the nodes of the cluster."""
        typed = [Node(metadata=convert(node["metadata"], ObjectMeta)) for node in nodes]
        chosen: dict[str, list[Json]] = {}
        written: dict[str, list[Json]] = {name: [] for name in (*_FIELDS, "config", "nodeSelector")}
        for claim, allocation in sorted(allocations.items()):
            devices = allocation.get("devices") or {}
            results = sorted(
                (_place(result), list(_details(result))) for result in devices.get("results") or ()
            )
            chosen[claim] = [place for place, _ in results]
            for index, name in enumerate(_FIELDS):
                written[name].append([details[index] for _, details in results])
            written["config"].append([_config(entry) for entry in devices.get("config") or ()])
            written["nodeSelector"].append(_matched_nodes(allocation.get("nodeSelector"), typed))
        return ComparedAllocations(chosen, written)


def _place(result: Json) -> tuple[str, ...]:
    return result["request"], result["driver"], result["pool"], result["device"]


def _details(result: Json) -> Iterator[Json]:
    """Yield the values of `_FIELDS`: quantities as numbers, and for a share ID whether it is set."""
    yield sorted((name, _nano(text)) for name, text in (result.get("consumedCapacity") or {}).items())
    yield bool(result.get("shareID"))
    yield bool(result.get("adminAccess"))
    yield sorted((name, sorted(groups)) for name, groups in (result.get("compatibilityGroups") or {}).items())
    for name in _FIELDS[4:]:
        yield _text(result.get(name) or [])


def _config(entry: Json) -> tuple[Json, ...]:
    return entry.get("source"), list(entry.get("requests") or ()), _text(entry.get("opaque"))


def _matched_nodes(selector: Json, nodes: Sequence[Node]) -> list[str] | str:
    """Return the nodes that a selector matches. Without a selector these are all nodes.

    An invalid selector is returned as text.
    """
    if selector is None:
        return [node.metadata.name for node in nodes]
    try:
        typed: NodeSelector = convert(selector, NodeSelector)
        return [node.metadata.name for node in nodes if node_matches(typed, node)]
    except (ConversionError, SelectorError):
        return _text(selector)


def _text(value: Json) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _nano(text: Json) -> int:
    try:
        return Quantity.parse(str(text)).nano
    except QuantityError:
        return -1


def compare(case: Case, profile: Profile, first: Reply, second: Reply) -> Comparison:
    """Compare two replies to a case in a profile, and judge the allocations in this profile."""
    replies = (first, second)
    if any(reply.status in (Status.UNSUPPORTED, Status.UNDECLARED) for reply in replies):
        return NoComparison.UNSUPPORTED
    faulty = frozenset(
        place for place, reply in enumerate(replies) if reply.status is not Status.OK or not reply.answer
    )
    if faulty:
        if AllocationSwitches.of(profile).capacity.checks_another_device and len(faulty) == 1:
            if _predicts_crash(replies[1 - min(faulty)]):
                return None
            if _is_random(case, profile):
                return Difference(DifferenceKind.CHOICE, (Side(first), Side(second)))
        return Difference(DifferenceKind.FAULT, (Side(first), Side(second)), faulty)
    assert first.answer is not None
    assert second.answer is not None
    if _equal_failures(first.answer, second.answer, profile):
        return None
    first_side, second_side = (Side(reply, _findings(case, profile, reply.answer)) for reply in replies)
    invalid = frozenset(place for place, side in enumerate((first_side, second_side)) if side.findings)
    if invalid:
        return Difference(DifferenceKind.INVALID, (first_side, second_side), invalid)
    switches = FuzzerSwitches.of(profile)
    if first.answer.outcome is not second.answer.outcome:
        selector_error = not switches.search_order_known and _one_hit_selector_error(
            first.answer, second.answer
        )
        if selector_error or _is_random(case, profile):
            return Difference(DifferenceKind.CHOICE, (first_side, second_side))
        return Difference(
            DifferenceKind.OUTCOME, (first_side, second_side), _refuted(first.answer, second.answer, profile)
        )
    nodes = case.objects["nodes"]
    mine = ComparedAllocations.of(first.answer.allocations, nodes)
    theirs = ComparedAllocations.of(second.answer.allocations, nodes)
    if mine == theirs:
        return None
    if switches.search_order_known and mine.chosen == theirs.chosen:
        parts = mine.parts(theirs)
        return Difference(
            DifferenceKind.DETAIL, (replace(first_side, parts=parts), replace(second_side, parts=parts))
        )
    return Difference(DifferenceKind.CHOICE, (first_side, second_side))


def _predicts_crash(reply: Reply) -> bool:
    """Whether the answer is an error of category Other: the built-in predicts a crash of the release."""
    answer = reply.answer
    return (
        answer is not None
        and answer.outcome is Outcome.ERRORED
        and _has_category(answer, {Category.OTHER.value})
    )


def _is_random(case: Case, profile: Profile) -> bool:
    """Whether the release searches several pools in random order, so that its result varies."""
    slices = case.objects.get("resourceSlices", ())
    pools = {
        (resource_slice["spec"]["driver"], resource_slice["spec"]["pool"]["name"])
        for resource_slice in slices
    }
    return len(pools) > 1 and AllocationSwitches.of(profile).pools.in_any_order


_POOL_NOT_USABLE = {Category.POOL_INCOMPLETE.value, Category.POOL_INVALID.value}
_DURING_SEARCH = {Category.SELECTOR_RUNTIME_ERROR.value}


def _equal_failures(first: AllocationAnswer, second: AllocationAnswer, profile: Profile) -> bool:
    """Whether both fail to allocate in ways that the specification does not distinguish.

    `rejected` and `errored` are equal: the specification does not say when bad input is detected. An error
    for an incomplete or invalid pool equals `unallocatable`: allocators differ in whether they check such a
    pool before they need it. In profile `kep` this also holds for a runtime error of a selector: the
    specification does not say on which devices a selector is evaluated. In a release the search order decides
    this.
    """
    outcomes = {first.outcome, second.outcome}
    if Outcome.ALLOCATED in outcomes:
        return False
    if len(outcomes) == 1 or Outcome.UNALLOCATABLE not in outcomes:
        return True
    failure = first if first.outcome is not Outcome.UNALLOCATABLE else second
    ordered = FuzzerSwitches.of(profile).search_order_known
    return _has_category(failure, _POOL_NOT_USABLE | (set() if ordered else _DURING_SEARCH))


def _one_hit_selector_error(first: AllocationAnswer, second: AllocationAnswer) -> bool:
    """Whether one answer is an allocation, and the other is the runtime error of a selector."""
    return {first.outcome, second.outcome} == {Outcome.ALLOCATED, Outcome.ERRORED} and (
        _has_category(first, _DURING_SEARCH) or _has_category(second, _DURING_SEARCH)
    )


def _has_category(answer: AllocationAnswer, categories: set[str]) -> bool:
    return any(reason.category in categories for reason in answer.reasons)


def _refuted(first: AllocationAnswer, second: AllocationAnswer, profile: Profile) -> frozenset[int]:
    """Return the indexes of the answers without an allocation if the other answer has a valid allocation.

    In profile `kep` these sides are wrong. In the profile of a release no side is returned, because the
    release can have a rule that the judge does not know.
    """
    answers = (first, second)
    if FuzzerSwitches.of(profile).unknown_rules or not any(
        answer.outcome is Outcome.ALLOCATED for answer in answers
    ):
        return frozenset()
    return frozenset(place for place, answer in enumerate(answers) if answer.outcome is Outcome.UNALLOCATABLE)


def _findings(case: Case, profile: Profile, answer: AllocationAnswer | None) -> tuple[Finding, ...]:
    if answer is None or answer.outcome is not Outcome.ALLOCATED:
        return ()
    judgement = judge(case, profile, ANYTHING, answer, strict=False)
    return () if judgement.verdict is Verdict.PASS else judgement.findings
