"""Manifests that a component under test needs, applied before its start, such as definitions of kinds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from dra_conform.adapters.live.api import APPLY, Api, Unreachable
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.polling import poll
from dra_conform.adapters.live.resources import Address, Resource, version_of
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.json_values import Json
from dra_conform.kube.manifest_files import Manifest, manifests_in

_CRD = "CustomResourceDefinition"
_DEFAULT_NAMESPACE = "default"
_APPLY = {"fieldManager": "dra-conform", "force": "true"}
_POLLS = 1500
"""Polls until a CustomResourceDefinition is established, half a minute on an idle machine."""
_KIND_POLLS = 250
"""Polls until a kind is served, which takes a moment after its definition is established."""


class CannotApply(Exception):  # noqa: N818 - it reads as what happened
    """The API server does not accept a manifest; the message has file, line and reason."""


def read_manifests(paths: Iterable[str]) -> tuple[Manifest, ...]:
    """Read the objects of manifest files and folders in order; raises InputErrors."""
    errors: list[InputError] = []
    manifests = tuple(manifests_in(tuple(paths), errors))
    errors += [manifest.error(*problem) for manifest in manifests for problem in _problems(manifest.written)]
    if errors:
        raise InputErrors(errors)
    return manifests


def _problems(raw: Json) -> Iterator[tuple[tuple[str, ...], str]]:
    metadata = raw.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    if not isinstance(name, str) or not name:
        yield ("metadata", "name"), "is missing, expected the name of the object"


def apply_manifests(api: Api, manifests: Iterable[Manifest]) -> None:
    """Apply manifests in order, and wait until new kinds are served; raises CannotApply."""
    for manifest in manifests:
        raw, place = manifest.written, f"{manifest.file}:{manifest.line}"
        try:
            resource = poll(_KIND_POLLS, partial(_resource, api, raw))
            if resource is None:
                raise CannotApply(f"{place}: {raw['apiVersion']} {raw['kind']} is not served")
            namespace = raw["metadata"].get("namespace") or _DEFAULT_NAMESPACE
            address = resource.address(version_of(raw), namespace, raw["metadata"]["name"])
            answer = api.write("PATCH", address, raw, content_type=APPLY, query=_APPLY)
            if not answer.accepted:
                raise CannotApply(f"{place}: {raw['kind']} is rejected: {answer.message}")
            if raw["kind"] == _CRD and not poll(_POLLS, partial(_is_established, api, address)):
                raise CannotApply(f"{place}: the CustomResourceDefinition is never established")
        except (Unreachable, CannotRun) as error:
            raise CannotApply(f"{place}: {error}") from None


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
