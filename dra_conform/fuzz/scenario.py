"""A random allocation scenario: objects and claims to allocate, without an expected answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dra_conform.conformance.allocate.expectation import ANYTHING
from dra_conform.conformance.allocate.variants import renamed
from dra_conform.conformance.case import Case, CaseStep, Source
from dra_conform.conformance.features import features_of
from dra_conform.kube.json_values import Json


@dataclass(frozen=True, slots=True)
class Scenario:
    """Nodes and objects of resource.k8s.io/v1 by collection, with the claims to allocate.

    `claims` (`namespace/name`) are allocated together on `node`. `gates` are those that differ from the
    profile.
    """

    objects: Mapping[str, tuple[Json, ...]]
    node: str
    claims: tuple[str, ...]
    gates: Mapping[str, bool] = field(default_factory=dict)

    def case(self, name: str) -> Case:
        """Return the scenario as a case that accepts any valid answer."""
        return Case(
            id=name,
            title="A random scenario",
            source=Source("fuzz", 0),
            kind="golden",
            requirements=(),
            objects=self.objects,
            operation="allocate",
            ask={"node": self.node, "claims": list(self.claims)},
            case_steps=(CaseStep("", ANYTHING),),
            gates=self.gates,
            features=features_of(self.objects),
        )

    def renamed(self) -> Scenario:
        """Return the scenario with other names of devices and claims."""
        case = renamed(self.case("renamed"))
        return Scenario(case.objects, self.node, tuple(case.ask["claims"]), self.gates)

    def size(self) -> tuple[int, int]:
        """Return the number of devices and the number of claims."""
        slices = self.objects.get("resourceSlices", ())
        devices = sum(len(resource_slice["spec"].get("devices") or ()) for resource_slice in slices)
        return devices, len(self.objects.get("resourceClaims", ()))


def api_object(kind: str, name: str, spec: Json, *, namespace: str = "") -> dict[str, Json]:
    """Make an object of resource.k8s.io/v1."""
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": "resource.k8s.io/v1", "kind": kind, "metadata": metadata, "spec": spec}
