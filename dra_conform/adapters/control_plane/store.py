"""Direct writes to etcd: objects that no request can create, and the deletion of all objects."""

from __future__ import annotations

import json
import re
import socket
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.controlplane.simulation.keys import Key
from dra_conform.kube.json_writing import encode_json

Json = Any

_ROOT = "/registry"
_RENAMED = {"nodes": "minions"}
"""Resources that are stored under another name."""

_OPERATIONS = 100
"""What etcd takes in one transaction is 128."""


EtcdRequest = Callable[[str, str, bytes], tuple[int, bytes]]
"""A request to etcd: method, path and body; the status and the body of the response."""


class _SocketConnection(HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=60.0)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def etcd_answer(path: Path, method: str, target: str, body: bytes = b"") -> tuple[int, bytes]:
    """Send one request to the etcd that listens on a socket; raises OSError."""
    connection = _SocketConnection(path)
    try:
        connection.request(method, target, body or None)
        response = connection.getresponse()
        return response.status, response.read()
    except HTTPException as error:
        raise OSError(f"etcd: {target}: {error}") from error
    finally:
        connection.close()


class EtcdStore:
    """Etcd by its HTTP gateway. Objects are stored as JSON, which the API server reads as well."""

    def __init__(self, request: EtcdRequest) -> None:
        self._request = request

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
        status, answer = self._request("POST", f"/v3/kv/{what}", encode_json(body))
        if status != HTTPStatus.OK:
            raise OSError(f"etcd: {what}: {answer.decode('utf-8', 'replace')}")
        return json.loads(answer)


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
