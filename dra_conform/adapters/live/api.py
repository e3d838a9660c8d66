"""Requests to an API server. Objects are plain JSON, so that unknown fields and wrong types are kept."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import NOT_FOUND
from typing import Any, Protocol

from kubernetes.client import ApiClient
from urllib3 import HTTPHeaderDict, Timeout
from urllib3.exceptions import HTTPError
from urllib3.response import BaseHTTPResponse

from dra_conform.adapters.live.api_answers import (
    MalformedAnswer,
    list_answer,
    object_answer,
    resources_answer,
    status_answer,
    version_answer,
    written_answer,
)
from dra_conform.adapters.live.endpoint import CannotRun, Endpoint
from dra_conform.adapters.live.resources import Address
from dra_conform.kube.json_writing import encode_json

Json = Any

MERGE = "application/merge-patch+json"
APPLY = "application/apply-patch+yaml"
_STRATEGIC = "application/strategic-merge-patch+json"
_JSON = "application/json"
_SECONDS = (20, 60)
"""To connect, and to wait for an answer."""
_LONGEST = 256 * 1024 * 1024
_CONFLICTS = 5
"""So often a deletion is tried of an object that changes meanwhile."""


class Unreachable(Exception):  # noqa: N818 - it reads as what happened
    """The API server does not answer, or with something that is no API object."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the API server says: an object, or a Status that tells why not; with the warnings beside it."""

    code: int
    body: Json
    warnings: tuple[str, ...] = ()

    @property
    def taken(self) -> bool:
        return 200 <= self.code < 300

    @property
    def reason(self) -> str:
        """Of a refusal, such as `NotFound`."""
        return str(self.body.get("reason") or f"HTTP {self.code}") if isinstance(self.body, dict) else ""

    @property
    def message(self) -> str:
        return str(self.body.get("message", "")) if isinstance(self.body, dict) else ""


@dataclass(frozen=True, slots=True)
class Write:
    """A request that changes something, before it is sent."""

    method: str
    address: Address
    body: Json
    content_type: str
    user: Json = None


class WriteGuard(Protocol):
    """Decides of every write, below everything else, whether it goes out."""

    def checked(self, write: Write, read: Callable[[Address], Answer]) -> Write | Answer:
        """The write as it may go out, or the answer to one about an object that is not there.

        `read` asks the API server for an object. Raises CannotRun for a write that may not go out.
        """
        ...

    def sent(self, write: Write, answer: Answer) -> None:
        """Learn what became of a write."""
        ...


class NoWrites:
    """For connections that only read."""

    def checked(self, write: Write, read: Callable[[Address], Answer]) -> Write | Answer:
        raise CannotRun(f"{write.method} {write.address} on a connection that only reads")

    def sent(self, write: Write, answer: Answer) -> None:
        """Nothing is sent."""


class EveryWrite:
    """For a control plane that is there for nothing else, and for administrators in tests."""

    def checked(self, write: Write, read: Callable[[Address], Answer]) -> Write | Answer:
        return write

    def sent(self, write: Write, answer: Answer) -> None:
        """There is nothing to remember."""


