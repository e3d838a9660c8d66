"""The guard of writes: a run may write only objects of its own on a shared cluster.

A namespace, or an object without one, is the run's own if its name begins with the name of the run and its
label on the cluster says so. Such an object is read before each write, and its UID goes with the write as a
precondition. What is written may reach no device, node, pod or resource of others either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from http.client import NOT_FOUND
from typing import Any

from dra_conform.adapters.live.api import APPLY, Answer, Write
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.isolation_fields import RUN, STORY
from dra_conform.adapters.live.resources import RESOURCES, Address
from dra_conform.adapters.live.scenario_names import PREFIX
from dra_conform.kube.extended_resources import CLASS_PREFIX
from dra_conform.kube.field_paths import ABSENT, field_at

Json = Any

_NAMES = ("deviceClassName", "driver", "nodeName")
"""Fields that hold the name of something without a namespace, wherever they stand."""
_OF_NODES = (
    "spec.providerID",
    "spec.podCIDR",
    "spec.podCIDRs",
    "status.addresses",
    "status.daemonEndpoints.kubeletEndpoint.Port",
)
"""By these other components find the machine of a node: a node of a run has none."""
_FINALIZERS = ("metadata.finalizers", "spec.finalizers")
_NAMESPACES = RESOURCES["Namespace"]


class OwnWrites:
    """The writes of one run, or of all runs where `run` is empty, as when their leftovers are removed."""

    def __init__(self, run: str = "") -> None:
        self._run = run
        self._name = f"{PREFIX}{run}" if run else PREFIX.rstrip("-")
        self._created: set[str] = set()
        """The namespaces that were created here."""

    def checked(self, write: Write, read: Callable[[Address], Answer]) -> Write | Answer:
        """The write with its preconditions; raises CannotRun for one that could reach objects of others."""
        if write.user:
            raise CannotRun("a write in the name of another user, on a cluster that has other users")
        if not isinstance(write.body, dict):
            raise CannotRun("a write that is no object")
        address = write.address
        if address.resource.namespaced:
            self._check_namespace(address, read)
        if write.method != "DELETE":
            self._check_content(write)
            if address.resource is RESOURCES["Pod"]:
                self._check_resources(write.body, read)
        elif not address.name:
            raise CannotRun("a deletion that names no object")
        if address.resource.namespaced:
            return write
        return self._of_cluster(write, read)

    def sent(self, write: Write, answer: Answer) -> None:
        """Remember a namespace from its creation to its end."""
        if write.address.resource is not _NAMESPACES:
            return
        if write.method == "POST" and answer.taken:
            self._created.add(str(field_at(write.body, "metadata.name")))
        elif write.method == "DELETE":
            self._created.discard(write.address.name)

    def _check_namespace(self, address: Address, read: Callable[[Address], Answer]) -> None:
        namespace = address.namespace
        self._check_name(namespace, f"the namespace of a {address.resource.kind}")
        if namespace in self._created:
            return
        found = read(_NAMESPACES.address("v1", name=namespace))
        if not found.taken or not self._bears_label(found.body):
            raise CannotRun(f"namespace {namespace!r} was not made by this run")

    def _of_cluster(self, write: Write, read: Callable[[Address], Answer]) -> Write | Answer:
        """A write of an object without a namespace."""
        address, kind = write.address, write.address.resource.kind
        if write.method == "POST":
            metadata = write.body["metadata"]
            self._check_name(metadata.get("name") or metadata.get("generateName"), f"the name of a {kind}")
            self._check_label(write.body)
            return write
        self._check_name(address.name, f"the name of a {kind}")
        found = read(replace(address, subresource=""))
        if not found.taken:
            if write.content_type == APPLY and found.code == NOT_FOUND:  # it creates what is not there
                self._check_label(write.body)
                return write
            return found
        if not self._bears_label(found.body):
            raise CannotRun(f"{kind} {address.name} was not made by this run")
        if write.method == "PUT" and not address.subresource:
            self._check_label(write.body)
        elif write.method == "PATCH":
            self._check_patched_label(write.body)
        return _with_precondition(write, found.body["metadata"])

    def _check_name(self, name: Json, what: str) -> None:
        begins = isinstance(name, str) and name.startswith((f"{self._name}-", f"{self._name}."))
        own = begins or (name == self._name and self._run)
        if not own:
            raise CannotRun(f"{what} is {name!r}, expected one that begins with {self._name}")

    def _check_label(self, raw: Json) -> None:
        if not self._bears_label(raw):
            raise CannotRun(f"a {raw.get('kind')} without the label {RUN} of this run")

    def _check_patched_label(self, body: Json) -> None:
        """A patch leaves the label: without it the object would stay on the cluster for good."""
        labels = field_at(body, "metadata.labels")
        named = "labels" in (body.get("metadata") or {})
        if named and not (isinstance(labels, Mapping) and labels.get(RUN, self._run) == self._run):
            raise CannotRun(f"a patch that takes away the label {RUN}")

    def _bears_label(self, raw: Json) -> bool:
        labels = field_at(raw, "metadata.labels")
        found = labels.get(RUN) if isinstance(labels, Mapping) else None
        return isinstance(found, str) and found == (self._run or found)

    def _check_content(self, write: Write) -> None:
        """What is written names nothing of others, and changes nothing for them."""
        body, kind = write.body, write.address.resource.kind
        whole = not write.address.subresource and (write.method != "PATCH" or write.content_type == APPLY)
        for field in ("metadata", "spec", "status"):
            empty = body.get(field) is None and (whole or field not in body)
            if not empty and not isinstance(body[field], dict):
                raise CannotRun(f"a {kind} whose {field} is no object")
        if whole and body.get("metadata") is None:
            raise CannotRun(f"a {kind} without metadata")
        for field, name in _names_in(body):
            self._check_name(name, f"{field} in a {kind}")
        for owner in _owners(body):
            self._check_owner(owner, kind)
        match kind:
            case "Node":
                _check_node(body, whole=whole)
            case "Namespace":
                if any(field_at(body, path) not in (ABSENT, []) for path in _FINALIZERS):
                    raise CannotRun("a Namespace with a finalizer, which the run could not take away again")
            case "Pod" if write.method == "POST" or (whole and write.content_type == APPLY):
                selector = field_at(body, "spec.nodeSelector")
                if not isinstance(selector, Mapping) or not selector.get(STORY):
                    raise CannotRun("a Pod that could run on nodes of others")
            case "DeviceClass":
                self._check_class(body, whole=whole)
            case "ResourceSlice":
                self._check_slice(body, whole=whole)
            case "DeviceTaintRule":
                _check_rule(body, patched=write.method == "PATCH" and write.content_type != APPLY)

    def _check_owner(self, owner: Json, kind: str) -> None:
        """The garbage collector looks for owners without a namespace in the whole cluster."""
        named = RESOURCES.get(str(owner.get("kind"))) if isinstance(owner, Mapping) else None
        if named is None:
            raise CannotRun(f"a {kind} whose owner is of a kind that scenarios do not write")
        group, _, _ = str(owner.get("apiVersion", "")).rpartition("/")
        if group != named.group:
            raise CannotRun(f"a {kind} whose owner is a {named.kind} of {owner.get('apiVersion')!r}")
        if not named.namespaced:
            self._check_name(owner.get("name"), f"the owner of a {kind}")

    def _check_class(self, body: Json, *, whole: bool) -> None:
        """A DeviceClass selects devices of the run only, and backs no resource of others."""
        resource = field_at(body, "spec.extendedResourceName")
        if isinstance(resource, str) and resource:
            self._check_name(resource, "extendedResourceName in a DeviceClass")
        selectors = field_at(body, "spec.selectors")
        if not whole and "selectors" not in (body.get("spec") or {}):
            return
        limit = re.compile(rf'device\.driver\.startsWith\("{re.escape(self._name)}-[0-9]+\."\)')
        several = selectors if isinstance(selectors, list) else []
        if not any(limit.fullmatch(str(field_at(one, "cel.expression"))) for one in several):
            raise CannotRun("a DeviceClass that selects devices of others")

    def _check_resources(self, body: Json, read: Callable[[Address], Answer]) -> None:
        """A Pod requests no extended resource that a DeviceClass of others backs."""
        asked = {name for name in _resource_names(body) if not name.startswith(f"{self._name}-")}
        for name in sorted(asked):
            if name.startswith(CLASS_PREFIX):
                self._check_name(name.removeprefix(CLASS_PREFIX), f"{CLASS_PREFIX} in a Pod")
        plain = {name for name in asked if "/" in name and not name.startswith(CLASS_PREFIX)}
        if not plain:
            return
        found = read(RESOURCES["DeviceClass"].address("v1"))
        items = found.body.get("items") if found.taken and isinstance(found.body, dict) else ()
        for one in items or ():
            name = field_at(one, "spec.extendedResourceName")
            if name in plain:
                raise CannotRun(f"a Pod that requests {name}, which a DeviceClass of others backs")

    def _check_slice(self, body: Json, *, whole: bool) -> None:
        """A ResourceSlice offers its devices on nodes of the run only."""
        if whole and not isinstance(field_at(body, "spec.driver"), str):
            raise CannotRun("a ResourceSlice without a driver")
        for holder in _holders(body.get("spec") or {}):
            if holder.get("allNodes"):
                raise CannotRun("a ResourceSlice whose devices are there for nodes of others")
            selector = holder.get("nodeSelector")
            if selector is None:
                continue
            terms = selector.get("nodeSelectorTerms") if isinstance(selector, Mapping) else None
            if not isinstance(terms, list) or not all(map(_is_limited, terms)):
                raise CannotRun("a ResourceSlice whose node selector reaches nodes of others")


def _check_node(body: Json, *, whole: bool) -> None:
    """Reject a Node that has a machine, or on which pods of others could be placed (it needs the taint)."""
    for path in _OF_NODES:
        if field_at(body, path) not in (ABSENT, "", [], 0):
            raise CannotRun(f"a Node with {path}, by which others look for its machine")
    if whole or "taints" in (body.get("spec") or {}):
        taints = field_at(body, "spec.taints")
        several = taints if isinstance(taints, list) else []
        if not any(
            field_at(one, "key") == STORY and field_at(one, "effect") == "NoSchedule" for one in several
        ):
            raise CannotRun("a Node on which pods of others could run")


def _check_rule(body: Json, *, patched: bool) -> None:
    """A DeviceTaintRule names a driver of the run, else it reaches the devices of others."""
    if patched and "spec" in body:
        raise CannotRun("a patch of a DeviceTaintRule, which could reach devices of others")
    selector = field_at(body, "spec.deviceSelector")
    if isinstance(selector, Mapping) and not selector.get("driver"):
        raise CannotRun("a DeviceTaintRule that names no driver reaches devices of others")


def _with_precondition(write: Write, metadata: Mapping[str, Json]) -> Write:
    """The write, to be carried out only on the object that was read."""
    uid, version = metadata.get("uid"), metadata.get("resourceVersion")
    if not isinstance(uid, str) or not isinstance(version, str):
        raise CannotRun(f"{write.address} has no UID or version on the cluster")
    if write.method == "DELETE":
        return replace(write, body={**write.body, "preconditions": {"uid": uid, "resourceVersion": version}})
    given = write.body.get("metadata") or {}
    return replace(write, body={**write.body, "metadata": {"uid": uid, **given}})


def _names_in(value: Json) -> Iterator[tuple[str, Json]]:
    """Every name of a driver, a node or a DeviceClass in an object, with its field."""
    if isinstance(value, Mapping):
        for field, item in value.items():
            if field in _NAMES and isinstance(item, str) and item:
                yield field, item
            else:
                yield from _names_in(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _names_in(item)


def _resource_names(value: Json) -> Iterator[str]:
    """The names of all resources that containers of a pod request, and the pod as a whole."""
    if isinstance(value, Mapping):
        for field, item in value.items():
            if field in ("requests", "limits") and isinstance(item, Mapping):
                yield from (name for name in item if isinstance(name, str))
            else:
                yield from _resource_names(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _resource_names(item)


def _owners(body: Json) -> Iterator[Json]:
    """The owners that an object names, also the one that a template gives its claims."""
    for path in ("metadata.ownerReferences", "spec.metadata.ownerReferences"):
        found = field_at(body, path)
        if isinstance(found, (list, tuple)):
            yield from found


def _holders(spec: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
    """Whatever says on which nodes devices are: the spec of a slice, and its devices."""
    yield spec
    devices = spec.get("devices")
    for device in devices if isinstance(devices, (list, tuple)) else ():
        if isinstance(device, Mapping):
            yield device
            if isinstance(device.get("basic"), Mapping):
                yield device["basic"]


def _is_limited(term: Json) -> bool:
    """Whether a term of a node selector holds on nodes of a scenario only; an empty term holds on none."""
    if not term:
        return True
    expressions = term.get("matchExpressions") if isinstance(term, Mapping) else None
    return isinstance(expressions, list) and any(
        isinstance(one, Mapping) and one.get("key") == STORY and one.get("operator") == "In"
        for one in expressions
    )
