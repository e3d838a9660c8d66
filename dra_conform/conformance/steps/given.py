"""The collected setup of a case: API objects, devices to publish, claims, feature gates."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dra_conform.conformance.steps.publishing import Published, slices_of
from dra_conform.conformance.steps.step import StepError
from dra_conform.kube.objects import COLLECTIONS

Json = Any
Fixture = Callable[[str], Sequence[Mapping[str, Json]]]
"""Reads the objects of a fixture by its name."""

DRIVER = "dra.example.com"
POOL = "pool-1"
NODE = "node-1"
CLASS = "any"
RESOURCE = "resource.k8s.io/v1"
NAMESPACE = "default"
_SHARE_IDS = uuid.UUID("5f2c7c1e-6a1b-4c38-9d0e-1f6f0d2f5075")


def share_id(text: str) -> str:
    """The UID that stands for a share's name in a case."""
    return str(uuid.uuid5(_SHARE_IDS, text))


def claim_key(name: str) -> str:
    """`namespace/name` of a claim's name in a case."""
    return name if "/" in name else f"{NAMESPACE}/{name}"


def claim_of(name: str, requests: Iterable[Mapping[str, Json]]) -> dict[str, Json]:
    """A claim as an API object, with its requests as the API has them."""
    namespace, _, bare = claim_key(name).partition("/")
    return {
        "apiVersion": RESOURCE,
        "kind": "ResourceClaim",
        "metadata": {"name": bare, "namespace": namespace},
        "spec": {"devices": {"requests": list(requests)}},
    }


def cel_selectors(expressions: Iterable[str]) -> list[Json]:
    """CEL expressions as the selectors of a class or a request."""
    return [{"cel": {"expression": text}} for text in expressions]


def collected(objects: Iterable[Mapping[str, Json]]) -> dict[str, tuple[Json, ...]]:
    """API objects by the name of their collection, in the order given."""
    found: dict[str, list[Json]] = {}
    for one in objects:
        found.setdefault(COLLECTIONS[one["kind"]], []).append(one)
    return {name: tuple(items) for name, items in found.items()}


@dataclass
class Given:
    """What is given. `fixture` reads a fixture; `take` makes of an object what the case keeps of it."""

    fixture: Fixture
    take: Callable[[Mapping[str, Json]], dict[str, Json]]
    objects: list[dict[str, Json]] = field(default_factory=list)
    published: list[Published] = field(default_factory=list)
    declared: dict[tuple[str, str], int] = field(default_factory=dict)
    """How many slices a pool (driver, name) says it has, where that is not as many as are given."""
    claims: dict[str, dict[str, Json]] = field(default_factory=dict)
    gates: dict[str, bool] = field(default_factory=dict)
    components: dict[str, dict[str, Json]] = field(default_factory=dict)
    """The release and the gates of components that run otherwise than the rest, as far as they are said."""
    not_admitted: str = ""
    """Why something is given that no API server would store; empty where everything is admissible."""
    default_class: bool = False
    """Whether a request names no class, so that one without selectors is meant."""

    def add(self, raw: Mapping[str, Json]) -> None:
        """Take an API object of any served version; raises StepError and ConversionRefused."""
        missing = [name for name in ("apiVersion", "kind", "metadata") if not raw.get(name)]
        if missing:
            raise StepError(f"an object without {', '.join(missing)}, expected a Kubernetes object")
        for name, kind, expected in (
            ("apiVersion", str, "a text"),
            ("kind", str, "a text"),
            ("metadata", Mapping, "a map"),
        ):
            if not isinstance(raw[name], kind):
                raise StepError(f"an object with the {name} {raw[name]!r}, expected {expected}")
        for name in ("name", "namespace"):
            text = raw["metadata"].get(name)
            if text is not None and not isinstance(text, str):
                raise StepError(f"an object with the metadata.{name} {text!r}, expected a text")
        if raw["kind"] not in COLLECTIONS:
            raise StepError(f"kind {raw['kind']!r}, expected one of {', '.join(COLLECTIONS)}")
        taken = self.take(raw)
        if taken["kind"] == "ResourceClaim":
            metadata = {"namespace": NAMESPACE, **taken["metadata"]}
            self._add_claim(
                f"{metadata['namespace']}/{metadata.get('name')}", {**taken, "metadata": metadata}
            )
        else:
            self.objects.append(taken)

    def add_claim(self, name: str, requests: Iterable[Mapping[str, Json]]) -> None:
        """Take a claim with its requests as the API has them."""
        self._add_claim(claim_key(name), claim_of(name, requests))

    def _add_claim(self, key: str, claim: dict[str, Json]) -> None:
        if key in self.claims:
            raise StepError(f"claim {key} is given twice, expected it once")
        self.claims[key] = claim

    def claim(self, name: str) -> dict[str, Json]:
        """A claim named before; raises StepError."""
        key = claim_key(name)
        if key not in self.claims:
            known = ", ".join(self.claims) or "none, because no claim is given"
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
        known = ", ".join(self.names("DeviceClass")) or "none, because no class is given"
        raise StepError(f"class {name!r} is not given, expected one of {known}")

    def pod(self, name: str) -> dict[str, Json]:
        """A pod given before; raises StepError."""
        pods = {
            f"{one['metadata'].get('namespace', NAMESPACE)}/{one['metadata'].get('name')}": one
            for one in self.objects
            if one["kind"] == "Pod"
        }
        if claim_key(name) not in pods:
            known = ", ".join(pods) or "none, because no pod is given"
            raise StepError(f"pod {name!r} is not given, expected one of {known}")
        return pods[claim_key(name)]

    def class_name(self, name: str) -> str:
        """The class of a request; one without selectors is meant where it names none."""
        if not name:
            self.default_class = True
        return name or CLASS

    def names(self, kind: str) -> list[str]:
        """The names of the objects of a kind, in the order given."""
        return [str(one["metadata"].get("name")) for one in self.objects if one["kind"] == kind]

    def world(self) -> dict[str, tuple[Json, ...]]:
        """All objects by collection, with slices on the first node, and the class meant by default."""
        objects: list[Mapping[str, Json]] = []
        if self.default_class and CLASS not in self.names("DeviceClass"):
            objects.append(
                {"apiVersion": RESOURCE, "kind": "DeviceClass", "metadata": {"name": CLASS}, "spec": {}}
            )
        return collected([*objects, *self.everything((self.names("Node") or [NODE])[0])])

    def everything(self, node: str) -> list[dict[str, Json]]:
        """All objects: as given, then the slices of what is published (on `node` by default), then claims.

        Raises StepError where a cluster could not have them all, because two have one name.
        """
        slices = slices_of(self.published, self.declared, node)
        found = [*self.objects, *slices, *self.claims.values()]
        seen = set()
        for one in found:
            metadata = one["metadata"]
            identity = one["kind"], metadata.get("namespace", ""), metadata.get("name", "")
            if identity in seen:
                raise StepError(f"{one['kind']} {metadata.get('name')!r} is given twice, expected it once")
            seen.add(identity)
        return found
