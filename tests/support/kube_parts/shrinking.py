"""A question made smaller while its answers differ in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.support.kube_parts.asked import Asked

Json = Any
Put = Callable[[Json, Json], Asked]
"""Puts objects and an ask to both; raises what the built-in raises."""


def smallest(one: Asked, put: Put) -> Asked:
    """Without any action or object that the difference does not need."""
    shrunk = True
    while shrunk:
        shrunk = False
        for objects, ask in _smaller(one):
            tried = _tried(put, objects, ask)
            if tried is not None and tried.difference == one.difference:
                one, shrunk = tried, True
                break
    return one


def _smaller(one: Asked) -> Iterator[tuple[Json, Json]]:
    actions = one.ask.get("actions", ())
    for place in range(len(actions)):
        yield one.objects, {**one.ask, "actions": [*actions[:place], *actions[place + 1 :]]}
    for name, several in one.objects.items():
        for place in range(len(several)):
            yield {**one.objects, name: [*several[:place], *several[place + 1 :]]}, one.ask


def _tried(put: Put, objects: Json, ask: Json) -> Asked | None:
    try:
        return put(objects, ask)
    except (KeyError, ValueError):
        return None
