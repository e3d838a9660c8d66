"""Quota usage of whole clusters over columns equals the usage by the scalar rules."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dra_conform.kube.core import ResourceQuota
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.quota import QuotaSwitches
from dra_conform.quota import UsageCounter
from dra_conform.quota.cluster_usage import ClusterUsage
from tests.support.kube_parts.random_namespaces import NAMESPACES, namespace_question
from tests.support.rows import mostly_slow

PROFILES = ("kep", "kep-future", "kubernetes-1.34", "kubernetes-1.36", "kubernetes-1.37")
SCOPES = (None, "BestEffort", "NotBestEffort", "Terminating", "NotTerminating")


def _changed(random: Random, pod: Json) -> Json:
    """Return the pod with limits, a resized container, claims in its status, or an enormous request."""
    containers = pod["spec"]["containers"]
    for container in containers:
        if random.random() < 0.5:
            container["resources"]["limits"] = {"cpu": random.choice(("0", "2", "2500m")), "memory": "2Gi"}
    statuses = []
    for container in containers:
        requests = dict(container["resources"]["requests"])
        if random.random() < 0.2:
            requests["cpu"] = "3"
        statuses.append(
            {
                "name": container["name"],
                "allocatedResources": requests,
                "resources": {
                    "requests": requests,
                    "limits": container["resources"].get("limits", {}),
                },
            }
        )
    if random.random() < 0.6:
        pod["status"]["containerStatuses"] = statuses
    if random.random() < 0.2:
        pod["status"]["conditions"] = [{"type": "PodResizePending", "reason": "Infeasible"}]
    if random.random() < 0.3:
        pod["status"]["nodeAllocatableResourceClaimStatuses"] = [
            {"resourceClaimName": "c", "containers": ["c0"], "mapping": [{"name": "cpu", "quantity": "2"}]}
        ]
    if random.random() < 0.1:
        containers[0]["resources"]["requests"]["example.com/gpu"] = random.choice(("1e300", "-3", "9E"))
    if random.random() < 0.2:
        pod["spec"]["activeDeadlineSeconds"] = 5
    if random.random() < 0.2:
        pod["spec"]["overhead"] = {"cpu": "100m", "memory": "1Mi"}
        pod["spec"]["resources"] = {"limits": {"memory": "5Gi"}}
    return pod


@pytest.mark.parametrize("name", mostly_slow(PROFILES))
def test_columns_agree_with_the_scalar_rules(name: str) -> None:
    switches = QuotaSwitches.of(Profile.named(name))
    for number in range(30):
        random = Random(f"{name}/{number}")
        parts = [namespace_question(random)[0] for _ in range(3)]
        classes = {each["metadata"]["name"]: each for part in parts for each in part["deviceClasses"]}
        claims = [decode(each) for part in parts for each in part["resourceClaims"]]
        pods = [decode(_changed(random, each)) for part in parts for each in part["pods"]]
        decoded = tuple(map(decode, classes.values()))
        usage = ClusterUsage(decoded, claims, pods, switches)
        counter = UsageCounter(decoded, tuple(claims), tuple(pods), switches)
        for namespace in NAMESPACES:
            for scope in SCOPES:
                quota: ResourceQuota = decode(
                    {
                        "apiVersion": "v1",
                        "kind": "ResourceQuota",
                        "metadata": {"name": "q", "namespace": namespace},
                        "spec": {"scopes": [scope] if scope else []},
                    }
                )
                expected = {each: amount.nano for each, amount in counter.of_quota(quota).items()}
                found = usage.of_quota(quota)
                assert _filled(found) == _filled(expected), (number, namespace, scope)


def _filled(amounts: Any) -> dict[str, int]:
    return {name: amount for name, amount in amounts.items() if amount}
