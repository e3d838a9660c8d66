"""Correct clusters that differ from the built-in where the specification leaves a choice.

They choose other nodes, devices and names, and let components act in another order.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar
from unittest import mock

import msgspec

from dra_conform.conformance.features import FEATURES
from dra_conform.kube.json_values import Json, encode_json
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import AllocationResult
from dra_conform.simulation.controllers import claim_generation
from dra_conform.simulation.extended_resources import extended_resource_claims
from dra_conform.simulation.parts import Parts
from dra_conform.simulation.running import RunningCluster, Unsettled
from dra_conform.simulation.scheduling import node_plugins
from dra_conform.simulation.scheduling.allocated_claims import AllocatedClaims
from dra_conform.simulation.scheduling.dynamic_resources import DynamicResources
from dra_conform.simulation.scheduling.node_allocatable import NodeAllocatable
from dra_conform.simulation.scheduling.scheduling_cycle import SchedulingCycle
from dra_conform.simulation.shared_state import RandomValues
from dra_conform.simulation.simulated_cluster import run_scenario
from tests.reference.right import AnyFitting, BestFitting, DecidesOtherwise, LastFitting
from tests.right.allocations import as_part
from tests.right.schedulers import unreserve_and_deallocate

Objects = Mapping[str, Sequence[Json]]
_decode = msgspec.json.Decoder().decode


class RightCluster:
    """Built-in cluster with other parts or changed functions, whose observations a subclass changes."""

    name = "correct cluster"
    version = "1"
    operations = ("cluster",)
    features = MappingProxyType(dict.fromkeys(FEATURES, "full"))
    parts: ClassVar[Parts] = Parts()

    def cluster(self, objects: Objects, ask: Mapping[str, Json], profile: Profile, seed: int = 0) -> Json:
        patches = list(self.patches())
        for patch in patches:
            patch.start()
        try:
            answer = run_scenario(objects, ask, profile, seed, self.parts)
        finally:
            for patch in reversed(patches):
                patch.stop()
        observations = _decode(encode_json(answer.get("observations", ())))  # Much faster than deepcopy.
        return {**answer, "observations": [*map(self.observed, observations)]}

    def patches(self) -> Iterable[Any]:
        """Return the changes of the built-in."""
        return ()

    def observed(self, observation: Json) -> Json:
        """Return an observation in another form."""
        return observation


# Devices and nodes.


class TakesTheLastDevice(RightCluster):
    parts = Parts(allocator=as_part(LastFitting))


class TakesTheSmallestDevice(RightCluster):
    parts = Parts(allocator=as_part(BestFitting))


class TakesAnyDevice(RightCluster):
    parts = Parts(allocator=as_part(AnyFitting))


class TakesAnotherDevice(RightCluster):
    parts = Parts(allocator=as_part(AnyFitting, 2000))


class DecidesOpenPointsDifferently(RightCluster):
    parts = Parts(allocator=as_part(DecidesOtherwise))


class TakesTheLastNode(RightCluster):
    """Chooses the last node that fits by name, and does not compare subrequests."""

    def patches(self) -> Iterable[Any]:
        def by_name(node: Any, *_: Any) -> int:
            return int.from_bytes(node.metadata.name.encode()[:32].ljust(32, b"\0"), "big")

        return (
            mock.patch.object(node_plugins, "remaining_percent", by_name),
            mock.patch.object(DynamicResources, "score", return_value=0),
        )


class TakesTheWorstNode(RightCluster):
    """Chooses the node with the lowest score."""

    def patches(self) -> Iterable[Any]:
        right = SchedulingCycle.score
        return (mock.patch.object(SchedulingCycle, "score", lambda cycle, node: -right(cycle, node)),)


# Names.


class OtherNames(RightCluster):
    """Generates other names of ResourceClaims, with other suffixes, and other UIDs."""

    def patches(self) -> Iterable[Any]:
        right = claim_generation._from_template

        def from_template(template: Json, pod: Json, entry: str) -> Json:
            claim = right(template, pod, entry)
            return {**claim, "metadata": {**claim["metadata"], "generateName": f"claim-of-{entry}-"}}

        def suffix(values: RandomValues) -> str:
            return f"{values._random.getrandbits(36):09x}"

        return (
            mock.patch.object(claim_generation, "_from_template", from_template),
            mock.patch.object(RandomValues, "suffix", suffix),
            mock.patch.object(extended_resource_claims, "_SUFFIX", "-extended-"),
        )


class NamesWithoutSuffix(RightCluster):
    """Names generated ResourceClaims `POD-ENTRY`, as soon as the name is free."""

    def patches(self) -> Iterable[Any]:
        right = claim_generation._from_template

        def from_template(template: Json, pod: Json, entry: str) -> Json:
            claim = right(template, pod, entry)
            others = {name: value for name, value in claim["metadata"].items() if name != "generateName"}
            return {**claim, "metadata": {**others, "name": f"{pod['metadata']['name']}-{entry}"}}

        return (mock.patch.object(claim_generation, "_from_template", from_template),)


# Time.


class OtherOrderOfComponents(RightCluster):
    """Lets the components act in reverse order; a kubelet still admits a pod before it runs the pod."""

    def patches(self) -> Iterable[Any]:
        def settle(cluster: RunningCluster) -> None:
            turns = _turns(cluster)[::-1]
            _settle(cluster, lambda: turns)

        return (mock.patch.object(RunningCluster, "settle", settle),)


class AnyOrderOfComponents(RightCluster):
    """Lets single components act in a random order, so that some see a change many rounds later."""

    seed: ClassVar[int] = 1

    def patches(self) -> Iterable[Any]:
        chance = random.Random(self.seed)

        def settle(cluster: RunningCluster) -> None:
            turns = _turns(cluster)
            for turn in chance.choices(turns, k=3 * len(turns)):
                turn()
            _settle(cluster, lambda: chance.sample(turns, len(turns)))

        return (mock.patch.object(RunningCluster, "settle", settle),)


class AnotherOrderOfComponents(AnyOrderOfComponents):
    seed = 2


def _turns(cluster: RunningCluster) -> list[Callable[[], None]]:
    """Return the turns of the components, with admission and running of pods as one turn."""
    *others, admit, run, quotas = cluster._turns

    def kubelets() -> None:
        admit()
        run()

    return [*others, kubelets, quotas]


def _settle(cluster: RunningCluster, turns: Callable[[], Sequence[Callable[[], None]]]) -> None:
    for _ in range(400):
        before = cluster._state()
        for turn in turns():
            turn()
        if cluster._state() == before:
            return
    raise Unsettled("the cluster reaches no steady state")


class DeallocatesAtOnce(RightCluster):
    """Deallocates a ResourceClaim as soon as an attempt is given up."""

    def patches(self) -> Iterable[Any]:
        right = DynamicResources.unreserve
        return (
            mock.patch.object(
                DynamicResources,
                "unreserve",
                lambda plugin: unreserve_and_deallocate(plugin, lambda: right(plugin)),
            ),
        )


class KeepsAllocations(RightCluster):
    """Never deallocates a ResourceClaim whose pod cannot be scheduled."""

    def patches(self) -> Iterable[Any]:
        return (mock.patch.object(AllocatedClaims, "post_filter", return_value=None),)


class LeavesExtendedResourceClaimsOut(RightCluster):
    """Counts no node resources of extended-resource claims, which KEP-5517 does not mention."""

    def patches(self) -> Iterable[Any]:
        right = NodeAllocatable._allocations

        def allocations(plugin: NodeAllocatable, node: str) -> dict[str, AllocationResult]:
            extended = plugin.cycle.fits[node].extended
            left_out = extended.claim["metadata"]["name"] if extended is not None else ""
            return {name: each for name, each in right(plugin, node).items() if name != left_out}

        return (mock.patch.object(NodeAllocatable, "_allocations", allocations),)


RIGHT: tuple[type[RightCluster], ...] = (
    OtherNames,
    NamesWithoutSuffix,
    TakesTheLastDevice,
    TakesTheSmallestDevice,
    TakesAnyDevice,
    TakesAnotherDevice,
    DecidesOpenPointsDifferently,
    TakesTheLastNode,
    TakesTheWorstNode,
    OtherOrderOfComponents,
    AnyOrderOfComponents,
    AnotherOrderOfComponents,
    DeallocatesAtOnce,
    KeepsAllocations,
    LeavesExtendedResourceClaimsOut,
)
"""Each must pass the suite."""
