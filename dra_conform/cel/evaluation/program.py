"""A program: a compiled expression that can be evaluated on devices."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache

from dra_conform.cel.checking import validators
from dra_conform.cel.checking.checker import Checked, check
from dra_conform.cel.checking.environment import FULL, Environment
from dra_conform.cel.evaluation.cost import COST, countless
from dra_conform.cel.evaluation.planner import Plan, plan_of
from dra_conform.cel.syntax.issues import MAX_DEPTH, Issue, compile_error
from dra_conform.cel.syntax.parser import parse
from dra_conform.cel.values.cel_errors import CompileError, EvaluationError
from dra_conform.cel.values.device import DeviceView
from dra_conform.cel.values.types import BOOL, Type
from dra_conform.cel.values.value import Value, type_of

_FRAMES = 40 * MAX_DEPTH
"""The most Python stack frames that an expression of MAX_DEPTH needs."""


@dataclass(frozen=True, slots=True)
class Program:
    """A compiled device selector: source, checked tree, type (bool or the type of attributes) and plan."""

    source: str
    ast: Checked
    type: Type
    _plan: Plan = field(repr=False)

    def evaluate(self, device: DeviceView) -> bool:
        """Whether the device matches. Raises EvaluationError if the expression fails on it."""
        result = self.value(device)
        if result is True or result is False:
            return bool(result)
        raise EvaluationError(f"CEL result of type {type_of(result).name} could not be converted to bool")

    def cost(self, device: DeviceView) -> int:
        """Return the exact cost of one evaluation, in cost units. Raise EvaluationError as `value` does."""
        with _deep_stack():
            plan = self._plan if self._plan.counting else plan_of(self.ast, counting=True)
            frame: list[Value] = [device, 0, *plan.locals]
            plan.run(frame)
        return int(frame[COST])

    def value(self, device: DeviceView) -> Value:
        """Return the result, which may have any type. Raise EvaluationError if the expression fails."""
        plan = self._plan
        try:
            return plan.run([device, 0, *plan.locals])
        except RecursionError:
            with _deep_stack():
                return plan.run([device, 0, *plan.locals])


@lru_cache(maxsize=4096)
def compile(  # noqa: A001 -- its name in every CEL library
    expression: str, environment: Environment = FULL
) -> Program:
    """Compile a device selector. Raise CompileError, also if its type is not bool."""
    program = compile_any(expression, environment)
    if program.type not in {BOOL, environment.attribute}:
        raise CompileError(f"must evaluate to bool or the unknown type, not {program.type}")
    return program


def compile_any(expression: str, environment: Environment = FULL) -> Program:
    """Compile an expression of any type, without a cache. Raise CompileError."""
    with _deep_stack():
        try:
            root = parse(expression)
            checked, issues = check(root, environment)
        except Issue as e:
            raise compile_error(expression, [e]) from None
        issues = issues or validators.issues_of(checked)
        if issues:
            raise compile_error(expression, issues)
        counting = not countless(checked.root, len(expression))
        plan = plan_of(checked, counting)
        return Program(expression, checked, checked.types[checked.root], plan)


def interpret(program: Program, devices: Iterable[DeviceView]) -> Iterator[bool | None]:
    """Yield whether each device matches, None for a runtime error, without columns."""
    evaluate = program.evaluate
    for device in devices:
        try:
            yield evaluate(device)
        except EvaluationError:
            yield None


@contextmanager
def _deep_stack() -> Iterator[None]:
    """Raise Python's recursion limit, so that an expression of the allowed depth can be evaluated."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _depth() + _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _depth() -> int:
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    return depth
