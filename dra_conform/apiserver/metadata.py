"""Validation of metadata, and the metadata that an update keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dra_conform.apiserver import limits, naming
from dra_conform.apiserver.naming import Check
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.trees import StoredMetadata, Tree
from dra_conform.apiserver.walk import same
from dra_conform.kube.meta import path_segment
from dra_conform.kube.switches.api_server import ApiServerSwitches

_IMMUTABLE = ("creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")
_SERVER_SET = ("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation")
_ALWAYS_KEPT = ("creationTimestamp", "deletionTimestamp", "generation")
"""Fields that an update cannot change once they are set; other values are ignored without an error."""
DELETION = ("deletionTimestamp", "deletionGracePeriodSeconds")
"""Fields that only a deletion sets."""
_DELETION = ("orphan", "foregroundDeletion")
_STANDARD_FINALIZERS = ("kubernetes", *_DELETION)


def with_namespace(metadata: Tree, namespaced: bool) -> Tree:
    """Return the metadata with a namespace (by default `default`) for a namespaced kind.

    For other kinds the metadata has no namespace.
    """
    if namespaced and not metadata.get("namespace"):
        return {**metadata, "namespace": "default"}
    if not namespaced and "namespace" in metadata:
        return {name: value for name, value in metadata.items() if name != "namespace"}
    return metadata


def of_new_object(metadata: Tree) -> Tree:
    """Return the metadata of a create, without the fields that only a deletion sets."""
    if not any(name in metadata for name in DELETION):
        return metadata
    return {name: value for name, value in metadata.items() if name not in DELETION}


def same_object(metadata: Tree, old: Tree) -> bool:
    """Whether both have the same name and namespace."""
    return metadata.get("name") == old.get("name") and metadata.get("namespace") == old.get("namespace")


def has_other_uid(metadata: Tree, old: Tree) -> bool:
    """Whether an update names a UID that differs from that of the stored object."""
    return "uid" in metadata and "uid" in old and metadata["uid"] != old["uid"]


def with_stored(metadata: Tree, old: Tree, kept: Sequence[str], status: bool) -> Tree:
    """Return the metadata with the stored values of server-set fields.

    A status write also keeps the stored values of the fields `kept`.
    """
    if metadata is old:
        return old
    metadata = {**metadata}
    for name in (*_SERVER_SET, *kept) if status else _SERVER_SET:
        if name in old and (status or name not in metadata or name in _ALWAYS_KEPT):
            metadata[name] = old[name]
        elif status:
            metadata.pop(name, None)
    return metadata


def validate(
    metadata: Tree, named: Check, errors: FieldErrors, switches: ApiServerSwitches, stored: bool
) -> None:
    """Validate metadata; `named` is the check for names of new objects of the kind."""
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
    _owners(metadata.get("ownerReferences", []), errors, switches.owners_validated_by_field)
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
    """Validate that an update changes no immutable metadata and adds no finalizer during deletion."""
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
    """Validate keys and values of labels; errors are reported at the map."""
    for key, value in labels.items():
        for message in naming.label_key(key):
            errors.invalid(path, key, message)
        for message in naming.label_value(value):
            errors.invalid(path, value, message)


def validate_annotations(annotations: Mapping[str, str], path: str, errors: FieldErrors) -> None:
    """Validate keys of annotations, ignoring case, and the total size of the annotations."""
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
