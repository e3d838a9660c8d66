"""The catalogue of mutants fits the source as it is. Whether the suite kills them, `make mutants` says."""

from __future__ import annotations

import pytest

from tests.quality.mutants import MUTANTS
from tests.quality.mutation import Mutant, Stale, changed, sources

SOURCES = sources()


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_changes_the_source_and_can_be_compiled(mutant: Mutant) -> None:
    for module, text in changed(mutant, SOURCES).items():
        assert text != SOURCES[module]
        compile(text, module, "exec")


def test_names_are_unique() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


def test_a_mutant_that_does_not_fit_is_stale() -> None:
    with pytest.raises(Stale, match="'no such text' is in no module, expected it once in one module"):
        changed(Mutant("x", ("no such text", "")), SOURCES)
    with pytest.raises(Stale, match=r"'import' is in dra_conform\.allocator\.allocation_decision, "):
        changed(Mutant("x", ("import", "")), SOURCES)
