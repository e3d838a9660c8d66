"""API servers with a fault about updates, subresources, versions, limits or types.

They are like those of `faulty/implementations/strategies.py` and fail cases of document API.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping

from dra_conform.kube.field_paths import ABSENT, field_at, with_field
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from tests.faulty.implementations.strategies import ApiServer, Objects


class Lenient(ApiServer, ABC):
    """Ignores some errors. A write without other errors is stored as it was written."""

    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = super().admit(objects, ask, profile)
        if answer["outcome"] == "admitted" or not all(map(self.forgives, answer["errors"])):
            return answer
        return {"outcome": "admitted", "object": ask["object"]} if answer["errors"] else answer

    @abstractmethod
    def forgives(self, error: Json) -> bool:
        """Return whether the error is ignored."""


class IgnoresLimits(Lenient):
    def forgives(self, error: Json) -> bool:
        return error["type"] in ("TooMany", "TooLong")


class IgnoresDuplicates(Lenient):
    def forgives(self, error: Json) -> bool:
        return bool(error["type"] == "Duplicate")


class IgnoresInvalidNames(Lenient):
    def forgives(self, error: Json) -> bool:
        return bool(error["path"].endswith("name")) and error["type"] == "Invalid"


class IgnoresRequiredFields(Lenient):
    def forgives(self, error: Json) -> bool:
        return bool(error["type"] == "Required")


class ValidatesFirstItems(Lenient):
    """Ignores errors in all items of lists but the first."""

    def forgives(self, error: Json) -> bool:
        return re.search(r"\[[1-9]\d*\]", error["path"]) is not None


class IgnoresPoliciesOfV1beta1(Lenient):
    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        self._version = ask["object"].get("apiVersion")
        return super().admit(objects, ask, profile)

    def forgives(self, error: Json) -> bool:
        return self._version == "resource.k8s.io/v1beta1" and "requestPolicy" in error["path"]


class LosesSharingOfV1beta2(ApiServer):
    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        written = ask["object"]
        if (written["kind"], written["apiVersion"]) != ("ResourceSlice", "resource.k8s.io/v1beta2"):
            return stored_object
        for index in range(len(stored_object["spec"].get("devices") or ())):
            path = f"spec.devices[{index}].allowMultipleAllocations"
            stored_object = with_field(stored_object, path, None)
        return stored_object


class AllowsOneItemMore(ApiServer):
    """Allows one item more in every list."""

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


class NeverValidatesUpdates(ApiServer):
    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        if ask["verb"] == "update":
            return {"outcome": "admitted", "object": ask["object"]}
        return super().admit(objects, ask, profile)


class KnowsNoSubresource(ApiServer):
    """Treats a status update as an update of the object, which keeps the status."""

    def request(self, ask: Mapping[str, Json]) -> Mapping[str, Json]:
        return {name: value for name, value in ask.items() if name != "subresource"}


class WritesAllWithTheStatus(ApiServer):
    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        return {**stored_object, "spec": ask["object"]["spec"]} if ask.get("subresource") else stored_object


class KeepsStatusesOfReleasedDevices(ApiServer):
    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        if not ask.get("subresource") or "devices" not in ask["object"].get("status", {}):
            return stored_object
        return with_field(stored_object, "status.devices", ask["object"]["status"]["devices"])


class WritesNoDefaults(ApiServer):
    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        return ask["object"] if ask["verb"] == "create" and "status" not in ask["object"] else stored_object


class LosesTolerationsOfV1beta1(ApiServer):
    def request(self, ask: Mapping[str, Json]) -> Mapping[str, Json]:
        written = ask["object"]
        requests = field_at(written, "spec.devices.requests")
        if written.get("apiVersion") != "resource.k8s.io/v1beta1" or not isinstance(requests, list | tuple):
            return ask
        for index in range(len(requests)):
            written = with_field(written, f"spec.devices.requests[{index}].tolerations", None)
        return {**ask, "object": written}


class LosesCapacityOfV1beta1Subrequests(ApiServer):
    def request(self, ask: Mapping[str, Json]) -> Mapping[str, Json]:
        written = ask["object"]
        requests = field_at(written, "spec.devices.requests")
        if written.get("apiVersion") != "resource.k8s.io/v1beta1" or requests is ABSENT:
            return ask
        for index, request in enumerate(requests):
            for place in range(len(request.get("firstAvailable", ()))):
                path = f"spec.devices.requests[{index}].firstAvailable[{place}].capacity"
                written = with_field(written, path, None)
        return {**ask, "object": written}


class ShowsNoTaintsInV1beta1(ApiServer):
    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        if ask["object"]["apiVersion"] != "resource.k8s.io/v1beta1":
            return stored_object
        for index in range(len((stored_object.get("spec") or {}).get("devices") or ())):
            if ask["object"]["kind"] == "ResourceSlice":
                stored_object = with_field(stored_object, f"spec.devices[{index}].basic.taints", None)
        return stored_object


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
    def reported_errors(self, errors: list[Json]) -> list[Json]:
        return errors[-1:]


class WarnsOfNothing(ApiServer):
    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        return {**super().admit(objects, ask, profile), "warnings": []}


class ValidatesSelectorsOfFirstRequests(Lenient):
    """Ignores errors in selectors and tolerations of exact requests after the first."""

    def forgives(self, error: Json) -> bool:
        later = r"\.requests\[[1-9]\d*\]\.exactly\.(selectors|tolerations)\["
        return re.search(later, error["path"]) is not None


class ValidatesFirstContainers(Lenient):
    def forgives(self, error: Json) -> bool:
        return re.match(r"spec\.containers\[[1-9]", error["path"]) is not None


class _KeepsAsWritten(ApiServer):
    """Stores one field as it was written, or not at all."""

    path = ""

    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        written = field_at(ask["object"], self.path)
        if field_at(stored_object, self.path.rpartition(".")[0]) is ABSENT:
            return stored_object
        return with_field(stored_object, self.path, None if written is ABSENT else written)


class SetsNoModeOfLaterSubrequests(_KeepsAsWritten):
    path = "spec.devices.requests[1].firstAvailable[1].allocationMode"


class KeepsDistinctAttributeOfLaterConstraints(_KeepsAsWritten):
    path = "spec.devices.constraints[1].distinctAttribute"


WRONG: dict[type[ApiServer], str] = {
    ValidatesSelectorsOfFirstRequests: "API/selector/expression",
    ValidatesFirstContainers: "API/pod/references",
    SetsNoModeOfLaterSubrequests: "API/request/defaults",
    KeepsDistinctAttributeOfLaterConstraints: "KEP-5075/create-strategy/drop-claim-fields",
    IgnoresLimits: "API/slice/devices",
    IgnoresDuplicates: "API/request/unique",
    IgnoresInvalidNames: "API/request/name",
    IgnoresRequiredFields: "API/reservation/fields",
    ValidatesFirstItems: "API/taint/key",
    IgnoresPoliciesOfV1beta1: "API/capacity/policy",
    LosesSharingOfV1beta2: "API/version/second-beta",
    AllowsOneItemMore: "API/claim/requests",
    NeverValidatesUpdates: "API/class/mutable-valid",
    KnowsNoSubresource: "API/reservation/number",
    WritesAllWithTheStatus: "API/object/status",
    KeepsStatusesOfReleasedDevices: "API/allocation/immutable",
    WritesNoDefaults: "API/request/defaults",
    LosesTolerationsOfV1beta1: "API/version/flat-request",
    LosesCapacityOfV1beta1Subrequests: "API/version/flat-request",
    ShowsNoTaintsInV1beta1: "API/version/basic-device",
    ServesEveryVersion: "API/object/served",
    TakesAnyType: "API/type/wrong",
    ReportsTheLastErrorOnly: "API/object/all-errors",
    WarnsOfNothing: "API/object/unknown-fields",
}
"""Each faulty API server with a requirement that it violates."""
