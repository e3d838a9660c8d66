"""Manifests that a component under test needs, applied before its start, such as definitions of kinds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from dra_conform.adapters.live.api import APPLY, Api, Unreachable
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.polling import poll
from dra_conform.adapters.live.resources import Address, Resource, version_of
from dra_conform.kube.codec import plain
from dra_conform.kube.errors import InputError
from dra_conform.kube.input_files import read_input
from dra_conform.kube.json_values import Json
from dra_conform.kube.yaml import parse_yaml

_CRD = "CustomResourceDefinition"
_DEFAULT_NAMESPACE = "default"
_APPLY = {"fieldManager": "dra-conform", "force": "true"}
_POLLS = 1500
"""Polls until a CustomResourceDefinition is established, half a minute on an idle machine."""
_KIND_POLLS = 250
"""Polls until a kind is served, which takes a moment after its definition is established."""


class CannotApply(Exception):  # noqa: N818 - it reads as what happened
    """The API server does not accept a manifest; the message has file, line and reason."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """An object of a manifest file, and the file with its line for messages."""

    place: str
    raw: Json


def read_manifests(paths: Iterable[str]) -> tuple[Manifest, ...]:
    """Read the objects of manifest files in order; raises InputError with file and line."""
    return tuple(manifest for path in paths for manifest in _read(path))


def _read(path: str) -> Iterator[Manifest]:
    try:
        text = read_input(Path(path)).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(path, None, "", f"cannot be read: {error}") from None
    for document in parse_yaml(text, path):
        raw = plain(document.value)
        if raw is None:
            continue
        is_list = isinstance(raw, dict) and isinstance(raw.get("items"), list)
        for item in raw["items"] if is_list else [raw]:
            if not _is_object(item):
                raise document.error((), "is not an object, expected apiVersion, kind and metadata.name")
            yield Manifest(f"{path}:{document.line_of(())}", item)


def _is_object(raw: Json) -> bool:
    if not isinstance(raw, dict) or not isinstance(raw.get("metadata"), dict):
        return False
    texts = (raw.get("apiVersion"), raw.get("kind"), raw["metadata"].get("name"))
    return all(isinstance(text, str) and text for text in texts)


def apply_manifests(api: Api, manifests: Iterable[Manifest]) -> None:
    """Apply manifests in order, and wait until new kinds are served; raises CannotApply."""
    for manifest in manifests:
        raw = manifest.raw
        try:
            resource = poll(_KIND_POLLS, partial(_resource, api, raw))
            if resource is None:
                raise CannotApply(f"{manifest.place}: {raw['apiVersion']} {raw['kind']} is not served")
            namespace = raw["metadata"].get("namespace") or _DEFAULT_NAMESPACE
            address = resource.address(version_of(raw), namespace, raw["metadata"]["name"])
            answer = api.write("PATCH", address, raw, content_type=APPLY, query=_APPLY)
            if not answer.accepted:
                raise CannotApply(f"{manifest.place}: {raw['kind']} is rejected: {answer.message}")
            if raw["kind"] == _CRD and not poll(_POLLS, partial(_is_established, api, address)):
                raise CannotApply(f"{manifest.place}: the CustomResourceDefinition is never established")
        except (Unreachable, CannotRun) as error:
            raise CannotApply(f"{manifest.place}: {error}") from None


def _resource(api: Api, raw: Json) -> Resource | None:
    """Return the resource of an object's kind as the API server serves it, None if it does not."""
    group, _, version = raw["apiVersion"].rpartition("/")
    answer = api.resources(group, version)
    if not answer.accepted:
        return None
    for served in answer.body["resources"]:
        if served["kind"] == raw["kind"] and "/" not in served["name"]:
            return Resource(raw["kind"], group, served["name"], bool(served.get("namespaced")))
    return None


def _is_established(api: Api, address: Address) -> bool:
    conditions = (api.get(address).body.get("status") or {}).get("conditions") or ()
    return any(item.get("type") == "Established" and item.get("status") == "True" for item in conditions)
