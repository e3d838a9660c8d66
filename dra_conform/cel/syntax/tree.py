"""Traversal of a syntax tree: the children of a node, and all nodes."""

from __future__ import annotations

from dra_conform.cel.syntax.ast import Call, Comprehension, ListLiteral, MapLiteral, Select, SyntaxNode


def children(node: SyntaxNode) -> tuple[SyntaxNode, ...]:
    """Return the direct children of a node."""
    match node:
        case Select():
            return (node.operand,)
        case Call():
            return node.args if node.target is None else (node.target, *node.args)
        case ListLiteral():
            return node.elements
        case MapLiteral():
            return tuple(part for entry in node.entries for part in (entry.key, entry.value))
        case Comprehension():
            return (node.source, node.start, node.condition, node.step, node.result)
        case _:
            return ()


def walk(root: SyntaxNode) -> list[SyntaxNode]:
    """Return all nodes of a tree, each once, also if a macro uses a node twice."""
    seen: dict[SyntaxNode, None] = {}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen[node] = None
            waiting.extend(children(node))
    return list(seen)
