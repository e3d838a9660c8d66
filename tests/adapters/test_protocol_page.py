"""The page for authors of adapters names every field of an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from dra_conform.conformance.features import FEATURES, RESULT_PARTS
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.kube.category import Category

PAGE = (Path(__file__).parents[2] / "docs" / "adapter-protocol.md").read_text("utf-8")


@pytest.mark.parametrize("name", [*FEATURES, *RESULT_PARTS, *OPERATIONS, *(one.value for one in Category)])
def test_every_name_is_on_the_page(name: str) -> None:
    assert f"`{name}`" in PAGE


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_has_a_section(name: str) -> None:
    assert f"\n### The operation {name}\n" in PAGE
