"""The given steps about quotas, and about special claims as a counter finds them."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from typing import Any

from dra_conform.conformance.steps.given import Given, claim_key
from dra_conform.conformance.steps.step import AMOUNTS, Json, Params, Step, StepError, Table, amounts, phrase
from dra_conform.kube.extended_resources import SPECIAL_CLAIM
from dra_conform.kube.quantity import Quantity, QuantityError

_UIDS = uuid.UUID("5f2c7c1e-6a1b-4c38-9d0e-1f6f0d2f5004")


class GivenQuota(Params, frozen=True, kw_only=True):
    """A ResourceQuota with its limits by quota name."""

    name: str
    hard: dict[str, Any]


class GivenSpecialClaim(Params, frozen=True, kw_only=True):
    """A claim that was made for the extended resources of a pod; `named`: the pod's status says so."""

    claim: str
    pod: str
    named: bool = True


def quantities(said: Mapping[str, Json]) -> dict[str, Quantity]:
    """Amounts as written; raises StepError for one that is no quantity."""
    try:
        return {name: Quantity.parse(str(amount)) for name, amount in said.items()}
    except QuantityError as error:
        raise StepError(str(error)) from None


def _quota(given: Given, params: GivenQuota) -> None:
    namespace, _, name = claim_key(params.name).partition("/")
    given.add(
        {
            "apiVersion": "v1",
            "kind": "ResourceQuota",
            "metadata": {"name": name, "namespace": namespace},
            "spec": {"hard": {quota: str(limit) for quota, limit in quantities(params.hard).items()}},
        }
    )


def _special_claim(given: Given, params: GivenSpecialClaim) -> None:
    pod, claim = given.pod(params.pod), given.claim(params.claim)
    name = pod["metadata"]["name"]
    uid = pod["metadata"].setdefault("uid", str(uuid.uuid5(_UIDS, claim_key(params.pod))))
    owner = {"apiVersion": "v1", "kind": "Pod", "name": name, "uid": uid, "controller": True}
    claim["metadata"]["annotations"] = {SPECIAL_CLAIM: "true"}
    claim["metadata"]["ownerReferences"] = [owner]
    if params.named:
        status = {"resourceClaimName": claim["metadata"]["name"], "requestMappings": []}
        pod.setdefault("status", {})["extendedResourceClaimStatus"] = status


def _limits(found: re.Match[str], _: Table, __: str) -> Json:
    return {"name": found["quota"], "hard": amounts(found["amounts"])}


def _special(found: re.Match[str], _: Table, __: str) -> Json:
    unnamed = {"named": False} if found["unnamed"] else {}
    return {"claim": found["claim"], "pod": found["pod"], **unnamed}


QUOTAS: tuple[Step, ...] = (
    Step(
        "given",
        "quota",
        GivenQuota,
        (phrase('a quota "{quota}" of {amounts}', _limits, amounts=AMOUNTS),),
        _quota,
    ),
    Step(
        "given",
        "special-claim",
        GivenSpecialClaim,
        (
            phrase(
                'claim "{claim}" is the special claim of pod "{pod}"[{unnamed}]',
                _special,
                unnamed=", which does not name it yet",
            ),
        ),
        _special_claim,
    ),
)
"""The given steps."""
