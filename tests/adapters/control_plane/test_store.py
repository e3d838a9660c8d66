"""What is taken out of the store behind the API server, and what stays."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from types import SimpleNamespace
from typing import Any

from dra_conform.adapters.control_plane.store import EtcdStore

Json = Any


class ScriptedEtcd:
    """The part of etcd's gateway that lists keys and deletes them."""

    def __init__(self, keys: list[str]) -> None:
        self.keys = keys

    def request(self, method: str, url: str, json: Json) -> Json:
        if url.endswith("/range"):
            assert json["keys_only"]
            return _answer({"kvs": [{"key": b64encode(key.encode()).decode()} for key in self.keys]})
        for one in json["success"]:
            self.keys.remove(b64decode(one["requestDeleteRange"]["key"]).decode())
        return _answer({"succeeded": True})


def _answer(body: Json) -> Json:
    return SimpleNamespace(status=200, data=json.dumps(body).encode(), json=lambda: body)


def test_what_bears_a_name_of_the_story_goes_and_nothing_else() -> None:
    own = [
        "/registry/namespaces/dra-conform-run-1-default",
        "/registry/pods/dra-conform-run-1-default/p",
        "/registry/minions/dra-conform-run-1.node-1",
        "/registry/leases/kube-node-lease/dra-conform-run-1.node-1",
    ]
    others = [
        "/registry/namespaces/dra-conform-run",
        "/registry/pods/dra-conform-run/canary-1",
        "/registry/pods/dra-conform-run-12-default/p",
        "/registry/pods/default/not-dra-conform-run-1-default",
    ]
    etcd: Json = ScriptedEtcd([*own, *others])
    EtcdStore(etcd, SimpleNamespace(store=1)).erase("dra-conform-run-1")  # type: ignore[arg-type]
    assert etcd.keys == others
