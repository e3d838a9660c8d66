"""The overload of a function: types for the type checker, an implementation, and a cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dra_conform.cel.values.types import Type
from dra_conform.cel.values.value import Value

Cost = Callable[[tuple[Value, ...], Value], int]
"""Computes cost units from the arguments (receiver first) and the result."""


@dataclass(frozen=True, slots=True)
class Overload:
    """One overload of a function. `name` includes the namespace, as in `sets.contains`.

    `params` begins with the receiver if `member`. `call` takes one value for each parameter and raises
    EvaluationError; it must check the values of parameters of type dyn. Without `cost` a call costs one unit.
    """

    name: str
    member: bool
    params: tuple[Type, ...]
    result: Type
    call: Callable[..., Value]
    cost: Cost | None = None
