"""Creation of a scenario's setup on a cluster.

The objects are created through the API server. Objects that it rejects or stores without a field are possible
only if etcd can be written directly. Statuses are written after all objects exist, with the UIDs of the pods
on this cluster. Pods have a scheduling gate until the first steady state of the scenario is awaited.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

from dra_conform.adapters.live.api_answers import Answer
from dra_conform.adapters.live.emulated_nodes import add_node
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.isolation_fields import SETUP_GATE
from dra_conform.adapters.live.polling import poll
from dra_conform.adapters.live.resources import RESOURCES, SERVICE_ACCOUNTS, Address
from dra_conform.adapters.live.scenario_names import DEFAULT
from dra_conform.adapters.live.scenario_namespace import ScenarioNamespace
from dra_conform.kube.field_paths import ABSENT, field_at, with_field
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.profile import Profile

Put = Callable[[Json], None]
"""A function that writes an object directly to etcd."""

_FINALIZER = "resource.kubernetes.io/delete-protection"
_ALLOCATED_AT = "status.allocation.allocationTimestamp"
_CONFLICTS = 5
_POLLS_FOR_ACCOUNT = 250
_POLLS_FOR_QUOTA = 1000
_KINDS_WITH_STATUS = ("ResourceClaim", "Pod", "DeviceTaintRule")


def create_setup(
    scenario: ScenarioNamespace,
    objects: Mapping[str, Sequence[Json]],
    kubelet: Profile,
    put: Put | None = None,
) -> None:
    """Create all objects of the setup except ResourceQuotas; pods are gated.

    Nodes declare the features of the profile `kubelet`. Raises CannotRun for objects that this cluster cannot
    have. With `put`, objects that the API server rejects or changes are written directly to etcd.
    """
    setup = {kind: list(objects.get(COLLECTIONS[kind], ())) for kind in RESOURCES}
    owned_by_pods = [raw for raw in setup["ResourceClaim"] if _owning_pods(raw)]
    setup["ResourceClaim"] = [raw for raw in setup["ResourceClaim"] if not _owning_pods(raw)]
    unknown = set(objects) - set(COLLECTIONS.values())
    if unknown:
        raise CannotRun(f"the setup has {', '.join(sorted(unknown))}, which cannot be created on a cluster")
    _create_namespaces(scenario, setup.pop("Namespace"))
    if put is None:
        _await_accounts(scenario)
    del setup["ResourceQuota"]
    for node in setup.pop("Node"):
        add_node(scenario, node, kubelet, put)
    # The controller generates a claim as soon as it sees a pod and its template. So templates come after the
    # status of a pod that records claims already.
    recorded = any(field_is(pod, "status.resourceClaimStatuses") for pod in setup["Pod"])
    templates = setup.pop("ResourceClaimTemplate") if recorded else []
    for kind, items in setup.items():
        for raw in items:
            _create(scenario, _gated(raw) if kind == "Pod" else raw, raw, put)
    uids = {_key(pod): pod["metadata"]["uid"] for pod in scenario.all("Pod")}
    for raw in owned_by_pods:
        _create(scenario, _with_owner_uids(raw, uids), raw, put)
    with_owned = {**setup, "ResourceClaim": [*setup["ResourceClaim"], *owned_by_pods]}
    for kind in _KINDS_WITH_STATUS:
        for raw in with_owned[kind]:
            if raw.get("status"):
                _write_status(scenario, raw, uids, put)
    for raw in templates:
        _create(scenario, raw, raw, put)


def with_allocation_times(objects: Mapping[str, Sequence[Json]], time: str) -> dict[str, Sequence[Json]]:
    """Return a setup in which each allocation has an allocationTimestamp, by default `time`.

    With DRADeviceBindingConditions on, the scheduler sets it in each allocation. If it is absent, the
    scheduler cannot reserve the claim for a pod: it adds the time, and the API server rejects the change.
    """
    collection = COLLECTIONS["ResourceClaim"]
    claims = [
        with_field(claim, _ALLOCATED_AT, time)
        if field_is(claim, "status.allocation") and field_at(claim, _ALLOCATED_AT) is ABSENT
        else claim
        for claim in objects.get(collection, ())
    ]
    return {**objects, collection: claims}


def without_allocation_time(claim: Json, time: str) -> Json:
    """Return a claim without the allocationTimestamp that `with_allocation_times` has added."""
    return with_field(claim, _ALLOCATED_AT, None) if field_at(claim, _ALLOCATED_AT) == time else claim


def time_before_setup() -> str:
    """Return a time that no allocation in the scenario can have: the second before this one."""
    return (datetime.now(UTC) - timedelta(seconds=1)).strftime("%Y-%m-%dT%H:%M:%SZ")


def ungate_setup_pods(scenario: ScenarioNamespace, objects: Mapping[str, Sequence[Json]]) -> None:
    """Remove the scheduling gates of the pods of the setup, if the pods still exist."""
    for pod in objects.get("pods", ()):
        if not field_is(pod, "spec.nodeName"):
            _ungate(scenario, pod)


def field_is(raw: Json, path: str) -> bool:
    """Whether an object has a field that is not empty."""
    value = field_at(raw, path)
    return isinstance(value, (str, list, dict)) and bool(value)


def _create_namespaces(scenario: ScenarioNamespace, namespaces: Sequence[Json]) -> None:
    by_name = {raw["metadata"]["name"]: raw for raw in namespaces}
    header = {"apiVersion": "v1", "kind": "Namespace"}
    for name in scenario.names.namespaces:
        raw = by_name.get(name) or {**header, "metadata": {"name": name}}
        _check(scenario.create(raw), f"namespace {name}")


def _await_accounts(scenario: ScenarioNamespace) -> None:
    """Wait for the default service account of each namespace, because pods are rejected without it.

    Some clusters create no service account; a control plane started for the run does not need one.
    """
    for name in scenario.names.namespaces:
        address = SERVICE_ACCOUNTS.address("v1", scenario.names.namespace(name), "default")
        poll(_POLLS_FOR_ACCOUNT, partial(_exists, scenario, address))


def _exists(scenario: ScenarioNamespace, address: Address) -> bool:
    return scenario.api.get(address).accepted


def _create(scenario: ScenarioNamespace, written: Json, raw: Json, put: Put | None) -> None:
    """Create `written`, the form in which the object `raw` of the setup is written."""
    name = f"{raw['kind']} {field_at(raw, 'metadata.name')}"
    problem = _not_creatable(raw)
    if not problem and not (put and raw["metadata"].get("uid")):
        created = scenario.create(scenario.newest(_with_finalizer(written)))
        problem = _problem(created) or _loss(raw, scenario.get(raw["kind"], *_name_of(created.body)).body)
    if problem and put is None:
        raise CannotRun(f"{name} {problem}")
    if put and (problem or raw["metadata"].get("uid")):
        put(scenario.stored(written))


def create_quotas(
    scenario: ScenarioNamespace, objects: Mapping[str, Sequence[Json]], put: Put | None = None
) -> None:
    """Create the ResourceQuotas of the setup and wait until their usage is counted.

    The controller manager must have seen the counted objects before. Raises CannotRun as `create_setup`.
    """
    quotas = objects.get(COLLECTIONS["ResourceQuota"], ())
    for raw in quotas:
        _create(scenario, raw, raw, put)
    if quotas:
        poll(_POLLS_FOR_QUOTA, lambda: all(map(_counted, scenario.all("ResourceQuota"))))
    for raw in quotas:
        if raw.get("status"):
            _write_status(scenario, raw, {}, put)


def _counted(quota: Json) -> bool:
    return bool(field_at(quota, "status.hard") == field_at(quota, "spec.hard"))


def _with_finalizer(written: Json) -> Json:
    """Return an allocated claim with the finalizer of the scheduler; return other objects unchanged."""
    if written["kind"] != "ResourceClaim" or not field_is(written, "status.allocation"):
        return written
    finalizers = written["metadata"].get("finalizers") or [_FINALIZER]
    return {**written, "metadata": {**written["metadata"], "finalizers": finalizers}}


def _not_creatable(raw: Json) -> str:
    """Return why no request can create the object of the setup as it is, empty if it can be created."""
    if _owning_pods(raw):
        return "is owned by a pod in the setup"
    if raw["metadata"].get("deletionTimestamp"):
        return "is being deleted in the setup"
    return "has a creationTimestamp in the setup" if raw["metadata"].get("creationTimestamp") else ""


def _gated(raw: Json) -> Json:
    """Return the pod with a scheduling gate, unless it has a node."""
    if field_is(raw, "spec.nodeName"):
        return raw
    gates = [*(raw["spec"].get("schedulingGates") or ()), {"name": SETUP_GATE}]
    return {**raw, "spec": {**raw["spec"], "schedulingGates": gates}}


def _owning_pods(raw: Json) -> list[Json]:
    owners = raw["metadata"].get("ownerReferences") or ()
    return [owner for owner in owners if owner.get("kind") == "Pod"]


def _with_owner_uids(raw: Json, uids: Mapping[str, str]) -> Json:
    """Return an object whose owner references have the UIDs of the pods on this cluster."""
    metadata = raw["metadata"]
    owners = [with_cluster_uid(owner, metadata, uids) for owner in metadata.get("ownerReferences") or ()]
    return {**raw, "metadata": {**metadata, "ownerReferences": owners}}


def with_cluster_uid(reference: Json, metadata: Json, uids: Mapping[str, str]) -> Json:
    """Return an owner or a consumer; a pod gets the UID that the pod of that name has on this cluster."""
    is_pod = reference.get("kind") == "Pod" or reference.get("resource") == "pods"
    if not is_pod or reference.get("apiGroup"):
        return reference
    key = f"{metadata.get('namespace') or DEFAULT}/{reference.get('name')}"
    return {**reference, "uid": uids.get(key, reference.get("uid"))}


def _write_status(scenario: ScenarioNamespace, raw: Json, uids: Mapping[str, str], put: Put | None) -> None:
    """Write the status of an object; reservations get the UIDs of the pods on this cluster."""
    name = f"the status of {raw['kind']} {field_at(raw, 'metadata.name')}"
    status = dict(raw["status"])
    if "reservedFor" in status:
        status["reservedFor"] = [
            with_cluster_uid(consumer, raw["metadata"], uids) for consumer in status["reservedFor"]
        ]
    written = scenario.newest({**scenario.get(raw["kind"], *_name_of(raw)).body, "status": status})
    answer = scenario.replace(written, "status")
    problem = _problem(answer) or _loss(status, answer.body.get("status"))
    if problem and put is None:
        raise CannotRun(f"{name} {problem}")
    if problem and put:
        put(scenario.stored(written))


def _ungate(scenario: ScenarioNamespace, pod: Json) -> None:
    """Remove the scheduling gate of a pod; an update removes it, because reads do not show it."""
    for _ in range(_CONFLICTS):
        read = scenario.get("Pod", *_name_of(pod))
        answer = scenario.replace(read.body) if read.accepted else read
        if answer.reason != "Conflict":
            break


def _check(answer: Answer, name: str) -> None:
    problem = _problem(answer)
    if problem:
        raise CannotRun(f"{name} {problem}")


def _problem(answer: Answer) -> str:
    return "" if answer.accepted else f"cannot be created, the API server rejects it: {answer.message}"


def _loss(written: Json, stored: Json) -> str:
    lost = next(_lost(written, stored, ""), None)
    return f"cannot be created, the API server stores it without {lost}" if lost else ""


def _lost(written: Json, stored: Json, path: str) -> Iterator[str]:
    """Yield the paths of written fields that are not stored; values may be stored in another notation."""
    if isinstance(written, Mapping):
        for field, value in written.items():
            field_path = f"{path}.{field}".removeprefix(".")
            stored_value = stored.get(field) if isinstance(stored, Mapping) else None
            if value in (None, {}, [], "", False, 0) or field_path in ("apiVersion", "metadata", "status"):
                continue
            if stored_value is None:
                yield field_path
            else:
                yield from _lost(value, stored_value, field_path)
    elif isinstance(written, (list, tuple)) and isinstance(stored, list):
        for index, (item, stored_item) in enumerate(zip(written, stored, strict=False)):
            yield from _lost(item, stored_item, f"{path}[{index}]")


def _name_of(raw: Json) -> tuple[str, str]:
    """Return the name and namespace of an object."""
    return raw["metadata"]["name"], raw["metadata"].get("namespace") or ""


def _key(raw: Json) -> str:
    return f"{raw['metadata'].get('namespace') or DEFAULT}/{raw['metadata']['name']}"
