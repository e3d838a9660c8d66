"""Validation of metadata: names, labels, annotations, finalizers, owners; and what an update keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dra_conform.controlplane.apiserver import limits, naming
from dra_conform.controlplane.apiserver.naming import Check
from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.strictness import Strictness
from dra_conform.controlplane.apiserver.trees import StoredMetadata, Tree
from dra_conform.controlplane.apiserver.walk import same
from dra_conform.kube.object_names import path_segment

_IMMUTABLE = ("creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")
_SERVERS_OWN = ("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation")
_KEPT = ("creationTimestamp", "deletionTimestamp", "generation")
"""What an update cannot change once it is set, and is not refused for."""
_DELETION = ("orphan", "foregroundDeletion")
_STANDARD_FINALIZERS = ("kubernetes", *_DELETION)


def placed(metadata: Tree, namespaced: bool) -> Tree:
    """The metadata in a namespace if the kind has one, `default` where it names none; else in none."""
    if namespaced and not metadata.get("namespace"):
        return {**metadata, "namespace": "default"}
    if not namespaced and "namespace" in metadata:
        return {name: one for name, one in metadata.items() if name != "namespace"}
    return metadata


def same_object(metadata: Tree, old: Tree) -> bool:
    """Whether both are the metadata of the object that the URL of an update names."""
    return metadata.get("name") == old.get("name") and metadata.get("namespace") == old.get("namespace")


def other_incarnation(metadata: Tree, old: Tree) -> bool:
    """Whether an update says that it is for an object of another UID than the stored one."""
    return "uid" in metadata and "uid" in old and metadata["uid"] != old["uid"]


def with_stored(metadata: Tree, old: Tree, kept: Sequence[str], status: bool) -> Tree:
    """The metadata with what clients do not set as it is stored, and for a status write what that keeps."""
    if metadata is old:
        return old
    metadata = {**metadata}
    for name in (*_SERVERS_OWN, *kept) if status else _SERVERS_OWN:
        if name in old and (status or name not in metadata or name in _KEPT):
            metadata[name] = old[name]
        elif status:
            metadata.pop(name, None)
    return metadata


def validate(metadata: Tree, named: Check, errors: FieldErrors, strictness: Strictness, stored: bool) -> None:
    """What is wrong with metadata; `named` is what names of the kind look like, but not of stored objects."""
    if isinstance(metadata, StoredMetadata):
        return
    prefix = metadata.get("generateName", "")
    if prefix:
        for message in named(f"{prefix[:-1]}a" if prefix.endswith("-") else prefix):
            errors.invalid("metadata.generateName", prefix, message)
    if metadata.get("name"):
        for message in (path_segment if stored else named)(metadata["name"]):
            errors.invalid("metadata.name", metadata["name"], message)
    elif not prefix:
        errors.required("metadata.name", "name or generateName is required")
    if metadata.get("namespace"):
        for message in naming.dns_label(metadata["namespace"]):
            errors.invalid("metadata.namespace", metadata["namespace"], message)
    if metadata.get("generation", 0) < 0:
        errors.invalid("metadata.generation", metadata["generation"], "must be greater than or equal to 0")
    validate_labels(metadata.get("labels", {}), "metadata.labels", errors)
    validate_annotations(metadata.get("annotations", {}), "metadata.annotations", errors)
    _owners(metadata.get("ownerReferences", []), errors, strictness.owners_like_fields)
    _finalizers(metadata.get("finalizers", []), errors)


def _finalizers(finalizers: list[str], errors: FieldErrors) -> None:
    for index, finalizer in enumerate(finalizers):
        for message in naming.label_key(finalizer):
            errors.invalid("metadata.finalizers", finalizer, message)
        if "/" not in finalizer and finalizer not in _STANDARD_FINALIZERS:
            message = "name is neither a standard finalizer name nor is it fully qualified"
            errors.invalid(f"metadata.finalizers[{index}]", finalizer, message)
    if finalizers and set(_DELETION) <= set(finalizers):
        errors.invalid("metadata.finalizers", finalizers, f"{' and '.join(_DELETION)} exclude each other")


def validate_update(metadata: Tree, old: Tree, errors: FieldErrors) -> None:
    """What an update must not change."""
    if metadata is old:
        return
    for name in _IMMUTABLE:
        if not same(metadata.get(name), old.get(name)):
            errors.invalid(f"metadata.{name}", metadata.get(name), "field is immutable")
    added = set(metadata.get("finalizers", [])) - set(old.get("finalizers", []))
    if old.get("deletionTimestamp") and added:
        errors.forbidden(
            "metadata.finalizers", "no new finalizers can be added while the object is being deleted"
        )


def validate_labels(labels: Mapping[str, str], path: str, errors: FieldErrors) -> None:
    """Keys and values of labels, reported at the map."""
    for key, value in labels.items():
        for message in naming.label_key(key):
            errors.invalid(path, key, message)
        for message in naming.label_value(value):
            errors.invalid(path, value, message)


def validate_annotations(annotations: Mapping[str, str], path: str, errors: FieldErrors) -> None:
    """Keys of annotations, in any case, and their size together."""
    for key in annotations:
        for message in naming.label_key(key.lower()):
            errors.invalid(path, key, message)
    size = sum(len(key.encode()) + len(value.encode()) for key, value in annotations.items())
    if size > limits.ANNOTATIONS_SIZE.bound:
        limits.ANNOTATIONS_SIZE.exceeded(path, size, errors)


def _owners(references: list[Tree], errors: FieldErrors, like_fields: bool) -> None:
    for index, reference in enumerate(references):
        path = f"metadata.ownerReferences[{index}]" if like_fields else "metadata.ownerReferences"
        for name in ("apiVersion", "kind", "name", "uid"):
            if not reference.get(name) and like_fields:
                errors.required(f"{path}.{name}", "must not be empty")
            elif not reference.get(name):
                errors.invalid(f"{path}.{name}", "", "must not be empty")
        api_version = reference.get("apiVersion", "")
        if (api_version, reference.get("kind")) == ("v1", "Event"):
            errors.invalid(path, reference, "v1, Kind=Event is disallowed from being an owner")
        if api_version.count("/") > 1 or api_version.endswith("/"):
            errors.invalid(f"{path}.apiVersion", api_version, "must be <group>/<version> or <version>")
    if sum(bool(reference.get("controller")) for reference in references) > 1:
        errors.invalid("metadata.ownerReferences", None, "only one reference can have controller set to true")
