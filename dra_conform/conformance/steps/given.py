"""From the words of given steps to API objects, and from then steps to an expectation."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dra_conform.conformance.allocate.answer import Outcome
from dra_conform.conformance.case import Action, Check, Expectation
from dra_conform.conformance.steps.publishing import Published, slices_of
from dra_conform.kube.objects import decode
from dra_conform.kube.versions import to_v1

Json = Any

DRIVER = "dra.example.com"
POOL = "pool-1"
NODE = "node-1"
CLASS = "any"
NAMESPACE = "default"
_SHARE_IDS = uuid.UUID("5f2c7c1e-6a1b-4c38-9d0e-1f6f0d2f5075")

COLLECTIONS = {
    "Node": "nodes",
    "Namespace": "namespaces",
    "DeviceClass": "deviceClasses",
    "ResourceSlice": "resourceSlices",
    "ResourceClaim": "resourceClaims",
    "ResourceClaimTemplate": "resourceClaimTemplates",
    "DeviceTaintRule": "deviceTaintRules",
    "Pod": "pods",
    "ResourceQuota": "resourceQuotas",
}
"""The name under which a case and the wire protocol carry the objects of a kind."""


class StepError(ValueError):
    """A step that is well-formed and makes no sense here; the text says what was expected."""


def share_id(text: str) -> str:
    """The UID that stands for a share's name in a case."""
    return str(uuid.uuid5(_SHARE_IDS, text))


def claim_key(name: str) -> str:
    """`namespace/name` of a claim's name in a case."""
    return name if "/" in name else f"{NAMESPACE}/{name}"


def cel_selectors(expressions: Iterable[str]) -> list[Json]:
    """CEL expressions as the selectors of a class or a request."""
    return [{"cel": {"expression": text}} for text in expressions]


@dataclass
class CaseBuilder:
    """What the given and when steps of one case have said so far. `fixture` reads one by its name."""

    fixture: Callable[[str], Sequence[Mapping[str, Json]]]
    objects: list[dict[str, Json]] = field(default_factory=list)
    published: list[Published] = field(default_factory=list)
    declared: dict[tuple[str, str], int] = field(default_factory=dict)
    """How many slices a pool (driver, name) says it has, where that is not as many as are given."""
    claims: dict[str, dict[str, Json]] = field(default_factory=dict)
    gates: dict[str, bool] = field(default_factory=dict)
    action: Action | None = None
    _default_class: bool = False

    def add(self, raw: Mapping[str, Json]) -> None:
        """Take an API object of any served version."""
        missing = [name for name in ("apiVersion", "kind", "metadata") if not raw.get(name)]
        if missing:
            raise StepError(f"an object without {', '.join(missing)}, expected a Kubernetes object")
        v1 = to_v1(dict(raw))
        if v1["kind"] not in COLLECTIONS:
            raise StepError(f"kind {v1['kind']!r}, expected one of {', '.join(COLLECTIONS)}")
        if v1["kind"] == "ResourceClaim":
            metadata = {"namespace": NAMESPACE, **v1["metadata"]}
            key = f"{metadata['namespace']}/{metadata.get('name')}"
            if key in self.claims:
                raise StepError(f"claim {key} is given twice, expected it once")
            self.claims[key] = _defaulted({**v1, "metadata": metadata})
        else:
            self.objects.append(v1)

    def add_claim(self, name: str, requests: Iterable[Mapping[str, Json]]) -> None:
        """Take a claim with its requests as the API has them."""
        key = claim_key(name)
        if key in self.claims:
            raise StepError(f"claim {key} is given twice, expected it once")
        namespace, _, bare = key.partition("/")
        self.claims[key] = {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaim",
            "metadata": {"name": bare, "namespace": namespace},
            "spec": {"devices": {"requests": list(requests)}},
        }

    def claim(self, name: str) -> dict[str, Json]:
        """A claim named before; raises StepError."""
        key = claim_key(name)
        if key not in self.claims:
            known = ", ".join(self.claims) or "none, since no claim is given"
            raise StepError(f"claim {name!r} is not given, expected one of {known}")
        return self.claims[key]

    def publish(self, one: Published) -> None:
        """Take a device or a counter set; each is there once in a generation of its pool."""
        if any(one.kind == other.kind and one.identity == other.identity for other in self.published):
            what = "device" if one.kind == "devices" else "counter set"
            name = "/".join((one.driver, one.pool, str(one.body["name"])))
            raise StepError(f"{what} {name} is given twice, expected it once")
        self.published.append(one)

    def device_class(self, name: str) -> dict[str, Json]:
        """A class given before; raises StepError."""
        for one in self.objects:
            if one["kind"] == "DeviceClass" and one["metadata"].get("name") == name:
                return one
        known = ", ".join(self._names("DeviceClass")) or "none, since no class is given"
        raise StepError(f"class {name!r} is not given, expected one of {known}")

    def class_name(self, name: str) -> str:
        """The class of a request; one without selectors is made for requests that name none."""
        if not name:
            self._default_class = True
        return name or CLASS

    def ask(self, names: Iterable[str], node: str) -> None:
        """Take the action: allocate these claims together."""
        nodes = self._names("Node")
        if node and nodes and node not in nodes:
            raise StepError(f"node {node!r} is not given, expected one of {', '.join(nodes)}")
        keys = []
        for name in names:
            self.claim(name)
            keys.append(claim_key(name))
        if not keys:
            raise StepError("asks for no claim, expected at least one")
        self.action = Action("allocate", {"node": node or (nodes or [NODE])[0], "claims": keys})

    def _names(self, kind: str) -> list[str]:
        return [str(one["metadata"].get("name")) for one in self.objects if one["kind"] == kind]

    def build(self) -> dict[str, tuple[Json, ...]]:
        """The objects by collection, each checked to be an object of its kind; raises DecodeErrors."""
        made: list[dict[str, Json]] = []
        nodes = self._names("Node")
        if not nodes:
            nodes = [self.action.ask["node"] if self.action else NODE]
            made.append(_named("v1", "Node", nodes[0]))
        if self._default_class and CLASS not in self._names("DeviceClass"):
            made.append({**_named("resource.k8s.io/v1", "DeviceClass", CLASS), "spec": {}})
        made += self.objects
        made += slices_of(self.published, self.declared, nodes[0])
        made += self.claims.values()
        collected: dict[str, list[Json]] = {}
        for one in made:
            decode(one)
            collected.setdefault(COLLECTIONS[one["kind"]], []).append(one)
        return {name: tuple(items) for name, items in collected.items()}


