"""The containers of a pod in cases: requests, limits, and used ResourceClaims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from dra_conform.conformance.steps.step import Json, Params, StepError, Table, listed
from dra_conform.conformance.steps.table_cells import columns, plain


class GivenContainer(Params, frozen=True, kw_only=True):
    """A container. `kind`: an app container, an init container, or a sidecar (a restartable init container).

    `claims` are entries in `resourceClaims` of the pod, or requests of an entry such as `entry/request`.
    """

    name: str
    kind: Literal["app", "init", "sidecar"] = "app"
    requests: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    claims: tuple[str, ...] = ()


def containers_of(containers: Iterable[GivenContainer]) -> dict[str, list[dict[str, Json]]]:
    """Return `initContainers` and `containers` of the spec of a pod."""
    lists: dict[str, list[dict[str, Json]]] = {"initContainers": [], "containers": []}
    for container in containers:
        body: dict[str, Json] = {"name": container.name, "image": "registry.k8s.io/pause:3.10"}
        if container.kind == "sidecar":
            body["restartPolicy"] = "Always"
        resources = requirements_of(container.requests, container.limits)
        if container.claims:
            resources["claims"] = [_reference(claim) for claim in container.claims]
        if resources:
            body["resources"] = resources
        lists["containers" if container.kind == "app" else "initContainers"].append(body)
    return {name: bodies for name, bodies in lists.items() if bodies or name == "containers"}


def requirements_of(requests: Mapping[str, Json], limits: Mapping[str, Json]) -> dict[str, Json]:
    """Return the API fields `requests` and `limits`."""
    lists = {"requests": requests, "limits": limits}
    return {
        field: {name: str(amount) for name, amount in quantities.items()}
        for field, quantities in lists.items()
        if quantities
    }


def entries_used(containers: Iterable[GivenContainer]) -> list[str]:
    """Return the entries that containers use, each once."""
    return list(
        dict.fromkeys(claim.partition("/")[0] for container in containers for claim in container.claims)
    )


def container_rows(rows: Table) -> list[dict[str, Json]]:
    """Return the rows of a table as the parameters of containers; raises StepError."""
    containers = []
    for row in rows:
        params: dict[str, Json] = dict(plain(row, "request", "limit"))
        if "container" not in params:
            raise StepError("a row has no container, expected its name")
        params["name"] = params.pop("container")
        params["claims"] = listed(params.get("claims", ""))
        containers.append({**params, "requests": columns(row, "request"), "limits": columns(row, "limit")})
    return containers


def _reference(claim: str) -> dict[str, str]:
    name, _, request = claim.partition("/")
    return {"name": name, **({"request": request} if request else {})}
