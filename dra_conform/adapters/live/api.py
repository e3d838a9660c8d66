"""Requests to an API server. Objects are plain JSON, so that unknown fields and wrong types are preserved."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import NOT_FOUND, OK
from time import monotonic

from kubernetes.client import ApiClient
from urllib3 import HTTPHeaderDict, Timeout
from urllib3.exceptions import HTTPError
from urllib3.response import BaseHTTPResponse

from dra_conform.adapters.live.api_answers import (
    Answer,
    MalformedAnswer,
    list_answer,
    object_answer,
    resources_answer,
    status_answer,
    version_answer,
    warning_text,
    written_answer,
)
from dra_conform.adapters.live.endpoint import Endpoint
from dra_conform.adapters.live.resources import Address
from dra_conform.adapters.live.write_guards import NoWrites, Write, WriteGuard
from dra_conform.kube.json_values import Json, encode_json

MERGE = "application/merge-patch+json"
APPLY = "application/apply-patch+yaml"
_STRATEGIC = "application/strategic-merge-patch+json"
_JSON = "application/json"
_TIMEOUTS = (20, 60)
"""Seconds to connect, and to wait for the next bytes of an answer."""
_MAX_SECONDS = 300
"""Seconds to read the body of an answer."""
_MAX_BYTES = 256 * 1024 * 1024
_PART = 64 * 1024
_DELETE_TRIES = 5
"""Tries to delete an object that changes at the same time."""


class Unreachable(Exception):  # noqa: N818 - it reads as what happened
    """The API server does not answer, or the answer is not an API object."""


class Api:
    """An API server for one user; it can be used from several threads.

    `guard` decides which writes are sent; without a guard no write is sent.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        guard: WriteGuard | None = None,
        check_components: Callable[[], None] = lambda: None,
    ) -> None:
        endpoint.configuration.connection_pool_maxsize = 64
        self._guard = guard or NoWrites()
        self._check_components = check_components
        self._endpoint = endpoint
        self._client = ApiClient(endpoint.configuration)
        self._ended = threading.Event()
        self._streams: set[BaseHTTPResponse] = set()

    def end(self) -> None:
        """End the use of the API: all further requests fail, except for deletions."""
        self._ended.set()

    def check(self) -> None:
        """Raise Unreachable after `end` was called, and what the check of the components raises."""
        if self._ended.is_set():
            raise Unreachable("the run has ended")
        self._check_components()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def get(self, address: Address, **query: str) -> Answer:
        """Read an object or list a collection; raises Unreachable."""
        read = object_answer if address.name else list_answer
        return self._request("GET", str(address), None, read=read, query=query)

    def list(self, path: str) -> Answer:
        """List a collection by its path; raises Unreachable."""
        return self._request("GET", path, None, read=list_answer, query={})

    def resources(self, group: str, version: str) -> Answer:
        """Return the resources that are served in a version of an API group; raises Unreachable.

        The core group is empty.
        """
        path = f"/apis/{group}/{version}" if group else f"/api/{version}"
        return self._request("GET", path, None, read=resources_answer, query={})

    def version(self) -> Answer:
        """Return `major`, `minor` and `gitVersion` of the API server; raises Unreachable."""
        return self._request("GET", "/version", None, read=version_answer, query={})

    def create(self, address: Address, body: Json, user: Json = None) -> Answer:
        """Create an object; raises the same errors as `write`."""
        return self.write("POST", address, body, user=user)

    def replace(self, address: Address, body: Json, user: Json = None) -> Answer:
        """Replace an object or a subresource; raises the same errors as `write`."""
        return self.write("PUT", address, body, user=user)

    def patch(self, address: Address, body: Json) -> Answer:
        """Send a strategic merge patch, which finds list items by their keys."""
        return self.write("PATCH", address, body, content_type=_STRATEGIC)

    def delete(self, address: Address, *, now: bool = False) -> Answer:
        """Delete an object; with `now`, without a grace period.

        Also retried on 409 Conflict, if the object changed after the guard read it.
        """
        options = {"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Background"}
        for attempt in range(_DELETE_TRIES):
            answer = self.write("DELETE", address, {**options, "gracePeriodSeconds": 0} if now else options)
            if answer.reason != "Conflict" or attempt == _DELETE_TRIES - 1:
                break
        return answer

    def text(self, path: str) -> str | None:
        """Read plain text, such as metrics; None if the API server does not return it. Raises Unreachable."""
        with self._opened("GET", path, None, {}, {"Accept": "text/plain"}) as response:
            if response.status != OK:
                return None
            try:
                return _data(response).decode()
            except UnicodeDecodeError:
                raise Unreachable(f"GET {path}: the answer is not UTF-8, expected text") from None

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
        """Send a write if the guard allows it, with `user` impersonated.

        Raises Unreachable, and CannotRun for a write that the guard rejects.
        """
        if method in ("POST", "PUT"):
            self.check()
        checked = self._guard.checked(Write(method, address, body, content_type, user), self.get)
        if isinstance(checked, Answer):
            return checked
        answer = self._request(
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

    def _request(
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
        """Send a request; `read` decodes the answer if it succeeds."""
        headers = {"Accept": _JSON, "Content-Type": content_type}
        with self._opened(method, path, body, query, headers, user=user) as response:
            data = _data(response)
            try:
                decoded = (read if 200 <= response.status < 300 else status_answer)(data)
            except MalformedAnswer as error:
                text = data[:200].decode(errors="replace").strip()
                if response.status != NOT_FOUND:
                    message = f"{method} {path}: {response.status} {text}: {error}"
                    raise Unreachable(message) from None
                decoded = {"kind": "Status", "reason": "NotFound", "message": text}
            warnings = tuple(map(warning_text, response.headers.getlist("Warning")))
            return Answer(response.status, decoded, warnings)

    @contextmanager
    def stream(self, path: str, query: Mapping[str, str]) -> Iterator[BaseHTTPResponse]:
        """Open a watch; its response is read line by line, and another thread can end it with `shutdown`."""
        with self._opened("GET", path, None, query, {"Accept": _JSON}, (20, None)) as response:
            self._streams.add(response)
            try:
                yield response
            finally:
                self._streams.discard(response)

    def end_streams(self) -> None:
        """End all watches, so that they start again on the API server that the endpoint names now."""
        for response in list(self._streams):
            with suppress(ValueError, OSError, RuntimeError):  # The response may have ended already.
                response.shutdown()

    @contextmanager
    def _opened(
        self,
        method: str,
        path: str,
        body: Json,
        query: Mapping[str, str],
        headers: Mapping[str, str],
        seconds: tuple[int, int | None] = _TIMEOUTS,
        user: Json = None,
    ) -> Iterator[BaseHTTPResponse]:
        method, url, serialized, _, _ = self._client.param_serialize(
            method,
            path,
            None,
            list(query.items()),
            dict(headers),
            auth_settings=["BearerToken"],
            _host=self._endpoint.server,  # The host of the configuration is reset when credentials are read.
        )
        fields = HTTPHeaderDict(serialized)
        fields.extend(_impersonation(user))
        if not all(value.isascii() and value.isprintable() for value in fields.values()):
            raise Unreachable(f"{method} {path}: a header cannot be sent, expected a token of one line")
        response: BaseHTTPResponse | None = None
        try:
            # `call_api` is not used, because it adds blanks to JSON, and some limits count bytes.
            response = self._client.rest_client.pool_manager.request(
                method,
                url,
                body=None if body is None else encode_json(body),
                headers=fields,
                timeout=Timeout(connect=seconds[0], read=seconds[1]),
                redirect=False,
                preload_content=False,
                decode_content=False,  # No request accepts a compressed answer, which could be of any size.
            )
            yield response
        except (HTTPError, OSError) as error:
            cause = getattr(error, "reason", None) or error  # what the last retry raised
            raise Unreachable(f"{method} {path}: {cause}") from error
        finally:
            if response is not None:
                response.close()


def _impersonation(user: Json) -> Iterator[tuple[str, str]]:
    """Yield the headers that impersonate a user and its groups."""
    if user:
        yield "Impersonate-User", user["name"]
        yield from (("Impersonate-Group", group) for group in user.get("groups", ()))


def _data(response: BaseHTTPResponse) -> bytes:
    """Return the body of a response; raises Unreachable if it is too long or takes too long."""
    data, end = bytearray(), monotonic() + _MAX_SECONDS
    while part := response.read1(_PART):
        data += part
        if len(data) > _MAX_BYTES:
            problem = f"is too long, expected at most {_MAX_BYTES} bytes"
        elif monotonic() > end:
            problem = f"is not complete after {_MAX_SECONDS} seconds"
        else:
            continue
        raise Unreachable(f"the answer of the API server {problem}")
    return bytes(data)
