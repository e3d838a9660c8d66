"""The requests to the simulated API server: reads, watches, writes and their answers."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from dra_conform.adapters.light_api.api import KINDS, LightApi, Target
from dra_conform.adapters.light_api.discovery import discovery
from dra_conform.adapters.light_api.list_options import BadPage, BadSelector, Selected, page_of, selection
from dra_conform.adapters.light_api.request_body import BadBody, body_of, decoded
from dra_conform.kube.json_values import Json
from dra_conform.kube.versions import from_v1
from dra_conform.simulation.server import WriteResult

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

WATCH_SECONDS = 0.5
"""How long a watch waits for events before it checks whether it must end."""


class _Rejected(Exception):  # noqa: N818 - it reads as what happened
    """The request is rejected with a Status."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class RequestHandler(BaseHTTPRequestHandler):
    """Answers the requests of one connection."""

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
        other = discovery(self._path, self.api.profile)
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
        listed, revision = self.api.list_objects(target, self._selected(target))
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
            self.api.delete_all(target, self._selected(target), self._user_agent)
            return self._send(200, _SUCCESS)
        preconditions = options.get("preconditions") if isinstance(options, dict) else None
        return self._send_result(self.api.delete(target, preconditions, self._user_agent), target)

    def _watch(self, target: Target) -> None:
        """Stream the changes of a collection; with `sendInitialEvents` the present objects first."""
        selected, initial = self._selected(target), self._query.get("sendInitialEvents") == "true"
        end = time.monotonic() + (self._number("timeoutSeconds", float) or 1800)
        since = int(self._number("resourceVersion", int))
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
        try:
            return decoded(body_of(self.headers, self.rfile))
        except BadBody as error:
            self.close_connection = self.close_connection or error.unread
            raise _Rejected("BadRequest", str(error)) from None

    def _selected(self, target: Target) -> Selected:
        try:
            return selection(
                target.kind, self._query.get("fieldSelector", ""), self._query.get("labelSelector", "")
            )
        except BadSelector as error:
            raise _Rejected("BadRequest", str(error)) from None

    def _number(self, name: str, kind: type[int] | type[float]) -> int | float:
        """Return a number of the query, 0 if it is missing."""
        text = self._query.get(name) or "0"
        try:
            return kind(text)
        except ValueError:
            raise _Rejected("BadRequest", f"{name} is {text!r}, expected a number") from None

    @property
    def _user_agent(self) -> str:
        return str(self.headers.get("User-Agent", ""))

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
