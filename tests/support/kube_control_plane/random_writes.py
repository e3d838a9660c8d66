"""Random writes: creates, updates and status updates of valid and invalid objects."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random

from dra_conform.fuzz.writes.kinds import KINDS, WrittenKind, change
from dra_conform.fuzz.writes.shapes import Json
from dra_conform.fuzz.writes.values import METADATA
from dra_conform.fuzz.writes.versions import in_a_version

_WEIGHTS = (7, 7, 3, 2, 2, 2)


def writes(seed: int, minor: str, count: int) -> Iterator[Json]:
    """Yield requests to the API server of a release. Each depends only on the seed and its number."""
    for number in range(count):
        yield write(Random(f"{seed}/{number}"), minor)


def write(random: Random, minor: str) -> Json:
    """Return a request."""
    [kind] = random.choices(KINDS, _WEIGHTS)
    whole = _whole(kind, random)
    how = random.random()
    if how < 0.4:
        broken = _changed(whole, kind, random, random.choice((0, 0, 1, 1, 1, 2, 3)))
        return {"verb": "create", "object": in_a_version(broken, random, minor)}
    old = _changed(whole, kind, random, random.choice((0, 0, 0, 0, 1)))
    old["metadata"] = deepcopy(whole["metadata"])  # The API server stores only valid metadata.
    if kind.status is not None and random.random() < 0.5:
        old["status"] = kind.status.make(random)
    new = deepcopy(old)
    if kind.status is not None and how < 0.75:
        if random.random() < 0.6:
            new["status"] = kind.status.make(random)
        new.setdefault("status", {})
        for _ in range(random.choice((0, 1, 1, 2, 3))):
            change(new["status"], kind.status, random)
        ask = {"verb": "update", "subresource": "status"}
    else:
        new = _changed(new, kind, random, random.choice((0, 1, 1, 2, 3)))
        new["metadata"].pop("generateName", None)  # It has no effect if there is a name.
        ask = {"verb": "update"}
    return {**ask, "object": in_a_version(new, random, minor), "old": in_a_version(old, random, minor)}


def _whole(kind: WrittenKind, random: Random) -> Json:
    written = {"kind": kind.name, "metadata": {"name": "x"}, "spec": kind.spec.make(random)}
    if random.random() < 0.1:
        written["metadata"] = METADATA.make(random)
    if kind.namespaced:
        written["metadata"]["namespace"] = random.choice(("default", "default", "admin", "almost"))
    return written


def _changed(whole: Json, kind: WrittenKind, random: Random, times: int) -> Json:
    """Return a copy of an object with `times` changes."""
    whole = deepcopy(whole)
    for _ in range(times):
        if random.random() < 0.05:
            change(whole["metadata"], METADATA, random)
        else:
            change(whole["spec"], kind.spec, random)
    return whole
