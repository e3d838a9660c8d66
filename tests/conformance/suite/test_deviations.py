"""Deviations of releases: their order, their page, and that the committed page is current."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from dra_conform.conformance.case import Case, Deviation
from dra_conform.conformance.suite.catalogue import requirements_of
from dra_conform.conformance.suite.deviations import ReleaseDeviation, page, release_deviations, releases
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.kube.profile import KEP, PROFILES
from tests.support.conformance.suite.writing import CATALOGUE, golden

ROOT = Path(__file__).parents[3]
STEP_UP, STORED = "KEP-5075/rounding/step-up", "KEP-5075/api/stored"
CATALOGUE_OF_TWO = tuple(requirements_of(CATALOGUE, "requirements/kep-5075.yaml"))


def case(name: str, requirements: Sequence[str], *departed: tuple[Sequence[str], str]) -> Case:
    (one,) = golden()
    [act] = one.case_steps
    assert act.expectation is not None
    departing = tuple(
        Deviation(frozenset(f"kubernetes-{name}" for name in names), act.expectation, reason)
        for names, reason in departed
    )
    case_steps = (replace(act, deviations=departing),)
    return replace(one, id=name, requirements=tuple(requirements), case_steps=case_steps)


def deviations_of(*cases: Case) -> list[ReleaseDeviation]:
    return list(release_deviations(CATALOGUE_OF_TWO, cases))


def test_cases_with_one_reason_are_one_deviation() -> None:
    whole = "steps in whole numbers"
    (one,) = deviations_of(
        case("kep-5075/b/x", [STORED, STEP_UP], (["1.35", "1.34"], whole)),
        case("kep-5075/a/x[2]", [STEP_UP], (["1.34", "1.35"], whole)),
    )
    assert one == ReleaseDeviation(
        document="KEP-5075",
        requirements=(STEP_UP,),
        profiles=("kubernetes-1.34", "kubernetes-1.35"),
        reason=whole,
        cases=("kep-5075/a/x[2]", "kep-5075/b/x"),
    )


def test_a_deviation_names_few_requirements() -> None:
    (one,) = deviations_of(case("kep-5075/a/x", [STORED, STEP_UP], (["1.34"], "because")))
    assert one.requirements == (STORED,)
    (one,) = deviations_of(
        case("kep-5075/a/x", [STORED], (["1.34"], "because")),
        case("kep-5075/b/x", [STEP_UP], (["1.34"], "because")),
        case("kep-5075/c/x", [STORED, STEP_UP], (["1.34"], "because")),
    )
    assert one.requirements == (STORED, STEP_UP)


def test_deviations_are_sorted_by_document_then_by_release() -> None:
    made = deviations_of(
        case("kep-5963/a/x", ["KEP-5963/not/known"], (["1.37"], "e")),
        case("kep-5075/c/x", [STORED], (["1.34"], "d")),
        case("kep-5075/a/x", [STEP_UP], (["1.35"], "c"), (["1.34"], "b")),
        case("kep-5075/b/x", [STEP_UP], (["1.34"], "a")),
    )
    assert [one.reason for one in made] == ["a", "b", "c", "d", "e"]
    assert [one.document for one in made] == ["KEP-5075"] * 4 + ["KEP-5963"]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["1.34"], "1.34"),
        (["1.34", "1.35"], "1.34, 1.35"),
        (["1.34", "1.35", "1.36"], "1.34 to 1.36"),
        (["1.33", "1.35", "1.36", "1.37"], "1.33, 1.35 to 1.37"),
    ],
)
def test_releases(names: list[str], words: str) -> None:
    assert releases([f"kubernetes-{name}" for name in names]) == words


def test_the_page() -> None:
    cases = [case(f"kep-5075/a/{name}", [STEP_UP], (["1.34"], "a < b | c")) for name in ("p[1]", "p[2]", "q")]
    text = page(deviations_of(*cases, case("kep-5963/a/x", ["KEP-5963/not/known"], (["1.37"], "e"))))
    assert text.startswith("# Deviations of releases from the specification\n\n")
    assert "\n## KEP-5075: 1 deviation\n\n| releases |" in text
    assert (
        "| 1.34 | `KEP-5075/rounding/step-up` | a &lt; b \\| c | 3 | `kep-5075/a/p`<br>`kep-5075/a/q` |\n"
        in text
    )
    assert text.endswith("| 1.37 | `KEP-5963/not/known` | e | 1 | `kep-5963/a/x` |\n")


@pytest.mark.parametrize(
    "silent",
    [
        "the document does not say which error it is",
        "the document does not name the error",
        "the KEP does not specify the error",
    ],
)
def test_points_that_a_document_leaves_open_have_their_own_table(silent: str) -> None:
    of_both = case("kep-5075/a/x", [STEP_UP], (["1.34"], silent), (["1.35"], "steps in whole numbers"))
    text = page(deviations_of(of_both, case("kep-5963/a/x", ["KEP-5963/not/known"], (["1.37"], silent))))
    assert "\n## KEP-5075: 1 deviation\n\n| releases |" in text
    assert "\n### Left open by KEP-5075\n\n| releases | requirement | behavior |" in text
    assert text.index("steps in whole numbers") < text.index("### Left open by KEP-5075") < text.index(silent)
    assert "\n## KEP-5963: no deviations\n\n### Left open by KEP-5963\n" in text


def test_the_page_names_at_most_three_cases() -> None:
    cases = [case(f"kep-5075/a/{name}", [STEP_UP], (["1.34"], "because")) for name in "pqrs"]
    assert page(deviations_of(*cases)).endswith(
        "| 4 | `kep-5075/a/p`<br>`kep-5075/a/q`<br>`kep-5075/a/r`, ... |\n"
    )


def test_no_deviations() -> None:
    assert deviations_of(case("kep-5075/a/x", [STEP_UP])) == []
    assert "|" not in page([])


def test_the_committed_page_is_current(shipped_suite: LoadedSuite) -> None:
    made = release_deviations(shipped_suite.catalogue, shipped_suite.cases)
    assert all(set(one.profiles) <= set(PROFILES) - {KEP} for one in made)
    assert (ROOT / "docs" / "deviations.md").read_text("utf-8") == page(made), "run make deviations"
