"""Objects as the API types of a release read them: without unknown fields, with defaults."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import reduce

from dra_conform.apiserver import Surroundings
from dra_conform.apiserver.kinds import STRATEGIES
from dra_conform.apiserver.metadata import with_namespace
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.specs import read
from dra_conform.apiserver.strategy import Review
from dra_conform.apiserver.trees import encode
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import KEP_FUTURE, Profile
from dra_conform.kube.switches.api_server import ApiServerSwitches

_Readers = str | tuple[str, ...]
"""The name of one profile, or the names of several."""
_NOT_READ = (None, None)


class KnownFields:
    """Reads stored v1 objects with the types of releases, and caches the last result for each object."""

    def __init__(self) -> None:
        self._read: defaultdict[_Readers, dict[str, tuple[Json, Json]]] = defaultdict(dict)
        """The stored object and the object as it was read, by readers and UID."""

    def of(self, raw: Json, *readers: Profile) -> Json:
        """Return a stored object as the types of each release read it in turn, those of the API server
        first."""
        known, uid = self._read[_named(readers)], raw["metadata"]["uid"]
        stored, result = known.get(uid, _NOT_READ)
        if stored is not raw:
            types = {reader.name: reader for reader in readers}
            result = reduce(known_to, types.values(), raw)
            known[uid] = raw, result
        return result

    def remember(self, raw: Json, writer: Profile) -> None:
        """Cache an object as the result for the release that has just written the object."""
        self._read[writer.name][raw["metadata"]["uid"]] = raw, raw

    def forget(self, raw: Json) -> None:
        """Remove a deleted object from the cache."""
        for known in self._read.values():
            known.pop(raw["metadata"]["uid"], None)


def _named(readers: Sequence[Profile]) -> _Readers:
    first = readers[0].name
    if len(readers) == 1 or (len(readers) == 2 and readers[1].name == first):
        return first
    return tuple(dict.fromkeys(reader.name for reader in readers))


def known_to(raw: Json, profile: Profile, time: str = Surroundings().time) -> Json:
    """Return a v1 object as the types of a release read it; raise Undecodable for a value of a wrong type."""
    strategy = STRATEGIES[raw["kind"]]
    switches = ApiServerSwitches.of(profile)
    errors = FieldErrors(switches.long_lists_validated)
    review = Review("v1", profile, switches, Surroundings(time=time), errors)
    tree, _ = read(raw, strategy, review)
    tree["metadata"] = with_namespace(tree.get("metadata", {}), strategy.namespaced)
    strategy.default(tree, review)
    return encode({"apiVersion": raw["apiVersion"], "kind": raw["kind"], **tree})


EVERYTHING = Profile.named(KEP_FUTURE)
"""The profile that knows every field of all releases."""
