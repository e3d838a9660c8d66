"""What a story is given, put on a cluster before it begins.

The API server admits it all; what it refuses, or stores without a field, cannot be given there. Claims that
are given as allocated get their status when everything is there, with the UIDs that the pods have on this
cluster. Pods wait with a scheduling gate until the cluster is left alone for the first time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dra_conform.adapters.live.api import Answer
from dra_conform.adapters.live.endpoint import Untellable
from dra_conform.adapters.live.marks import GIVEN
from dra_conform.adapters.live.own_names import DEFAULT
from dra_conform.adapters.live.played_nodes import add_node
from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.adapters.live.room import Room
from dra_conform.kube.field_paths import field_at
from dra_conform.kube.objects import COLLECTIONS

Json = Any

_FINALIZER = "resource.kubernetes.io/delete-protection"
_CONFLICTS = 5
_ACCOUNT_SECONDS = 5.0
_STATUS_OF = ("ResourceClaim", "Pod", "ResourceQuota", "DeviceTaintRule")


def put_givens(room: Room, objects: Mapping[str, Sequence[Json]]) -> None:
    """Create all that is given, pods still gated; raises Untellable for what this cluster cannot have."""
    given = {kind: list(objects.get(COLLECTIONS[kind], ())) for kind in RESOURCES}
    unknown = set(objects) - set(COLLECTIONS.values())
    if unknown:
        raise Untellable(f"given objects of {', '.join(sorted(unknown))}")
    _add_namespaces(room, given.pop("Namespace"))
    for node in given.pop("Node"):
        add_node(room, node)
    for kind, several in given.items():
        for raw in several:
            _put(room, raw, gated=kind == "Pod" and not field_is(raw, "spec.nodeName"))
    uids = {_key(one): one["metadata"]["uid"] for one in room.all("Pod")}
    for kind in _STATUS_OF:
        for raw in given[kind]:
            if raw.get("status"):
                _put_status(room, raw, uids)


def release_givens(room: Room, objects: Mapping[str, Sequence[Json]]) -> None:
    """Take away the gates of given pods, as far as they are still there."""
    for pod in objects.get("pods", ()):
        if not field_is(pod, "spec.nodeName"):
            _ungate(room, pod)


def field_is(raw: Json, path: str) -> bool:
    """Whether a field is there and not empty."""
    value = field_at(raw, path)
    return isinstance(value, (str, list, dict)) and bool(value)


def _add_namespaces(room: Room, given: Sequence[Json]) -> None:
    by_name = {one["metadata"]["name"]: one for one in given}
    plain = {"apiVersion": "v1", "kind": "Namespace"}
    for name in room.names.namespaces:
        raw = by_name.get(name) or {**plain, "metadata": {"name": name}}
        _check(room.create(raw), f"namespace {name}")
    for name in room.names.namespaces:
        _await_account(room, name)


def _await_account(room: Room, namespace: str) -> None:
    """Pods are refused until their namespace has its service account; some clusters make none."""
    path = f"/api/v1/namespaces/{room.names.namespace(namespace)}/serviceaccounts/default"
    end = time.monotonic() + _ACCOUNT_SECONDS
    while not room.api.get(path).taken and time.monotonic() < end:
        time.sleep(0.02)


def _put(room: Room, raw: Json, *, gated: bool) -> None:
    name = f"{raw['kind']} {field_at(raw, 'metadata.name')}"
    if any(owner.get("kind") == "Pod" for owner in raw["metadata"].get("ownerReferences") or ()):
        raise Untellable(f"{name} is given as made for a pod")
    if raw["metadata"].get("deletionTimestamp"):
        raise Untellable(f"{name} is given as being deleted")
    written = raw
    if gated:
        gates = [*(raw["spec"].get("schedulingGates") or ()), {"name": GIVEN}]
        written = {**raw, "spec": {**raw["spec"], "schedulingGates": gates}}
    if raw["kind"] == "ResourceClaim" and field_is(raw, "status.allocation"):
        finalizers = raw["metadata"].get("finalizers") or [_FINALIZER]
        written = {**raw, "metadata": {**raw["metadata"], "finalizers": finalizers}}
    made = _check(room.create(room.newest(written)), name)
    _check_whole(raw, room.get(raw["kind"], *_room_of(made.body)).body, name)


def _put_status(room: Room, raw: Json, uids: Mapping[str, str]) -> None:
    """Write a status; reservations for pods that are given are for those of this cluster."""
    name = f"the status of {raw['kind']} {field_at(raw, 'metadata.name')}"
    status = dict(raw["status"])
    if "reservedFor" in status:
        namespace = raw["metadata"].get("namespace") or DEFAULT
        status["reservedFor"] = [
            {**one, "uid": uids.get(f"{namespace}/{one.get('name')}", one.get("uid"))}
            for one in status["reservedFor"]
        ]
    now = room.get(raw["kind"], *_room_of(raw)).body
    made = _check(room.replace(room.newest({**now, "status": status}), "status"), name)
    _check_whole(status, made.body.get("status"), name)


def _ungate(room: Room, pod: Json) -> None:
    """Written over what is there, the pod has lost its gate: nobody but this puts it on."""
    for _ in range(_CONFLICTS):
        read = room.get("Pod", *_room_of(pod))
        answer = room.replace(read.body) if read.taken else read
        if answer.reason != "Conflict":
            break


def _check(answer: Answer, name: str) -> Answer:
    if not answer.taken:
        raise Untellable(f"{name} cannot be given, the API server refuses it: {answer.message}")
    return answer


def _check_whole(given: Json, stored: Json, name: str) -> None:
    lost = next(_lost(given, stored, ""), None)
    if lost:
        raise Untellable(f"{name} cannot be given, the API server stores it without {lost}")


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
