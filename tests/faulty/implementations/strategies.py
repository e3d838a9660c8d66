"""Faulty API servers: the built-in with changed requests or answers.

Each must fail a case of the violated requirement (`tests/quality/test_wrong_strategies.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from dra_conform.conformance.features import FEATURES
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.simulation import parts

Objects = Mapping[str, Sequence[Json]]
LABELS = {"resource.k8s.io/admin-access": "true", "resource.kubernetes.io/admin-access": "true"}


class ApiServer:
    """Built-in API server that a subclass changes."""

    name = "wrong strategy"
    version = "1"
    operations = ("admit",)
    features = MappingProxyType(dict.fromkeys(FEATURES, "full"))

    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = parts.admit(self.existing(objects), self.request(ask), self.switched(profile))
        if answer["outcome"] == "admitted":
            return {**answer, "object": self.stored(answer["object"], ask)}
        return {**answer, "errors": self.reported_errors(answer["errors"])}

    def existing(self, objects: Objects) -> Objects:
        return objects

    def request(self, ask: Mapping[str, Json]) -> Mapping[str, Json]:
        return ask

    def switched(self, profile: Profile) -> Profile:
        return profile

    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        return stored_object

    def reported_errors(self, errors: list[Json]) -> list[Json]:
        return errors


# Gates.


class AlwaysDrops(ApiServer):
    def switched(self, profile: Profile) -> Profile:
        return profile.with_gates({gate: gate == "DRAPartitionableDevices" for gate in profile.gates})


class NeverDrops(ApiServer):
    def switched(self, profile: Profile) -> Profile:
        return profile.with_gates(dict.fromkeys(profile.gates, True))


class DropsFieldsInUse(ApiServer):
    """Drops disabled fields that the stored object uses."""

    def request(self, ask: Mapping[str, Json]) -> Mapping[str, Json]:
        return ask if ask.get("subresource") else {**ask, "verb": "create", "old": None}


# Validation.


class AdmitsEverything(ApiServer):
    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = super().admit(objects, ask, profile)
        return answer if answer["outcome"] == "admitted" else {"outcome": "admitted", "object": ask["object"]}


class RejectsEverything(ApiServer):
    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = super().admit(objects, ask, profile)
        refused = {
            "outcome": "rejected",
            "reason": "Invalid",
            "errors": [{"path": "spec", "type": "Invalid"}],
        }
        return refused if answer["outcome"] == "admitted" else answer


class _ValidatesFirstItems(ApiServer):
    """Validates only the first item of one list, wherever the list is."""

    list_name = ""

    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = super().admit(objects, ask, profile)
        if answer["outcome"] == "admitted":
            return answer
        first = super().admit(objects, {**ask, "object": self._cut(ask["object"])}, profile)
        return {"outcome": "admitted", "object": ask["object"]} if first["outcome"] == "admitted" else answer

    def _cut(self, value: Json) -> Json:
        if isinstance(value, dict):
            return {
                name: self._cut(inner[:1] if name == self.list_name else inner)
                for name, inner in value.items()
            }
        return [self._cut(item) for item in value] if isinstance(value, list) else value


class ValidatesFirstTaints(_ValidatesFirstItems):
    list_name = "taints"


class ValidatesFirstResults(_ValidatesFirstItems):
    list_name = "results"


class ValidatesFirstConfig(_ValidatesFirstItems):
    list_name = "config"


class StopsAtTheFirstError(ApiServer):
    def reported_errors(self, errors: list[Json]) -> list[Json]:
        return errors[:1]


class ReportsTheObject(ApiServer):
    """Reports every error at the path of the object."""

    def reported_errors(self, errors: list[Json]) -> list[Json]:
        return [{**error, "path": error["path"].partition(".")[0]} for error in errors]


class CallsEverythingInvalid(ApiServer):
    def reported_errors(self, errors: list[Json]) -> list[Json]:
        return [{**error, "type": "Invalid"} for error in errors]


class ValidatesStoredValues(ApiServer):
    """Validates an update as a new object, also values that are already stored."""

    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = super().admit(objects, ask, profile)
        if ask["verb"] == "update" and answer["outcome"] == "admitted":
            as_new = super().admit(objects, {"verb": "create", "object": answer["object"]}, profile)
            return as_new if as_new["outcome"] == "rejected" else answer
        return answer


class IgnoresNamespaceLabels(ApiServer):
    def existing(self, objects: Objects) -> Objects:
        namespaces = objects.get("namespaces", ())
        labelled = [
            {**namespace, "metadata": {**namespace["metadata"], "labels": LABELS}} for namespace in namespaces
        ]
        return {**objects, "namespaces": labelled}


class KnowsNoLabels(ApiServer):
    def existing(self, objects: Objects) -> Objects:
        namespaces = objects.get("namespaces", ())
        bare = [
            {**namespace, "metadata": {"name": namespace["metadata"]["name"]}} for namespace in namespaces
        ]
        return {**objects, "namespaces": bare}


# Storage.


class StoresTheWrittenObject(ApiServer):
    """Stores the object as written: without dropped fields, defaults or the separate status."""

    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        return ask["object"]


class ForgetsTheStatus(ApiServer):
    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        return {name: value for name, value in stored_object.items() if name != "status"}


class KeepsTheStoredObject(ApiServer):
    """Admits updates without effect."""

    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        return ask.get("old") or stored_object


class AnswersInV1(ApiServer):
    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        return {**stored_object, "apiVersion": "resource.k8s.io/v1"}


class RoundsAmounts(ApiServer):
    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        return _each(stored_object, _rounded)


class StoresEveryStringAsQuantity(ApiServer):
    """Stores strings that begin with a digit in the notation of quantities: `1024Mi` as `1Gi`."""

    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        return _each(stored_object, _canonical)


class StoresIntegersAsStrings(ApiServer):
    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        return _each(
            stored_object,
            lambda value: str(value) if isinstance(value, int) and not isinstance(value, bool) else value,
        )


class SortsListsOfStrings(ApiServer):
    """Stores lists of strings in alphabetical order."""

    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        return _each(
            stored_object, lambda value: value, lambda items: sorted(items) if _texts(items) else items
        )


class LeavesOutFalse(ApiServer):
    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        return _each(stored_object, lambda value: value, without=(False,))


def _each(value: Json, change: Any, items: Any = list, without: tuple[Json, ...] = ()) -> Json:
    if isinstance(value, dict):
        kept = {name: inner for name, inner in value.items() if not any(inner is other for other in without)}
        return {name: _each(inner, change, items, without) for name, inner in kept.items()}
    if isinstance(value, list):
        return items([_each(item, change, items, without) for item in value])
    return change(value)


def _canonical(value: Json) -> Json:
    if isinstance(value, str) and value[:1].isdigit():
        try:
            return str(Quantity.parse(value))
        except ValueError:
            return value
    return value


def _texts(items: list[Json]) -> bool:
    return all(isinstance(item, str) for item in items)


def _rounded(value: Json) -> Json:
    if isinstance(value, str) and value.endswith("m"):
        try:
            return str(Quantity.parse(value).value())
        except ValueError:
            return value
    return value


WRONG: dict[type[ApiServer], str] = {
    AlwaysDrops: "KEP-5075/create-strategy/keep-slice-fields",
    NeverDrops: "KEP-5075/create-strategy/drop-slice-fields",
    DropsFieldsInUse: "KEP-5075/update-strategy/slice-keep-if-used",
    AdmitsEverything: "KEP-5075/policy-validation/default-required",
    RejectsEverything: "KEP-5963/api-validation/accepted-shapes",
    ValidatesFirstTaints: "API/taint/effect",
    ValidatesFirstResults: "API/allocation/share",
    ValidatesFirstConfig: "API/config/driver",
    StopsAtTheFirstError: "KEP-5075/policy-validation/several-errors-all-reported",
    ReportsTheObject: "KEP-5075/policy-validation/min-required",
    CallsEverythingInvalid: "KEP-5075/policy-validation/min-required",
    ValidatesStoredValues: "KEP-5075/update-strategy/claim-keep-if-spec-used",
    IgnoresNamespaceLabels: "DRA/admin-access/namespace-label-required",
    KnowsNoLabels: "DRA/admin-access/namespace-label-required",
    StoresTheWrittenObject: "KEP-5075/create-strategy/drop-claim-fields",
    ForgetsTheStatus: "DRA/device-status/driver-reports-per-device",
    KeepsTheStoredObject: "KEP-5963/create-strategy/slice-persisted-when-on",
    AnswersInV1: "DRA/api-version/v1beta1-device-wrapper",
    RoundsAmounts: "KEP-5075/policy-validation/default-not-below-min",
    StoresEveryStringAsQuantity: "API/taint/value",
    StoresIntegersAsStrings: "API/request/defaults",
    SortsListsOfStrings: "KEP-5963/create-strategy/slice-persisted-when-on",
    LeavesOutFalse: "KEP-5075/policy-validation/multi-allocatable-without-policy",
}
"""Each faulty API server with a requirement that it violates."""
