"""The shrinking loop for scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import msgspec

from dra_conform.fuzz.multi_step.cluster_scenario import RandomStory
from dra_conform.fuzz.shrinking.field_path import FieldPath, value_at

Json = Any

LIMIT = 120
"""How often both implementations are told a story at most to make one plainer."""

_KEPT = frozenset(
    {"apiVersion", "kind", "name", "namespace", "metadata", "do", "of", "object", "spec", "groups"}
)
"""Fields without which nothing is left to write, or another object is meant."""


def shrink_story(
    story: RandomStory, act: int, shows: Callable[[RandomStory], bool], *, limit: int = LIMIT
) -> RandomStory:
    """Follow every simplification after which `shows` still holds, until none is left or `limit` is met.

    What comes after the act is left out from the beginning.
    """
    asked = 0
    if limit and act + 1 < len(story.actions):
        cut = replace(story, actions=story.actions[: act + 1])
        asked += 1
        story = cut if shows(cut) else story
    again = True
    while again:
        again = False
        place = 0
        while True:
            candidate = _nth(_simpler(story), place)
            if candidate is None:
                break
            if asked >= limit:
                return story
            asked += 1
            if shows(candidate):
                story = candidate
                again = True
            else:
                place += 1
    return story


def _nth(candidates: Iterator[RandomStory], place: int) -> RandomStory | None:
    for number, candidate in enumerate(candidates):
        if number == place:
            return candidate
    return None


def _simpler(story: RandomStory) -> Iterator[RandomStory]:
    """With one thing less: all gates, an action, an object, a gate, a field or an item of what is written."""
    if len(story.gates) > 1:
        yield replace(story, gates={})
    for place in reversed(range(len(story.actions) - 1)):
        yield replace(story, actions=(*story.actions[:place], *story.actions[place + 1 :]))
    for name, several in story.objects.items():
        for place in range(len(several)):
            left = (*several[:place], *several[place + 1 :])
            objects = {**story.objects, name: left}
            yield replace(story, objects={kind: some for kind, some in objects.items() if some})
    for gate in story.gates:
        yield replace(story, gates={name: on for name, on in story.gates.items() if name != gate})
    yield from _without_fields(story)


def _without_fields(story: RandomStory) -> Iterator[RandomStory]:
    whole = {"objects": story.objects, "actions": list(story.actions)}
    text = msgspec.json.encode(whole)
    for path in list(_removable(msgspec.json.decode(text), ())):
        copy = msgspec.json.decode(text)
        del value_at(copy, path[:-1])[path[-1]]
        objects = {name: tuple(several) for name, several in copy["objects"].items()}
        yield replace(story, objects=objects, actions=tuple(copy["actions"]))


def _removable(value: Json, path: FieldPath) -> Iterator[FieldPath]:
    """What may go, outer things before those inside them; whole objects and actions have gone before."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if len(path) > 2 and name not in _KEPT:
                yield (*path, name)
            if name != "of":
                yield from _removable(inner, (*path, name))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            if len(path) > 2 and len(value) <= 40:
                yield (*path, place)
            yield from _removable(inner, (*path, place))
