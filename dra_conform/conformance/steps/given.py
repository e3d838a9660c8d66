"""The collected setup of a case: API objects, devices to publish, claims, feature gates."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dra_conform.conformance.steps.driver_claims import ClaimSetup, DriverSetup, Need
from dra_conform.conformance.steps.publishing import Published, slices_of
from dra_conform.conformance.steps.step import StepError
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.versions import UnservedVersion, to_v1

Fixture = Callable[[str], Sequence[Mapping[str, Json]]]
"""Returns the objects of a fixture by its name."""

DRIVER = "dra.example.com"
POOL = "pool-1"
NODE = "node-1"
CLASS = "any"
RESOURCE = "resource.k8s.io/v1"
NAMESPACE = "default"
_SHARE_IDS = uuid.UUID("5f2c7c1e-6a1b-4c38-9d0e-1f6f0d2f5075")


def share_id(text: str) -> str:
    """Return the share ID, a UID, for a name in a case."""
    return str(uuid.uuid5(_SHARE_IDS, text))


def claim_key(name: str) -> str:
    """Return `namespace/name` for the name of an object in a case."""
    return name if "/" in name else f"{NAMESPACE}/{name}"


def name_in_case(namespace: str, name: str) -> str:
    """Return the name of an object in a case: with its namespace, unless that is the default."""
    return name if namespace == NAMESPACE else f"{namespace}/{name}"


def claim_of(name: str, requests: Iterable[Mapping[str, Json]]) -> dict[str, Json]:
    """Return a ResourceClaim with these API requests."""
    namespace, _, bare = claim_key(name).partition("/")
    return {
        "apiVersion": RESOURCE,
        "kind": "ResourceClaim",
        "metadata": {"name": bare, "namespace": namespace},
        "spec": {"devices": {"requests": list(requests)}},
    }


def cel_selectors(expressions: Iterable[str]) -> list[Json]:
    """Return CEL expressions as the selectors of a DeviceClass or a request."""
    return [{"cel": {"expression": text}} for text in expressions]


def collected(objects: Iterable[Mapping[str, Json]]) -> dict[str, tuple[Json, ...]]:
    """Return API objects by the name of their collection, in order."""
    by_collection: dict[str, list[Json]] = {}
    for raw in objects:
        by_collection.setdefault(COLLECTIONS[raw["kind"]], []).append(raw)
    return {name: tuple(items) for name, items in by_collection.items()}


def check_identity(raw: Mapping[str, Json]) -> None:
    """Raise StepError unless the API object has a version, a known kind, and metadata with its names."""
    missing = [name for name in ("apiVersion", "kind", "metadata") if not raw.get(name)]
    if missing:
        raise StepError(f"the object has no {', '.join(missing)}, expected a Kubernetes object")
    for name, kind, expected in (
        ("apiVersion", str, "a string"),
        ("kind", str, "a string"),
        ("metadata", Mapping, "a map"),
    ):
        if not isinstance(raw[name], kind):
            raise StepError(f"{name} of the object is {raw[name]!r}, expected {expected}")
    for name in ("name", "namespace"):
        text = raw["metadata"].get(name)
        if text is not None and not isinstance(text, str):
            raise StepError(f"metadata.{name} of the object is {text!r}, expected a string")
    if raw["kind"] not in COLLECTIONS:
        raise StepError(f"unknown kind {raw['kind']!r}, expected one of {', '.join(COLLECTIONS)}")


def in_v1(objects: Iterable[Mapping[str, Json]]) -> list[dict[str, Json]]:
    """Return objects in v1, without those of an unknown kind or version, which have no known features."""
    converted = []
    for raw in objects:
        try:
            converted += [to_v1(dict(raw))] if raw.get("kind") in COLLECTIONS else []
        except (UnservedVersion, AttributeError, KeyError, TypeError):
            continue
    return converted


def not_in_setup(kind: str, name: str, known: str) -> str:
    """Return the message for an object that the setup does not have; `known` are names of its kind."""
    expected = f"expected one of {known}" if known else f"which has no {kind}"
    return f"{kind} {name!r} is not in the setup, {expected}"


@dataclass
class Given:
    """The setup of a case. `fixture` reads a fixture; `convert` adapts an object to the operation."""

    fixture: Fixture
    convert: Callable[[Mapping[str, Json]], dict[str, Json]]
    objects: list[dict[str, Json]] = field(default_factory=list)
    published: list[Published] = field(default_factory=list)
    declared: dict[tuple[str, str], int] = field(default_factory=dict)
    """The resourceSliceCount of a pool (driver, name), if it differs from the number of its slices."""
    claims: dict[str, dict[str, Json]] = field(default_factory=dict)
    gates: dict[str, bool] = field(default_factory=dict)
    components: dict[str, dict[str, Json]] = field(default_factory=dict)
    """The release and the gates of components that differ from the profile."""
    not_admitted: str = ""
    """Why the setup has objects that an API server would reject, empty if it has none."""
    driver_devices: int = 1
    """The number of devices that a driver under test must have."""
    driver_needs: tuple[Need, ...] = ()
    """The properties that a driver under test must have."""
    driver_claims: list[ClaimSetup] = field(default_factory=list)
    """The ResourceClaims for devices of a driver under test."""
    node_drivers: list[DriverSetup] = field(default_factory=list)
    """The DRA drivers on the node of a kubelet under test."""
    not_reserved: dict[tuple[str, str], bool] = field(default_factory=dict)
    """ResourceClaims that are not reserved for a pod that uses them, by the keys of both.

    The value is whether the ResourceClaim is reserved for an earlier pod of the same name.
    """
    default_class: bool = False
    """Whether a request names no DeviceClass and so needs the default one, without selectors."""

    def add(self, raw: Mapping[str, Json]) -> None:
        """Add an API object of any served version; raises StepError and UnservedVersion."""
        check_identity(raw)
        converted = self.convert(raw)
        if converted["kind"] == "ResourceClaim":
            metadata = {"namespace": NAMESPACE, **converted["metadata"]}
            self._add_claim(
                f"{metadata['namespace']}/{metadata.get('name')}", {**converted, "metadata": metadata}
            )
        else:
            self.objects.append(converted)

    def add_claim(self, name: str, requests: Iterable[Mapping[str, Json]]) -> None:
        """Add a ResourceClaim with these API requests."""
        self._add_claim(claim_key(name), claim_of(name, requests))

    def _add_claim(self, key: str, claim: dict[str, Json]) -> None:
        if key in self.claims:
            raise StepError(f"ResourceClaim {key!r} is defined twice, expected one definition")
        self.claims[key] = claim

    def claim(self, name: str) -> dict[str, Json]:
        """Return a ResourceClaim of the setup; raises StepError."""
        key = claim_key(name)
        if key not in self.claims:
            raise StepError(not_in_setup("ResourceClaim", name, ", ".join(self.claims)))
        return self.claims[key]

    def publish(self, published: Published) -> None:
        """Add a device or a counter set; raises StepError for a duplicate in a generation of its pool."""
        if any(
            published.kind == other.kind and published.identity == other.identity for other in self.published
        ):
            noun = "device" if published.kind == "devices" else "counter set"
            name = "/".join((published.driver, published.pool, str(published.body["name"])))
            raise StepError(f"{noun} {name} is defined twice, expected one definition")
        self.published.append(published)

    def device_class(self, name: str) -> dict[str, Json]:
        """Return a DeviceClass of the setup; raises StepError."""
        for raw in self.objects:
            if raw["kind"] == "DeviceClass" and raw["metadata"].get("name") == name:
                return raw
        raise StepError(not_in_setup("DeviceClass", name, ", ".join(self.names("DeviceClass"))))

    def pod(self, name: str) -> dict[str, Json]:
        """Return a pod of the setup; raises StepError."""
        pods = {
            f"{raw['metadata'].get('namespace', NAMESPACE)}/{raw['metadata'].get('name')}": raw
            for raw in self.objects
            if raw["kind"] == "Pod"
        }
        if claim_key(name) not in pods:
            raise StepError(not_in_setup("pod", name, ", ".join(pods)))
        return pods[claim_key(name)]

    def class_name(self, name: str) -> str:
        """Return the DeviceClass of a request, by default the DeviceClass without selectors."""
        if not name:
            self.default_class = True
        return name or CLASS

    def names(self, kind: str) -> list[str]:
        """Return the names of the objects of a kind, in order."""
        return [str(raw["metadata"].get("name")) for raw in self.objects if raw["kind"] == kind]

    def objects_by_collection(self) -> dict[str, tuple[Json, ...]]:
        """Return all objects by collection, with the default DeviceClass, and slices on the first node."""
        objects: list[Mapping[str, Json]] = []
        if self.default_class and CLASS not in self.names("DeviceClass"):
            objects.append(
                {"apiVersion": RESOURCE, "kind": "DeviceClass", "metadata": {"name": CLASS}, "spec": {}}
            )
        return collected([*objects, *self.all_objects((self.names("Node") or [NODE])[0])])

    def all_objects(self, node: str) -> list[dict[str, Json]]:
        """Return all objects: those added, the slices of published devices (by default on `node`), and
        claims.

        Raises StepError if two objects of a kind have the same name.
        """
        slices = slices_of(self.published, self.declared, node)
        objects = [*self.objects, *slices, *self.claims.values()]
        identities = set()
        for raw in objects:
            metadata = raw["metadata"]
            identity = raw["kind"], metadata.get("namespace", ""), metadata.get("name", "")
            if identity in identities:
                written = f"{raw['kind']} {metadata.get('name')!r}"
                raise StepError(f"{written} is defined twice, expected one definition")
            identities.add(identity)
        return objects
