"""A change of the syntax tree of one function: what is replaced there, and by what.

What is replaced is named by a pattern (`tree_patterns.py`), which need not say more than tells it from the rest of the
function. The new code is Python with the wildcards of the pattern, or

    ""                drops the statement, argument, element, condition or operand
    ">=", "or", "-"   is another operator
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.faulty.mutants.tree_patterns import TARGET, Match, in_order, matches, parsed

_COMPARISONS: dict[str, type[ast.cmpop]] = {
    "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE, "==": ast.Eq, "!=": ast.NotEq,
    "in": ast.In, "not in": ast.NotIn, "is": ast.Is, "is not": ast.IsNot,
}  # fmt: skip
_OPERATORS: dict[str, type[ast.AST]] = {
    "and": ast.And, "or": ast.Or, "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "//": ast.FloorDiv, "%": ast.Mod,
    "|": ast.BitOr, "&": ast.BitAnd,
}  # fmt: skip


class Stale(Exception):  # noqa: N818 - it reads as what happened
    """A mutant does not fit the source any more."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change in the function, class, class field or constant `scope` of a module.

    `old` is the pattern. It matches once in the scope, or `nth` says which match it is, from 1. `variables` are names
    for the local variables of the function in patterns and new code, in the order in which the tree first binds
    them, without `self` and `cls`; empty if none is needed.
    """

    module: str
    scope: str
    old: str
    new: str
    nth: int = 0
    variables: str = ""


def change(tree: ast.Module, changes: Sequence[Change]) -> None:
    """Change the tree; raises Stale. All matches are looked for before anything is changed."""
    parents: dict[ast.AST, ast.AST] = {}
    found = [(_match(tree, one, parents), one.new) for one in changes]
    found.sort(key=lambda one: _depth(one[0].bound[TARGET], parents), reverse=True)  # what is inside first
    for match, new in found:
        _Replacement(parents, match).put(new)


def _match(tree: ast.Module, one: Change, parents: dict[ast.AST, ast.AST]) -> Match:
    """The match of a change; adds the parents of the nodes in its scope."""
    holder, scope = scope_of(tree, one.scope)
    parents |= {child: parent for parent in ast.walk(scope) for child in ast.iter_child_nodes(parent)}
    parents |= dict.fromkeys(scope.body, holder)
    if not scope.body:
        raise Stale(f"there is no {one.scope} in {one.module}")
    several = matches(parsed(one.old), scope, _names(scope, one))
    if len(several) < (one.nth or 1) or (not one.nth and len(several) > 1):
        wanted = f"at least {one.nth}" if one.nth else "one"
        raise Stale(f"{one.module}.{one.scope} has {len(several)} matches of {one.old!r}, expected {wanted}")
    return several[max(one.nth, 1) - 1]


def _depth(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> int:
    return 1 + _depth(parents[node], parents) if node in parents else 0


def scope_of(tree: ast.Module, name: str) -> tuple[ast.AST, ast.Module]:
    """What is defined under the qualified name, as a module that shares the nodes, empty if nothing is; and where."""
    holder: ast.AST = tree
    *outer, last = name.split(".")
    for part in outer:
        holder = next((one for one in getattr(holder, "body", ()) if part in defined(one)), ast.Pass())
    return holder, ast.Module([one for one in getattr(holder, "body", ()) if last in defined(one)], [])


def defined(statement: ast.stmt) -> list[str]:
    """The names that a statement of a module or class defines."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [one.asname or one.name for one in names]
        case ast.Assign(targets=targets):
            return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    return []


def _names(scope: ast.Module, one: Change) -> dict[str, str]:
    if not one.variables:
        return {}
    declared, actual = one.variables.split(), variables_of(scope)
    if len(declared) != len(actual):
        raise Stale(
            f"{one.module}.{one.scope} has {len(actual)} local variables, expected {len(declared)}: {one.variables}"
        )
    return dict(zip(declared, actual, strict=True))