@dataclass
class ExpectationBuilder:
    """What the then steps of one expectation have said so far."""

    outcomes: frozenset[Outcome] | None = None
    checks: list[Check] = field(default_factory=list)
    category: str | None = None
    steps: list[str] = field(default_factory=list)

    def decide(self, outcomes: Iterable[Outcome], category: str | None = None) -> None:
        """Take the outcome; every then step of a case must mean the same one."""
        new = frozenset(outcomes)
        if self.outcomes is not None and self.outcomes != new:
            raise StepError("contradicts the outcome of a step before it, expected one outcome")
        self.outcomes = new
        self.category = category or self.category

    def build(self) -> Expectation:
        """The expectation; raises StepError where no step says an outcome."""
        if self.outcomes is None:
            raise StepError("no outcome, expected at least one Then step")
        return Expectation(self.outcomes, tuple(self.checks), self.category, tuple(self.steps))


def _named(api_version: str, kind: str, name: str) -> dict[str, Json]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}}


def _defaulted(claim: dict[str, Json]) -> dict[str, Json]:
    """The claim as the API server would store it: allocationMode ExactCount and count 1 where unset."""
    spec = claim.get("spec")
    devices = spec.get("devices") if isinstance(spec, dict) else None
    requests = devices.get("requests") if isinstance(devices, dict) else None
    if not isinstance(spec, dict) or not isinstance(devices, dict) or not isinstance(requests, list):
        return claim
    filled = []
    for request in requests:
        one = dict(request)
        if isinstance(one.get("exactly"), dict):
            one["exactly"] = _mode(one["exactly"])
        if isinstance(one.get("firstAvailable"), list):
            one["firstAvailable"] = [_mode(sub) for sub in one["firstAvailable"]]
        filled.append(one)
    return {**claim, "spec": {**spec, "devices": {**devices, "requests": filled}}}


def _mode(asked: dict[str, Json]) -> dict[str, Json]:
    mode = asked.get("allocationMode", "ExactCount")
    counted = {"count": asked.get("count", 1)} if mode == "ExactCount" else {}
    return {**asked, "allocationMode": mode, **counted}
