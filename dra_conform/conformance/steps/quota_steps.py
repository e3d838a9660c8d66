"""The Given steps of ResourceQuotas and of extended-resource claims."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from typing import Any

from dra_conform.conformance.steps.given import Given, claim_key
from dra_conform.conformance.steps.step import AMOUNTS, Params, Step, StepError, Table, amounts, given
from dra_conform.kube.extended_resources import EXTENDED_RESOURCE_CLAIM
from dra_conform.kube.json_values import Json
from dra_conform.kube.quantity import Quantity, QuantityError

_UIDS = uuid.UUID("5f2c7c1e-6a1b-4c38-9d0e-1f6f0d2f5004")


class GivenQuota(Params, frozen=True, kw_only=True):
    """A ResourceQuota with its hard limits by resource."""

    name: str
    hard: dict[str, Any]


class GivenExtendedResourceClaim(Params, frozen=True, kw_only=True):
    """The extended-resource claim of a pod; `in_pod_status`: the status of the pod names it."""

    resource_claim: str
    pod: str
    in_pod_status: bool = True


def quantities(written: Mapping[str, Json]) -> dict[str, Quantity]:
    """Parse quantities; raises StepError for a malformed quantity."""
    try:
        return {name: Quantity.parse(str(amount)) for name, amount in written.items()}
    except QuantityError as error:
        raise StepError(str(error)) from None


def _limits(match: re.Match[str], _: Table, __: str) -> Json:
    return {"name": match["quota"], "hard": amounts(match["amounts"])}


def _claim_of_pod(match: re.Match[str], _: Table, __: str) -> Json:
    unnamed = {"inPodStatus": False} if match["unnamed"] else {}
    return {"resourceClaim": match["claim"], "pod": match["pod"], **unnamed}


@given('a ResourceQuota "{quota}" with the hard limits {amounts}', _limits, amounts=AMOUNTS)
def resource_quota(given: Given, params: GivenQuota) -> None:
    namespace, _, name = claim_key(params.name).partition("/")
    given.add(
        {
            "apiVersion": "v1",
            "kind": "ResourceQuota",
            "metadata": {"name": name, "namespace": namespace},
            "spec": {"hard": {quota: str(limit) for quota, limit in quantities(params.hard).items()}},
        }
    )


@given(
    'ResourceClaim "{claim}" is the extended-resource claim of pod "{pod}"[{unnamed}]',
    _claim_of_pod,
    unnamed=", whose status does not name it yet",
)
def extended_resource_claim(given: Given, params: GivenExtendedResourceClaim) -> None:
    pod, claim = given.pod(params.pod), given.claim(params.resource_claim)
    name = pod["metadata"]["name"]
    uid = pod["metadata"].setdefault("uid", str(uuid.uuid5(_UIDS, claim_key(params.pod))))
    owner = {"apiVersion": "v1", "kind": "Pod", "name": name, "uid": uid, "controller": True}
    claim["metadata"]["annotations"] = {EXTENDED_RESOURCE_CLAIM: "true"}
    claim["metadata"]["ownerReferences"] = [owner]
    if params.in_pod_status:
        status = {"resourceClaimName": claim["metadata"]["name"], "requestMappings": []}
        pod.setdefault("status", {})["extendedResourceClaimStatus"] = status


QUOTAS: tuple[Step, ...] = (
    resource_quota,
    extended_resource_claim,
)
"""The Given steps of quotas and extended-resource claims."""
