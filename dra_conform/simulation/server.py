"""The API server of a cluster: admission, the store, and objects as its release serves them."""

from __future__ import annotations

from collections.abc import Mapping

from dra_conform.apiserver.kinds import versions_served
from dra_conform.apiserver.trees import StoredMetadata
from dra_conform.cluster_state.components import APISERVER, KUBELET, Components
from dra_conform.cluster_state.declared_features import NotDeclared, check_nodes
from dra_conform.cluster_state.object_keys import Key, key_in, key_of
from dra_conform.kube.json_values import Json
from dra_conform.kube.node_selectors import SelectorError
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.kubelet import DeclaredFeatureSwitches
from dra_conform.kube.versions import SERVED, UnservedVersion, from_v1, to_v1
from dra_conform.simulation.known_fields import EVERYTHING, KnownFields, known_to
from dra_conform.simulation.parts import AdmissionPart, admit
from dra_conform.simulation.quotas import OverQuota, QuotaAdmission
from dra_conform.simulation.server_side_apply import (
    FieldConflict,
    FieldManagers,
    Path,
    dropped_fields,
    merged_lists,
)
from dra_conform.simulation.shared_state import Clock, RandomValues
from dra_conform.simulation.store import Store

WriteResult = dict[str, Json]
"""The result of a write as in the operation `admit`, with the outcome `deleted` for a deletion."""

_SERVER_METADATA = ("uid", "creationTimestamp", "deletionTimestamp", "generation", "resourceVersion")

_WITH_GENERATION = frozenset({"DeviceClass", "DeviceTaintRule", "Pod", "ResourceSlice"})
"""The kinds for which `metadata.generation` counts spec changes."""

MAX_GENERATE_NAME = 58
"""The number of characters of `generateName` that are used."""


