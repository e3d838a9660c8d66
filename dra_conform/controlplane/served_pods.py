"""What device classes serve of a pod's extended resources, as a claim like the one the scheduler makes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from dra_conform.controlplane.simulation.extended_resources.class_names import classes_by_resource
from dra_conform.controlplane.simulation.extended_resources.serving_rules import ServingRules
from dra_conform.controlplane.simulation.extended_resources.special_requests import asks_for, served_requests
from dra_conform.controlplane.workload_pods import PodToPlace
from dra_conform.kube.core import Container, Node, Pod
from dra_conform.kube.extended_resources import SPECIAL_CLAIM, is_extended
from dra_conform.kube.meta import ObjectMeta, OwnerReference
from dra_conform.kube.objects import decode_as, encode
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import DeviceClass, ResourceClaim, ResourceClaimSpec


class ServedPods:
    """The extended resources that the classes of a cluster serve, none where the profile has the gate off."""

    def __init__(self, classes: Iterable[DeviceClass], profile: Profile) -> None:
        self._rules = ServingRules.of(profile)
        self._served: Mapping[str, str] = {}
        if profile.enabled("DRAExtendedResource"):
            raw = [{"metadata": _dated(one), "spec": encode(one.spec)} for one in classes]
            self._served = classes_by_resource(raw, implicit=self._rules.implicit_names)

    def asks(self, wanted: PodToPlace) -> bool:
        """Whether a class may serve something of the pod."""
        return asks_for(_with_requests(wanted.pod), self._served)

    def counts(self, wanted: PodToPlace) -> bool:
        """Whether the pod has extended resources, which bear on its nodes, or a class serves some of it."""
        asked = (name for one in _containers(_with_requests(wanted.pod)) for name in one.resources.requests)
        return self.asks(wanted) or any(map(is_extended, asked))

    def claim(self, wanted: PodToPlace, node: Node) -> ResourceClaim | None:
        """The claim for what the pod asks for and the node does not have itself, None for nothing.

        It is called `POD-extended-resources`; the scheduler appends something random.
        """
        requests, _ = served_requests(_with_requests(wanted.pod), node, self._served, self._rules)
        if not requests:
            return None
        pod = wanted.pod.metadata
        owner = OwnerReference(api_version="v1", kind="Pod", name=pod.name, uid=wanted.uid, controller=True)
        metadata = ObjectMeta(
            name=f"{pod.name}-extended-resources",
            namespace=pod.namespace or "default",
            annotations={SPECIAL_CLAIM: pod.name if self._rules.claims_name_pod else "true"},
            owner_references=(owner,),
        )
        spec = decode_as(ResourceClaimSpec, {"devices": {"requests": requests}})
        return ResourceClaim(metadata=metadata, spec=spec)

    def lacks(self, wanted: PodToPlace, node: Node) -> str:
        """The first extended resource of the pod, by name, that neither a class serves nor the node lists."""
        offered = node.status.allocatable if node.status else {}
        asked = {name for one in _containers(_with_requests(wanted.pod)) for name in one.resources.requests}
        return min((name for name in asked - {*self._served} - {*offered} if is_extended(name)), default="")


def _dated(one: DeviceClass) -> dict[str, str]:
    return {"name": one.metadata.name, "creationTimestamp": one.metadata.creation_timestamp or ""}


def _containers(pod: Pod) -> tuple[Container, ...]:
    return (*pod.spec.init_containers, *pod.spec.containers)


def _with_requests(pod: Pod) -> Pod:
    """The pod with requests for what its containers only limit, as the API server defaults them."""
    spec = msgspec.structs.replace(
        pod.spec,
        containers=tuple(map(_defaulted, pod.spec.containers)),
        init_containers=tuple(map(_defaulted, pod.spec.init_containers)),
    )
    return msgspec.structs.replace(pod, spec=spec)


def _defaulted(container: Container) -> Container:
    asked = {**container.resources.limits, **container.resources.requests}
    resources = msgspec.structs.replace(container.resources, requests=asked)
    return msgspec.structs.replace(container, resources=resources)
