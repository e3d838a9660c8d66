"""The fast reader of large JSON lists of objects from a cluster, as `kubectl get -o json` prints them.

It accepts less than `kube.manifests.load`, which reads everything else and names every problem. Of a
duplicate key the last value counts, as for the API server.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from dra_conform.kube.codec import json_decoder
from dra_conform.kube.core import Pod
from dra_conform.kube.garbage_collection import without_garbage_collection
from dra_conform.kube.objects import KINDS
from dra_conform.kube.versions import GROUP
from dra_conform.kube.yaml import written
from dra_conform.previews.cluster_dump.cluster_objects import COUNTED_KINDS, is_name
from dra_conform.previews.cluster_dump.untyped_fields import problems_of

_KNOWN = frozenset(kind for _, kind in KINDS)


class NotAccepted(Exception):  # noqa: N818 - it reads as what happened
    """The JSON needs the full reader.

    `item` is the index of the object with the problem, None for the whole list, and `line` its line.
    """

    def __init__(self, message: str, item: int | None = None, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.item = item
        self.line = line


@dataclass(frozen=True, slots=True)
class ReadList:
    """The decoded objects of counted kinds in order, and the number of other objects by `KIND (VERSION)`."""

    objects: tuple[Any, ...]
    ignored: Counter[str]


class _List(msgspec.Struct, frozen=True, rename="camel"):
    kind: str
    items: list[msgspec.Raw]


class _Uid(msgspec.Struct, frozen=True):
    uid: str = ""


class _Header(msgspec.Struct, frozen=True, rename="camel"):
    api_version: str
    kind: str
    metadata: _Uid = _Uid()


def read_json_list(content: bytes) -> ReadList:
    """Return the objects of a `List`, each with a UID and in version v1; raise NotAccepted.

    Objects of kinds that are not counted are only looked at for their kind.
    """
    try:
        listed = msgspec.json.decode(content, type=_List)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotAccepted(str(error)) from None
    if not listed.kind.endswith("List"):
        raise NotAccepted(f"is a {listed.kind}")
    objects: list[Any] = []
    ignored: Counter[str] = Counter()
    header = msgspec.json.Decoder(_Header)
    with without_garbage_collection():
        for index, raw in enumerate(listed.items):
            try:
                _read(raw, header.decode(raw), objects, ignored)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, _Refused) as error:
                raise NotAccepted(str(error), index, _line(content, raw)) from None
    return ReadList(tuple(objects), ignored)


class _Refused(Exception):  # noqa: N818 - it reads as what happened
    """An object that only the full reader takes."""


def _read(raw: msgspec.Raw, header: _Header, objects: list[Any], ignored: Counter[str]) -> None:
    kind = KINDS.get((header.api_version, header.kind))
    if kind is None:
        is_known = header.kind == "List" or header.kind.removesuffix("List") in _KNOWN
        if is_known or header.api_version.startswith(f"{GROUP}/"):
            raise _Refused(f"is a {header.kind} in version {header.api_version}")
        ignored[f"{header.kind} ({header.api_version})"] += 1
        return
    if not header.metadata.uid:
        raise _Refused("metadata.uid is empty, expected an object of a cluster")
    if kind not in COUNTED_KINDS:
        return
    decoded = _decoder(kind).decode(raw)
    for name in (decoded.metadata.name, decoded.metadata.namespace):
        if name and not is_name(name):
            raise _Refused(f"{name!r} is not a DNS subdomain")
    problem = next(problems_of(decoded), None) if isinstance(decoded, Pod) else None
    if problem is not None:
        raise _Refused(f"{written(problem[0])}: {problem[1]}")
    objects.append(decoded)


@cache
def _decoder(kind: type) -> msgspec.json.Decoder[Any]:
    """Return the decoder of a kind that also takes apiVersion and kind."""
    fields: list[tuple[str, type, Any]] = [("api_version", str, ""), ("kind", str, "")]
    return json_decoder(msgspec.defstruct(kind.__name__, fields, bases=(kind,), frozen=True, kw_only=True))


def _line(content: bytes, raw: msgspec.Raw) -> int:
    """Return the line of an object, which is the first with its text."""
    return content.count(b"\n", 0, max(content.find(bytes(raw)), 0)) + 1
