"""The planner: compiles a checked tree to Python closures. They define the semantics of an expression."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.cel.checking.checker import Checked
from dra_conform.cel.checking.environment import TYPE_NAMES, VARIABLE
from dra_conform.cel.evaluation import access, logic
from dra_conform.cel.evaluation.calls import applied, chooser, counted, dispatched
from dra_conform.cel.evaluation.cost import DEVICE, LIST_LITERAL, LOCALS, MAP_LITERAL, Closure, charged
from dra_conform.cel.evaluation.lists_and_maps import (
    Slots,
    bound,
    constant,
    converted,
    fold,
    folded,
    is_constant,
    list_of_closures,
    map_of_closures,
    released,
)
from dra_conform.cel.evaluation.trusted_kinds import ACCESS, is_attribute, is_ternary, trusted
from dra_conform.cel.functions.overloads import Overload
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
from dra_conform.cel.values.cel_errors import CompileError, EvaluationError
from dra_conform.cel.values.equality import SET_KINDS
from dra_conform.cel.values.types import DYN, Type
from dra_conform.cel.values.value import Value


@dataclass(frozen=True, slots=True)
class Plan:
    """A compiled expression. `run` takes the frame `[device, 0, *locals]`.

    With `counting` it adds the cost of the evaluation to the second slot.
    """

    run: Closure
    locals: tuple[None, ...]
    counting: bool


def plan_of(checked: Checked, counting: bool) -> Plan:
    """Compile an expression to closures. Raise CompileError if the conversion of a constant fails."""
    planner = _Planner(checked, counting)
    run = planner.node(checked.root, {})
    return Plan(run, (None,) * (planner.slots - LOCALS), counting)


_ORDERINGS = ("_<_", "_<=_", "_>_", "_>=_")
_ALTERNATIVES = frozenset({"or", "orValue"})
_EQUALITY = ("_==_", "_!=_")
_SIMPLE = frozenset({str, int, bool})


class _Planner:
    def __init__(self, checked: Checked, counting: bool) -> None:
        self._checked = checked
        self._counting = counting
        self.slots = LOCALS

    def _charged(self, closure: Closure, units: int) -> Closure:
        return charged(closure, units) if self._counting and units else closure

    def _type(self, node: SyntaxNode, scope: Slots) -> Type:
        """Return the static type if values are guaranteed to have it, otherwise dyn."""
        return self._checked.types[node] if trusted(node, self._checked, scope.keys()) else DYN

    def node(self, node: SyntaxNode, scope: Slots) -> Closure:
        """Return the closure of a node, with its full cost."""
        closure = self._part(node, scope)
        return self._charged(closure, 1) if is_attribute(node) else closure

    def _part(self, node: SyntaxNode, scope: Slots) -> Closure:
        """Return the closure of a node, without the unit for an attribute, which the caller charges."""
        match node:
            case Literal():
                return constant(node.value)
            case Ident():
                return self._ident(node, scope)
            case Select():
                return self._select(node, scope)
            case Call():
                return self._call(node, scope)
            case ListLiteral():
                items = [self.node(e, scope) for e in node.elements]
                return self._literal(node, list_of_closures(items, node.optional), LIST_LITERAL)
            case MapLiteral():
                entries = [
                    (self.node(e.key, scope), self.node(e.value, scope), e.optional) for e in node.entries
                ]
                return self._literal(node, map_of_closures(entries), MAP_LITERAL)
            case Comprehension():
                return self._fold(node, scope)

    def _literal(self, node: SyntaxNode, closure: Closure, units: int) -> Closure:
        return folded(closure) if is_constant(node) else self._charged(closure, units)

    def _ident(self, node: Ident, scope: Slots) -> Closure:
        if node.name in scope:
            return released(scope[node.name])
        if node.name == VARIABLE:
            return lambda frame: frame[DEVICE]
        return constant(TYPE_NAMES[node.name])

    def _select(self, node: Select, scope: Slots) -> Closure:
        operand = self._part(node.operand, scope)
        if isinstance(node.operand, Ident) and node.operand.name == VARIABLE and VARIABLE not in scope:
            closure = access.device_field(node.field, node.test_only)
        elif node.test_only:
            closure = access.presence(operand, node.field)
        else:
            fixed = self._type(node.operand, scope).name == "map"
            closure = access.selection(operand, node.field, fixed)
        return self._charged(closure, 1)

    def _call(self, node: Call, scope: Slots) -> Closure:
        name, args = node.function, node.args
        if name == "_?_:_":
            condition = self.node(args[0], scope)
            return logic.ternary(condition, self._part(args[1], scope), self._part(args[2], scope))
        if name in ACCESS:
            return self._access(node, scope)
        if name in {"_&&_", "_||_"}:
            left, right = (self.node(a, scope) for a in args)
            return logic.conjunction(left, right) if name == "_&&_" else logic.disjunction(left, right)
        if name == "@not_strictly_false":
            return self._charged(logic.not_strictly_false(self.node(args[0], scope)), 1)
        if name == "@in" and (fast := self._constant_membership(node, scope)):
            return fast
        if name in _ALTERNATIVES and node.target is not None:
            unwrap = name == "orValue"
            closure = logic.alternative(self.node(node.target, scope), self.node(args[0], scope), unwrap)
            return self._charged(closure, 1)
        if not self._counting:
            if name in _EQUALITY:
                return self._equality(node, scope)
            if name in _ORDERINGS:
                return logic.comparison(name, self.node(args[0], scope), self.node(args[1], scope))
        return self._function(node, scope)

    def _access(self, node: Call, scope: Slots) -> Closure:
        operand = self._part(node.args[0], scope)
        key = node.args[1]
        optional = node.function != "_[_]"
        if isinstance(key, Literal):
            if not optional and isinstance(key.value, str):
                fixed = self._type(node.args[0], scope).name == "map"
                return self._charged(access.selection(operand, key.value, fixed), 1)
            return self._charged(access.indexing(operand, constant(_qualifier(key.value)), optional), 1)
        if is_constant(key):
            _qualifier(self._part(key, scope)([None, 0]))
        # cel-go charges one unit for the key, because it evaluates every key as an attribute.
        closure = access.indexing(operand, self._part(key, scope), optional)
        return self._charged(closure, 0 if is_ternary(key) else 1)

    def _equality(self, node: Call, scope: Slots) -> Closure:
        left, right = node.args
        wanted = node.function == "_==_"
        closures = self.node(left, scope), self.node(right, scope)
        if isinstance(left, Literal) and type(left.value) in _SIMPLE and not isinstance(right, Literal):
            return logic.equals_literal(closures[1], left.value, wanted)
        if isinstance(right, Literal) and type(right.value) in _SIMPLE:
            return logic.equals_on_left(closures[0], right.value, wanted)
        return logic.equality(*closures, wanted)

    def _constant_membership(self, node: Call, scope: Slots) -> Closure | None:
        """Return a lookup without cost for `x in ["a", "b"]`, as in cel-go; None for other operands."""
        where = node.args[1]
        if not isinstance(where, ListLiteral) or where.optional:
            return None
        if not all(isinstance(e, Literal) for e in where.elements):
            return None
        values = tuple(e.value for e in where.elements if isinstance(e, Literal))
        kinds = {type(v) for v in values}
        if len(kinds) > 1 or not kinds <= SET_KINDS:
            return None
        value = self.node(node.args[0], scope)
        return logic.among(value, values) if values else constant(False)

    def _function(self, node: Call, scope: Slots) -> Closure:
        parts = (() if node.target is None else (node.target,)) + node.args
        closures = tuple(self.node(p, scope) for p in parts)
        candidates = self._checked.overloads[node]
        chosen = chooser(node.function, candidates, tuple(self._type(p, scope) for p in parts))
        if not self._counting and isinstance(chosen, Overload):
            closure = applied(chosen.call, closures)
        elif isinstance(chosen, Overload):
            closure = counted(lambda _: chosen, candidates, closures)
        elif self._counting:
            closure = counted(chosen, candidates, closures)
        else:
            closure = dispatched(chosen, closures)
        if is_constant(node):
            return converted(closure)
        if parts and not self._counting and all(isinstance(p, Literal) for p in parts):
            return folded(closure)
        return closure

    def _fold(self, node: Comprehension, scope: Slots) -> Closure:
        names = [node.variable, node.accumulator]
        if node.second is not None:
            names.append(node.second)
        places = {name: self.slots + i for i, name in enumerate(names)}
        self.slots += len(names)
        source, start = self.node(node.source, scope), self.node(node.start, scope)
        inner = {**scope, **places}
        outer = {**scope, node.accumulator: places[node.accumulator]}
        result = self.node(node.result, outer)
        if node.macro == "cel.bind":
            return bound(start, places[node.accumulator], result)
        return fold(
            source=source,
            start=start,
            condition=self.node(node.condition, inner),
            step=self.node(node.step, inner),
            result=result,
            accumulator=places[node.accumulator],
            variable=places[node.variable],
            second=None if node.second is None else places[node.second],
            absorbing=node.macro in {"all", "exists"},
        )


def _qualifier(key: Value) -> Value:
    try:
        return access.qualifier(key)
    except EvaluationError as e:
        raise CompileError(f"program instantiation failed: {e}") from None
