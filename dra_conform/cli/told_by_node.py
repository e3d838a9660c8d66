"""What was said on each node, nodes of which the same was said together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dra_conform.kube.listing import listed


def told_by_node(reasons: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Lines, indented by two. `reasons` has the lines of each node; the first is what came of it."""
    nodes: dict[tuple[str, ...], list[str]] = {}
    for node, said in reasons.items():
        nodes.setdefault(tuple(said), []).append(node)
    for (head, *lines), names in nodes.items():
        yield f"  {_named(names)}: {head}"
        yield from (f"  {line}" for line in lines)


def _named(nodes: Sequence[str]) -> str:
    return f"node {nodes[0]}" if len(nodes) == 1 else f"{len(nodes)} nodes ({listed(nodes)})"
