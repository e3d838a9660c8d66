"""The writes that applying manifests would send."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.controlplane.apiserver.kinds import STRATEGIES
from dra_conform.controlplane.dry_run.places import value_at
from dra_conform.controlplane.dry_run.pod_templates import pod_in
from dra_conform.kube.codec import plain
from dra_conform.kube.errors import InputErrors
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.manifest_files import Manifest
from dra_conform.kube.versions import GROUP
from dra_conform.kube.yaml import Path

Json = Any


@dataclass(frozen=True, slots=True)
class ProposedWrite:
    """One object to be written: a manifest, or the pod that the template of a workload is for.

    `object` and `old` are plain JSON. `within` is where in the manifest the object stands.
    """

    manifest: Manifest
    object: Mapping[str, Json]
    old: Mapping[str, Json] | None = None
    subresource: str = ""
    within: Path = ()

    @property
    def api_version(self) -> str:
        return str(self.object["apiVersion"])

    @property
    def kind(self) -> str:
        return str(self.object["kind"])

    @property
    def written(self) -> Json:
        """The object as it stands in the manifest, in whatever version that is."""
        return value_at(self.manifest.written, self.within)

    @property
    def namespace(self) -> str:
        """Empty for kinds that have none."""
        strategy = STRATEGIES.get(self.kind)
        return (
            _text(self.object, "metadata.namespace") or "default" if strategy and strategy.namespaced else ""
        )

    @property
    def name(self) -> str:
        """What it is called, or its generateName with a star behind."""
        prefix = _text(self.object, "metadata.generateName")
        return _text(self.object, "metadata.name") or (f"{prefix}*" if prefix else "")

    @property
    def verb(self) -> str:
        return "create" if self.old is None else "update"

    @property
    def new_namespace(self) -> str:
        """The namespace that this write makes; empty for every other write."""
        return self.name if self.kind == "Namespace" and self.old is None else ""

    @property
    def ask(self) -> dict[str, Json]:
        """The question that the operation `admit` is asked."""
        ask: dict[str, Json] = {"verb": self.verb, "object": self.object}
        if self.old is not None:
            ask["old"] = self.old
        return {**ask, "subresource": self.subresource} if self.subresource else ask


@dataclass(frozen=True, slots=True)
class Proposal:
    """The writes of some manifests, in their order.

    `namespaces` are plain Namespace objects; one that no manifest describes is there, without labels.
    `passed_over` counts the kinds that are not looked at, as `apiVersion kind`.
    """

    writes: tuple[ProposedWrite, ...]
    namespaces: tuple[Mapping[str, Json], ...]
    passed_over: Mapping[str, int]


def propose(
    manifests: Sequence[Manifest], stored: Sequence[Manifest] = (), subresource: str = ""
) -> Proposal:
    """The writes of manifests: updates of what is stored of the same kind, namespace and name, else creates.

    `subresource`: write only this part. Raises InputErrors for an object that is then not stored yet.
    """
    olds = {_key(one): plain(one.written) for one in stored if _is_looked_at(one)}
    writes: list[ProposedWrite] = []
    passed_over: Counter[str] = Counter()
    for manifest in manifests:
        pod = pod_in(manifest)
        if _is_looked_at(manifest):
            old = olds.get(_key(manifest))
            writes.append(ProposedWrite(manifest, plain(manifest.written), old, subresource))
        elif pod is None:
            passed_over[f"{manifest.api_version} {manifest.kind}"] += 1
        elif not subresource:
            writes.append(ProposedWrite(manifest, plain(pod.object), within=pod.within))
    if subresource:
        _refuse_not_stored(writes, subresource)
    return Proposal(tuple(writes), tuple(_namespaces((*stored, *manifests), writes)), passed_over)


def _is_looked_at(manifest: Manifest) -> bool:
    group, _, _ = manifest.api_version.rpartition("/")
    return group == GROUP or (not group and manifest.kind in STRATEGIES)


def _refuse_not_stored(writes: Iterable[ProposedWrite], subresource: str) -> None:
    expected = f"expected it there: the {subresource} of an object is written after the object"
    problems = [
        one.manifest.error((), f"{one.kind} {one.name} is not in --old, {expected}")
        for one in writes
        if one.old is None
    ]
    if problems:
        raise InputErrors(problems)


def _key(manifest: Manifest) -> tuple[str, str, str]:
    one = ProposedWrite(manifest, manifest.written)
    return one.kind, one.namespace, one.name


def _text(value: Json, path: str) -> str:
    found = field_at(value, path)
    return "" if found is ABSENT else str(found)


def _namespaces(
    manifests: Iterable[Manifest], writes: Iterable[ProposedWrite]
) -> Iterator[Mapping[str, Json]]:
    labels: dict[str, Json] = {write.namespace: {} for write in writes if write.namespace}
    for one in manifests:
        if (one.api_version, one.kind) == ("v1", "Namespace"):
            found = field_at(one.written, "metadata.labels")
            labels[_text(one.written, "metadata.name")] = found if isinstance(found, Mapping) else {}
    for name, given in labels.items():
        yield namespace(name, plain(given))


def namespace(name: str, labels: Mapping[str, Json]) -> Mapping[str, Json]:
    """A plain Namespace."""
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}
