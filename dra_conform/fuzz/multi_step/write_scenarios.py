"""Random scenarios of writes: objects are created, changed, deleted and read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from random import Random

from dra_conform.conformance.steps.given import collected
from dra_conform.fuzz.multi_step.cluster_scenario import ClusterScenario, gates_of_scenario, switchable
from dra_conform.fuzz.multi_step.random_objects import (
    as_served,
    changed_object,
    dicts,
    in_every_schema,
    whole_object,
    with_status,
)
from dra_conform.fuzz.writes.kinds import KINDS, NAMESPACES, WrittenKind
from dra_conform.fuzz.writes.versions import in_a_version, versions_of
from dra_conform.kube.gates import CHECKED_WITH, consistent
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile

_ObjectKey = tuple[str, str, str]
"""Kind, namespace (empty where the kind has none) and name."""


def _key_of(written: Json) -> _ObjectKey:
    """Return the key of an object."""
    metadata = written["metadata"]
    return written["kind"], metadata.get("namespace", ""), metadata["name"]


def _reference(key: _ObjectKey) -> dict[str, str]:
    """Return the reference of actions to an object."""
    kind, namespace, name = key
    return {"kind": kind, "name": name, **({"namespace": namespace} if namespace else {})}


class _KnownObjects:
    """The objects of a scenario in the form in which they were last sent, without API version, by key."""

    def __init__(self) -> None:
        self._last: dict[_ObjectKey, Json] = {}

    def __iter__(self) -> Iterator[_ObjectKey]:
        return iter(self._last)

    def remember(self, written: Json) -> None:
        self._last[_key_of(written)] = deepcopy(written)

    def of(self, kind: WrittenKind) -> Mapping[_ObjectKey, Json]:
        """Return all objects of a kind, the oldest first."""
        return {key: item for key, item in self._last.items() if key[0] == kind.name}

    def one_of(self, kind: WrittenKind, random: Random) -> Json | None:
        """Return a copy of one of the two newest objects of a kind, None if there is no object."""
        several = list(self.of(kind).values())
        return deepcopy(random.choice(several[-2:])) if several else None


Verb = Callable[["_Author", WrittenKind], None]

_WEIGHTS = (6, 7, 3, 2, 3, 3)
_CHANGES = (0, 0, 0, 1, 1, 2)
"""The number of changes before an object is written; most changes make it invalid."""
_ISOLATED = ("Pod", "DeviceClass")
_PLACES = frozenset({"nodeName", "nodeSelector", "allNodes"})
"""The node access fields, which no patch changes, because clusters limit devices to nodes of the scenario."""
_JANE = {"name": "jane", "groups": []}
"""A user that can write all kinds and statuses, but lacks permissions that admission checks."""
_SWITCH = 100
"""One in this many scenarios turns gates of the API server off and on again or restarts it, which takes
seconds."""


def write_scenario(number: int, seed: int, profile: Profile) -> ClusterScenario:
    """Generate a scenario of writes; equal numbers, seeds and profiles give equal scenarios.

    Kind and verb of the first writes rotate with the number.
    """
    author = _Author(Random(f"{seed}/{number}/writes"), profile)
    verb, kind = divmod(number, len(KINDS))
    author.write(KINDS[kind], _create)
    author.write(KINDS[kind], _VERBS[verb % len(_VERBS)])
    for _ in range(author.random.randint(4, 9)):
        [some] = author.random.choices(KINDS, _WEIGHTS)
        author.write(some, author.random.choice(_VERBS))
    gates = gates_of_scenario(number, seed, profile)
    if number % _SWITCH == _SWITCH // 2:
        author.switch(number // _SWITCH, gates)
    author.read_all()
    return ClusterScenario(collected(NAMESPACES), tuple(author.actions), gates)


class _Author:
    """A builder of a scenario: each method adds actions."""

    def __init__(self, random: Random, profile: Profile) -> None:
        self.random = random
        self.profile = profile
        self.release = profile.release or list(CHECKED_WITH)[-1]
        self.known = _KnownObjects()
        self.with_pod_level_resources: set[_ObjectKey] = set()
        """The pods with pod-level resources, whose values are partly defaulted at each write."""
        self.with_all_nodes: set[_ObjectKey] = set()
        """The slices that were sent with `allNodes`, which a cluster run replaces with a node selector."""
        self.actions: list[Json] = []

    def write(self, kind: WrittenKind, verb: Verb) -> None:
        """Add an action with the verb, after a create if the verb needs an object and there is none."""
        if verb is not _create and not self.known.of(kind):
            _create(self, kind)
        verb(self, kind)

    def send(self, do: str, written: Json, **more: Json) -> None:
        """Add a write of a whole object."""
        self.known.remember(written)
        if written["kind"] == "Pod" and "resources" in (written["spec"] or ()):
            self.with_pod_level_resources.add(_key_of(written))
        if _has_all_nodes(written):
            self.with_all_nodes.add(_key_of(written))
        raw = in_a_version(written, self.random, self.release)
        self.act({"do": do, "object": raw, **more})

    def act(self, action: Json) -> None:
        """Add an action by an administrator or a user; writes of the status are usually by a user."""
        by_user = 0.3 if action.get("subresource") == "status" else 0.08
        user = {"user": _JANE} if self.random.random() < by_user else {}
        self.actions.append({**action, **user})

    def some(self, kind: WrittenKind) -> Json:
        known_object = self.known.one_of(kind, self.random)
        assert known_object is not None
        return known_object

    def switch(self, turn: int, gates: Mapping[str, bool]) -> None:
        """Switch four gates of the API server in the middle and back at the end, or restart it."""
        middle = len(self.actions) // 2
        if turn % 5 == 4:
            self.actions.insert(middle, {"do": "restart", "components": ["apiserver"]})
            return
        names = switchable(self.profile)
        before = {**self.profile.gates, **gates}
        four = [names[(4 * turn + place) % len(names)] for place in range(4)]
        after = consistent({**before, **{gate: not before[gate] for gate in four}})
        switched = {gate: after[gate] for gate in names if after[gate] != before[gate]}
        back = {gate: before[gate] for gate in switched}
        self.actions.insert(middle, {"do": "set-gates", "components": ["apiserver"], "gates": switched})
        self.actions.append({"do": "set-gates", "components": ["apiserver"], "gates": back})
        for kind in KINDS[:2]:
            self.write(kind, _update)

    def read_all(self) -> None:
        """Add reads of all written objects."""
        for key in self.known:
            self.actions.append({"do": "get", "of": _reference(key)})


def _create(author: _Author, kind: WrittenKind) -> None:
    whole = whole_object(kind, author.random)
    author.send("create", changed_object(whole, kind, author.random, author.random.choice(_CHANGES)))


def _update(author: _Author, kind: WrittenKind) -> None:
    times = author.random.choice((0, 1, 1, 2))
    written = changed_object(author.some(kind), kind, author.random, times)
    if author.random.random() < 0.05:
        written["metadata"]["resourceVersion"] = "1"
    author.send("update", written)


def _update_status(author: _Author, kind: WrittenKind) -> None:
    if kind.status is None:
        return _update(author, kind)
    if kind.name == "Pod" and author.random.random() < 0.4:
        return _resize(author, kind)
    times = author.random.choice((0, 0, 1, 2))
    author.send("update", with_status(author.some(kind), kind, author.random, times), subresource="status")
    return None


def _resize(author: _Author, kind: WrittenKind) -> None:
    """Change a quantity of the first container of a pod, if the pod has no pod-level resources."""
    key = _key_of(author.some(kind))
    if key in author.with_pod_level_resources:
        return
    which, resource = author.random.choice(("requests", "limits")), author.random.choice(("cpu", "memory"))
    amount = author.random.choice(("1", "2", "500m", "-1", None))
    fields = {f"spec.containers[0].resources.{which}.{resource}": amount}
    author.actions.append({"do": "change", "of": _reference(key), "fields": fields, "subresource": "resize"})


def _patch(author: _Author, kind: WrittenKind) -> None:
    """Patch labels, the status, or a field of the spec with a merge patch."""
    of = _reference(_key_of(author.some(kind)))
    how = author.random.random()
    if how < 0.3:
        value = author.random.choice((None, "v", "w"))
        patch: Json = {"metadata": {"labels": {"example.com/patched": value}}}
        author.act({"do": "patch", "of": of, "patch": patch})
    elif kind.status is not None and how < 0.7:
        status = with_status(whole_object(kind, author.random), kind, author.random, 0)["status"]
        author.act({"do": "patch", "of": of, "patch": {"status": status}, "subresource": "status"})
    elif kind.name != "DeviceTaintRule":
        spec = whole_object(kind, author.random)["spec"]
        name = author.random.choice(sorted(spec.keys() - _PLACES) or ["devices"])
        value = author.random.choice((spec.get(name), spec.get(name), None))
        author.act({"do": "patch", "of": of, "patch": {"spec": {name: value}}})


def _apply(author: _Author, kind: WrittenKind) -> None:
    """Apply a new or known object with one of two field managers.

    Pods and DeviceClasses are not applied: on clusters they get fields that isolate scenarios, and these
    fields have a field manager too.
    """
    if kind.name in _ISOLATED:
        return _create(author, kind)
    known = author.known.one_of(kind, author.random) if author.random.random() < 0.6 else None
    written = as_served(in_every_schema(known or whole_object(kind, author.random)))
    more: dict[str, Json] = {"manager": author.random.choice(("one", "two"))}
    if kind.status is not None and author.random.random() < 0.3:
        written = with_status(written, kind, author.random, 0)
        more["subresource"] = "status"
    if author.random.random() < 0.3:
        more["force"] = True
    key = _key_of(written)
    if key in author.with_all_nodes or (_has_all_nodes(written) and key in author.known):
        return _create(author, kind)
    author.send("apply", written, **more)
    return None


def _has_all_nodes(written: Json) -> bool:
    """Whether a slice has devices with `allNodes`, which a cluster run replaces with a node selector.

    So server-side apply of such a slice would change the ownership of another field on a cluster.
    """
    spec = written["spec"]
    if written["kind"] != "ResourceSlice" or not isinstance(spec, dict):
        return False
    return any("allNodes" in item for item in (spec, *dicts(spec.get("devices"))))


def _delete(author: _Author, kind: WrittenKind) -> None:
    author.actions.append({"do": "delete", "of": _reference(_key_of(author.some(kind)))})


def _get(author: _Author, kind: WrittenKind) -> None:
    """Read an object in one of the served API versions."""
    of = _reference(_key_of(author.some(kind)))
    version = author.random.choice(versions_of(kind.name, author.release))
    author.actions.append({"do": "get", "of": of, **({} if version == "v1" else {"version": version})})


_VERBS: tuple[Verb, ...] = (_create, _update, _update_status, _patch, _apply, _delete, _get)