def variables_of(scope: ast.Module) -> list[str]:
    """The names of the local variables of a function, in the order in which the tree first binds them."""
    found: dict[str, None] = {}
    for node in in_order(scope):
        match node:
            case (
                ast.arg(arg=name)
                | ast.Name(id=name, ctx=ast.Store())
                | ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                found[name] = None
    return [name for name in found if name not in {"self", "cls", "_"}]


class _Replacement:
    """What is put in place of a match."""

    def __init__(self, parents: Mapping[ast.AST, ast.AST], match: Match) -> None:
        self._parents = parents
        self._match = match

    def put(self, new: str) -> None:
        """Put the new code into the tree."""
        target = self._match.bound[TARGET]
        if new in _COMPARISONS:
            target.ops = [_COMPARISONS[new]()]
        elif new in _OPERATORS:
            target.op = _OPERATORS[new]()
        else:
            self._put_code(target, ast.parse(new).body)

    def _put_code(self, target: ast.AST, code: list[ast.stmt]) -> None:
        parent = self._parents[target]
        if isinstance(parent, ast.Expr) and not (len(code) == 1 and isinstance(code[0], ast.Expr)):
            target = parent  # a call that is a statement
        new = [_Filled(self._match, target).visit(one) for one in code]
        if not isinstance(target, ast.stmt):
            new = [one.value for one in new]
            if isinstance(getattr(target, "ctx", None), ast.Store):
                new = [_stored(one) for one in new]
        for one in new:
            ast.fix_missing_locations(one)
        self._exchange(target, new)

    def _exchange(self, target: ast.AST, new: Sequence[ast.AST]) -> None:
        parent = self._parents[target]
        if isinstance(parent, ast.keyword) and not new:
            target, parent = parent, self._parents[parent]
        if isinstance(parent, ast.Dict) and target in parent.values and not new:
            del parent.keys[parent.values.index(target)]
        if isinstance(parent, ast.BoolOp):
            new = [inner for one in new for inner in _operands(parent.op, one)]
        for name, value in ast.iter_fields(parent):
            if value is target:
                setattr(parent, name, new[0] if new else None)
            elif isinstance(value, list) and target in value:
                place = value.index(target)
                value[place : place + 1] = new
                if not value and name == "body":
                    value.append(ast.copy_location(ast.Pass(), target))
        if isinstance(parent, ast.BoolOp) and len(parent.values) == 1:
            self._exchange(parent, parent.values)


class _Filled(ast.NodeTransformer):
    """New code with what its wildcards stand for."""

    def __init__(self, match: Match, target: ast.AST) -> None:
        self._bound = {**match.bound, TARGET: target}
        self._names = match.names

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """A statement that is a wildcard."""
        kept = self._kept(node.value)
        return copy.deepcopy(kept) if isinstance(kept, ast.stmt) else self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        kept = self._kept(node)
        if kept is None:
            return ast.Name(self._names.get(node.id, node.id), node.ctx)
        kept = copy.deepcopy(kept)
        if hasattr(kept, "ctx"):
            kept.ctx = node.ctx
        return kept

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(self._names.get(node.arg, node.arg), node.annotation)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """`_0 and x` of a conjunction is a longer one."""
        kept = [isinstance(one, ast.Name) for one in node.values]
        self.generic_visit(node)
        several = [
            _operands(node.op, one) if inner else [one] for one, inner in zip(node.values, kept, strict=True)
        ]
        node.values = [one for inner in several for one in inner]
        return node

    def visit_Starred(self, node: ast.Starred) -> ast.AST | list[ast.expr]:
        """`(*_0, x)` of a tuple is a longer one."""
        kept = self._kept(node.value)
        if isinstance(kept, ast.Tuple | ast.List | ast.Set):
            return copy.deepcopy(kept.elts)
        return self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        """`{**_0, "key": x}` of a dictionary is a longer one."""
        pairs: list[tuple[ast.expr | None, ast.expr]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            kept = self._kept(value)
            if key is None and isinstance(kept, ast.Dict):
                pairs += zip(kept.keys, kept.values, strict=True)
            else:
                pairs.append((self.visit(key) if key else None, self.visit(value)))
        return ast.Dict([key for key, _ in pairs], [value for _, value in pairs])

    def _kept(self, node: ast.AST) -> ast.AST | None:
        return self._bound.get(node.id) if isinstance(node, ast.Name) else None


def _stored(node: ast.AST) -> ast.AST:
    """The same as what is assigned to."""
    if hasattr(node, "ctx"):
        node.ctx = ast.Store()
    for one in node.elts if isinstance(node, ast.Tuple | ast.List) else ():
        _stored(one)
    return node


def _operands(op: ast.boolop, value: ast.AST) -> list[ast.AST]:
    return [*value.values] if isinstance(value, ast.BoolOp) and type(value.op) is type(op) else [value]
