"""The answers of an API server, and their validation: objects, lists, watch events and Status.

Only the fields that every object has are checked here; `spec` and `status` are checked with the observations.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from dra_conform.kube import codec
from dra_conform.kube.json_values import Json


class MalformedAnswer(ValueError):  # noqa: N818 - it reads as what it is
    """The answer is not JSON, or not an object of the Kubernetes API; the message says where."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of an API server: an object, or a Status with the reason of a failure, and its warnings."""

    code: int
    body: Json
    warnings: tuple[str, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether the request succeeded."""
        return 200 <= self.code < 300

    @property
    def reason(self) -> str:
        """The reason of a failure, such as `NotFound`."""
        return str(self.body.get("reason") or f"HTTP {self.code}") if isinstance(self.body, dict) else ""

    @property
    def message(self) -> str:
        """The message of a failure."""
        return str(self.body.get("message", "")) if isinstance(self.body, dict) else ""


class _Metadata(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    name: str
    uid: str
    resource_version: str = ""  # A dry run has none.
    namespace: str = ""
    generate_name: str = ""
    generation: int = 0
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None
    deletion_grace_period_seconds: int | None = None
    labels: dict[str, str] | None = None
    annotations: dict[str, str] | None = None
    finalizers: list[str] | None = None
    owner_references: list[dict[str, Json]] | None = None
    managed_fields: list[dict[str, Json]] | None = None


class _StoredMetadata(_Metadata, frozen=True, rename="camel", kw_only=True):
    resource_version: str


class _Object(msgspec.Struct, frozen=True, rename="camel"):
    api_version: str
    kind: str
    metadata: _Metadata
    spec: dict[str, Json] | None = None
    status: dict[str, Json] | None = None


class _Item(msgspec.Struct, frozen=True):
    """An item of a list, which has no apiVersion and kind."""

    metadata: _StoredMetadata
    spec: dict[str, Json] | None = None
    status: dict[str, Json] | None = None


class _StoredObject(_Item, frozen=True, rename="camel", kw_only=True):
    api_version: str
    kind: str


class _ListMetadata(msgspec.Struct, frozen=True, rename="camel"):
    resource_version: str


class _List(msgspec.Struct, frozen=True, rename="camel"):
    api_version: str
    metadata: _ListMetadata
    items: list[_Item] | None = None


class _Cause(msgspec.Struct, frozen=True):
    reason: str = ""
    message: str = ""
    field: str = ""


class _Details(msgspec.Struct, frozen=True):
    causes: list[_Cause] | None = None


class _Status(msgspec.Struct, frozen=True):
    status: str | None = None
    reason: str | None = None
    message: str | None = None
    details: _Details | None = None
    code: int | None = None


class _Resource(msgspec.Struct, frozen=True):
    name: str
    kind: str = ""
    namespaced: bool = False


class _Resources(msgspec.Struct, frozen=True):
    resources: list[_Resource]


class _Version(msgspec.Struct, frozen=True, rename="camel"):
    major: str
    minor: str
    git_version: str


class _Bookmark(msgspec.Struct, frozen=True):
    metadata: _ListMetadata


class _Event(msgspec.Struct, frozen=True):
    type: str
    object: dict[str, Json]


def written_answer(data: bytes) -> Json:
    """Decode the answer to a write, an object or a Status; raises MalformedAnswer."""
    decoded = _decoded(data)
    is_status = isinstance(decoded, dict) and decoded.get("kind") == "Status"
    return _checked(decoded, _Status if is_status else _Object)


def object_answer(data: bytes) -> Json:
    """Decode a stored object; raises MalformedAnswer."""
    return _checked(_decoded(data), _StoredObject)


def list_answer(data: bytes) -> Json:
    """Decode a list of objects; raises MalformedAnswer."""
    return _checked(_decoded(data), _List)


def status_answer(data: bytes) -> Json:
    """Decode the Status of a failed request; raises MalformedAnswer."""
    return _checked(_decoded(data), _Status)


def version_answer(data: bytes) -> Json:
    """Decode the version of an API server; raises MalformedAnswer."""
    return _checked(_decoded(data), _Version)


def resources_answer(data: bytes) -> Json:
    """Decode the resources of an API version; raises MalformedAnswer."""
    return _checked(_decoded(data), _Resources)


def watch_event(line: bytes) -> Json:
    """Decode an event of a watch, with an object, bookmark or Status; raises MalformedAnswer."""
    event = _checked(_decoded(line), _Event)
    kinds: dict[str, type] = {"BOOKMARK": _Bookmark, "ERROR": _Status}
    _checked(event["object"], kinds.get(event["type"], _StoredObject))
    return event


def _decoded(data: bytes) -> Json:
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise MalformedAnswer(f"not JSON ({error})") from None


def _checked(decoded: Json, kind: type) -> Json:
    codec.prepare(kind)
    try:
        msgspec.convert(decoded, kind)
    except msgspec.ValidationError as error:
        raise MalformedAnswer(f"not an object of the Kubernetes API ({error})") from None
    return decoded


def warning_text(header: str) -> str:
    """Return the message of a Warning header such as `299 - "unknown field \\"x\\""`."""
    _, _, quoted = header.partition('"')
    return quoted.removesuffix('"').replace('\\"', '"').replace("\\\\", "\\")
