"""Pod templates in objects of unknown kinds, such as an MPIJob, found by their shape."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from dra_conform.kube.core import PodSpec
from dra_conform.kube.yaml import Path

Json = Any

_COUNTS = ("replicas", "parallelism")
_NAMES = ("name", "groupName")
_SAYS_NOTHING = frozenset({"spec", "template"})
_FIELDS = frozenset(field.encode_name for field in msgspec.structs.fields(PodSpec))


@dataclass(frozen=True, slots=True)
class TemplateByShape:
    """What looks like the template of a pod.

    `path` is where its spec stands. `role` tells templates of one object apart, such as `worker`. `count` is
    the product of `replicas` and `parallelism` on the way there, 1 if there are none. `template` has `spec`
    and, where it stands beside that, `metadata`; it may still be no template that can be decoded.
    """

    path: Path
    role: str
    count: int
    template: Mapping[str, Json]


def templates_by_shape(raw: Mapping[str, Json]) -> tuple[TemplateByShape, ...]:
    """Every map below `spec` or `template` that has `containers`, a list of maps with names."""
    return tuple(
        found
        for start in ("spec", "template")
        if isinstance(raw.get(start), Mapping)
        for found in _below(raw[start], raw, (start,), "", 1)
    )


def _below(value: Json, parent: Json, path: Path, role: str, count: int) -> Iterator[TemplateByShape]:
    if isinstance(value, list):
        for index, one in enumerate(value):
            if isinstance(one, Mapping):
                named = next((one[name] for name in _NAMES if isinstance(one.get(name), str)), "")
                yield from _below(one, value, (*path, index), _word(named) or f"{role}-{index}", count)
        return
    if not isinstance(value, Mapping):
        return
    if _is_pod_spec(value):
        beside = {} if path[-1] != "spec" or len(path) == 1 else {"metadata": parent.get("metadata") or {}}
        spec = {name: value[name] for name in value if name in _FIELDS}
        yield TemplateByShape(path, role, count, {**beside, "spec": spec})
        return
    for name in _COUNTS:
        if isinstance(value.get(name), int):
            count *= value[name]
    for name, one in value.items():
        inner = role if name in _SAYS_NOTHING else _word(name)
        yield from _below(one, value, (*path, name), inner, count)


def _is_pod_spec(value: Mapping[str, Json]) -> bool:
    containers = value.get("containers")
    return (
        isinstance(containers, list)
        and bool(containers)
        and all(isinstance(one, Mapping) and isinstance(one.get("name"), str) for one in containers)
    )


def _word(text: str) -> str:
    """A name as it can stand in the name of a pod."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
