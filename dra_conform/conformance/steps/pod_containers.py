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


def containers_of(given: Iterable[GivenContainer]) -> dict[str, list[dict[str, Json]]]:
    """Return `initContainers` and `containers` of the spec of a pod."""
    lists: dict[str, list[dict[str, Json]]] = {"initContainers": [], "containers": []}
    for one in given:
        made: dict[str, Json] = {"name": one.name, "image": "registry.k8s.io/pause:3.10"}
        if one.kind == "sidecar":
            made["restartPolicy"] = "Always"
        resources = requirements_of(one.requests, one.limits)
        if one.claims:
            resources["claims"] = [_reference(claim) for claim in one.claims]
        if resources:
            made["resources"] = resources
        lists["containers" if one.kind == "app" else "initContainers"].append(made)
    return {name: several for name, several in lists.items() if several or name == "containers"}


def requirements_of(requests: Mapping[str, Json], limits: Mapping[str, Json]) -> dict[str, Json]:
    """Return the API fields `requests` and `limits`."""
    said = {"requests": requests, "limits": limits}
    return {
        field: {name: str(amount) for name, amount in several.items()}
        for field, several in said.items()
        if several
    }


def entries_used(given: Iterable[GivenContainer]) -> list[str]:
    """Return the entries that containers use, each once."""
    return list(dict.fromkeys(claim.partition("/")[0] for one in given for claim in one.claims))


def container_rows(rows: Table) -> list[dict[str, Json]]:
    """Return the rows of a table as the parameters of containers; raises StepError."""
    made = []
    for row in rows:
        one: dict[str, Json] = dict(plain(row, "request", "limit"))
        if "container" not in one:
            raise StepError("a row has no container, expected its name")
        one["name"] = one.pop("container")
        one["claims"] = listed(one.get("claims", ""))
        made.append({**one, "requests": columns(row, "request"), "limits": columns(row, "limit")})
    return made


def _reference(claim: str) -> dict[str, str]:
    name, _, request = claim.partition("/")
    return {"name": name, **({"request": request} if request else {})}
