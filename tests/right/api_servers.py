"""Correct API servers that differ from the built-in where the specification leaves a choice.

No document says with which type an error is reported, for which of the fields around a fault, in which order, and in
which words. The API reference requires that all faults of an object are reported together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.kube.field_paths import field_at, with_field
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from tests.faulty.implementations.strategies import ApiServer
from tests.right.notation import in_thousandths, reversed_members

_OTHER_TYPES = {
    "Required": "Invalid",
    "Invalid": "Forbidden",
    "Duplicate": "Invalid",
    "NotSupported": "Invalid",
    "Forbidden": "NotSupported",
    "TooLong": "TooMany",
    "TooMany": "TooLong",
    "NotFound": "Required",
    "TypeInvalid": "Invalid",
}


class OtherErrors(ApiServer):
    """Reports each fault with another type, twice: at its field and at the object; the last fault comes first."""

    def admit(self, objects: Any, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = super().admit(objects, ask, profile)
        return {**answer, "message": "no"} if answer["outcome"] == "rejected" else answer

    def reported_errors(self, errors: list[Json]) -> list[Json]:
        other = [{"path": error["path"], "type": _other(error), "detail": "is wrong"} for error in errors]
        return [*other[::-1], {"path": "", "type": "Invalid"}] if other else []


class ErrorsAtTheParent(ApiServer):
    """Reports the only fault of an object at the field around it."""

    def reported_errors(self, errors: list[Json]) -> list[Json]:
        if len(errors) != 1:
            return [{**error, "type": _other(error)} for error in errors]
        return [
            {**error, "type": _other(error), "path": error["path"].rpartition(".")[0]} for error in errors
        ]


class OtherNotation(ApiServer):
    """Serves equal quantities in thousandths, and the members of objects in another order."""

    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        return in_thousandths(reversed_members(stored_object))


class FurtherDefaults(ApiServer):
    """Sets the metadata that servers set, an empty status, and defaults of fields that have nothing to do with DRA."""

    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        metadata = {
            **(stored_object.get("metadata") or {}),
            "uid": "0b0d5f2e-3a51-4b4e-9d54-21c1c53f7e11",
            "resourceVersion": "4711",
            "creationTimestamp": "2026-01-02T03:04:05Z",
            "generation": 3,
            "managedFields": [{"manager": "writer", "operation": "Update"}],
        }
        changed = {**stored_object, "metadata": metadata}
        if stored_object["kind"] == "ResourceClaim":
            return {**changed, "status": stored_object.get("status") or {}}
        if stored_object["kind"] != "Pod":
            return changed
        spec = {
            "restartPolicy": "Always",
            "priority": 0,
            "dnsPolicy": "ClusterFirst",
            **stored_object["spec"],
        }
        return {
            **changed,
            "spec": spec,
            "status": {"phase": "Pending", **(stored_object.get("status") or {})},
        }


class ServesNulls(ApiServer):
    """Serves absent metadata and an absent status as null."""

    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        absent = dict.fromkeys(("labels", "annotations", "finalizers", "ownerReferences"))
        changed = {**stored_object, "metadata": {**absent, **(stored_object.get("metadata") or {})}}
        if stored_object["kind"] in ("ResourceClaim", "Pod"):
            changed.setdefault("status", None)
        return changed


class ServesFurtherLabels(ApiServer):
    """Adds a label, an annotation and a finalizer of its own to every object."""

    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        metadata = stored_object.get("metadata") or {}
        own = {
            name: {**(metadata.get(name) or {}), "server.example.com/own": "yes"}
            for name in ("labels", "annotations")
        }
        finalizers = ["server.example.com/own", *(metadata.get("finalizers") or ())]
        return {**stored_object, "metadata": {**metadata, **own, "finalizers": finalizers}}


class ServesListsInReverse(ApiServer):
    """Serves each list of type map in reverse, since the key identifies its items."""

    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        for path in (
            "spec.resourceClaims",
            "status.conditions",
            "status.devices",
            "status.reservedFor",
            "status.resourceClaimStatuses",
        ):
            listed = field_at(stored_object, path)
            if isinstance(listed, list | tuple):
                stored_object = with_field(stored_object, path, listed[::-1])
        return stored_object


def _other(error: Json) -> str:
    return _OTHER_TYPES.get(error["type"], "Invalid")


RIGHT: tuple[type[ApiServer], ...] = (
    OtherErrors,
    ErrorsAtTheParent,
    OtherNotation,
    FurtherDefaults,
    ServesNulls,
    ServesFurtherLabels,
    ServesListsInReverse,
)
"""Each must pass the suite."""
