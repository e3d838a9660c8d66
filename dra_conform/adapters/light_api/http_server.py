"""The simulated API server over HTTP on a port of the loopback interface."""

from __future__ import annotations

import json
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from dra_conform.adapters.light_api.api import KINDS, LightApi, Target, Write
from dra_conform.adapters.light_api.list_pages import BadPage, page_of
from dra_conform.controlplane.apiserver.kinds import STRATEGIES, versions_served
from dra_conform.controlplane.simulation.server import WriteResult
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import from_v1

Json = Any

_CODES = {
    "AlreadyExists": 409,
    "BadRequest": 400,
    "Conflict": 409,
    "Expired": 410,
    "Forbidden": 403,
    "Invalid": 422,
    "MethodNotAllowed": 405,
    "NotFound": 404,
    "UnsupportedMediaType": 415,
}
"""HTTP status codes by reason; 500 for others."""

MAX_BODY = 3 * 2**20
"""The size of a request body that is read, in bytes, as in the API server."""

MAX_CONNECTIONS = 200
"""The maximum number of concurrent connections; further ones are closed at once."""

WATCH_SECONDS = 0.5
"""How long a watch waits for events before it checks whether it must end."""


class LightServer:
    """A running API server. `writes` are the requests to change objects."""

    def __init__(self, profile: Profile, seed: int | None = None) -> None:
        self.api = LightApi(profile, secrets.randbits(64) if seed is None else seed)
        self._stopped = threading.Event()
        handler = type("Handler", (_Handler,), {"api": self.api, "server_stopped": self._stopped})
        self._http = _HTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        self.api.load({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}})

    @property
    def writes(self) -> tuple[Write, ...]:
        """All writes so far in order."""
        return tuple(self.api.writes)

    def write_kubeconfig(self, path: Path) -> None:
        """Write a kubeconfig for this server."""
        named = {"name": "light"}
        content = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "light",
            "clusters": [{**named, "cluster": {"server": self.url}}],
            "users": [{**named, "user": {}}],
            "contexts": [{**named, "context": {"cluster": "light", "user": "light"}}],
        }
        path.write_text(json.dumps(content), encoding="utf-8")

    def stop_answering(self) -> None:
        """Close all current and new connections without an answer until `answer_again`."""
        self._stopped.set()
        self._http.close_connections()

    def answer_again(self) -> None:
        """Answer requests after `stop_answering`."""
        self._stopped.clear()

    def restart(self, gates: Mapping[str, bool]) -> None:
        """Close all connections and continue with other states of feature gates."""
        self.stop_answering()
        self.api.restart(gates)
        self.answer_again()

    def close(self) -> None:
        """End the server and its connections."""
        self._stopped.set()
        self._http.shutdown()
        self._http.close_connections()
        self._http.server_close()
        self._thread.join()


