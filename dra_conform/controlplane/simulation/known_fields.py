"""An object in the types of a release: unknown fields removed, defaults set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import reduce
from typing import Any

from dra_conform.controlplane.apiserver import Surroundings
from dra_conform.controlplane.apiserver.kinds import STRATEGIES
from dra_conform.controlplane.apiserver.metadata import placed
from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.specs import read
from dra_conform.controlplane.apiserver.strategy import Review
from dra_conform.controlplane.apiserver.strictness import Strictness
from dra_conform.controlplane.apiserver.trees import encode
from dra_conform.kube.profile import KEP_FUTURE, Profile

Json = Any
_Readers = str | tuple[str, ...]
"""The name of a release, or those of several."""
_NOT_READ = (None, None)


class KnownFields:
    """Reads stored v1 objects; of each one what was read last is remembered."""

    def __init__(self) -> None:
        self._read: defaultdict[_Readers, dict[str, tuple[Json, Json]]] = defaultdict(dict)
        """By who reads and UID: the object as it was stored and what they made of it."""

    def of(self, raw: Json, *readers: Profile) -> Json:
        """A stored object as it is after the types of each release, the API server's first, have read it."""
        known, uid = self._read[_named(readers)], raw["metadata"]["uid"]
        stored, found = known.get(uid, _NOT_READ)
        if stored is not raw:
            types = {reader.name: reader for reader in readers}
            found = reduce(known_to, types.values(), raw)
            known[uid] = raw, found
        return found

    def remember(self, raw: Json, writer: Profile) -> None:
        """Take an object as it was just stored for what the types of a release read: they have written it."""
        self._read[writer.name][raw["metadata"]["uid"]] = raw, raw

    def forget(self, raw: Json) -> None:
        """The object is gone."""
        for known in self._read.values():
            known.pop(raw["metadata"]["uid"], None)


def _named(readers: Sequence[Profile]) -> _Readers:
    first = readers[0].name
    if len(readers) == 1 or (len(readers) == 2 and readers[1].name == first):
        return first
    return tuple(dict.fromkeys(reader.name for reader in readers))


def known_to(raw: Json, profile: Profile, time: str = Surroundings().time) -> Json:
    """A v1 object with what the types of a release make of it. Raises Undecodable for a wrong type."""
    strategy = STRATEGIES[raw["kind"]]
    strictness = Strictness.of(profile)
    errors = FieldErrors(strictness.looks_into_long_lists)
    review = Review("v1", profile, strictness, Surroundings(time=time), errors)
    tree, _ = read(raw, strategy, review)
    tree["metadata"] = placed(tree.get("metadata", {}), strategy.namespaced)
    strategy.default(tree, review)
    return encode({"apiVersion": raw["apiVersion"], "kind": raw["kind"], **tree})


EVERYTHING = Profile.named(KEP_FUTURE)
"""The types that know every field there ever was."""
