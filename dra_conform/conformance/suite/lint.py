"""Checks of the suite itself, beyond what loading refuses: ids, requirements, headers, and vacuous cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from dra_conform.conformance.allocate.answer import Answer, Outcome
from dra_conform.conformance.allocate.judging import judge_against
from dra_conform.conformance.case import Case, Check, ExpectedEntry, ExpectedResult
from dra_conform.conformance.runner import profile_of
from dra_conform.conformance.suite.golden import HEADER
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.errors import InputError
from dra_conform.kube.profile import KEP

Answerer = Callable[[Case], Answer | None]
"""Gives some implementation's answer to a case in profile `kep`, None where it has none."""


def lint(suite: LoadedSuite, answerer: Answerer) -> list[InputError]:
    """Everything wrong with a suite."""
    return [*_ids(suite), *_requirements(suite), *_headers(suite), *_vacuous(suite, answerer)]


def _at(case: Case, message: str) -> InputError:
    return InputError(case.source.file, case.source.line, case.id, message)


def _ids(suite: LoadedSuite) -> Iterator[InputError]:
    seen: dict[str, Case] = {}
    for case in suite.cases:
        first = seen.setdefault(case.id, case)
        if first is not case:
            yield _at(case, f"the id is used twice, expected it once; the first is at {first.source}")
    known: set[str] = set()
    for requirement in suite.catalogue:
        if requirement.id in known:
            yield InputError("requirements", None, requirement.id, "is in the catalogue twice, expected once")
        known.add(requirement.id)


def _requirements(suite: LoadedSuite) -> Iterator[InputError]:
    known = {requirement.id for requirement in suite.catalogue}
    for case in suite.cases:
        if not case.requirements:
            yield _at(case, "names no requirement, expected at least one")
        for name in case.requirements:
            if name not in known:
                yield _at(case, f"names the requirement {name}, which is not in the catalogue")
            elif name.partition("/")[0].lower() != case.id.partition("/")[0]:
                yield _at(case, f"names a requirement of another document than its folder, {name}")


def _headers(suite: LoadedSuite) -> Iterator[InputError]:
    for path in sorted((suite.root / "golden").rglob("*.yaml")):
        first = path.read_text("utf-8").partition("\n")[0]
        if not first.startswith(HEADER):
            file = path.relative_to(suite.root).as_posix()
            yield InputError(file, 1, "", f"has no header, expected {HEADER}...golden.schema.json")


def _vacuous(suite: LoadedSuite, answerer: Answerer) -> Iterator[InputError]:
    for case in suite.cases:
        expectation = case.expectation
        if expectation.outcomes == frozenset(Outcome):
            yield _at(case, "accepts every outcome, expected one that can fail")
            continue
        answer = answerer(case)
        profile, _ = profile_of(case, KEP)
        if answer is None or judge_against(case, profile, expectation, answer).verdict is not Verdict.PASS:
            continue
        turned = replace(expectation, outcomes=frozenset(Outcome) - expectation.outcomes, checks=())
        if judge_against(case, profile, turned, answer).verdict is Verdict.PASS:
            yield _at(case, "passes with its outcome negated, expected it to fail")
        for check in expectation.checks:
            other = replace(expectation, checks=(_negated(check),))
            if _constrains(check) and judge_against(case, profile, other, answer, strict=True).verdict is (
                Verdict.PASS
            ):
                yield _at(
                    case, f"passes with step {expectation.steps[check.step]!r} negated, expected a failure"
                )


def _constrains(check: Check) -> bool:
    pinned = (check.count, check.nodes, check.config)
    return any(one is not None for one in pinned) or bool(check.alternatives)


def _negated(check: Check) -> Check:
    """A check that a right answer to the check must fail: one device more, or other facts of each."""
    if check.count is not None:
        return replace(check, count=check.count + 1)
    if check.nodes is not None:
        return replace(check, nodes=check.nodes | {"no-such-node"})
    if check.config is not None:
        return replace(check, config=(*check.config, ExpectedEntry("FromNowhere", {})))
    alternatives = tuple(
        tuple(_other(result) for result in results) or (ExpectedResult(),) for results in check.alternatives
    )
    return replace(check, alternatives=alternatives)


def _other(result: ExpectedResult) -> ExpectedResult:
    """The expected result with every fact it pins turned into another one."""
    return ExpectedResult(
        request=None if result.request is None else f"not-{result.request}",
        device=None if result.device is None else f"not-{result.device}",
        pool=None if result.pool is None else f"not-{result.pool}",
        driver=None if result.driver is None else f"not-{result.driver}",
        consumed=None if result.consumed is None else {**result.consumed, "no-such-capacity": "1"},
        consumes=None if result.consumes is None else {**result.consumes, "no-such-capacity": "1"},
        share=None if result.share is None else not result.share,
        admin=None if result.admin is None else not result.admin,
        groups=None if result.groups is None else {**result.groups, "no-such-set": ("no-such-group",)},
        binding=None if result.binding is None else (*result.binding, "no-such-condition"),
        failure=None if result.failure is None else (*result.failure, "no-such-condition"),
    )
