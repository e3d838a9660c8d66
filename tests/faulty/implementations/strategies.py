"""API servers that get one thing wrong each: the built-in with its questions or its answers changed.

The suite must catch each of them in the requirement concerned (`tests/quality/test_wrong_strategies.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from dra_conform.conformance.features import FEATURES
from dra_conform.controlplane import admitting
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity

Json = Any
Objects = Mapping[str, Sequence[Json]]
LABELS = {"resource.k8s.io/admin-access": "true", "resource.kubernetes.io/admin-access": "true"}


class ApiServer:
    """As the built-in, but for what a subclass changes."""

    name = "wrong strategy"
    version = "1"
    operations = ("admit",)
    features = MappingProxyType(dict.fromkeys(FEATURES, "full"))

    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = admitting.admit(self.found(objects), self.asked(ask), self.switched(profile))
        if answer["outcome"] == "admitted":
            return {**answer, "object": self.stored(answer["object"], ask)}
        return {**answer, "errors": self.told(answer["errors"])}

    def found(self, objects: Objects) -> Objects:
        return objects

    def asked(self, ask: Mapping[str, Json]) -> Mapping[str, Json]:
        return ask

    def switched(self, profile: Profile) -> Profile:
        return profile

    def stored(self, made: Json, ask: Mapping[str, Json]) -> Json:
        return made

    def told(self, errors: list[Json]) -> list[Json]:
        return errors


# Gates.


class AlwaysDrops(ApiServer):
    def switched(self, profile: Profile) -> Profile:
        return profile.with_gates({gate: gate == "DRAPartitionableDevices" for gate in profile.gates})


class NeverDrops(ApiServer):
    def switched(self, profile: Profile) -> Profile:
        return profile.with_gates(dict.fromkeys(profile.gates, True))


class DropsWhatIsInUse(ApiServer):
    """It does not look at the stored object before it drops."""

    def asked(self, ask: Mapping[str, Json]) -> Mapping[str, Json]:
        return ask if ask.get("subresource") else {**ask, "verb": "create", "old": None}


# Rules.


class AdmitsEverything(ApiServer):
    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = super().admit(objects, ask, profile)
        return answer if answer["outcome"] == "admitted" else {"outcome": "admitted", "object": ask["object"]}


class RefusesEverything(ApiServer):
    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = super().admit(objects, ask, profile)
        refused = {
            "outcome": "rejected",
            "reason": "Invalid",
            "errors": [{"path": "spec", "type": "Invalid"}],
        }
        return refused if answer["outcome"] == "admitted" else answer


class StopsAtTheFirstError(ApiServer):
    def told(self, errors: list[Json]) -> list[Json]:
        return errors[:1]


class ReportsTheObject(ApiServer):
    """Every error is said to be one of the object as a whole."""

    def told(self, errors: list[Json]) -> list[Json]:
        return [{**one, "path": one["path"].partition(".")[0]} for one in errors]


class CallsEverythingInvalid(ApiServer):
    def told(self, errors: list[Json]) -> list[Json]:
        return [{**one, "type": "Invalid"} for one in errors]


class JudgesWhatIsStored(ApiServer):
    """An update is judged as a new object: nothing is overlooked because it is stored already."""

    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = super().admit(objects, ask, profile)
        if ask["verb"] == "update" and answer["outcome"] == "admitted":
            as_new = super().admit(objects, {"verb": "create", "object": answer["object"]}, profile)
            return as_new if as_new["outcome"] == "rejected" else answer
        return answer


class IgnoresNamespaceLabels(ApiServer):
    def found(self, objects: Objects) -> Objects:
        namespaces = objects.get("namespaces", ())
        labelled = [{**one, "metadata": {**one["metadata"], "labels": LABELS}} for one in namespaces]
        return {**objects, "namespaces": labelled}


class KnowsNoLabels(ApiServer):
    def found(self, objects: Objects) -> Objects:
        namespaces = objects.get("namespaces", ())
        bare = [{**one, "metadata": {"name": one["metadata"]["name"]}} for one in namespaces]
        return {**objects, "namespaces": bare}


# What is stored.


class StoresWhatIsWritten(ApiServer):
    """Neither drops fields nor keeps the status from who writes the object; nothing gets a default."""

    def stored(self, made: Json, ask: Mapping[str, Json]) -> Json:
        return ask["object"]


class ForgetsTheStatus(ApiServer):
    def stored(self, made: Json, ask: Mapping[str, Json]) -> Json:
        return {name: value for name, value in made.items() if name != "status"}


class KeepsWhatIsStored(ApiServer):
    """An update is admitted and has no effect."""

    def stored(self, made: Json, ask: Mapping[str, Json]) -> Json:
        return ask.get("old") or made


class AnswersInV1(ApiServer):
    def stored(self, made: Json, ask: Mapping[str, Json]) -> Json:
        return {**made, "apiVersion": "resource.k8s.io/v1"}


class RoundsAmounts(ApiServer):
    def stored(self, made: Json, ask: Mapping[str, Json]) -> Json:
        return _each(made, _rounded)


class SortsTexts(ApiServer):
    """Lists of texts are stored in alphabetical order."""

    def stored(self, made: Json, ask: Mapping[str, Json]) -> Json:
        return _each(made, lambda value: value, lambda items: sorted(items) if _texts(items) else items)


class LeavesOutFalse(ApiServer):
    def stored(self, made: Json, ask: Mapping[str, Json]) -> Json:
        return _each(made, lambda value: value, without=(False,))


def _each(value: Json, change: Any, items: Any = list, without: tuple[Json, ...] = ()) -> Json:
    if isinstance(value, dict):
        kept = {name: one for name, one in value.items() if not any(one is other for other in without)}
        return {name: _each(one, change, items, without) for name, one in kept.items()}
    if isinstance(value, list):
        return items([_each(one, change, items, without) for one in value])
    return change(value)


def _texts(items: list[Json]) -> bool:
    return all(isinstance(one, str) for one in items)


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
    DropsWhatIsInUse: "KEP-5075/update-strategy/slice-keep-if-used",
    AdmitsEverything: "KEP-5075/policy-validation/default-required",
    RefusesEverything: "KEP-5963/api-validation/accepted-shapes",
    StopsAtTheFirstError: "KEP-5075/policy-validation/several-errors-all-reported",
    ReportsTheObject: "KEP-5075/policy-validation/min-required",
    CallsEverythingInvalid: "KEP-5075/policy-validation/min-required",
    JudgesWhatIsStored: "KEP-5075/update-strategy/claim-keep-if-spec-used",
    IgnoresNamespaceLabels: "DRA/admin-access/namespace-label-required",
    KnowsNoLabels: "DRA/admin-access/namespace-label-required",
    StoresWhatIsWritten: "KEP-5075/create-strategy/drop-claim-fields",
    ForgetsTheStatus: "DRA/device-status/driver-reports-per-device",
    KeepsWhatIsStored: "KEP-5963/create-strategy/slice-persisted-when-on",
    AnswersInV1: "DRA/api-version/v1beta1-device-wrapper",
    RoundsAmounts: "KEP-5075/policy-validation/default-not-below-min",
    SortsTexts: "KEP-5963/create-strategy/slice-persisted-when-on",
    LeavesOutFalse: "KEP-5075/policy-validation/multi-allocatable-without-policy",
}
"""Each with a requirement in which it must be caught."""
