"""The guard of writes on a shared cluster: a run may write only its own objects.

A namespace or cluster-scoped object belongs to a run if its name has the prefix of the run and it has the
label of the run on the cluster. Such an object is read before each write, and the write has its UID as
precondition. The content of a write may not affect devices, nodes, pods or resources of other users either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from http.client import NOT_FOUND

from dra_conform.adapters.live.api import APPLY
from dra_conform.adapters.live.api_answers import Answer
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.isolation_fields import RUN_LABEL, SCENARIO_LABEL
from dra_conform.adapters.live.node_limits import is_limited, parts_with_node_selection
from dra_conform.adapters.live.pod_requests import device_classes, resource_names
from dra_conform.adapters.live.resources import RESOURCES, Address
from dra_conform.adapters.live.scenario_names import PREFIX
from dra_conform.adapters.live.write_guards import Write
from dra_conform.kube.extended_resources import CLASS_PREFIX
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.json_values import Json

_NAMES = ("deviceClassName", "driver", "nodeName")
"""Fields with the name of a cluster-scoped object or a driver, at any path."""
_MACHINE_FIELDS = (
    "spec.providerID",
    "spec.podCIDR",
    "spec.podCIDRs",
    "status.addresses",
    "status.daemonEndpoints.kubeletEndpoint.Port",
)
"""Fields by which components find the machine of a node; a node of a run has none."""
_FINALIZERS = ("metadata.finalizers", "spec.finalizers")
_NAMESPACES = RESOURCES["Namespace"]


class OwnWrites:
    """The guard of the writes of one run, or of all runs if `run` is empty, for cleanup."""

    def __init__(self, run: str = "") -> None:
        self._run = run
        self._name = f"{PREFIX}{run}" if run else PREFIX.rstrip("-")
        self._created: set[str] = set()
        """The namespaces that were created through this guard."""

    def checked(self, write: Write, read: Callable[[Address], Answer]) -> Write | Answer:
        """Return the write with preconditions; raises CannotRun if it could affect objects of other users."""
        if write.user:
            raise CannotRun(
                "not written: a write that impersonates a user, which is not allowed on a shared cluster"
            )
        if not isinstance(write.body, dict):
            raise CannotRun("not written: a write whose body is not an object")
        address = write.address
        if address.resource.namespaced:
            self._check_namespace(address, read)
        if write.method != "DELETE":
            self._check_content(write)
            if address.resource is RESOURCES["Pod"]:
                self._check_resources(write.body, read)
        elif not address.name:
            raise CannotRun("not written: a deletion without the name of an object")
        if address.resource.namespaced:
            return write
        return self._check_cluster_scoped(write, read)

    def sent(self, write: Write, answer: Answer) -> None:
        """Remember a namespace from its creation to its deletion."""
        if write.address.resource is not _NAMESPACES:
            return
        if write.method == "POST" and answer.accepted:
            self._created.add(str(field_at(write.body, "metadata.name")))
        elif write.method == "DELETE":
            self._created.discard(write.address.name)

    def _check_namespace(self, address: Address, read: Callable[[Address], Answer]) -> None:
        namespace = address.namespace
        self._check_name(namespace, f"the namespace of a {address.resource.kind}")
        if namespace in self._created:
            return
        existing = read(_NAMESPACES.address("v1", name=namespace))
        if not existing.accepted or not self._has_label(existing.body):
            raise CannotRun(f"namespace {namespace!r} was not created by this run")

    def _check_cluster_scoped(self, write: Write, read: Callable[[Address], Answer]) -> Write | Answer:
        """Check a write of a cluster-scoped object; return it with its preconditions."""
        address, kind = write.address, write.address.resource.kind
        if write.method == "POST":
            metadata = write.body["metadata"]
            self._check_name(metadata.get("name") or metadata.get("generateName"), f"the name of a {kind}")
            self._check_label(write.body)
            return write
        self._check_name(address.name, f"the name of a {kind}")
        existing = read(replace(address, subresource=""))
        if not existing.accepted:
            if write.content_type == APPLY and existing.code == NOT_FOUND:  # Apply creates a missing object.
                self._check_label(write.body)
                return write
            return existing
        if not self._has_label(existing.body):
            raise CannotRun(f"{kind} {address.name} was not created by this run")
        if write.method == "PUT" and not address.subresource:
            self._check_label(write.body)
        elif write.method == "PATCH":
            self._check_patched_label(write.body)
        return _with_precondition(write, existing.body["metadata"])

    def _check_name(self, name: Json, what: str) -> None:
        has_prefix = isinstance(name, str) and name.startswith((f"{self._name}-", f"{self._name}."))
        if not has_prefix and not (name == self._name and self._run):
            raise CannotRun(f"{what} is {name!r}, expected a name that begins with {self._name}")

    def _check_label(self, raw: Json) -> None:
        if not self._has_label(raw):
            raise CannotRun(f"not written: a {raw.get('kind')} without the label {RUN_LABEL} of this run")

    def _check_patched_label(self, body: Json) -> None:
        """Raise CannotRun for a patch that removes the label, because cleanup needs it."""
        labels = field_at(body, "metadata.labels")
        has_labels = "labels" in (body.get("metadata") or {})
        if has_labels and not (isinstance(labels, Mapping) and labels.get(RUN_LABEL, self._run) == self._run):
            raise CannotRun(f"not written: a patch that removes the label {RUN_LABEL}")

    def _has_label(self, raw: Json) -> bool:
        labels = field_at(raw, "metadata.labels")
        run = labels.get(RUN_LABEL) if isinstance(labels, Mapping) else None
        return isinstance(run, str) and run == (self._run or run)

    def _check_content(self, write: Write) -> None:
        """Raise CannotRun if the content refers to objects of other users or affects them."""
        body, kind = write.body, write.address.resource.kind
        whole = not write.address.subresource and (write.method != "PATCH" or write.content_type == APPLY)
        for field in ("metadata", "spec", "status"):
            empty = body.get(field) is None and (whole or field not in body)
            if not empty and not isinstance(body[field], dict):
                raise CannotRun(f"not written: a {kind} whose {field} is not an object")
        if whole and body.get("metadata") is None:
            raise CannotRun(f"not written: a {kind} without metadata")
        for field, name in _names_in(body):
            self._check_name(name, f"{field} in a {kind}")
        for owner in _owners(body):
            self._check_owner(owner, kind)
        match kind:
            case "Node":
                _check_node(body, whole=whole)
            case "Namespace":
                if any(field_at(body, path) not in (ABSENT, []) for path in _FINALIZERS):
                    raise CannotRun(
                        "not written: a Namespace with a finalizer, which the run could not remove"
                    )
            case "Pod" if write.method == "POST" or (whole and write.content_type == APPLY):
                selector = field_at(body, "spec.nodeSelector")
                if not isinstance(selector, Mapping) or not selector.get(SCENARIO_LABEL):
                    raise CannotRun("not written: a Pod that could run on nodes outside the scenario")
            case "DeviceClass":
                self._check_class(body, whole=whole)
            case "ResourceSlice":
                self._check_slice(body, whole=whole)
            case "DeviceTaintRule":
                _check_rule(body, patched=write.method == "PATCH" and write.content_type != APPLY)

    def _check_owner(self, owner: Json, kind: str) -> None:
        """Check an owner reference, because cluster-scoped owners may belong to other users."""
        resource = RESOURCES.get(str(owner.get("kind"))) if isinstance(owner, Mapping) else None
        if resource is None:
            raise CannotRun(f"not written: a {kind} whose owner has a kind that scenarios do not support")
        group, _, _ = str(owner.get("apiVersion", "")).rpartition("/")
        if group != resource.group:
            raise CannotRun(
                f"not written: a {kind} whose owner is a {resource.kind} of {owner.get('apiVersion')!r}"
            )
        if not resource.namespaced:
            self._check_name(owner.get("name"), f"the owner of a {kind}")

    def _check_class(self, body: Json, *, whole: bool) -> None:
        """Check that a DeviceClass selects only devices of the run and backs only resources of the run."""
        resource = field_at(body, "spec.extendedResourceName")
        if isinstance(resource, str) and resource:
            self._check_name(resource, "extendedResourceName in a DeviceClass")
        selectors = field_at(body, "spec.selectors")
        if not whole and "selectors" not in (body.get("spec") or {}):
            return
        limit = re.compile(rf'device\.driver\.startsWith\("{re.escape(self._name)}-[0-9]+\."\)')
        items = selectors if isinstance(selectors, list) else []
        if not any(limit.fullmatch(str(field_at(selector, "cel.expression"))) for selector in items):
            raise CannotRun("not written: a DeviceClass that selects devices outside the scenario")

    def _check_resources(self, body: Json, read: Callable[[Address], Answer]) -> None:
        """Check that a Pod requests no extended resource that a DeviceClass of other users backs."""
        requested = {name for name in resource_names(body) if not name.startswith(f"{self._name}-")}
        for name in sorted(requested):
            if name.startswith(CLASS_PREFIX):
                self._check_name(name.removeprefix(CLASS_PREFIX), f"{CLASS_PREFIX} in a Pod")
        explicit = {name for name in requested if "/" in name and not name.startswith(CLASS_PREFIX)}
        if not explicit:
            return
        for device_class in device_classes(read(RESOURCES["DeviceClass"].address("v1"))):
            name = field_at(device_class, "spec.extendedResourceName")
            if name in explicit:
                raise CannotRun(
                    f"not written: a Pod that requests {name}, a resource of another user's DeviceClass"
                )

    def _check_slice(self, body: Json, *, whole: bool) -> None:
        """Check that the devices of a ResourceSlice are available only on nodes of the run."""
        if whole and not isinstance(field_at(body, "spec.driver"), str):
            raise CannotRun("not written: a ResourceSlice without a driver")
        for item in parts_with_node_selection(body.get("spec") or {}):
            if item.get("allNodes"):
                raise CannotRun(
                    "not written: a ResourceSlice whose devices are available on nodes outside the scenario"
                )
            selector = item.get("nodeSelector")
            if selector is None:
                continue
            terms = selector.get("nodeSelectorTerms") if isinstance(selector, Mapping) else None
            if not isinstance(terms, list) or not all(is_limited(term, SCENARIO_LABEL) for term in terms):
                raise CannotRun(
                    "not written: a ResourceSlice whose node selector matches nodes outside the scenario"
                )


def _check_node(body: Json, *, whole: bool) -> None:
    """Check that a Node names no machine and has the taint that keeps pods of other users away."""
    for path in _MACHINE_FIELDS:
        if field_at(body, path) not in (ABSENT, "", [], 0):
            raise CannotRun(f"not written: a Node with {path}, which components use to find its machine")
    if whole or "taints" in (body.get("spec") or {}):
        taints = field_at(body, "spec.taints")
        keys = [
            field_at(taint, "key")
            for taint in (taints if isinstance(taints, list) else [])
            if field_at(taint, "effect") == "NoSchedule"
        ]
        if SCENARIO_LABEL not in keys:
            raise CannotRun("not written: a Node on which pods outside the scenario could run")


def _check_rule(body: Json, *, patched: bool) -> None:
    """Check that a DeviceTaintRule selects a driver, without which it would taint devices of other users."""
    if patched and "spec" in body:
        raise CannotRun("not written: a patch of a DeviceTaintRule, which could taint devices of other users")
    selector = field_at(body, "spec.deviceSelector")
    if isinstance(selector, Mapping) and not selector.get("driver"):
        raise CannotRun(
            "not written: a DeviceTaintRule without a driver, which would taint devices of other users"
        )


def _with_precondition(write: Write, metadata: Mapping[str, Json]) -> Write:
    """Return the write with the precondition that the object is the one that was read."""
    uid, version = metadata.get("uid"), metadata.get("resourceVersion")
    if not isinstance(uid, str) or not isinstance(version, str):
        raise CannotRun(f"{write.address} has no UID or resourceVersion on the cluster")
    if write.method == "DELETE":
        return replace(write, body={**write.body, "preconditions": {"uid": uid, "resourceVersion": version}})
    body_metadata = write.body.get("metadata") or {}
    return replace(write, body={**write.body, "metadata": {"uid": uid, **body_metadata}})


def _names_in(value: Json) -> Iterator[tuple[str, Json]]:
    """Yield each field with the name of a driver, a node or a DeviceClass in an object, and the name."""
    if isinstance(value, Mapping):
        for field, item in value.items():
            if field in _NAMES and isinstance(item, str) and item:
                yield field, item
            else:
                yield from _names_in(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _names_in(item)


def _owners(body: Json) -> Iterator[Json]:
    """Yield the owner references of an object, and those that a ResourceClaimTemplate gives its claims."""
    for path in ("metadata.ownerReferences", "spec.metadata.ownerReferences"):
        references = field_at(body, path)
        if isinstance(references, (list, tuple)):
            yield from references
