"""The writes to send for manifests, and the pods of workloads' pod templates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.apiserver.kinds import STRATEGIES
from dra_conform.kube.codec import plain
from dra_conform.kube.errors import InputErrors
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.json_values import Json
from dra_conform.kube.manifest_files import Manifest
from dra_conform.kube.versions import GROUP
from dra_conform.kube.yaml import Path
from dra_conform.previews.dry_run.written_fields import value_at

_TEMPLATE = ("spec", "template")
_TEMPLATES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("apps/v1", "Deployment"): _TEMPLATE,
    ("apps/v1", "ReplicaSet"): _TEMPLATE,
    ("apps/v1", "StatefulSet"): _TEMPLATE,
    ("apps/v1", "DaemonSet"): _TEMPLATE,
    ("batch/v1", "Job"): _TEMPLATE,
    ("batch/v1", "CronJob"): ("spec", "jobTemplate", *_TEMPLATE),
    ("v1", "ReplicationController"): _TEMPLATE,
    ("v1", "PodTemplate"): ("template",),
}

_COPIED = ("labels", "annotations", "finalizers")
"""The metadata that a controller copies from a template."""


@dataclass(frozen=True, slots=True)
class PodOfTemplate:
    """A pod with the name of its workload, and its path in the manifest."""

    object: Mapping[str, Json]
    within: Path


def pod_in(manifest: Manifest) -> PodOfTemplate | None:
    """Return the pod of a workload, None for other kinds and for a workload without a template."""
    within = _TEMPLATES.get((manifest.api_version, manifest.kind))
    template = ABSENT if within is None else field_at(manifest.written, ".".join(within))
    if within is None or not isinstance(template, Mapping):
        return None
    owner = field_at(manifest.written, "metadata")
    identity = _only(owner, "name", "generateName", "namespace")
    metadata = {**_only(template.get("metadata"), *_COPIED), **identity}
    return PodOfTemplate({**template, "apiVersion": "v1", "kind": "Pod", "metadata": metadata}, within)


def _only(metadata: Json, *names: str) -> dict[str, Json]:
    if not isinstance(metadata, Mapping):
        return {}
    return {name: metadata[name] for name in names if name in metadata}


@dataclass(frozen=True, slots=True)
class ProposedWrite:
    """One object to write: the object of a manifest, or the pod of a workload's template.

    `object` and `old` are in JSON form. `within` is the path of the object in the manifest.
    """

    manifest: Manifest
    object: Mapping[str, Json]
    old: Mapping[str, Json] | None = None
    subresource: str = ""
    within: Path = ()

    @property
    def api_version(self) -> str:
        """The `apiVersion` of the object."""
        return str(self.object["apiVersion"])

    @property
    def kind(self) -> str:
        """The kind of the object."""
        return str(self.object["kind"])

    @property
    def written(self) -> Json:
        """The object as written in the manifest."""
        return value_at(self.manifest.written, self.within)

    @property
    def namespace(self) -> str:
        """The namespace of the object, `default` if it names none, empty for cluster-scoped kinds."""
        strategy = STRATEGIES.get(self.kind)
        return (
            _text(self.object, "metadata.namespace") or "default" if strategy and strategy.namespaced else ""
        )

    @property
    def name(self) -> str:
        """The name of the object, or its generateName followed by `*`."""
        prefix = _text(self.object, "metadata.generateName")
        return _text(self.object, "metadata.name") or (f"{prefix}*" if prefix else "")

    @property
    def full_name(self) -> str:
        """The name of the object, after its namespace and a slash if it has one."""
        return f"{self.namespace}/{self.name}" if self.namespace else self.name

    @property
    def verb(self) -> str:
        """`create` or `update`."""
        return "create" if self.old is None else "update"

    @property
    def new_namespace(self) -> str:
        """The name of the Namespace that this write creates, empty for other writes."""
        return self.name if self.kind == "Namespace" and self.old is None else ""

    @property
    def ask(self) -> dict[str, Json]:
        """The `ask` of the operation `admit` for this write."""
        ask: dict[str, Json] = {"verb": self.verb, "object": self.object}
        if self.old is not None:
            ask["old"] = self.old
        return {**ask, "subresource": self.subresource} if self.subresource else ask


@dataclass(frozen=True, slots=True)
class Proposal:
    """The writes of manifests in order.

    `namespaces` are the existing Namespaces in JSON form, without labels if no manifest has them.
    `passed_over` counts ignored objects by `apiVersion kind`. `not_updated` are the stored objects that no
    write updates, except Namespaces, whose labels count anyway.
    """

    writes: tuple[ProposedWrite, ...]
    namespaces: tuple[Mapping[str, Json], ...]
    passed_over: Mapping[str, int]
    not_updated: tuple[Manifest, ...] = ()


def propose(
    manifests: Sequence[Manifest], stored: Sequence[Manifest] = (), subresource: str = ""
) -> Proposal:
    """Return the writes of manifests: updates of `stored` objects, and creations of other objects.

    `subresource`: write only this subresource. Raises InputErrors if an object is not stored in that case.
    """
    olds = {_key(manifest): plain(manifest.written) for manifest in stored if _is_relevant(manifest)}
    writes: list[ProposedWrite] = []
    passed_over: Counter[str] = Counter()
    for manifest in manifests:
        pod = pod_in(manifest)
        if _is_relevant(manifest):
            old = olds.get(_key(manifest))
            writes.append(ProposedWrite(manifest, plain(manifest.written), old, subresource))
        elif pod is None:
            passed_over[f"{manifest.api_version} {manifest.kind}"] += 1
        elif not subresource:
            writes.append(ProposedWrite(manifest, plain(pod.object), within=pod.within))
    if subresource:
        _require_stored(writes, subresource)
    updated = {_key(write.manifest) for write in writes if write.old is not None}
    not_updated = (each for each in stored if not _is_namespace(each) and _key(each) not in updated)
    namespaces = _namespaces((*stored, *manifests), writes)
    return Proposal(tuple(writes), tuple(namespaces), passed_over, tuple(not_updated))


def _is_relevant(manifest: Manifest) -> bool:
    group, _, _ = manifest.api_version.rpartition("/")
    return group == GROUP or (not group and manifest.kind in STRATEGIES)


def _is_namespace(manifest: Manifest) -> bool:
    return (manifest.api_version, manifest.kind) == ("v1", "Namespace")


def _require_stored(writes: Iterable[ProposedWrite], subresource: str) -> None:
    expected = f"expected the stored object, since a new object is written without its {subresource}"
    problems = [
        write.manifest.error((), f"{write.kind} {write.name} is not in --old, {expected}")
        for write in writes
        if write.old is None
    ]
    if problems:
        raise InputErrors(problems)


def _key(manifest: Manifest) -> tuple[str, str, str]:
    write = ProposedWrite(manifest, manifest.written)
    return write.kind, write.namespace, write.name


def _text(value: Json, path: str) -> str:
    text = field_at(value, path)
    return "" if text is ABSENT else str(text)


def _namespaces(
    manifests: Iterable[Manifest], writes: Iterable[ProposedWrite]
) -> Iterator[Mapping[str, Json]]:
    labels: dict[str, Json] = {write.namespace: {} for write in writes if write.namespace}
    for manifest in manifests:
        if _is_namespace(manifest):
            written = field_at(manifest.written, "metadata.labels")
            labels[_text(manifest.written, "metadata.name")] = written if isinstance(written, Mapping) else {}
    for name, namespace_labels in labels.items():
        yield namespace(name, plain(namespace_labels))


def namespace(name: str, labels: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return a Namespace in JSON form."""
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}
