"""Lint of a loaded suite: ids, titles, language, requirements, headers, and cases that cannot fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from dra_conform.conformance.case import Case, Expectation
from dra_conform.conformance.features import profile_of, usual_profile
from dra_conform.conformance.implementation import Answer
from dra_conform.conformance.operation import AnyOperation, negations_of
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.suite.case_ids import wrong_ids
from dra_conform.conformance.suite.folders import FOLDERS, case_files, requirement_files
from dra_conform.conformance.suite.golden_file import HEADER
from dra_conform.conformance.suite.language import LONGEST_TITLE, wrong_title, wrong_words
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.errors import InputError
from dra_conform.kube.profile import Profile

LONGEST_ID = 109
"""The limit of characters of an id with its row."""

_ENDINGS = (".feature", ".yaml", ".yml", ".json")

Answerer = Callable[[Case], Answer | None]
"""Returns the answer of an implementation to a case in its default profile, None if it has none."""


def lint(suite: LoadedSuite, answerer: Answerer) -> list[InputError]:
    """Return all problems of a suite."""
    return [*static_problems(suite), *_vacuous(suite, answerer)]


def static_problems(suite: LoadedSuite, *, whole_catalogue: bool = True) -> list[InputError]:
    """Return the problems found without an implementation; an incomplete catalogue is not checked."""
    requirements = _requirements(suite) if whole_catalogue else ()
    return [
        *_ids(suite),
        *wrong_ids(suite.root, suite.former_ids, (case.id for case in suite.cases)),
        *_titles(suite),
        *_language(suite),
        *requirements,
        *_headers(suite),
        *_files_not_read(suite.root),
    ]


def _ids(suite: LoadedSuite) -> Iterator[InputError]:
    first_cases: dict[str, Case] = {}
    for case in suite.cases:
        first = first_cases.setdefault(case.id, case)
        if first.source.file != case.source.file:  # Reading a file finds duplicates in it.
            yield case.error(f"duplicate id, expected a unique id; the first case is at {first.source}")
        if len(case.id) > LONGEST_ID:
            yield case.error(f"the id has {len(case.id)} characters, expected at most {LONGEST_ID}")
    known: set[str] = set()
    for requirement in suite.catalogue:
        if requirement.id in known:
            yield InputError(
                "requirements", None, requirement.id, "duplicate id in the catalogue, expected a unique id"
            )
        known.add(requirement.id)


def _titles(suite: LoadedSuite) -> Iterator[InputError]:
    """Yield titles that are too long with the values of their row filled in, and duplicates.

    Titles are unique within a document. Rows of one table may have equal titles.
    """
    first_cases: dict[tuple[str, str], Case] = {}
    for case in suite.cases:
        if len(case.title) > LONGEST_TITLE:
            yield case.error(f"the title has {len(case.title)} characters, expected at most {LONGEST_TITLE}")
        first = first_cases.setdefault((case.id.partition("/")[0], case.title), case)
        if _without_row(first) != _without_row(case):
            yield case.error(f"duplicate title, expected a unique title; the first case is at {first.source}")


def _language(suite: LoadedSuite) -> Iterator[InputError]:
    """Yield language problems, once for all rows of a case."""
    reasons: set[str] = set()
    for case in {_without_row(case): case for case in reversed(suite.cases)}.values():
        yield from (case.error(problem) for problem in wrong_title(case.title))
        yield from (case.error(f"the Rule has {problem}") for problem in wrong_words(case.rule))
        for deviation in (deviation for step in case.case_steps for deviation in step.deviations):
            if deviation.reason not in reasons:
                reasons.add(deviation.reason)
                yield from (
                    case.error(f"the reason has {problem}") for problem in wrong_words(deviation.reason)
                )
    for requirement in suite.catalogue:
        texts = {
            "statement": requirement.statement,
            "interpretation": requirement.interpretation,
            "untestable": requirement.untestable,
        }
        for member, text in texts.items():
            for problem in wrong_words(text):
                yield InputError("requirements", None, requirement.id, f"{member} has {problem}")


def _without_row(case: Case) -> str:
    return case.id.partition("[")[0]


_REFERENCE = "api"
"""The API reference, which cases of all documents may cite, because it defines their fields."""


def _requirements(suite: LoadedSuite) -> Iterator[InputError]:
    known = {requirement.id: requirement for requirement in suite.catalogue}
    for case in suite.cases:
        if not case.requirements:
            yield case.error("names no requirement, expected at least one")
        for name in case.requirements:
            if name not in known:
                [near] = get_close_matches(name, known, 1, 0.85) or [""]
                expected = f"did you mean {near}?" if near else "expected a requirement of the catalogue"
                yield case.error(f"names the unknown requirement {name}, {expected}")
            elif known[name].untestable:
                yield case.error(
                    f"names the requirement {name}, which has `untestable`, "
                    "expected a requirement that cases can test"
                )
            elif name.partition("/")[0].lower() not in (case.id.partition("/")[0], _REFERENCE):
                yield case.error(
                    f"names the requirement {name} of another document, expected the document of its folder"
                )


def _headers(suite: LoadedSuite) -> Iterator[InputError]:
    for path in sorted((suite.root / "golden").rglob("*.yaml")):
        first = path.read_text("utf-8", "replace").partition("\n")[0]
        if not first.startswith(HEADER):
            file = path.relative_to(suite.root).as_posix()
            yield InputError(file, 1, "", f"has no schema header, expected {HEADER}...golden.schema.json")


def _files_not_read(root: Path) -> Iterator[InputError]:
    """Yield files that look like a part of the suite, but are not read because of their folder or ending."""
    read = {*case_files(root), *requirement_files(root), *(root / "fixtures").rglob("*.yaml")}
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*")):
        if path.suffix.lower() in _ENDINGS and path not in read:
            message = "is not read, expected the ending .feature in features, or .yaml in the other folders"
            yield InputError(path.relative_to(root).as_posix(), None, "", message)


def _vacuous(suite: LoadedSuite, answerer: Answerer) -> Iterator[InputError]:
    for case in suite.cases:
        operation = OPERATIONS[case.operation]
        expectations = tuple(step.expectation for step in case.case_steps)
        negations = tuple(negations_of(operation, expectations))
        if not negations:
            yield case.error(
                "passes with every possible answer, expected a Then step that some answer does not satisfy"
            )
            continue
        answer = answerer(case)
        profile, _ = profile_of(case, usual_profile(case))
        if answer is None or not _passes(operation, case, profile, expectations, answer, strict=False):
            continue
        for words, negated in negations:
            if _passes(operation, case, profile, negated, answer, strict=True):
                yield case.error(f"a correct answer passes even with {words} negated, expected a failure")


def _passes(
    operation: AnyOperation,
    case: Case,
    profile: Profile,
    negated: Sequence[Expectation | None],
    answer: Answer,
    *,
    strict: bool,
) -> bool:
    return operation.judge(case, profile, negated, answer, strict=strict).verdict is Verdict.PASS
