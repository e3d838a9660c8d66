"""The mutants of extended resources fit the source as it is."""

from __future__ import annotations

import pytest

from tests.quality.mutants_of_extended_resources import EXTENDED_RESOURCES, MUTANTS
from tests.quality.mutation import Mutant, changed, sources

SOURCES = sources(EXTENDED_RESOURCES)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_changes_the_source_and_can_be_compiled(mutant: Mutant) -> None:
    for module, text in changed(mutant, SOURCES).items():
        assert text != SOURCES[module]
        compile(text, module, "exec")
