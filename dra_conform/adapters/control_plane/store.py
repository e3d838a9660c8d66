"""The store behind the API server, written directly: what no request makes, and everything gone at once."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

import urllib3

from dra_conform.adapters.control_plane.layout import Layout
from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.controlplane.simulation.keys import Key
from dra_conform.kube.json_writing import encode_json

Json = Any

_ROOT = "/registry"
_RENAMED = {"nodes": "minions"}
"""Resources that are stored under another name."""

_OPERATIONS = 100
"""What etcd takes in one transaction is 128."""


class EtcdStore:
    """Etcd by its HTTP gateway. Objects are stored as JSON, which the API server reads as well."""

    def __init__(self, http: urllib3.PoolManager, layout: Layout) -> None:
        self._http = http
        self._address = f"http://127.0.0.1:{layout.store}/v3/kv"

    def put(self, key: Key, raw: Json) -> None:
        """Store an object as it is written, neither validated nor defaulted."""
        self._ask("put", {"key": _base64(_path(key).encode()), "value": _base64(encode_json(raw))})

    def remove(self, keys: Iterable[Key]) -> None:
        """Remove objects, whatever holds them."""
        self._remove([{"key": _base64(_path(key).encode())} for key in keys])

    def clear(self, kinds: Iterable[str] = RESOURCES) -> None:
        """Remove all objects of these kinds, whatever holds them."""
        self._remove([_range(f"{_ROOT}/{_stored_as(kind)}/") for kind in kinds])

    def erase(self, prefix: str) -> None:
        """Remove everything whose name, or that of its namespace, is this or begins so before `.` or `-`.

        Namespaces are not emptied by their controller first, which asks for every kind there is.
        """
        whole = _range(f"{_ROOT}/")
        found = self._ask("range", {**whole, "keys_only": True}).get("kvs") or ()
        mine = re.compile(f"/{re.escape(prefix)}(?:[./-]|$)".encode())
        self._remove([{"key": one["key"]} for one in found if mine.search(b64decode(one["key"]))])

    def _remove(self, ranges: list[Json]) -> None:
        for start in range(0, len(ranges), _OPERATIONS):
            part = ranges[start : start + _OPERATIONS]
            self._ask("txn", {"success": [{"requestDeleteRange": one} for one in part]})

    def _ask(self, what: str, body: Json) -> Json:
        answer = self._http.request("POST", f"{self._address}/{what}", json=body)
        if answer.status != HTTPStatus.OK:
            raise OSError(f"etcd: {what}: {answer.data.decode('utf-8', 'replace')}")
        return answer.json()


def _path(key: Key) -> str:
    kind, namespace, name = key
    return "/".join(part for part in (_ROOT, _stored_as(kind), namespace, name) if part)


def _stored_as(kind: str) -> str:
    plural = RESOURCES[kind].plural
    return _RENAMED.get(plural, plural)


def _range(prefix: str) -> dict[str, str]:
    """All keys that begin so."""
    return {"key": _base64(prefix.encode()), "range_end": _base64(_after(prefix).encode())}


def _after(prefix: str) -> str:
    """The first key behind all that begin so."""
    return prefix[:-1] + chr(ord(prefix[-1]) + 1)


def _base64(data: bytes) -> str:
    return b64encode(data).decode()
