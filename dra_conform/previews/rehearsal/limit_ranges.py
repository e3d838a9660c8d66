"""The default requests and limits that the LimitRanges of a namespace give to new pods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform.kube.errors import InputErrors
from dra_conform.kube.field_paths import with_field
from dra_conform.kube.json_values import Json
from dra_conform.kube.limit_range import LimitRangeSpec
from dra_conform.kube.listing import listed
from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.objects import DecodeErrors, decode_as
from dra_conform.kube.quantity import Quantity

KIND = "LimitRange (v1)"
"""The kind with its API version, as notes on kinds name it."""


class LimitRanges:
    """The LimitRanges so far, by namespace. Of them only the defaults of containers are simulated."""

    def __init__(self) -> None:
        self._specs: dict[str, dict[str, LimitRangeSpec]] = {}

    def add(self, item: LoadedObject) -> None:
        """Add the object of a manifest if it is a LimitRange; raise InputErrors if it is malformed."""
        if f"{item.kind} ({item.api_version})" != KIND:
            return
        try:
            spec: LimitRangeSpec = decode_as(LimitRangeSpec, item.raw.get("spec") or {})
        except DecodeErrors as errors:
            problems = errors.problems
            raise InputErrors(
                [item.manifest.error(("spec", *problem.path), problem.message) for problem in problems]
            ) from None
        metadata = item.raw.get("metadata") or {}
        namespace = str(metadata.get("namespace") or "default")
        self._specs.setdefault(namespace, {})[str(metadata.get("name", ""))] = spec

    def applied_to(self, pod: Json) -> Json:
        """Return a v1 pod with the defaults of its namespace; a pod with a UID exists and stays as it is."""
        if pod["metadata"].get("uid"):
            return pod
        specs = self._specs.get(pod["metadata"].get("namespace") or "default", {})
        for spec in specs.values():
            limits, requests = _defaults(spec)
            for field in ("containers", "initContainers"):
                containers = pod["spec"].get(field)
                if containers:
                    changed = [_with_defaults(container, limits, requests) for container in containers]
                    pod = with_field(pod, f"spec.{field}", changed)
        return pod

    def notes(self) -> Iterator[str]:
        """Yield a note on limits that are not checked."""
        unchecked = [
            f"{namespace}/{name}"
            for namespace, specs in self._specs.items()
            for name, spec in specs.items()
            if any(each.min or each.max or each.max_limit_request_ratio for each in spec.limits)
        ]
        if unchecked:
            yield (
                "note: only the defaults of LimitRanges are simulated, not minimum, maximum and ratio: "
                f"{listed(unchecked)}"
            )


def _defaults(spec: LimitRangeSpec) -> tuple[dict[str, str], dict[str, str]]:
    """Return the default limits and requests of containers, as the API server completes them."""
    limits: dict[str, Quantity] = {}
    requests: dict[str, Quantity] = {}
    for item in spec.limits:
        if item.type == "Container":
            default = {**item.max, **item.default}
            limits |= default
            requests |= {**item.min, **default, **item.default_request}
    return _texts(limits), _texts(requests)


def _texts(quantities: Mapping[str, Quantity]) -> dict[str, str]:
    return {name: str(quantity) for name, quantity in quantities.items()}


def _with_defaults(container: Json, limits: Mapping[str, str], requests: Mapping[str, str]) -> Json:
    """Return the container with the defaults; a limit of its own is also its request."""
    resources = container.get("resources") or {}
    own_limits, own_requests = resources.get("limits") or {}, resources.get("requests") or {}
    changed = {
        **resources,
        "limits": {**limits, **own_limits},
        "requests": {**requests, **own_limits, **own_requests},
    }
    return {**container, "resources": changed}
