"""The result of the checker: a tree with the types of its nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.syntax.ast import Call, SyntaxNode
from dra_conform.cel.values.types import Type


@dataclass(frozen=True, slots=True)
class Checked:
    """A checked expression: the tree with names resolved, the type of every node of it, and for every call
    the overloads that may apply (one, unless arguments are dyn)."""

    root: SyntaxNode
    types: Mapping[SyntaxNode, Type]
    overloads: Mapping[Call, tuple[Overload, ...]]
