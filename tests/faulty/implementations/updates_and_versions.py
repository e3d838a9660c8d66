"""API servers that forget what an update, a subresource, a version, a limit or a type is: one thing wrong each.

As in `faulty/implementations/strategies.py`; they are caught in document API, which states such rules for every field.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from dra_conform.kube.field_paths import field_at, with_field
from dra_conform.kube.profile import Profile
from tests.faulty.implementations.strategies import ApiServer, Objects

Json = Any


class Lenient(ApiServer, ABC):
    """It forgives some errors; a write without any other is stored as it was written."""

    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = super().admit(objects, ask, profile)
        if answer["outcome"] == "admitted" or not all(map(self.forgives, answer["errors"])):
            return answer
        return {"outcome": "admitted", "object": ask["object"]} if answer["errors"] else answer

    @abstractmethod
    def forgives(self, error: Json) -> bool:
        """Whether the error is passed over."""


class CountsNothing(Lenient):
    def forgives(self, error: Json) -> bool:
        return error["type"] in ("TooMany", "TooLong")


class SeesNoRepetitions(Lenient):
    def forgives(self, error: Json) -> bool:
        return bool(error["type"] == "Duplicate")


class TakesAnyName(Lenient):
    def forgives(self, error: Json) -> bool:
        return bool(error["path"].endswith("name")) and error["type"] == "Invalid"


class NeedsNothing(Lenient):
    def forgives(self, error: Json) -> bool:
        return bool(error["type"] == "Required")


class CountsFromZero(ApiServer):
    """Every list may have one item more."""

    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = super().admit(objects, ask, profile)
        if answer["outcome"] == "admitted" or {error["type"] for error in answer["errors"]} != {"TooMany"}:
            return answer
        shorter = ask["object"]
        for error in answer["errors"]:
            last = len(field_at(shorter, error["path"])) - 1
            shorter = with_field(shorter, f"{error['path']}[{last}]", None)
        again = super().admit(objects, {**ask, "object": shorter}, profile)
        return {**again, "object": ask["object"]} if again["outcome"] == "admitted" else answer


class NeverJudgesUpdates(ApiServer):
    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        if ask["verb"] == "update":
            return {"outcome": "admitted", "object": ask["object"]}
        return super().admit(objects, ask, profile)


class KnowsNoSubresource(ApiServer):
    """A write to the status is one to the object, which leaves the status."""

    def asked(self, ask: Mapping[str, Json]) -> Mapping[str, Json]:
        return {name: value for name, value in ask.items() if name != "subresource"}


class WritesAllWithTheStatus(ApiServer):
    def stored(self, made: Json, ask: Mapping[str, Json]) -> Json:
        return {**made, "spec": ask["object"]["spec"]} if ask.get("subresource") else made


class KeepsReportsOnGoneDevices(ApiServer):
    def stored(self, made: Json, ask: Mapping[str, Json]) -> Json:
        if not ask.get("subresource") or "devices" not in ask["object"].get("status", {}):
            return made
        return with_field(made, "status.devices", ask["object"]["status"]["devices"])


class WritesNoDefaults(ApiServer):
    def stored(self, made: Json, ask: Mapping[str, Json]) -> Json:
        return ask["object"] if ask["verb"] == "create" and "status" not in ask["object"] else made


class LosesTolerationsOfV1beta1(ApiServer):
    def asked(self, ask: Mapping[str, Json]) -> Mapping[str, Json]:
        written = ask["object"]
        requests = field_at(written, "spec.devices.requests")
        if written.get("apiVersion") != "resource.k8s.io/v1beta1" or not isinstance(requests, list | tuple):
            return ask
        for index in range(len(requests)):
            written = with_field(written, f"spec.devices.requests[{index}].tolerations", None)
        return {**ask, "object": written}


class ServesEveryVersion(ApiServer):
    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = super().admit(objects, ask, profile)
        if answer.get("reason") != "NotFound":
            return answer
        return {"outcome": "admitted", "object": ask["object"]}


class TakesAnyType(ApiServer):
    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = super().admit(objects, ask, profile)
        if answer.get("reason") != "BadRequest":
            return answer
        return {"outcome": "admitted", "object": ask["object"]}


class ReportsTheLastErrorOnly(ApiServer):
    def told(self, errors: list[Json]) -> list[Json]:
        return errors[-1:]


class WarnsOfNothing(ApiServer):
    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        return {**super().admit(objects, ask, profile), "warnings": []}


WRONG: dict[type[ApiServer], str] = {
    CountsNothing: "API/slice/devices",
    SeesNoRepetitions: "API/request/unique",
    TakesAnyName: "API/request/name",
    NeedsNothing: "API/reservation/fields",
    CountsFromZero: "API/claim/requests",
    NeverJudgesUpdates: "API/class/mutable-valid",
    KnowsNoSubresource: "API/reservation/number",
    WritesAllWithTheStatus: "API/object/status",
    KeepsReportsOnGoneDevices: "API/allocation/immutable",
    WritesNoDefaults: "API/request/defaults",
    LosesTolerationsOfV1beta1: "API/version/flat-request",
    ServesEveryVersion: "API/object/served",
    TakesAnyType: "API/type/wrong",
    ReportsTheLastErrorOnly: "API/object/all-errors",
    WarnsOfNothing: "API/object/unknown-fields",
}
"""Each with a requirement in which it must be caught."""
