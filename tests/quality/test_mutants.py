"""The catalogue of mutants fits the source as it is. Whether the suite kills them, `make mutants` says."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache

import pytest

from tests.faulty.mutants import (
    admission,
    allocation,
    circumstances,
    extended_resources,
    footprint,
    quota,
    reported_bugs,
    scheduling,
)
from tests.faulty.mutants.catalogue import AND, lines
from tests.faulty.mutants.mutation import Mutant, Sources, changed, sources
from tests.faulty.mutants.subjects import (
    ALLOCATOR,
    API_SERVER,
    CONTROL_PLANE,
    FOOTPRINT,
    NOTATION,
    QUOTA,
    SCHEDULING,
)
from tests.faulty.mutants.tree_changes import variables_of

SOURCES = sources(ALLOCATOR)
CATALOGUES = (
    (SOURCES, allocation.MUTANTS),
    (sources(NOTATION), allocation.MUTANTS_OF_READING),
    (sources(API_SERVER), admission.MUTANTS),
    (sources(extended_resources.EXTENDED_RESOURCES), extended_resources.MUTANTS),
    (sources(FOOTPRINT), footprint.MUTANTS),
    (sources(QUOTA), quota.MUTANTS),
    (sources(SCHEDULING), scheduling.MUTANTS),
    (sources(reported_bugs.REPORTED), reported_bugs.MUTANTS),
    (sources(CONTROL_PLANE), circumstances.MUTANTS),
)


@cache
def _dump(text: str) -> str:
    return ast.dump(ast.parse(text))


@pytest.mark.parametrize(
    ("texts", "mutant"),
    [pytest.param(texts, one, id=one.name) for texts, catalogue in CATALOGUES for one in catalogue],
)
def test_a_mutant_changes_the_source_and_can_be_compiled(texts: Sources, mutant: Mutant) -> None:
    for module, tree in changed(mutant, texts).items():
        assert ast.dump(tree) != _dump(texts[module])
        compile(tree, module, "exec")


def test_names_are_unique() -> None:
    first = Counter((topic, name) for topic, name, _ in lines() if not name.startswith(AND))
    assert [name for name, count in first.items() if count > 1] == []
    assert {(topic, name.removeprefix(AND)) for topic, name, _ in lines()} == set(first)
    for _, catalogue in CATALOGUES:
        assert len({mutant.name for mutant in catalogue}) == len(catalogue)


@pytest.mark.slow
@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_mutants_do_not_depend_on_names_of_variables_or_docstrings_or_lines(
    catalogue: tuple[Sources, tuple[Mutant, ...]],
) -> None:
    texts, mutants = catalogue
    edited = {module: ast.unparse(_edited(ast.parse(text), "_edited")) for module, text in texts.items()}
    for mutant in mutants:
        trees = changed(mutant, texts)
        for module, tree in changed(mutant, edited).items():
            assert ast.dump(_edited(tree, "")) == ast.dump(_edited(trees[module], ""))


def _edited(tree: ast.Module, suffix: str) -> ast.Module:
    """Without docstrings, and with another end of the names of local variables."""
    for statement in ast.walk(tree):
        if isinstance(body := getattr(statement, "body", None), list):
            body[:] = [one for one in body if not _is_docstring(one)] or [ast.Pass()]
    _rename(tree, suffix)
    return tree


def _is_docstring(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(ast.Constant(str())):
            return True
    return False


def _rename(scope: ast.AST, suffix: str) -> None:
    for node in ast.iter_child_nodes(scope):
        if not isinstance(node, ast.FunctionDef):
            _rename(node, suffix)
            continue
        names = set(variables_of(ast.Module([node], [])))
        for one in ast.walk(node):
            for field in ("id", "arg", "name"):
                if not isinstance(one, ast.keyword | ast.FunctionDef) and getattr(one, field, None) in names:
                    name: str = getattr(one, field)
                    setattr(one, field, name.removesuffix("_edited") + suffix)
