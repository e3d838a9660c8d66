"""The setup of a scenario, created on a cluster before it begins.

The API server admits it all; what it rejects, or stores without a field, can only be given where the store
is written as well. Claims that are given as allocated get their status when everything is there, with the
UIDs that the pods have on this cluster. Pods wait with a scheduling gate until the cluster is left alone for
the first time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from dra_conform.adapters.live.api import Answer
from dra_conform.adapters.live.emulated_nodes import add_node
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.isolation_fields import GIVEN
from dra_conform.adapters.live.polling import poll
from dra_conform.adapters.live.resources import RESOURCES, SERVICE_ACCOUNTS, Address
from dra_conform.adapters.live.scenario_names import DEFAULT
from dra_conform.adapters.live.scenario_namespace import ScenarioNamespace
from dra_conform.kube.field_paths import field_at
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.profile import Profile

Json = Any

Put = Callable[[Json], None]
"""Writes an object of the cluster past the API server."""

_FINALIZER = "resource.kubernetes.io/delete-protection"
_CONFLICTS = 5
_LOOKS_FOR_ACCOUNT = 250
_LOOKS_FOR_COUNT = 1000
_STATUS_OF = ("ResourceClaim", "Pod", "DeviceTaintRule")


def put_givens(
    room: ScenarioNamespace, objects: Mapping[str, Sequence[Json]], kubelet: Profile, put: Put | None = None
) -> None:
    """Create all that is given but quotas, pods still gated; nodes with a kubelet of this profile.

    Raises CannotRun for what this cluster cannot have. With `put`, what the API server does not take as it
    is goes into the store.
    """
    given = {kind: list(objects.get(COLLECTIONS[kind], ())) for kind in RESOURCES}
    made_for_pods = [one for one in given["ResourceClaim"] if _owning_pods(one)]
    given["ResourceClaim"] = [one for one in given["ResourceClaim"] if not _owning_pods(one)]
    unknown = set(objects) - set(COLLECTIONS.values())
    if unknown:
        raise CannotRun(f"given objects of {', '.join(sorted(unknown))}")
    _add_namespaces(room, given.pop("Namespace"))
    if put is None:
        _await_accounts(room)
    del given["ResourceQuota"]
    for node in given.pop("Node"):
        add_node(room, node, kubelet, put)
    for kind, several in given.items():
        for raw in several:
            _put(room, _gated(raw) if kind == "Pod" else raw, raw, put)
    uids = {_key(one): one["metadata"]["uid"] for one in room.all("Pod")}
    for raw in made_for_pods:
        _put(room, _owned(raw, uids), raw, put)
    whole = {**given, "ResourceClaim": [*given["ResourceClaim"], *made_for_pods]}
    for kind in _STATUS_OF:
        for raw in whole[kind]:
            if raw.get("status"):
                _put_status(room, raw, uids, put)


def release_givens(room: ScenarioNamespace, objects: Mapping[str, Sequence[Json]]) -> None:
    """Take away the gates of given pods, as far as they are still there."""
    for pod in objects.get("pods", ()):
        if not field_is(pod, "spec.nodeName"):
            _ungate(room, pod)


def field_is(raw: Json, path: str) -> bool:
    """Whether a field is there and not empty."""
    value = field_at(raw, path)
    return isinstance(value, (str, list, dict)) and bool(value)


def _add_namespaces(room: ScenarioNamespace, given: Sequence[Json]) -> None:
    by_name = {one["metadata"]["name"]: one for one in given}
    plain = {"apiVersion": "v1", "kind": "Namespace"}
    for name in room.names.namespaces:
        raw = by_name.get(name) or {**plain, "metadata": {"name": name}}
        _check(room.create(raw), f"namespace {name}")


def _await_accounts(room: ScenarioNamespace) -> None:
    """Pods are rejected until their namespace has its service account; some clusters make none.

    A control plane that is there for nothing else does not ask for one.
    """
    for name in room.names.namespaces:
        address = SERVICE_ACCOUNTS.address("v1", room.names.namespace(name), "default")
        poll(_LOOKS_FOR_ACCOUNT, partial(_is_there, room, address))


def _is_there(room: ScenarioNamespace, address: Address) -> bool:
    return room.api.get(address).taken


def _put(room: ScenarioNamespace, written: Json, raw: Json, put: Put | None) -> None:
    """Let there be what is `written`, an object that is given as `raw`."""
    name = f"{raw['kind']} {field_at(raw, 'metadata.name')}"
    problem = _past_writing(raw)
    if not problem and not (put and raw["metadata"].get("uid")):
        made = room.create(room.newest(_protected(written)))
        problem = _problem(made) or _loss(raw, room.get(raw["kind"], *_room_of(made.body)).body)
    if problem and put is None:
        raise CannotRun(f"{name} {problem}")
    if put and (problem or raw["metadata"].get("uid")):
        put(room.stored(written))


def put_quotas(
    room: ScenarioNamespace, objects: Mapping[str, Sequence[Json]], put: Put | None = None
) -> None:
    """After the controller manager has seen what they limit; come back when it is counted.

    Raises CannotRun as `put_givens` does.
    """
    quotas = objects.get(COLLECTIONS["ResourceQuota"], ())
    for raw in quotas:
        _put(room, raw, raw, put)
    if quotas:
        poll(_LOOKS_FOR_COUNT, lambda: all(map(_counted, room.all("ResourceQuota"))))
    for raw in quotas:
        if raw.get("status"):
            _put_status(room, raw, {}, put)


def _counted(quota: Json) -> bool:
    return bool(field_at(quota, "status.hard") == field_at(quota, "spec.hard"))


def _protected(written: Json) -> Json:
    """A claim that is given as allocated is kept until it is released, as the scheduler would have it."""
    if written["kind"] != "ResourceClaim" or not field_is(written, "status.allocation"):
        return written
    finalizers = written["metadata"].get("finalizers") or [_FINALIZER]
    return {**written, "metadata": {**written["metadata"], "finalizers": finalizers}}


def _past_writing(raw: Json) -> str:
    """Why no request makes an object as it is given, empty where one may."""
    if _owning_pods(raw):
        return "is given as made for a pod"
    if raw["metadata"].get("deletionTimestamp"):
        return "is given as being deleted"
    return "is given with the time of its creation" if raw["metadata"].get("creationTimestamp") else ""


def _gated(raw: Json) -> Json:
    """A pod that waits, unless it has a node already."""
    if field_is(raw, "spec.nodeName"):
        return raw
    gates = [*(raw["spec"].get("schedulingGates") or ()), {"name": GIVEN}]
    return {**raw, "spec": {**raw["spec"], "schedulingGates": gates}}


def _owning_pods(raw: Json) -> list[Json]:
    return [one for one in raw["metadata"].get("ownerReferences") or () if one.get("kind") == "Pod"]


def _owned(raw: Json, uids: Mapping[str, str]) -> Json:
    """An object that belongs to the pods of this cluster."""
    metadata = raw["metadata"]
    owners = [_of_this_cluster(one, metadata, uids) for one in metadata.get("ownerReferences") or ()]
    return {**raw, "metadata": {**metadata, "ownerReferences": owners}}


def _of_this_cluster(reference: Json, metadata: Json, uids: Mapping[str, str]) -> Json:
    """A reference to a pod with the UID that the pod of that name has."""
    key = f"{metadata.get('namespace') or DEFAULT}/{reference.get('name')}"
    return {**reference, "uid": uids.get(key, reference.get("uid"))}


def _put_status(room: ScenarioNamespace, raw: Json, uids: Mapping[str, str], put: Put | None) -> None:
    """Write a status; reservations for pods that are given are for those of this cluster."""
    name = f"the status of {raw['kind']} {field_at(raw, 'metadata.name')}"
    status = dict(raw["status"])
    if "reservedFor" in status:
        status["reservedFor"] = [
            _of_this_cluster(one, raw["metadata"], uids) for one in status["reservedFor"]
        ]
    now = room.newest({**room.get(raw["kind"], *_room_of(raw)).body, "status": status})
    made = room.replace(now, "status")
    problem = _problem(made) or _loss(status, made.body.get("status"))
    if problem and put is None:
        raise CannotRun(f"{name} {problem}")
    if problem and put:
        put(room.stored(now))


def _ungate(room: ScenarioNamespace, pod: Json) -> None:
    """Written over what is there, the pod has lost its gate: nobody but this puts it on."""
    for _ in range(_CONFLICTS):
        read = room.get("Pod", *_room_of(pod))
        answer = room.replace(read.body) if read.taken else read
        if answer.reason != "Conflict":
            break


def _check(answer: Answer, name: str) -> None:
    problem = _problem(answer)
    if problem:
        raise CannotRun(f"{name} {problem}")


def _problem(answer: Answer) -> str:
    return "" if answer.taken else f"cannot be created, the API server rejects it: {answer.message}"


def _loss(given: Json, stored: Json) -> str:
    lost = next(_lost(given, stored, ""), None)
    return f"cannot be given, the API server stores it without {lost}" if lost else ""


def _lost(given: Json, stored: Json, path: str) -> Iterator[str]:
    """The paths of fields that were given and are not stored. Values may be written in another way."""
    if isinstance(given, Mapping):
        for field, value in given.items():
            here = f"{path}.{field}".removeprefix(".")
            kept = stored.get(field) if isinstance(stored, Mapping) else None
            if value in (None, {}, [], "", False, 0) or here in ("apiVersion", "metadata", "status"):
                continue
            if kept is None:
                yield here
            else:
                yield from _lost(value, kept, here)
    elif isinstance(given, (list, tuple)) and isinstance(stored, list):
        for index, (one, kept) in enumerate(zip(given, stored, strict=False)):
            yield from _lost(one, kept, f"{path}[{index}]")


def _room_of(raw: Json) -> tuple[str, str]:
    """The name and namespace of an object."""
    return raw["metadata"]["name"], raw["metadata"].get("namespace") or ""


def _key(raw: Json) -> str:
    return f"{raw['metadata'].get('namespace') or DEFAULT}/{raw['metadata']['name']}"
