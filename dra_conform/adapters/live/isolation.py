"""The isolation that a scenario needs: which scenarios may run at the same time on one cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

from dra_conform.controlplane.simulation.components import APISERVER
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.objects import COLLECTIONS

Json = Any
Objects = Mapping[str, Sequence[Json]]

_OF_COMPONENTS = ("set-gates", "set-version", "restart")
_RULE = "DeviceTaintRule"
_SELECTOR = "spec.deviceSelector"


class Isolation(IntEnum):
    """Beside whom a story is told. Those of one sort may be told side by side, one sort after the other."""

    ONLY_WRITES = 0
    """Nobody but the API server has a part in them, so that they notice nothing of each other."""
    OWN_OBJECTS = 1
    """They come to rest with objects of their own, which nobody else's writes can reach."""
    WHOLE_CLUSTER = 2
    """They touch components, or could reach devices of others."""


def isolation_of(objects: Objects, ask: Mapping[str, Json]) -> Isolation:
    """The company in which a story can be told."""
    actions = ask["actions"]
    if ask.get("components") or any(one["do"] in _OF_COMPONENTS for one in actions):
        return Isolation.WHOLE_CLUSTER
    if has_only_writes(objects, ask):
        return Isolation.ONLY_WRITES
    given = objects.get(COLLECTIONS[_RULE], ())
    selectors = [field_at(raw, _SELECTOR) for raw in given] + [_selector_in(action) for action in actions]
    return Isolation.WHOLE_CLUSTER if any(map(_reaches_all, selectors)) else Isolation.OWN_OBJECTS


def has_only_writes(objects: Objects, ask: Mapping[str, Json]) -> bool:
    """Whether nobody but the API server has a part in a story, which never comes to rest."""
    others = {name for action in ask["actions"] for name in action.get("components", ())} - {APISERVER}
    waits = any(action["do"] in ("settle", "advance") for action in ask["actions"])
    return not (waits or others or ask.get("components") or objects.get("nodes") or objects.get("pods"))


def _selector_in(action: Mapping[str, Json]) -> Json:
    """What an action says of the devices of a taint rule; a change of single fields may say anything."""
    about = action.get("object") or action.get("of") or {}
    if about.get("kind") != _RULE:
        return ABSENT
    return {} if action["do"] == "change" else field_at(action.get("patch") or about, _SELECTOR)


def _reaches_all(selector: Json) -> bool:
    """Whether a rule is not about the devices of one driver; without a selector it is about none."""
    return isinstance(selector, Mapping) and not selector.get("driver")