class Api:
    """An API server as one user sees it; may be used from several threads.

    `guard` decides which writes go out; without one, none does.
    """

    def __init__(self, endpoint: Endpoint, guard: WriteGuard | None = None, connections: int = 64) -> None:
        endpoint.configuration.connection_pool_maxsize = connections
        self._guard = guard or NoWrites()
        self._client = ApiClient(endpoint.configuration)
        self._ended = threading.Event()

    def end(self) -> None:
        """From now on nothing is written but deletions, and nobody waits for changes."""
        self._ended.set()

    def check(self) -> None:
        """Raises Unreachable once it has ended."""
        if self._ended.is_set():
            raise Unreachable("the run has ended")

    def close(self) -> None:
        """Give the connections back."""
        self._client.close()

    def get(self, address: Address, **query: str) -> Answer:
        """An object, or a list of all objects of a collection. Raises Unreachable."""
        read = object_answer if address.name else list_answer
        return self._asked("GET", str(address), None, read=read, query=query)

    def list(self, path: str) -> Answer:
        """All objects of a collection. Raises Unreachable."""
        return self._asked("GET", path, None, read=list_answer, query={})

    def resources(self, group: str, version: str) -> Answer:
        """The resources that are served in a version of a group. Raises Unreachable."""
        return self._asked("GET", f"/apis/{group}/{version}", None, read=resources_answer, query={})

    def version(self) -> Answer:
        """The version of the API server: `major`, `minor` and `gitVersion`. Raises Unreachable."""
        return self._asked("GET", "/version", None, read=version_answer, query={})

    def create(self, address: Address, body: Json, user: Json = None) -> Answer:
        return self.write("POST", address, body, user=user)

    def replace(self, address: Address, body: Json, user: Json = None) -> Answer:
        return self.write("PUT", address, body, user=user)

    def patch(self, address: Address, body: Json) -> Answer:
        """A strategic merge patch: items of lists are found by their keys."""
        return self.write("PATCH", address, body, content_type=_STRATEGIC)

    def delete(self, address: Address, *, now: bool = False) -> Answer:
        """`now`: without the time that pods have to end.

        Again where the object has changed since the guard read it.
        """
        options = {"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Background"}
        for attempt in range(_CONFLICTS):
            answer = self.write("DELETE", address, {**options, "gracePeriodSeconds": 0} if now else options)
            if answer.reason != "Conflict" or attempt == _CONFLICTS - 1:
                break
        return answer

    def text(self, path: str) -> str | None:
        """What is no object, such as metrics; None where it is refused. Raises Unreachable."""
        with self._opened("GET", path, None, {}, {"Accept": "text/plain"}) as response:
            return response.data.decode() if response.status == 200 else None

    def write(
        self,
        method: str,
        address: Address,
        body: Json,
        *,
        query: Mapping[str, str] | None = None,
        user: Json = None,
        content_type: str = _JSON,
    ) -> Answer:
        """One request that changes something, if the guard lets it; with a user, it is made in that name.

        Raises Unreachable, and CannotRun for a write that may not go out.
        """
        if method in ("POST", "PUT"):
            self.check()
        checked = self._guard.checked(Write(method, address, body, content_type, user), self.get)
        if isinstance(checked, Answer):
            return checked
        answer = self._asked(
            method,
            str(address),
            checked.body,
            read=written_answer,
            query=query or {},
            user=user,
            content_type=content_type,
        )
        self._guard.sent(checked, answer)
        return answer

    def _asked(
        self,
        method: str,
        path: str,
        body: Json,
        *,
        read: Callable[[bytes], Json],
        query: Mapping[str, str],
        user: Json = None,
        content_type: str = _JSON,
    ) -> Answer:
        """One request, whatever it does; `read` takes the answer to one that succeeds."""
        headers = {"Accept": _JSON, "Content-Type": content_type}
        with self._opened(method, path, body, query, headers, user=user) as response:
            data = _data(response)
            try:
                decoded = (read if 200 <= response.status < 300 else status_answer)(data)
            except MalformedAnswer as error:
                said = data[:200].decode(errors="replace").strip()
                if response.status != NOT_FOUND:
                    message = f"{method} {path}: {response.status} {said}: {error}"
                    raise Unreachable(message) from None
                decoded = {"kind": "Status", "reason": "NotFound", "message": said}
            warnings = tuple(map(_warning, response.headers.getlist("Warning")))
            return Answer(response.status, decoded, warnings)

    @contextmanager
    def stream(self, path: str, query: Mapping[str, str]) -> Iterator[BaseHTTPResponse]:
        """The response of a watch, to be read line by line and ended from outside with `shutdown`."""
        with self._opened("GET", path, None, query, {"Accept": _JSON}, (20, None)) as response:
            yield response

    @contextmanager
    def _opened(
        self,
        method: str,
        path: str,
        body: Json,
        query: Mapping[str, str],
        headers: Mapping[str, str],
        seconds: tuple[int, int | None] = _SECONDS,
        user: Json = None,
    ) -> Iterator[BaseHTTPResponse]:
        method, url, serialized, _, _ = self._client.param_serialize(
            method, path, None, list(query.items()), dict(headers), auth_settings=["BearerToken"]
        )
        fields = HTTPHeaderDict(serialized)
        for name, value in _impersonation(user):
            fields.add(name, value)
        response: BaseHTTPResponse | None = None
        try:
            # Not by call_api, which writes JSON with blanks: some limits count the bytes that were sent.
            response = self._client.rest_client.pool_manager.request(
                method,
                url,
                body=None if body is None else encode_json(body),
                headers=fields,
                timeout=Timeout(connect=seconds[0], read=seconds[1]),
                redirect=False,
                preload_content=False,
            )
            yield response
        except (HTTPError, OSError) as error:
            raise Unreachable(f"{method} {path}: {error}") from error
        finally:
            if response is not None:
                response.close()


def _impersonation(user: Json) -> Iterator[tuple[str, str]]:
    """The headers with which a request is made in the name of a user, and of each of its groups."""
    if user:
        yield "Impersonate-User", user["name"]
        yield from (("Impersonate-Group", group) for group in user.get("groups", ()))


def _data(response: BaseHTTPResponse) -> bytes:
    """The body of a response; raises Unreachable for one that is too long."""
    data: bytes = response.read(_LONGEST + 1)
    if len(data) > _LONGEST:
        raise Unreachable(f"an answer of more than {_LONGEST} bytes")
    return data


def _warning(header: str) -> str:
    """The text of a Warning header: `299 - "unknown field \\"x\\""`."""
    _, _, quoted = header.partition('"')
    return quoted.removesuffix('"').replace('\\"', '"').replace("\\\\", "\\")
