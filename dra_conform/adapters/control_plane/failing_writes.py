"""Writes of components that fail on purpose: a validating admission webhook that rejects them.

The webhook rejects writes by the scheduler and the controllers in the namespaces of a scenario, with the
status that an API server answers for the same reason. Several scenarios can use it at the same time.
"""

from __future__ import annotations

import secrets
import ssl
import threading
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from dra_conform.adapters.control_plane.command_lines import USERS
from dra_conform.adapters.live.api import Api
from dra_conform.adapters.live.endpoint import CannotRun, RejectedWrite
from dra_conform.adapters.live.resources import RESOURCES, Resource
from dra_conform.kube.json_values import Json

_ERRORS = {
    "Conflict": (HTTPStatus.CONFLICT, "the object has been modified"),
    "Forbidden": (HTTPStatus.FORBIDDEN, "the user may not do that"),
    "InternalError": (HTTPStatus.INTERNAL_SERVER_ERROR, "an error on the server has prevented the request"),
    "ServiceUnavailable": (HTTPStatus.SERVICE_UNAVAILABLE, "the server is currently unable to handle it"),
    "TooManyRequests": (HTTPStatus.TOO_MANY_REQUESTS, "the server has received too many requests"),
}
"""Status code and message by the reason for which a write fails; components log the message."""

_GROUP = "admissionregistration.k8s.io"
_CONFIGURATIONS = Resource(
    "ValidatingWebhookConfiguration", _GROUP, "validatingwebhookconfigurations", namespaced=False
)
_TRIAL = Resource("ConfigMap", "", "configmaps", namespaced=True)
"""The kind of a write without effect that is sent until the API server asks the webhook about it."""
_PLURALS = (_TRIAL.plural, *(kind.plural for kind in RESOURCES.values() if kind.namespaced))

_USERS = frozenset(name for user, (name, _) in USERS.items() if user != "admin")
_CONTROLLERS = "system:serviceaccount:kube-system:"
"""The prefix of the users of the controllers."""

_REGISTRATION_SECONDS = 30.0
"""Time for an API server to see a new webhook."""
_POLL = 0.05
_LARGEST_REVIEW = 16 * 1024 * 1024
"""The most bytes of an AdmissionReview, several times the two objects in it."""


class _User(msgspec.Struct, frozen=True):
    username: str = ""


class _Request(msgspec.Struct, frozen=True, rename="camel"):
    """The request of an AdmissionReview."""

    uid: str
    operation: str
    resource: dict[str, str]
    user_info: _User
    sub_resource: str = ""
    object: dict[str, Json] | None = None
    old_object: dict[str, Json] | None = None
    dry_run: bool = False


class _Review(msgspec.Struct, frozen=True):
    request: _Request


