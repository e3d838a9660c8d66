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


BROKEN = {
    "a link that runs a script": (
        "title:",
        "link: 'javascript:alert(1)'\ntitle:",
        "2: link: is 'javascript:alert(1)', expected a URL with http or https",
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
