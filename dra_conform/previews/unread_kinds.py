"""Notes for users about manifests of unknown kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from dra_conform.kube.manifests import LoadedObject, OtherObject
from dra_conform.previews.pod_groups import is_group
from dra_conform.previews.templates_by_shape import templates_by_shape

_WITH_EFFECT = frozenset(
    {
        "LimitRange (v1)",
        "RuntimeClass (node.k8s.io/v1)",
        "MutatingAdmissionPolicy (admissionregistration.k8s.io/v1)",
        "MutatingWebhookConfiguration (admissionregistration.k8s.io/v1)",
        "ValidatingAdmissionPolicy (admissionregistration.k8s.io/v1)",
        "ValidatingWebhookConfiguration (admissionregistration.k8s.io/v1)",
    }
)
"""Unknown kinds that change or reject pods and their claims."""


def has_read_kind(loaded: Sequence[LoadedObject]) -> bool:
    """Whether an object is of a known kind, or has pod templates."""
    return any(
        not isinstance(item.object, OtherObject) or bool(templates_by_shape(item.object.raw))
        for item in loaded
    )


def notes_on_kinds(loaded: Sequence[LoadedObject], read: Collection[str] = ()) -> Iterator[str]:
    """Yield a note for each unknown kind with pod templates, and a note for all other unknown kinds.

    Those that change or reject pods have a note of their own. `read` are kinds, with their API versions, that
    the command reads.
    """
    ignored: Counter[str] = Counter()
    for item in loaded:
        if not isinstance(item.object, OtherObject) or is_group(item):
            continue
        templates = templates_by_shape(item.object.raw)
        if not templates:
            if f"{item.kind} ({item.api_version})" not in read:
                ignored[f"{item.kind} ({item.api_version})"] += 1
            continue
        if all(template.suspended for template in templates):
            continue
        metadata = item.raw.get("metadata") or {}
        name = f"{item.kind} {metadata.get('namespace') or 'default'}/{metadata.get('name', '')}"
        pods = ", ".join(f"{template.count} of {'.'.join(map(str, template.path))}" for template in templates)
        if item.kind == "CronJob":
            yield f"note: {name}: the pods of one run are created"
        else:
            yield f"note: {name}: unknown kind, its pods are those of its pod templates: {pods}"
    yield from notes_on_ignored(ignored)


def notes_on_ignored(ignored: Mapping[str, int]) -> Iterator[str]:
    """Yield the notes on ignored kinds, with the number of objects of each."""
    by_effect: dict[bool, list[str]] = {False: [], True: []}
    for kind, number in ignored.items():
        by_effect[kind in _WITH_EFFECT].append(f"{number} {kind}")
    if by_effect[True]:
        kinds = ", ".join(by_effect[True])
        yield f"note: not simulated, so a cluster can change or reject pods: {kinds}"
    if by_effect[False]:
        kinds = ", ".join(by_effect[False])
        yield f"note: ignored kinds, which have no known effect on allocation: {kinds}"
