"""What is taken out of the store behind the API server, and what stays."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode

from dra_conform.adapters.control_plane.store import EtcdStore


class ScriptedEtcd:
    """The part of etcd's gateway that lists keys and deletes them."""

    def __init__(self, keys: list[str]) -> None:
        self.keys = keys

    def answer(self, method: str, target: str, body: bytes) -> tuple[int, bytes]:
        asked = json.loads(body)
        if target.endswith("/range"):
            assert asked["keys_only"]
            found = {"kvs": [{"key": b64encode(key.encode()).decode()} for key in self.keys]}
            return 200, json.dumps(found).encode()
        for one in asked["success"]:
            self.keys.remove(b64decode(one["requestDeleteRange"]["key"]).decode())
        return 200, b'{"succeeded": true}'


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
    etcd = ScriptedEtcd([*own, *others])
    EtcdStore(etcd.answer).erase("dra-conform-run-1")
    assert etcd.keys == others