class _HTTPServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            accepted = len(self._open) < MAX_CONNECTIONS
            if accepted:
                self._open.add(request)
        if accepted:
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def close_connections(self) -> None:
        """Shut down all open connections."""
        with self._lock:
            for connection in self._open:
                with suppress(OSError):  # The client may have closed it.
                    connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of broken connections instead of printing them."""


class _Rejected(Exception):  # noqa: N818 - it reads as what happened
    """The request is rejected with a Status."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    api: LightApi
    server_stopped: threading.Event

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base class
        """Log nothing."""

    def do_GET(self) -> None:
        self._answer(self._read)

    def do_POST(self) -> None:
        self._answer(self._create)

    def do_PUT(self) -> None:
        self._answer(self._update)

    def do_PATCH(self) -> None:
        self._answer(self._patch)

    def do_DELETE(self) -> None:
        self._answer(self._delete)

    def _answer(self, handle: Callable[[], None]) -> None:
        if self.server_stopped.is_set():
            self.close_connection = True
            return
        url = urlsplit(self.path)
        self._path = url.path
        self._query = {name: values[-1] for name, values in parse_qs(url.query).items()}
        try:
            handle()
        except _Rejected as rejected:
            self._send_status(rejected.reason, str(rejected))
        except OSError:
            self.close_connection = True

    # Requests

    def _read(self) -> None:
        other = self._discovery()
        if other is not None:
            return self._send(200, other)
        target = self._target()
        if target.name:
            raw = self.api.get(target)
            if raw is None:
                raise _Rejected("NotFound", f'{target.kind} "{target.name}" not found')
            return self._send(200, raw)
        if self._query.get("watch") in ("1", "true"):
            return self._watch(target)
        listed, revision = self.api.list_objects(target, self._selected())
        try:
            items, metadata = page_of(listed, self._query, revision)
        except BadPage as error:
            raise _Rejected("BadRequest", str(error)) from None
        kind = f"{target.kind}List"
        return self._send(
            200, {"kind": kind, "apiVersion": target.api_version, "metadata": metadata, "items": items}
        )

    def _create(self) -> None:
        body = self._body()
        if self._path.rstrip("/").endswith("/events"):
            return self._send(201, body)  # Events are accepted and forgotten.
        target = self._target()
        if self._query.get("dryRun") == "All":
            return self._send_result(self.api.rehearse_create(target, body), target, 201)
        return self._send_result(self.api.create(target, body, self._user_agent), target, 201)

    def _update(self) -> None:
        target, body = self._target(), self._body()
        self._send_result(self.api.update(target, body, self._user_agent), target)

    def _patch(self) -> None:
        body = self._body()
        if "/events/" in self._path:
            self._send(200, body)
            return
        target, kind = self._target(), self.headers.get("Content-Type", "").partition(";")[0]
        match kind:
            case "application/merge-patch+json" | "application/strategic-merge-patch+json":
                result = self.api.merge(target, body, self._user_agent)
            case "application/apply-patch+yaml" | "application/apply-patch+json":
                manager, force = self._query.get("fieldManager", ""), self._query.get("force") == "true"
                result = self.api.apply(target, body, manager, self._user_agent, force=force)
            case _:
                raise _Rejected("UnsupportedMediaType", f"patches of type {kind!r} are not supported")
        self._send_result(result, target)

    def _delete(self) -> None:
        target, options = self._target(), self._body() or {}
        if not target.name:
            self.api.delete_all(target, self._selected(), self._user_agent)
            return self._send(200, _SUCCESS)
        preconditions = options.get("preconditions") if isinstance(options, dict) else None
        return self._send_result(self.api.delete(target, preconditions, self._user_agent), target)

    def _watch(self, target: Target) -> None:
        """Stream the changes of a collection; with `sendInitialEvents` the present objects first."""
        selected, initial = self._selected(), self._query.get("sendInitialEvents") == "true"
        since = int(self._query.get("resourceVersion") or 0)
        items: list[Json] = []
        if initial or not since:
            items, since = self.api.list_objects(target, selected)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for raw in items:
            self._send_event("ADDED", raw)
        if initial:
            self._send_event("BOOKMARK", _bookmark(target, since, {"k8s.io/initial-events-end": "true"}))
        end = time.monotonic() + float(self._query.get("timeoutSeconds") or 1800)
        while time.monotonic() < end and not self.server_stopped.is_set():
            changes = self.api.wait_for_events(target, since, WATCH_SECONDS)
            if changes is None:
                self._send_event("ERROR", _status("Expired", f"too old resource version: {since}"))
                break
            events, since = changes
            for event in events:
                raw = from_v1(event.object, target.api_version)
                if selected(raw):
                    self._send_event(event.type, raw)
        self.wfile.write(b"0\r\n\r\n")

    # Parts of a request

    def _target(self) -> Target:
        parts = [part for part in self._path.split("/") if part]
        group = ""
        if parts[:1] == ["api"]:
            version, rest = parts[1:2], parts[2:]
        else:
            group, version, rest = "".join(parts[1:2]), parts[2:3], parts[3:]
        namespace = ""
        if rest[:1] == ["namespaces"] and len(rest) > 2:
            namespace, rest = rest[1], rest[2:]
        kind = KINDS.get("".join(rest[:1]), "")
        api_version = "/".join(filter(None, (group, *version)))
        target = Target(kind, api_version, namespace, "".join(rest[1:2]), "".join(rest[2:3]))
        if not kind or not self.api.serves(target):
            self._body()
            raise _Rejected("NotFound", "the server could not find the requested resource")
        return target

    def _body(self) -> Json:
        length = int(self.headers.get("Content-Length") or 0)
        if length > MAX_BODY:
            self.close_connection = True
            raise _Rejected("BadRequest", f"the body has {length} bytes, expected at most {MAX_BODY}")
        data = self.rfile.read(length)
        if not data:
            return None
        try:
            if data.startswith(b"k8s\x00"):
                # Imported here: protobuf is needed for clients in Go only.
                from dra_conform.adapters.light_api.protobuf_bodies import decode  # noqa: PLC0415

                return decode(data)
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise _Rejected("BadRequest", f"the body cannot be decoded: {error}") from None

    def _selected(self) -> Callable[[Json], bool]:
        fields = [*_selectors(self._query.get("fieldSelector", ""))]
        labels = [*_selectors(self._query.get("labelSelector", ""))]

        def selected(raw: Json) -> bool:
            own = raw["metadata"].get("labels") or {}
            return all((_field(raw, path) == value) == equal for path, value, equal in fields) and all(
                (own.get(name) == value) == equal for name, value, equal in labels
            )

        return selected

    @property
    def _user_agent(self) -> str:
        return str(self.headers.get("User-Agent", ""))

    def _discovery(self) -> Json | None:
        """Return the answer to a discovery request, None for a request that names a resource."""
        parts = [part for part in self._path.split("/") if part]
        profile = self.api.profile
        match parts:
            case ["version"]:
                release = profile.release or "1.37"
                return {"major": "1", "minor": release.partition(".")[2], "gitVersion": f"v{release}.0"}
            case ["readyz" | "healthz" | "livez"]:
                return {}
            case ["api"]:
                return {"kind": "APIVersions", "versions": ["v1"]}
            case ["apis"]:
                return {"kind": "APIGroupList", "apiVersion": "v1", "groups": [_group(profile)]}
            case ["api", version]:
                return _resources(version, profile)
            case ["apis", group, version]:
                return _resources(f"{group}/{version}", profile)
        return None

    # Answers

    def _send_result(self, result: WriteResult, target: Target, code: int = 200) -> None:
        if result["outcome"] == "rejected":
            causes = [
                {"reason": error["type"], "message": error["detail"], "field": error["path"]}
                for error in result["errors"]
            ]
            message = result["message"] or "; ".join(
                f"{cause['field']}: {cause['reason']}: {cause['message']}" for cause in causes
            )
            return self._send_status(result["reason"], message, causes)
        raw = result.get("object")
        return self._send(code, _SUCCESS if raw is None else from_v1(raw, target.api_version))

    def _send_status(self, reason: str, message: str, causes: list[Json] | None = None) -> None:
        status = _status(reason, message, causes)
        self._send(status["code"], status)

    def _send(self, code: int, body: Json) -> None:
        data = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _send_event(self, kind: str, raw: Json) -> None:
        data = json.dumps({"type": kind, "object": raw}).encode() + b"\n"
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()


