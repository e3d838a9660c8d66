"""Macro expansion. It happens in the parser, before type checking."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dra_conform.cel.functions.lists import SORT_BY
from dra_conform.cel.syntax.ast import (
    Call,
    Comprehension,
    Ident,
    ListLiteral,
    Literal,
    MapLiteral,
    Select,
    SyntaxNode,
)
from dra_conform.cel.syntax.issues import Issue

_ACCUMULATOR = "@result"
_UNUSED = "#unused"


def expand(call: Call) -> SyntaxNode | None:
    """Return the expansion of a macro call, None if the call is not a macro.

    Raise Issue for a misused macro.
    """
    if call.target is None:
        return _has(call) if call.function == "has" and len(call.args) == 1 else None
    if isinstance(call.target, Ident) and call.target.name == "cel":
        return _bind(call) if call.function == "bind" and len(call.args) == 3 else None
    macro = _MACROS.get((call.function, len(call.args)))
    return macro(call, call.target) if macro else None


def _has(call: Call) -> SyntaxNode:
    field = call.args[0]
    if not isinstance(field, Select) or field.test_only:
        raise Issue(call.offset, "invalid argument to has() macro")
    return Select(field.operand, field.field, call.offset, test_only=True)


def _bind(call: Call) -> SyntaxNode:
    return bound(_variable(call.args[0]), call.args[1], call.args[2], call.offset)


def bound(name: str, value: SyntaxNode, body: SyntaxNode, at: int) -> Comprehension:
    """Return `body` with `name` bound to `value`: a loop over an empty list with `name` as accumulator."""
    return Comprehension(
        "cel.bind",
        _UNUSED,
        None,
        ListLiteral((), at),
        name,
        value,
        Literal(False, at),
        Ident(name, at),
        body,
        at,
    )


def _variable(node: SyntaxNode) -> str:
    if isinstance(node, Ident):
        return node.name
    raise Issue(getattr(node, "offset", 0), "argument must be a simple name")


def _variables(call: Call, count: int) -> tuple[str, str | None]:
    names = [_variable(a) for a in call.args[:count]]
    if len(set(names)) < len(names):
        raise Issue(call.offset, f"duplicate variable name: {names[0]}")
    for name, node in zip(names, call.args, strict=False):
        if name == _ACCUMULATOR:
            raise Issue(node.offset, "iteration variable overwrites accumulator variable")
    return names[0], names[1] if count == 2 else None


def _op(function: str, at: int, *args: SyntaxNode) -> SyntaxNode:
    return Call(function, None, args, at)


def _fold(call: Call, names: tuple[str, str | None], *parts: SyntaxNode) -> SyntaxNode:
    """Return a loop. `parts` are its source, start, condition, step and result."""
    source, start, condition, step, result = parts
    return Comprehension(
        call.function, names[0], names[1], source, _ACCUMULATOR, start, condition, step, result, call.offset
    )


def _result(at: int) -> SyntaxNode:
    return Ident(_ACCUMULATOR, at)


def _all(variables: int) -> Callable[[Call, SyntaxNode], SyntaxNode]:
    def macro(call: Call, source: SyntaxNode) -> SyntaxNode:
        at = call.offset
        go_on = _op("@not_strictly_false", at, _result(at))
        step = _op("_&&_", at, _result(at), call.args[-1])
        return _fold(call, _variables(call, variables), source, Literal(True, at), go_on, step, _result(at))

    return macro


def _exists(variables: int) -> Callable[[Call, SyntaxNode], SyntaxNode]:
    def macro(call: Call, source: SyntaxNode) -> SyntaxNode:
        at = call.offset
        go_on = _op("@not_strictly_false", at, _op("!_", at, _result(at)))
        step = _op("_||_", at, _result(at), call.args[-1])
        return _fold(call, _variables(call, variables), source, Literal(False, at), go_on, step, _result(at))

    return macro


def _exists_one(variables: int) -> Callable[[Call, SyntaxNode], SyntaxNode]:
    def macro(call: Call, source: SyntaxNode) -> SyntaxNode:
        at = call.offset
        more = _op("_+_", at, _result(at), Literal(1, at))
        step = _op("_?_:_", at, call.args[-1], more, _result(at))
        result = _op("_==_", at, _result(at), Literal(1, at))
        names = _variables(call, variables)
        return _fold(call, names, source, Literal(0, at), Literal(True, at), step, result)

    return macro


def _building(
    variables: int,
    empty: Callable[[int], SyntaxNode],
    grown: Callable[[int, Sequence[SyntaxNode], str], SyntaxNode],
    filtered: bool,
) -> Callable[[Call, SyntaxNode], SyntaxNode]:
    """Return a macro that adds each element to its accumulator, or only the elements that pass a filter."""

    def macro(call: Call, source: SyntaxNode) -> SyntaxNode:
        at = call.offset
        names = _variables(call, variables)
        step = grown(at, call.args, names[0])
        if filtered:
            step = _op("_?_:_", at, call.args[variables], step, _result(at))
        return _fold(call, names, source, empty(at), Literal(True, at), step, _result(at))

    return macro


def _empty_list(at: int) -> SyntaxNode:
    return ListLiteral((), at)


def _empty_map(at: int) -> SyntaxNode:
    return MapLiteral((), at)


def _appended(at: int, args: Sequence[SyntaxNode], _: str) -> SyntaxNode:
    return _op("_+_", at, _result(at), ListLiteral((args[-1],), at))


def _kept(at: int, _: Sequence[SyntaxNode], name: str) -> SyntaxNode:
    return _op("_+_", at, _result(at), ListLiteral((Ident(name, at),), at))


def _inserted(at: int, args: Sequence[SyntaxNode], name: str) -> SyntaxNode:
    return _op("cel.@mapInsert", at, _result(at), Ident(name, at), args[-1])


def _merged(at: int, args: Sequence[SyntaxNode], _: str) -> SyntaxNode:
    return _op("cel.@mapInsert", at, _result(at), args[-1])


def _opt(flat: bool) -> Callable[[Call, SyntaxNode], SyntaxNode]:
    def macro(call: Call, target: SyntaxNode) -> SyntaxNode:
        at = call.offset
        inner: SyntaxNode = bound(_variable(call.args[0]), Call("value", target, (), at), call.args[1], at)
        if not flat:
            inner = _op("optional.of", at, inner)
        return _op("_?_:_", at, Call("hasValue", target, (), at), inner, _op("optional.none", at))

    return macro


def _sort_by(call: Call, source: SyntaxNode) -> SyntaxNode:
    at = call.offset
    sorted_list = Ident(_SORTED, at)
    keys = _building(1, _empty_list, _appended, False)(Call("map", sorted_list, call.args, at), sorted_list)
    return bound(_SORTED, source, Call(SORT_BY, sorted_list, (keys,), at), at)


_SORTED = "@__sortBy_input__"

_MACROS: dict[tuple[str, int], Callable[[Call, SyntaxNode], SyntaxNode]] = {
    ("all", 2): _all(1),
    ("exists", 2): _exists(1),
    ("exists_one", 2): _exists_one(1),
    ("existsOne", 2): _exists_one(1),
    ("map", 2): _building(1, _empty_list, _appended, False),
    ("map", 3): _building(1, _empty_list, _appended, True),
    ("filter", 2): _building(1, _empty_list, _kept, True),
    ("all", 3): _all(2),
    ("exists", 3): _exists(2),
    ("exists_one", 3): _exists_one(2),
    ("existsOne", 3): _exists_one(2),
    ("transformList", 3): _building(2, _empty_list, _appended, False),
    ("transformList", 4): _building(2, _empty_list, _appended, True),
    ("transformMap", 3): _building(2, _empty_map, _inserted, False),
    ("transformMap", 4): _building(2, _empty_map, _inserted, True),
    ("transformMapEntry", 3): _building(2, _empty_map, _merged, False),
    ("transformMapEntry", 4): _building(2, _empty_map, _merged, True),
    ("sortBy", 2): _sort_by,
    ("optMap", 2): _opt(False),
    ("optFlatMap", 2): _opt(True),
}
