"""A correct cluster whose scheduler names the requests of extended-resource claims in its own way.

KEP-5004 documents the names `container-0-request-0` for information only; they are not part of the API.
"""

from __future__ import annotations

from dra_conform.cluster_state.object_keys import key_of
from dra_conform.kube.extended_resources import is_extended_resource_claim
from dra_conform.kube.json_values import Json
from dra_conform.simulation.client import Client
from tests.faulty.implementations.components import SchedulerCluster, with_spec, with_status

_KEP, _OWN = "container-", "own-"


class OtherRequestNames(SchedulerCluster):
    """Names requests `own-0-request-0`. Claims of an earlier scheduler keep the names that they have."""

    def seen(self, item: Json, client: Client) -> Json:
        return _renamed(item, _OWN, _KEP)

    def created(self, item: Json, client: Client) -> tuple[Json, ...]:
        return (_renamed(item, _KEP, _OWN),)

    def updated(self, item: Json, subresource: str, client: Client) -> Json:
        if item["kind"] not in ("Pod", "ResourceClaim"):
            return item
        name = item["metadata"]["name"]
        if item["kind"] == "Pod":
            status = (item.get("status") or {}).get("extendedResourceClaimStatus") or {}
            name = status.get("resourceClaimName") or ""
        stored = Client.get(client, key_of("ResourceClaim", name, item["metadata"]["namespace"]))
        own = stored is not None and any(request["name"].startswith(_OWN) for request in _requests(stored))
        return _renamed(item, _KEP, _OWN) if own else item


def _requests(claim: Json) -> list[Json]:
    requests: list[Json] = claim["spec"].get("devices", {}).get("requests") or []
    return requests


def _renamed(item: Json, old: str, new: str) -> Json:
    """Return a pod or an extended-resource claim with another prefix of its request names."""

    def other(name: str) -> str:
        return new + name.removeprefix(old) if name.startswith(old) else name

    status = item.get("status") or {}
    if item["kind"] == "Pod" and status.get("extendedResourceClaimStatus"):
        recorded = status["extendedResourceClaimStatus"]
        mappings = [
            {**mapping, "requestName": other(mapping["requestName"])}
            for mapping in recorded.get("requestMappings") or ()
        ]
        return with_status(item, extendedResourceClaimStatus={**recorded, "requestMappings": mappings})
    if item["kind"] != "ResourceClaim" or not is_extended_resource_claim(item):
        return item
    requests = [{**request, "name": other(request["name"])} for request in _requests(item)]
    renamed = with_spec(item, devices={**item["spec"]["devices"], "requests": requests})
    allocation = status.get("allocation")
    if not allocation:
        return renamed
    results = [{**result, "request": other(result["request"])} for result in allocation["devices"]["results"]]
    devices = {**allocation["devices"], "results": results}
    return with_status(renamed, allocation={**allocation, "devices": devices})
