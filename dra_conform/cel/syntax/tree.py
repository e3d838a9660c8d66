"""The nodes of a tree: those directly below one, and all of them."""

from __future__ import annotations

from dra_conform.cel.syntax.ast import Call, Comprehension, ListLiteral, MapLiteral, Select, SyntaxNode


def children(node: SyntaxNode) -> tuple[SyntaxNode, ...]:
    """The direct parts of a node."""
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
    """All nodes of a tree; a part that a macro uses twice is there once."""
    seen: dict[SyntaxNode, None] = {}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen[node] = None
            waiting.extend(children(node))
    return list(seen)
