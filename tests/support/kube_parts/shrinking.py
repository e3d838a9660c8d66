"""Shrink a request while its answers differ in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dra_conform.kube.json_values import Json
from tests.support.kube_parts.answered_request import AnsweredRequest

Put = Callable[[Json, Json], AnsweredRequest]
"""Sends objects and an ask to both. Raises what the built-in raises."""


def smallest(asked: AnsweredRequest, put: Put) -> AnsweredRequest:
    """Return the request without the actions and objects that the difference does not need."""
    shrunk = True
    while shrunk:
        shrunk = False
        for objects, ask in _smaller(asked):
            tried = _tried(put, objects, ask)
            if tried is not None and tried.difference == asked.difference:
                asked, shrunk = tried, True
                break
    return asked


def _smaller(asked: AnsweredRequest) -> Iterator[tuple[Json, Json]]:
    actions = asked.ask.get("actions", ())
    for place in range(len(actions)):
        yield asked.objects, {**asked.ask, "actions": [*actions[:place], *actions[place + 1 :]]}
    for name, several in asked.objects.items():
        for place in range(len(several)):
            yield {**asked.objects, name: [*several[:place], *several[place + 1 :]]}, asked.ask


def _tried(put: Put, objects: Json, ask: Json) -> AnsweredRequest | None:
    try:
        return put(objects, ask)
    except (KeyError, ValueError):
        return None
