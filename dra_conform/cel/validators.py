"""Literals that Kubernetes checks when it compiles: durations, timestamps and regular expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dra_conform.cel.ast import Call, Checked, Literal
from dra_conform.cel.clock import parse_duration, parse_timestamp
from dra_conform.cel.cost import walk
from dra_conform.cel.errors import EvaluationError
from dra_conform.cel.regex import compile_regex
from dra_conform.cel.source import Problem

_CHECKS: Mapping[str, tuple[int, Callable[[str], object]]] = {
    "duration": (0, parse_duration),
    "timestamp": (0, parse_timestamp),
    "matches": (-1, compile_regex),
}


def problems(checked: Checked) -> tuple[Problem, ...]:
    """One problem for each literal argument that its function cannot read."""
    found: list[Problem] = []
    for node in walk(checked.root):
        if not isinstance(node, Call) or node.function not in _CHECKS or not node.args:
            continue
        position, parse = _CHECKS[node.function]
        argument = node.args[position]
        if isinstance(argument, Literal) and isinstance(argument.value, str):
            try:
                parse(argument.value)
            except EvaluationError:
                found.append(Problem(argument.offset, f"invalid {node.function} argument"))
    return tuple(found)
