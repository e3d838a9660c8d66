"""Logic and comparison, compiled to closures. `&&` and `||` absorb an error if the other side decides."""

from __future__ import annotations

from dra_conform.cel.evaluation.cost import Closure, Frame
from dra_conform.cel.functions import standard
from dra_conform.cel.values.cel_errors import Aborted, EvaluationError
from dra_conform.cel.values.equality import contains, equal, hashed, same
from dra_conform.cel.values.value import Optional_, Value


def _deciding(left: Closure, right: Closure, decides: bool) -> Closure:
    other = not decides

    def both(frame: Frame) -> Value:
        try:
            first: Value = left(frame)
        except Aborted:
            raise
        except EvaluationError:
            if _is(right, frame, decides):
                return decides
            raise
        if first is decides:
            return decides
        if first is not other:
            if _is(right, frame, decides):
                return decides
            raise EvaluationError("no such overload")
        second = right(frame)
        if second is decides:
            return decides
        if second is not other:
            raise EvaluationError("no such overload")
        return other

    return both


def _is(closure: Closure, frame: Frame, wanted: bool) -> bool:
    try:
        return closure(frame) is wanted
    except Aborted:
        raise
    except EvaluationError:
        return False


def conjunction(left: Closure, right: Closure) -> Closure:
    """Return a closure for `left && right`. The right side is evaluated only if the left is not false."""
    return _deciding(left, right, False)


def disjunction(left: Closure, right: Closure) -> Closure:
    """Return a closure for `left || right`. The right side is evaluated only if the left is not true."""
    return _deciding(left, right, True)


def ternary(condition: Closure, then: Closure, otherwise: Closure) -> Closure:
    """Return a closure for `condition ? then : otherwise`."""

    def choose(frame: Frame) -> Value:
        decision = condition(frame)
        if decision is True:
            return then(frame)
        if decision is False:
            return otherwise(frame)
        raise EvaluationError("no such overload")

    return choose


def alternative(value: Closure, other: Closure, unwrap: bool) -> Closure:
    """Return a closure for `value.or(other)`, or `orValue` if `unwrap`; `other` is evaluated lazily."""

    def choose(frame: Frame) -> Value:
        v = value(frame)
        if type(v) is not Optional_:
            raise EvaluationError("no such overload")
        if v.present:
            return v.value if unwrap else v
        return other(frame)

    return choose


def not_strictly_false(value: Closure) -> Closure:
    """Return a closure that is false only if the value is false; an error counts as true."""

    def test(frame: Frame) -> bool:
        try:
            return value(frame) is not False
        except Aborted:
            raise
        except EvaluationError:
            return True

    return test


def equals_literal(value: Closure, literal: str | int | bool, wanted: bool) -> Closure:
    """Return a closure for `literal == value`, or for `!=` if `wanted` is false; it never raises an error."""
    if isinstance(literal, str):
        if wanted:
            return lambda frame: bool(value(frame) == literal)
        return lambda frame: bool(value(frame) != literal)
    if isinstance(literal, bool):
        return lambda frame: (value(frame) is literal) is wanted

    def test(frame: Frame) -> bool:
        v = value(frame)
        return ((type(v) is int and v == literal) or equal(literal, v)) is wanted

    return test


def equals_on_left(value: Closure, literal: str | int | bool, wanted: bool) -> Closure:
    """Return a closure for `value == literal`, or for `!=` if `wanted` is false."""
    kind = type(literal)

    def test(frame: Frame) -> bool:
        v = value(frame)
        if type(v) is kind:
            return bool(v == literal) is wanted
        return equal(v, literal) if wanted else not same(v, literal)

    return test


def equality(left: Closure, right: Closure, wanted: bool) -> Closure:
    """Return a closure for `left == right`, or for `!=` if not `wanted`; incomparable values are unequal."""
    if wanted:
        return lambda frame: equal(left(frame), right(frame))
    return lambda frame: not same(left(frame), right(frame))


def comparison(name: str, left: Closure, right: Closure) -> Closure:
    """Return a closure for an ordering operator, such as `_<=_`."""
    test = standard.ordering(name)
    return lambda frame: test(left(frame), right(frame))


def among(value: Closure, constants: tuple[Value, ...]) -> Closure:
    """Return a closure for `value in constants`, with constants of one type in `SET_KINDS`."""
    texts = frozenset(constants) if type(constants[0]) is str else frozenset()

    def test(frame: Frame) -> bool:
        v = value(frame)
        if type(v) is str:
            return v in texts
        return contains(constants, hashed(v))

    return test
