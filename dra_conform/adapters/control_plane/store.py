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

from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.cluster_state.object_keys import Key
from dra_conform.kube.json_values import Json, encode_json

_ROOT = "/registry"
_RENAMED = {"nodes": "minions"}
"""Resources whose name in etcd differs from the API."""

_OPERATIONS = 100
"""The number of operations in one transaction; etcd allows 128."""

EtcdRequest = Callable[[str, str, bytes], tuple[int, bytes]]
"""A function that sends a request to etcd: from method, path and body to status and body of the response."""


class _SocketConnection(HTTPConnection):
    """An HTTP connection over a Unix socket."""

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
    """The etcd of an API server, through its HTTP gateway. Objects are stored as JSON."""

    def __init__(self, request: EtcdRequest) -> None:
        self._request = request

    def put(self, key: Key, raw: Json) -> str:
        """Store an object without validation and defaults; return its resource version."""
        body = {"key": _base64(_path(key).encode()), "value": _base64(encode_json(raw))}
        return str(self._ask("put", body)["header"]["revision"])

    def remove(self, keys: Iterable[Key]) -> None:
        """Remove objects, even if they have finalizers."""
        self._remove([{"key": _base64(_path(key).encode())} for key in keys])

    def clear(self, kinds: Iterable[str] = RESOURCES) -> None:
        """Remove all objects of these kinds, even if they have finalizers."""
        self._remove([_range(f"{_ROOT}/{_resource_name(kind)}/") for kind in kinds])

    def erase(self, prefix: str) -> None:
        """Remove all objects whose name or namespace is the prefix, or the prefix followed by `.` or `-`.

        This is faster than the namespace controller, which lists every kind before it removes a namespace.
        """
        everything = _range(f"{_ROOT}/")
        entries = self._ask("range", {**everything, "keys_only": True}).get("kvs") or ()
        prefixed = re.compile(f"/{re.escape(prefix)}(?:[./-]|$)".encode())
        self._remove([{"key": entry["key"]} for entry in entries if prefixed.search(b64decode(entry["key"]))])

    def _remove(self, ranges: list[Json]) -> None:
        for start in range(0, len(ranges), _OPERATIONS):
            part = ranges[start : start + _OPERATIONS]
            self._ask("txn", {"success": [{"requestDeleteRange": keys} for keys in part]})

    def _ask(self, method: str, body: Json) -> Json:
        status, answer = self._request("POST", f"/v3/kv/{method}", encode_json(body))
        if status != HTTPStatus.OK:
            raise OSError(f"etcd: {method}: {answer.decode('utf-8', 'replace')}")
        return json.loads(answer)


def _path(key: Key) -> str:
    kind, namespace, name = key
    return "/".join(part for part in (_ROOT, _resource_name(kind), namespace, name) if part)


def _resource_name(kind: str) -> str:
    plural = RESOURCES[kind].plural
    return _RENAMED.get(plural, plural)


def _range(prefix: str) -> dict[str, str]:
    """Return the range of all keys with a prefix; its end is the first key after them."""
    end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    return {"key": _base64(prefix.encode()), "range_end": _base64(end.encode())}


def _base64(data: bytes) -> str:
    return b64encode(data).decode()
