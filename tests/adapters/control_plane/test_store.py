"""Deletion of objects directly in etcd."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from types import SimpleNamespace
from typing import Any

from dra_conform.adapters.control_plane.control_plane import ControlPlane
from dra_conform.adapters.control_plane.store import EtcdStore


class ScriptedEtcd:
    """An etcd gateway that only lists and deletes keys."""

    def __init__(self, keys: list[str]) -> None:
        self.keys = keys

    def answer(self, method: str, target: str, body: bytes) -> tuple[int, bytes]:
        request = json.loads(body)
        if target.endswith("/range"):
            assert request["keys_only"]
            found = {"kvs": [{"key": b64encode(key.encode()).decode()} for key in self.keys]}
            return 200, json.dumps(found).encode()
        for one in request["success"]:
            self.keys.remove(b64decode(one["requestDeleteRange"]["key"]).decode())
        return 200, b'{"succeeded": true}'


def test_erase_removes_only_objects_with_the_prefix() -> None:
    own = [
        "/registry/namespaces/dra-conform-run-1-default",
        "/registry/pods/dra-conform-run-1-default/p",
        "/registry/minions/dra-conform-run-1.node-1",
        "/registry/leases/kube-node-lease/dra-conform-run-1.node-1",
    ]
    others = [
        "/registry/namespaces/dra-conform-run",
        "/registry/pods/dra-conform-run/probe-1",
        "/registry/pods/dra-conform-run-12-default/p",
        "/registry/pods/default/not-dra-conform-run-1-default",
    ]
    etcd = ScriptedEtcd([*own, *others])
    EtcdStore(etcd.answer).erase("dra-conform-run-1")
    assert etcd.keys == others


def test_an_emptied_control_plane_has_the_namespaces_of_components() -> None:
    """API servers create kube-system only now and then, and controllers cannot start without it."""
    sent: list[str] = []

    def answer(method: str, target: str, body: bytes) -> tuple[int, bytes]:
        request = json.loads(body)
        if target.endswith("/put"):
            sent.append(b64decode(request["key"]).decode())
            return 200, b'{"header": {"revision": "1"}}'
        ranges = [b64decode(one["requestDeleteRange"]["key"]).decode() for one in request["success"]]
        sent.extend(f"delete {key}" for key in ranges if "namespaces" in key)
        return 200, b"{}"

    plane = SimpleNamespace(emptied=0, store=EtcdStore(answer), _apply_manifests=lambda: None)
    empty: Any = ControlPlane.empty
    empty(plane)
    assert sent == [
        "delete /registry/namespaces/",
        "/registry/namespaces/default",
        "/registry/namespaces/kube-system",
    ]
