"""Patterns of messages, with `…` for the names and quantities that differ among failures of one cause."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAMED = re.compile(
    r"""
    "[^"]*" | (?<!of\ type\ ) (?<!is\ missing\ ) '[^']*'  # quoted text, but not what a schema expects
    | (?<![\w-]) (?P<kind> ResourceClaim | Pod | claim | device | request | node | pod | pool | slice | set )
      \s (?! (?: does|is|are|has|have|was|must|may|can|that|which|of|in|on|for|to ) \b ) \S*[\w\]]
    | (?<![\w.]) (?P<parents> /([\w./~-]*/)? ) (?= [A-Za-z]+: )  # the parents of a field, whose name stays
    | [\w.-]*/[\w./~\[\]-]+                     # default/c, dra.example.com/pool-1/d1
    | [\w.-]*\d[\w.:-]*                         # r0, 10Gi, 2026-11-20T21:00:00Z
    """,
    re.VERBOSE,
)


def message_pattern(message: str, kept: Iterable[bool] = ()) -> str:
    """Return the pattern of a message: `…` replaces each name, each quantity, and each list of them.

    The kind of a named object stays: `device …`. `kept` says of each name and quantity whether it stays.
    """
    stays = iter(kept)

    def shown(named: re.Match[str]) -> str:
        if next(stays, False):
            return named[0]
        if named["parents"]:
            return "/" if named["parents"] == "/" else "…/"
        return f"{named['kind']} …" if named["kind"] else "…"

    pattern = _NAMED.sub(shown, message)
    return re.sub(r"…(?:[\s,;:]+(?:and\s)?…)+", "…", pattern)


def common_message(message: str, others: Iterable[str]) -> str:
    """Return a message with `…` for the names and quantities that differ among all messages of its pattern.

    If no other message has its pattern, it is the pattern.
    """
    pattern = message_pattern(message)
    similar = {other for other in others if message_pattern(other) == pattern} | {message}
    named = [[found[0] for found in _NAMED.finditer(other)] for other in similar]
    if len(similar) == 1 or len(set(map(len, named))) > 1:
        return pattern
    return message_pattern(message, [len(set(column)) == 1 for column in zip(*named, strict=True)])
