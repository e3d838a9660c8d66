"""API servers that lose a field in an older version only, or do not validate or default a nested field.

They are like those of `faulty/implementations/updates_and_versions.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dra_conform.kube.field_paths import ABSENT, field_at, with_field
from dra_conform.kube.json_values import Json
from tests.faulty.implementations.strategies import ApiServer
from tests.faulty.implementations.updates_and_versions import Lenient


class _LosesField(ApiServer):
    """Loses one field in one older version."""

    kind = ""
    version = ""
    path = ""

    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        served = (stored_object["kind"], stored_object["apiVersion"])
        if served != (self.kind, f"resource.k8s.io/{self.version}"):
            return stored_object
        if field_at(stored_object, self.path.rpartition(".")[0]) is ABSENT:
            return stored_object
        return with_field(stored_object, self.path, None)


class LosesGroupsOfV1beta2(_LosesField):
    kind, version = "ResourceSlice", "v1beta2"
    path = "spec.devices[0].consumesCounters[1].compatibilityGroups"


class LosesNodeResourcesOfV1beta1(_LosesField):
    kind, version = "ResourceSlice", "v1beta1"
    path = "spec.devices[0].basic.nodeAllocatableResources"


class LosesListsOfV1beta2(_LosesField):
    kind, version = "ResourceSlice", "v1beta2"
    path = "spec.devices[0].attributes.a.ints"


class LosesConstraintsOfV1beta1(_LosesField):
    kind, version = "ResourceClaim", "v1beta1"
    path = "spec.devices.constraints"


class LosesShareIDsOfV1beta1(_LosesField):
    kind, version = "ResourceClaim", "v1beta1"
    path = "status.allocation.devices.results[0].shareID"


class LosesExtendedResourceNamesOfV1beta2(_LosesField):
    kind, version = "DeviceClass", "v1beta2"
    path = "spec.extendedResourceName"


class ValidatesFirstAttributes(Lenient):
    """Ignores errors in the values of all attributes but the first of a device by name."""

    def forgives(self, error: Json) -> bool:
        return re.search(r"\.attributes\[[b-z]\]", error["path"]) is not None


class ValidatesTolerationsOfRequests(Lenient):
    """Ignores errors in tolerations of subrequests, except for their operators."""

    def forgives(self, error: Json) -> bool:
        return re.search(r"firstAvailable.*tolerations.*\.(key|effect)$", error["path"]) is not None


class WritesNoDefaultsOfTemplates(ApiServer):
    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        return ask["object"] if stored_object["kind"] == "ResourceClaimTemplate" else stored_object


WRONG: dict[type[ApiServer], str] = {
    LosesGroupsOfV1beta2: "API/version/second-beta",
    LosesNodeResourcesOfV1beta1: "API/version/basic-device",
    LosesListsOfV1beta2: "API/version/second-beta",
    LosesConstraintsOfV1beta1: "API/version/flat-request",
    LosesShareIDsOfV1beta1: "API/version/no-change",
    LosesExtendedResourceNamesOfV1beta2: "API/version/second-beta",
    ValidatesFirstAttributes: "API/attribute/semantic-version",
    ValidatesTolerationsOfRequests: "API/toleration/effect",
    WritesNoDefaultsOfTemplates: "API/request/defaults",
}
"""Each faulty API server with a requirement that it violates."""
