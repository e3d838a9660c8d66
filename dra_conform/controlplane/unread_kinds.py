"""Warnings about manifests of kinds that are ignored, or read only for their pod templates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dra_conform.controlplane.pod_groups import is_group
from dra_conform.controlplane.templates_by_shape import templates_by_shape
from dra_conform.kube.manifests import Loaded, OtherObject


def notes_on_kinds(loaded: Sequence[Loaded]) -> Iterator[str]:
    """One line for each object whose pods were found by shape, and one with all kinds that were not read."""
    unread: Counter[str] = Counter()
    for item in loaded:
        if not isinstance(item.object, OtherObject) or is_group(item):
            continue
        templates = templates_by_shape(item.object.raw)
        if not templates:
            unread[f"{item.kind} ({item.api_version})"] += 1
            continue
        metadata = item.raw.get("metadata") or {}
        name = f"{item.kind} {metadata.get('namespace') or 'default'}/{metadata.get('name', '')}"
        places = ", ".join(f"{one.count} of {'.'.join(map(str, one.path))}" for one in templates)
        yield f"note: {name}: the kind is not known, its pods are those of the templates in it: {places}"
    if unread:
        kinds = ", ".join(f"{count} {kind}" for kind, count in unread.items())
        yield f"note: not read, no part in allocation is known of them: {kinds}"
