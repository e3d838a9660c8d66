"""The catalogue of mutants fits the source as it is. Whether the suite kills them, `make mutants` says."""

from __future__ import annotations

import pytest

from tests.quality import (
    mutants,
    mutants_of_admission,
    mutants_of_circumstances,
    mutants_of_extended_resources,
    mutants_of_footprint,
    mutants_of_quota,
    mutants_of_scheduling,
)
from tests.quality.mutation import Mutant, Sources, Stale, changed, sources
from tests.quality.subjects import (
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
    (SOURCES, mutants.MUTANTS),
    (sources(NOTATION), mutants.MUTANTS_OF_READING),
    (sources(API_SERVER), mutants_of_admission.MUTANTS),
    (sources(mutants_of_extended_resources.EXTENDED_RESOURCES), mutants_of_extended_resources.MUTANTS),
    (sources(FOOTPRINT), mutants_of_footprint.MUTANTS),
    (sources(QUOTA), mutants_of_quota.MUTANTS),
    (sources(SCHEDULING), mutants_of_scheduling.MUTANTS),
    (sources(CONTROL_PLANE), mutants_of_circumstances.MUTANTS),
)


@pytest.mark.parametrize(
    ("texts", "mutant"),
    [pytest.param(texts, one, id=one.name) for texts, catalogue in CATALOGUES for one in catalogue],
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