_SUCCESS = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"}


def _status(reason: str, message: str, causes: list[Json] | None = None) -> dict[str, Json]:
    return {
        **_SUCCESS,
        "status": "Failure",
        "reason": reason,
        "message": message,
        "code": _CODES.get(reason, 500),
        **({"details": {"causes": causes}} if causes else {}),
    }


def _bookmark(target: Target, revision: int, annotations: Mapping[str, str]) -> Json:
    metadata = {"resourceVersion": str(revision), "annotations": dict(annotations)}
    return {"kind": target.kind, "apiVersion": target.api_version, "metadata": metadata}


def _selectors(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield key, value and whether they must be equal, for each requirement of a selector."""
    for part in filter(None, text.split(",")):
        name, operator, value = part.partition("!=") if "!=" in part else part.partition("=")
        yield name, value.removeprefix("="), operator == "="


def _field(raw: Json, path: str) -> str:
    value = raw
    for name in path.split("."):
        value = (value or {}).get(name)
    return str(value or "")


def _group(profile: Profile) -> Json:
    versions = [
        {"groupVersion": version, "version": version.rpartition("/")[2]}
        for version in versions_served("ResourceSlice", profile)
    ]
    return {"name": "resource.k8s.io", "versions": versions, "preferredVersion": versions[0]}


def _resources(group_version: str, profile: Profile) -> Json:
    resources = [
        {
            "name": plural,
            "singularName": kind.lower(),
            "kind": kind,
            "verbs": _VERBS,
            "namespaced": STRATEGIES[kind].namespaced,
        }
        for plural, kind in KINDS.items()
        if group_version in versions_served(kind, profile)
    ]
    return {"kind": "APIResourceList", "groupVersion": group_version, "resources": resources}


_VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]
