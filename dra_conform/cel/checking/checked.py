"""The result of the type checker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.syntax.ast import Call, SyntaxNode
from dra_conform.cel.values.types import Type


@dataclass(frozen=True, slots=True)
class Checked:
    """A checked expression: the tree with resolved names, and the type of each node.

    `overloads` has the overloads that may apply to each call: exactly one unless an argument is dyn.
    """

    root: SyntaxNode
    types: Mapping[SyntaxNode, Type]
    overloads: Mapping[Call, tuple[Overload, ...]]
