"""One overload of a function: its types for the checker and its meaning for the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dra_conform.cel.values.types import Type
from dra_conform.cel.values.value import Value

Cost = Callable[[tuple[Value, ...], Value], int]
"""From the arguments (receiver first) and the result to cost units."""


@dataclass(frozen=True, slots=True)
class Overload:
    """`name` is the function's, with its namespace if it has one (`sets.contains`).

    `params` begins with the receiver when `member`. `call` takes one value for each of `params` and raises
    EvaluationError. `cost` None means one unit. A parameter of type dyn takes any value; `call` then does
    its own checks.
    """

    name: str
    member: bool
    params: tuple[Type, ...]
    result: Type
    call: Callable[..., Value]
    cost: Cost | None = None
