"""Break the simulated API server on purpose, one rule at a time, and see the suite notice.

`make mutants-of-admission` tries them, as `faulty/mutants/allocation.py` does its own, with the cases of operation `admit`.
`python -m tests.faulty.mutants.admission policy` tries only those with the word in their names.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from tests.faulty.mutants.campaign import main
from tests.faulty.mutants.catalogue import mutants_of
from tests.faulty.mutants.mutation import Mutant, sources
from tests.faulty.mutants.subjects import API_SERVER
from tests.faulty.mutants.tree_changes import Change, defined
from tests.faulty.mutants.tree_patterns import in_order

_IN_NO_PROFILE = ("_DERIVED", "('DRAPartitionableDevicesType',)", "('DRAOptionalNodeOperations',)")
"""Gates that no profile switches on: that their fields are always dropped is no change."""
_OF_OTHER_RELEASES = ("BEFORE", "before", "_both_gates", "managesNode", "nodeAllocatableResourceAccounting")


def _computed(module: str, text: str) -> Iterator[Mutant]:
    for statement in ast.parse(text).body:
        for scope in defined(statement):
            place, rows = 0, [node.elts for node in ast.walk(statement) if isinstance(node, ast.Tuple)]
            for node in in_order(statement):
                match node:
                    case ast.Call(func=ast.Name("Limit")):
                        yield from _limits(module, scope, node)
                    case ast.Call(func=ast.Name("GatedField")):
                        place += 1
                        if any(node is one for row in rows for one in row):
                            yield from _gated(module, scope, node, place)


def _limits(module: str, scope: str, row: ast.Call) -> Iterator[Mutant]:
    """Each bound one larger and one smaller."""
    if not _is_of_other_releases(scope, row):
        for change in ("+ 1", "- 1"):
            yield Mutant(f"{scope} {change}", Change(module, scope, "Limit(_0, ...)", f"_0 {change}"))


def _gated(module: str, scope: str, row: ast.Call, place: int) -> Iterator[Mutant]:
    """Each field behind gates never dropped, and dropped whatever the gates."""
    gates, path = (ast.unparse(one) for one in row.args[:2])
    name = f"{path.lstrip('f')[1:-1]} ({gates.strip('()_,')})".replace("'", '"')
    if not _is_of_other_releases("", row):
        yield Mutant(f"never dropped: {name}", Change(module, scope, "GatedField(...)", "", place))
        if gates not in _IN_NO_PROFILE:
            always = Change(module, scope, "GatedField(_0, ...)", '("none",)', place)
            yield Mutant(f"always dropped: {name}", always)


def _is_of_other_releases(scope: str, row: ast.Call) -> bool:
    text = f"{scope} {ast.unparse(row)}"
    return any(word in text for word in _OF_OTHER_RELEASES)


MUTANTS = (
    *mutants_of("admission"),
    *(mutant for module, text in sources(API_SERVER).items() for mutant in _computed(module, text)),
)

if __name__ == "__main__":
    sys.exit(main((API_SERVER, MUTANTS)))