class FailingWritesWebhook:
    """A webhook on the loopback, which serves with a certificate and key of the control plane.

    It starts when it is needed. Each scenario has a ValidatingWebhookConfiguration of its own, with its own
    URL.
    """

    def __init__(self, certificate: Path, key: Path) -> None:
        self._certificate = certificate
        self._key = key
        self._changed = threading.Lock()
        self._due: dict[str, list[RejectedWrite]] = {}
        """The writes that have to fail in each scenario, the oldest first."""
        self._failed: Counter[str] = Counter()
        """The number of writes that have failed in each scenario."""
        self._in_use: set[str] = set()
        """The scenarios for which the API server asks the webhook."""
        self._secret = secrets.token_urlsafe()
        self._server: _Server | None = None

    def add(
        self, api: Api, scenario: str, namespaces: Sequence[str], write: RejectedWrite, times: int
    ) -> None:
        """Let the next writes by components in the namespaces of a scenario fail.

        Return when the API server asks the webhook. Raises CannotRun, Unreachable and OSError.
        """
        with self._changed:
            server = self._server = self._server or self._started()
            known = scenario in self._due
            self._due.setdefault(scenario, []).extend([write] * times)
        if not known:
            url = f"https://127.0.0.1:{server.server_port}/{self._secret}/{scenario}"
            self._register(api, self._configuration(scenario, namespaces, url), namespaces)

    def failed(self, scenario: str) -> int:
        """Return how many writes have failed in a scenario."""
        return self._failed[scenario]

    def close(self) -> None:
        """Stop serving."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def _started(self) -> _Server:
        server = _Server(("127.0.0.1", 0), partial(_Handler, self._answer))
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(self._certificate, self._key)
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        serve = partial(server.serve_forever, _POLL)
        threading.Thread(target=serve, name="failing-writes", daemon=True).start()
        return server

    def _register(self, api: Api, configuration: Json, namespaces: Sequence[str]) -> None:
        created = api.create(_CONFIGURATIONS.address("v1"), configuration)
        if not created.accepted:
            raise CannotRun(f"the webhook that makes writes fail cannot be registered: {created.message}")
        scenario = configuration["metadata"]["name"]
        trial = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": scenario}}
        places = cycle(_TRIAL.address("v1", namespace) for namespace in namespaces)
        ends = time.monotonic() + _REGISTRATION_SECONDS
        while scenario not in self._in_use:
            tried = api.write("POST", next(places), trial, query={"dryRun": "All"})
            if time.monotonic() > ends:
                why = f": {tried.message}" if tried.message else ""
                raise CannotRun(f"the API server does not ask the webhook that makes writes fail{why}")
            time.sleep(_POLL)

    def _configuration(self, scenario: str, namespaces: Sequence[str], url: str) -> Json:
        of_scenario = {"key": "kubernetes.io/metadata.name", "operator": "In", "values": list(namespaces)}
        resources = [f"{plural}{part}" for plural in _PLURALS for part in ("", "/*")]
        webhook = {
            "name": "failing-writes.dra-conform.example.com",
            "clientConfig": {"url": url, "caBundle": b64encode(self._certificate.read_bytes()).decode()},
            "rules": [
                {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": resources}
            ],
            "namespaceSelector": {"matchExpressions": [of_scenario]},
            "failurePolicy": "Fail",
            "sideEffects": "NoneOnDryRun",
            "admissionReviewVersions": ["v1"],
        }
        return {
            "apiVersion": f"{_GROUP}/v1",
            "kind": _CONFIGURATIONS.kind,
            "metadata": {"name": scenario},
            "webhooks": [webhook],
        }

    def _answer(self, path: str, body: bytes) -> bytes | None:
        """Return the answer to an AdmissionReview, None for any other request."""
        _, secret, scenario, *_ = (*urlsplit(path).path.split("/"), "", "")
        if not secrets.compare_digest(secret.encode(), self._secret.encode()):
            return None
        try:
            request = msgspec.json.decode(body, type=_Review).request
        except msgspec.MsgspecError:
            return None
        reason = self._reason(scenario, request)
        answer: dict[str, Json] = {"uid": request.uid, "allowed": not reason}
        if reason:
            code, message = _ERRORS[reason]
            answer["status"] = {"reason": reason, "code": code, "message": message}
        review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": answer}
        return msgspec.json.encode(review)

    def _reason(self, scenario: str, request: _Request) -> str:
        """Return the reason why a write fails, empty if it does not, and count the failure."""
        name = request.user_info.username
        with self._changed:
            if request.dry_run:
                self._in_use.add(scenario)
            elif (name in _USERS or name.startswith(_CONTROLLERS)) and not _only_reports(request):
                due = self._due.get(scenario, [])
                failing = next((write for write in due if _fails(request, write)), None)
                if failing is not None:
                    due.remove(failing)
                    self._failed[scenario] += 1
                    return failing.reason
        return ""


def _only_reports(request: _Request) -> bool:
    """Whether the scheduler only writes the node that it considers for a pod, or why the pod has no node.

    The documents know no such writes, and how many there are differs between releases.
    """
    if (request.resource["resource"], request.sub_resource) != ("pods", "status"):
        return False
    return bool(_judged_status(request.object) == _judged_status(request.old_object))


def _judged_status(pod: Json) -> Json:
    status = {**((pod or {}).get("status") or {})}
    status.pop("nominatedNodeName", None)
    conditions = status.pop("conditions", None) or ()
    return status, [condition for condition in conditions if condition.get("type") != "PodScheduled"]


def _fails(request: _Request, write: RejectedWrite) -> bool:
    resource = "/".join(filter(None, (request.resource["resource"], request.sub_resource)))
    return (request.operation.lower(), resource) == (write.verb, write.resource)


class _Server(ThreadingHTTPServer):
    """A server whose connections may fail: any program of the machine can open one."""

    def handle_error(self, *_: object) -> None:
        """Print nothing."""


class _Handler(BaseHTTPRequestHandler):
    """Answers one connection of an API server."""

    protocol_version = "HTTP/1.1"

    def __init__(self, answer: Callable[[str, bytes], bytes | None], *arguments: Any) -> None:
        self._answer = answer
        super().__init__(*arguments)

    def do_POST(self) -> None:
        size = max(0, min(int(self.headers.get("Content-Length") or 0), _LARGEST_REVIEW))
        answer = self._answer(self.path, self.rfile.read(size))
        self.send_response(HTTPStatus.OK if answer else HTTPStatus.BAD_REQUEST)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer or b"")))
        self.end_headers()
        self.wfile.write(answer or b"")

    def log_message(self, *_: object) -> None:
        """Log nothing."""
