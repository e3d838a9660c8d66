"""The catalogue of mutants fits the source. `make mutants` checks that the suite kills them."""

from __future__ import annotations

import pytest

from tests.faulty.mutants import (
    admission,
    allocation,
    circumstances,
    extended_resources,
    footprint,
    quota,
    scheduling,
)
from tests.faulty.mutants.mutation import Mutant, Sources, Stale, changed, sources
from tests.faulty.mutants.subjects import (
    ALLOCATOR,
    API_SERVER,
    CONTROL_PLANE,
    FOOTPRINT,
    NOTATION,
    QUOTA,
    SCHEDULING,
)

SOURCES = sources(ALLOCATOR)
CATALOGUES = (
    (SOURCES, allocation.MUTANTS),
    (sources(NOTATION), allocation.MUTANTS_OF_READING),
    (sources(API_SERVER), admission.MUTANTS),
    (sources(extended_resources.EXTENDED_RESOURCES), extended_resources.MUTANTS),
    (sources(FOOTPRINT), footprint.MUTANTS),
    (sources(QUOTA), quota.MUTANTS),
    (sources(SCHEDULING), scheduling.MUTANTS),
    (sources(CONTROL_PLANE), circumstances.MUTANTS),
)


@pytest.mark.parametrize(
    ("texts", "mutant"),
    [
        pytest.param(texts, requirement, id=requirement.name)
        for texts, catalogue in CATALOGUES
        for requirement in catalogue
    ],
)
def test_a_mutant_changes_the_source_and_can_be_compiled(texts: Sources, mutant: Mutant) -> None:
    for module, text in changed(mutant, texts).items():
        assert text != texts[module]
        compile(text, module, "exec")


def test_names_are_unique() -> None:
    for _, catalogue in CATALOGUES:
        assert len({mutant.name for mutant in catalogue}) == len(catalogue)


def test_a_mutant_that_does_not_fit_is_stale() -> None:
    with pytest.raises(Stale, match="'no such text' is in no module, expected it once in one module"):
        changed(Mutant("x", ("no such text", "")), SOURCES)
    with pytest.raises(Stale, match=r"'import' is in dra_conform\.allocator\.allocation_decision, "):
        changed(Mutant("x", ("import", "")), SOURCES)
