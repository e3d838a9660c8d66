"""Pod templates in objects of unknown kinds such as MPIJob, recognized by their fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod

import msgspec

from dra_conform.kube.core import PodSpec
from dra_conform.kube.json_values import Json
from dra_conform.kube.yaml import Path

_COUNTS = ("replicas", "parallelism")
_NAMES = ("name", "groupName")
_LEADER = "leaderTemplate"
_GROUP_TEMPLATES = (_LEADER, "workerTemplate")
_IGNORED_ROLES = frozenset({"spec", "template"})
_FIELDS = frozenset(field.encode_name for field in msgspec.structs.fields(PodSpec))


@dataclass(frozen=True, slots=True)
class TemplateByShape:
    """A part of an object that looks like a pod template.

    `path` leads to its pod spec. `role` distinguishes the templates of one object, such as `worker`. `count`
    is the product of `replicas` and `parallelism` of its parents, 1 if there are none; `completions` next to
    `parallelism` is a limit, and `suspended` parents have no pods. `template` has `spec` and, if present next
    to it, `metadata`; it need not be a valid template.
    """

    path: Path
    role: str
    count: int
    template: Mapping[str, Json]
    suspended: bool = False


def templates_by_shape(raw: Mapping[str, Json]) -> tuple[TemplateByShape, ...]:
    """Return every part below `spec` or `template` with a list `containers` of objects with names."""
    return tuple(
        template
        for start in ("spec", "template")
        if isinstance(raw.get(start), Mapping)
        for template in _below(raw[start], raw, (start,), "", _Parents())
    )


@dataclass(frozen=True, slots=True)
class _Parents:
    """The number of copies of a part, and whether a parent is suspended."""

    count: int = 1
    suspended: bool = False

    def of_parts(self, value: Mapping[str, Json]) -> _Parents:
        """Return the same for the parts of a map."""
        numbers = {name: value[name] for name in _COUNTS if isinstance(value.get(name), int)}
        completions = value.get("completions")
        if isinstance(completions, int) and completions < numbers.get("parallelism", 1):
            numbers["parallelism"] = completions
        suspended = self.suspended or value.get("suspend") is True
        return _Parents(self.count * prod(numbers.values()), suspended)


def _below(value: Json, parent: Json, path: Path, role: str, parents: _Parents) -> Iterator[TemplateByShape]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, Mapping):
                item_name = next((item[name] for name in _NAMES if isinstance(item.get(name), str)), "")
                yield from _below(item, value, (*path, index), _word(item_name) or f"{role}-{index}", parents)
        return
    if not isinstance(value, Mapping):
        return
    if _is_pod_spec(value):
        siblings = {} if path[-1] != "spec" or len(path) == 1 else {"metadata": parent.get("metadata") or {}}
        spec = {name: value[name] for name in value if name in _FIELDS}
        count = 0 if parents.suspended else parents.count
        yield TemplateByShape(path, role, count, {**siblings, "spec": spec}, parents.suspended)
        return
    for name, item in value.items():
        item_role = role if name in _IGNORED_ROLES else _word(name)
        copies = parents.of_parts(value)
        if name in _GROUP_TEMPLATES:
            copies = replace(copies, count=copies.count * _members(name, value))
        yield from _below(item, value, (*path, name), item_role, copies)


def _members(name: str, group: Mapping[str, Json]) -> int:
    """Return the number of pods of a template in each group of a LeaderWorkerSet.

    `size` includes the leader, which has the template of the workers if there is no `leaderTemplate`.
    """
    size = group.get("size")
    if name == _LEADER or not isinstance(size, int) or size < 1:
        return 1
    return size - 1 if _LEADER in group else size


def _is_pod_spec(value: Mapping[str, Json]) -> bool:
    containers = value.get("containers")
    return (
        isinstance(containers, list)
        and bool(containers)
        and all(
            isinstance(container, Mapping) and isinstance(container.get("name"), str)
            for container in containers
        )
    )


def _word(text: str) -> str:
    """Return a string with only the characters that pod names allow."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
