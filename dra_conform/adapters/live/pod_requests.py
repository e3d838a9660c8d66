"""The resources that a pod requests, and the DeviceClasses of a cluster that may back them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from http.client import NOT_FOUND

from dra_conform.adapters.live.api_answers import Answer
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.json_values import Json


def device_classes(answer: Answer) -> Sequence[Json]:
    """Return the items of a list of DeviceClasses; raises CannotRun if it is rejected or incomplete.

    A release that does not serve v1 has no extended resources.
    """
    if answer.code == NOT_FOUND:
        return ()
    if not answer.accepted:
        raise CannotRun(f"cannot list DeviceClasses: {answer.reason}: {answer.message}")
    if field_at(answer.body, "metadata.continue") not in (ABSENT, None, ""):
        raise CannotRun("cannot list DeviceClasses: the list is incomplete")
    items = field_at(answer.body, "items")
    return items if isinstance(items, list) else ()


def resource_names(value: Json) -> Iterator[str]:
    """Yield the names of the resources in the requests and limits of a pod and its containers."""
    if isinstance(value, Mapping):
        for field, item in value.items():
            if field in ("requests", "limits") and isinstance(item, Mapping):
                yield from (name for name in item if isinstance(name, str))
            else:
                yield from resource_names(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from resource_names(item)
