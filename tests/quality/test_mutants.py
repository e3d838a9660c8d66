"""The catalogue of mutants fits the source. `make mutants` checks that the suite kills them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
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
from tests.faulty.mutants.tree_changes import scope_of, variables_of

_SUFFIX = "_with_another_name"
CATALOGUES = (
    (sources(ALLOCATOR), allocation.MUTANTS),
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
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


@pytest.mark.parametrize("step", [16, pytest.param(1, marks=pytest.mark.slow)], ids=["sample", "all"])
@pytest.mark.parametrize(("texts", "catalogue"), CATALOGUES)
def test_each_mutant_changes_the_source_and_can_be_compiled(
    texts: Sources, catalogue: Sequence[Mutant], step: int
) -> None:
    assert [mutant.name for mutant in catalogue[::step] if not _changes_source(mutant, texts)] == []


def _changes_source(mutant: Mutant, texts: Sources) -> bool:
    """Whether the changed source differs; raises Stale or SyntaxError."""
    trees = changed(mutant, texts)
    for module, tree in trees.items():
        compile(tree, module, "exec")
    return any(
        ast.dump(scope_of(trees[one.module], one.scope)[1])
        != ast.dump(scope_of(_parsed(texts[one.module]), one.scope)[1])
        for one in mutant.changes
    )


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
    edited = {module: ast.unparse(_renamed(_bare(ast.parse(text)))) for module, text in texts.items()}
    for mutant in mutants:
        trees = changed(mutant, texts)
        other_trees = changed(mutant, edited)
        for change in mutant.changes:
            [other, tree] = (
                scope_of(found[change.module], change.scope)[1] for found in (other_trees, trees)
            )
            assert ast.dump(_bare(other)).replace(_SUFFIX, "") == ast.dump(_bare(tree))


def _bare(tree: ast.Module) -> ast.Module:
    """Without docstrings."""
    for statement in ast.walk(tree):
        if isinstance(body := getattr(statement, "body", None), list):
            body[:] = [one for one in body if not _is_docstring(one)] or [ast.Pass()]
    return tree


def _is_docstring(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(ast.Constant(str())):
            return True
    return False


def _renamed(tree: ast.Module) -> ast.Module:
    """With other names of all local variables."""
    for function in _outer_functions(tree):
        names = set(variables_of(ast.Module([function], [])))
        for one in ast.walk(function):
            for field in ("id", "arg", "name"):
                if not isinstance(one, ast.keyword | ast.FunctionDef) and getattr(one, field, None) in names:
                    setattr(one, field, getattr(one, field) + _SUFFIX)
    return tree


def _outer_functions(scope: ast.AST) -> Iterator[ast.FunctionDef]:
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.FunctionDef):
            yield node
        else:
            yield from _outer_functions(node)