class Server:
    """The API server: all reads and writes, except for the objects of a scenario's setup."""

    def __init__(
        self, components: Components, admission: AdmissionPart, clock: Clock, chance: RandomValues
    ) -> None:
        self._components = components
        self._admission = admission
        self._reads_what_it_writes = admission is admit
        self._clock = clock
        self._chance = chance
        self._known = KnownFields()
        self._managers: dict[Key, FieldManagers] = {}
        self._written: dict[Key, list[tuple[Json, Json]]] = {}
        """The writes by object without any server-side apply: pairs of written and stored object."""
        self.store = Store()

    @property
    def profile(self) -> Profile:
        """The profile that the API server runs with."""
        return self._components[APISERVER].profile

    def load(self, raw: Json) -> None:
        """Store an object of the setup without admission.

        Raises UnservedVersion for an unknown version, and Undecodable for a value of a wrong type.
        """
        known = known_to(to_v1(raw), EVERYTHING, self._clock.text)
        self.store.put({**known, "metadata": {**self._new_metadata(known["kind"]), **known["metadata"]}})

    def get(self, key: Key, *readers: Profile) -> Json | None:
        """Return the v1 form of an object as this release serves it and the releases of `readers` read it."""
        stored = self.store.get(key)
        own = self._components[APISERVER].profile
        return None if stored is None else self._known.of(stored, own, *readers)

    def all(self, kind: str, *readers: Profile) -> list[Json]:
        """Return the objects of a kind in creation order."""
        return [self._known.of(raw, self.profile, *readers) for raw in self.store.of_kind(kind)]

    def version_of(self, kind: str) -> str:
        """Return the newest API version in which a kind can be written."""
        return next(iter(versions_served(kind, self.profile)), "v1")

    def create(self, raw: Json, user: Json = None) -> WriteResult:
        """Admit and store a new object."""
        raw = self._with_name(raw)
        answer = self._admission(self._objects(), self._ask("create", raw, user), self.profile)
        if answer["outcome"] != "admitted":
            return dict(answer)
        stored = to_v1(answer["object"])
        metadata = {**_without(stored["metadata"], _SERVER_METADATA), **self._new_metadata(stored["kind"])}
        new = {**stored, "metadata": metadata}
        try:
            self._check_nodes(new)
            quotas = self._charged(new)
        except (NotDeclared, OverQuota) as reason:
            return rejection("Forbidden", f"{_format(key_in(new))} is forbidden: {reason}")
        except SelectorError as error:
            return rejection("BadRequest", f"failed to create node selector: {error}")
        key = key_in(new)
        if self.store.get(key) is not None:
            return rejection("AlreadyExists", f"{_format(key)} already exists")
        for quota in quotas:
            self.store.put(quota)
        if new["kind"] in SERVED:
            self._written[key] = [(raw, new)]
        return self._put(answer, new)

    def update(self, raw: Json, subresource: str = "", user: Json = None) -> WriteResult:
        """Admit and store a changed object; without `resourceVersion` it replaces the newest version."""
        key = self._key(raw)
        old = self.store.get(key) if key else None
        if old is None:
            missing = rejection("NotFound", f"{_format(key) if key else 'the object'} not found")
            return self._unreadable(raw) or missing
        version = raw["metadata"].get("resourceVersion")
        if version and version != old["metadata"]["resourceVersion"]:
            changed = "the object has been modified; please apply your changes to the latest version"
            return self._unreadable(raw) or rejection("Conflict", f"{_format(key_in(old))}: {changed}")
        ask = self._ask("update", raw, user)
        ask["old"] = from_v1(old, raw.get("apiVersion") or old["apiVersion"])
        if subresource:
            ask["subresource"] = subresource
        answer = self._admission(self._objects(), ask, self.profile)
        if answer["outcome"] != "admitted":
            return dict(answer)
        new = to_v1(answer["object"])
        if new["metadata"] is not old["metadata"]:
            kept = {name: old["metadata"][name] for name in _SERVER_METADATA if name in old["metadata"]}
            new = {**new, "metadata": {**_without(new["metadata"], _SERVER_METADATA), **kept}}
        try:
            self._check_nodes(new)
            if new == old:
                return self._served(answer, old)
            quotas = self._charged(new, old, subresource)
        except (NotDeclared, OverQuota) as reason:
            return rejection("Forbidden", f"{_format(key_in(new))} is forbidden: {reason}")
        except SelectorError as error:
            return rejection("BadRequest", f"failed to create node selector: {error}")
        for quota in quotas:
            self.store.put(quota)
        if new["kind"] in _WITH_GENERATION and new.get("spec") != old.get("spec"):
            generation = old["metadata"].get("generation", 0) + 1
            new = {**new, "metadata": {**new["metadata"], "generation": generation}}
        written = self._put(answer, new)
        if key in self._managers:
            lists = merged_lists(self.profile)
            self._managers[key] = self._managers[key].update(old, new, self._dropped(raw, new), lists)
        elif key in self._written and not subresource:
            self._written[key].append((raw, new))
        if "deletionTimestamp" in new["metadata"] and not new["metadata"].get("finalizers"):
            self._remove(key_in(new))
        return written

    def apply(
        self, raw: Json, manager: str, subresource: str = "", user: Json = None, *, force: bool = False
    ) -> WriteResult:
        """Apply the fields of a field manager to an object, which is created if it does not exist."""
        key = self._key(raw)
        old = self.store.get(key) if key else None
        if key is None or (old is None and subresource):
            return rejection("NotFound", f"{_format(key) if key else 'the object'} not found")
        try:
            applied = to_v1(raw)
        except UnservedVersion as error:
            return rejection("NotFound", str(error))
        lists = merged_lists(self.profile)
        if old is None:
            written, managers = self.create(raw, user), FieldManagers.of_new(applied, manager, lists)
        else:
            known = self._managers.get(key) or FieldManagers.before_apply(old, self._ever_dropped(key), lists)
            try:
                content, managers = known.apply(old, applied, (manager, subresource), lists, force=force)
            except FieldConflict as conflict:
                return rejection("Conflict", str(conflict))
            written = self.update(from_v1(content, raw["apiVersion"]), subresource, user)
        if written["outcome"] == "admitted":
            self._managers[key] = managers
            self._written.pop(key, None)
        return written

    def bind(self, pod: Key, node: str) -> None:
        """Assign a pod to a node; updates cannot do this."""
        old = self.store.get(pod)
        assert old is not None
        bound = self.store.put({**old, "spec": {**old["spec"], "nodeName": node}})
        if self._known.of(old, self.profile) is old:
            self._known.remember(bound, self.profile)

    def delete(self, key: Key) -> WriteResult:
        """Delete an object, or set its deletionTimestamp while it has finalizers. Pods are deleted at
        once."""
        old = self.store.get(key)
        if old is None:
            return rejection("NotFound", f"{_format(key)} not found")
        if not old["metadata"].get("finalizers"):
            self._remove(key)
        elif "deletionTimestamp" not in old["metadata"]:
            metadata = {**old["metadata"], "deletionTimestamp": self._clock.text}
            if "generation" in metadata:
                metadata["generation"] += 1
            self.store.put({**old, "metadata": metadata})
        return {"outcome": "deleted"}

    def _check_nodes(self, new: Json) -> None:
        """Check the declared features of a ResourceSlice's nodes; raise NotDeclared and SelectorError."""
        required = (
            new["kind"] == "ResourceSlice"
            and DeclaredFeatureSwitches.of(self.profile).node_resources_required
        )
        if required:
            check_nodes(new, self.store.of_kind("Node"), self._components[KUBELET].profile)

    def _charged(self, new: Json, old: Json = None, subresource: str = "") -> list[Json]:
        """Return the quotas of a namespace with the usage after a write; raises OverQuota."""
        if not self.store.of_kind("ResourceQuota"):
            return []
        written, before = (raw and known_to(raw, self.profile, self._clock.text) for raw in (new, old))
        return QuotaAdmission(self.all, self.profile).quotas(written, before, subresource)

    def _remove(self, key: Key) -> None:
        removed = self.store.get(key)
        self.store.remove(key)
        self._known.forget(removed)
        self._managers.pop(key, None)
        self._written.pop(key, None)

    def _ever_dropped(self, key: Key) -> frozenset[Path]:
        """Return the fields of an object that were dropped at a write because a gate was off."""
        return frozenset().union(*(self._dropped(*write) for write in self._written.get(key, ())))

    def _dropped(self, raw: Json, stored: Json) -> frozenset[Path]:
        if stored["kind"] not in SERVED:
            return frozenset()
        known = known_to(to_v1(raw), self.profile, self._clock.text)
        return dropped_fields(known, stored, merged_lists(self.profile))

    def _with_name(self, raw: Json) -> Json:
        """Return the object, with a generated name if it has `generateName` and no name."""
        metadata = raw.get("metadata") if isinstance(raw, dict) else None
        if not isinstance(metadata, dict) or metadata.get("name") or not metadata.get("generateName"):
            return raw
        name = f"{metadata['generateName'][:MAX_GENERATE_NAME]}{self._chance.suffix()}"
        return {**raw, "metadata": {**metadata, "name": name}}

    def _key(self, raw: Json) -> Key | None:
        """Return the key of an object, None if the kind or the name is missing."""
        if not isinstance(raw, dict) or not isinstance(raw.get("metadata"), dict):
            return None
        name, kind = raw["metadata"].get("name"), raw.get("kind")
        if not isinstance(name, str) or not isinstance(kind, str):
            return None
        return key_of(kind, name, raw["metadata"].get("namespace") or "")

    def _ask(self, verb: str, raw: Json, user: Json) -> dict[str, Json]:
        ask = {"verb": verb, "object": raw, "time": self._clock.text}
        return {**ask, "user": user} if user else ask

    def _objects(self) -> Mapping[str, list[Json]]:
        return {"namespaces": self.store.of_kind("Namespace")}

    def _unreadable(self, raw: Json) -> WriteResult | None:
        """Return the rejection of an object that cannot be decoded, which precedes every other rejection."""
        answer = self._admission(self._objects(), self._ask("create", raw, None), self.profile)
        undecodable = answer["outcome"] == "rejected" and answer["reason"] == "BadRequest"
        return dict(answer) if undecodable else None

    def _new_metadata(self, kind: str) -> dict[str, Json]:
        generation = {"generation": 1} if kind in _WITH_GENERATION else {}
        return {"uid": self._chance.uid(), "creationTimestamp": self._clock.text, **generation}

    def _put(self, answer: Mapping[str, Json], raw: Json) -> WriteResult:
        if not self._reads_what_it_writes:
            return self._served(answer, self.store.put(raw))
        stored = self.store.put({**raw, "metadata": StoredMetadata(raw["metadata"])})
        self._known.remember(stored, self.profile)
        return self._served(answer, stored)

    def _served(self, answer: Mapping[str, Json], stored: Json) -> WriteResult:
        """Return the answer with the metadata that the server sets."""
        return {**answer, "object": {**answer["object"], "metadata": stored["metadata"]}}


def rejection(reason: str, message: str) -> WriteResult:
    """Return a rejection without field errors."""
    return {"outcome": "rejected", "reason": reason, "errors": [], "message": message}


def _format(key: Key) -> str:
    kind, namespace, name = key
    return f"{kind} {namespace}/{name}" if namespace else f"{kind} {name}"


def _without(metadata: Json, names: tuple[str, ...]) -> Json:
    return {name: value for name, value in metadata.items() if name not in names}
