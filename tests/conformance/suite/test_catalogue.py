"""Catalogue files: requirements and errors."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.catalogue import requirements_of
from dra_conform.kube.errors import InputError
from tests.support.conformance.suite.writing import CATALOGUE

FILE = "requirements/kep-5075.yaml"


def test_requirements() -> None:
    rounding, stored = requirements_of(CATALOGUE, FILE)
    assert (rounding.id, rounding.document, rounding.area) == (
        "KEP-5075/rounding/step-up",
        "KEP-5075",
        "rounding",
    )
    assert (rounding.level, rounding.operation, rounding.section) == ("MUST", "consume", "Rounding")
    assert rounding.polarity == {"accepts", "rejects"}
    assert (stored.polarity, stored.interpretation) == (frozenset({"accepts"}), "")


LINKED = """\
link: https://example.com/page#{heading}
sources:
  v1: https://example.com/v1#{type}
  page: https://example.com/page
anchors:
  Test Plan: tests
  Test Plan / Unit tests: unit-tests-1
  v1 / Overview: pkg-overview
title:"""
LINKS = {
    "Rounding (of quantities); API": "https://example.com/page#rounding-of-quantities",
    "Upgrade / Downgrade Strategy": "https://example.com/page#upgrade--downgrade-strategy",
    "Test Plan": "https://example.com/page#tests",
    "Test Plan / End to end": "https://example.com/page#tests",
    "Test Plan / Unit tests / Create; API": "https://example.com/page#unit-tests-1",
    "Test Planning": "https://example.com/page#test-planning",
    "v1 / Device name": "https://example.com/v1#Device",
    "v1 / Overview": "https://example.com/v1#pkg-overview",
    "page; API": "https://example.com/page",
}


def test_anchors_and_types_are_quoted_in_links() -> None:
    head = CATALOGUE.replace(
        "title:", "link: 'https://example.com/{type}'\nanchors:\n  Rounding: 'a)<b>'\ntitle:"
    )
    links = {requirement.link for requirement in requirements_of(head, FILE)}
    assert "https://example.com/a%29%3Cb%3E" in links


def test_links() -> None:
    rounding = CATALOGUE[CATALOGUE.index("  - id") :].partition("\n  - id")[0]
    entries = "".join(
        f"{rounding}\n".replace("section: Rounding", f"section: '{section}'") for section in LINKS
    )
    head = CATALOGUE[: CATALOGUE.index("  - id")].replace("title:", LINKED)
    requirements = requirements_of(f"{head}{entries}", FILE)
    assert {requirement.section: requirement.link for requirement in requirements} == LINKS


BROKEN = {
    "an anchor of no requirement": (
        "title:",
        "anchors:\n  Rounding: rounding-1\n  Round: round\ntitle:",
        "4: anchors.Round: has no requirement, expected a section of a requirement",
    ),
    "a link that runs a script": (
        "title:",
        "link: 'javascript:alert(1)'\ntitle:",
        "2: link: is 'javascript:alert(1)', expected a URL with http or https",
    ),
    "a link with markup": (
        "title:",
        "link: 'https://example.com/) <img>'\ntitle:",
        "2: link: is 'https://example.com/) <img>', expected a URL with http or https",
    ),
    "level": ("level: MUST", "level: must", "5: requirements[0].level: is 'must', expected one of MUST, "),
    "operation": (
        "operation: admit",
        "operation: ad",
        "14: requirements[1].operation: is 'ad', expected one of ",
    ),
    "id": (
        "id: KEP-5075/api/",
        "id: KEP-1/api/",
        "11: requirements[1].id: is 'KEP-1/api/stored', expected an id that ",
    ),
    "area": (
        "area: api",
        "area: app",
        "11: requirements[1].id: is 'KEP-5075/api/stored', expected an id that begins ",
    ),
    "no polarity": (
        "    polarity: [accepts, rejects]\n",
        "",
        "4: requirements[0].polarity: is missing, expected accepts or rejects or both for operation consume",
    ),
    "no polarity of a write": (
        "    polarity: [accepts]\n",
        "",
        "11: requirements[1].polarity: is missing, expected accepts or rejects or both for operation admit",
    ),
    "polarity": (
        "[accepts, rejects]",
        "[takes]",
        "10: requirements[0].polarity: has takes, expected only ",
    ),
    "member": (
        "section: API",
        "sektion: API",
        "15: requirements[1].sektion: is an unknown field, expected section",
    ),
    "no statement": (
        "    statement: A value is stored.\n",
        "",
        "11: requirements[1].statement: is missing, expected a value",
    ),
    "no document": ("document: KEP-5075\n", "", "1: document: is missing, expected a value"),
    "two documents": ("document:", "a: 1\n---\ndocument:", "1: has 2 YAML documents, expected one catalogue"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_catalogue(name: str) -> None:
    old, new, message = BROKEN[name]
    assert old in CATALOGUE
    with pytest.raises(InputError) as caught:
        list(requirements_of(CATALOGUE.replace(old, new, 1), FILE))
    assert str(caught.value).startswith(f"{FILE}:{message}")
