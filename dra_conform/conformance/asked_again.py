"""Questions asked again, as they are and in another order: the answers must agree all the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dra_conform.conformance.case import Case

Json = Any
Objects = Mapping[str, Sequence[Json]]

SAME = "asked again"
OBJECTS_REVERSED = "asked with the objects in reverse"
SLICES_RENAMED = "asked with the slices under other names"


def asked_again(cases: Iterable[Case], profile: str) -> Iterator[Case]:
    """Each case, and after it the same question: what is right does not hang on what was asked before.

    Questions of `allocate` are also asked with slices, nodes, classes and claims given in reverse, and with
    slices under other names, where no documented choice hangs on the order: in profile `kep`, for cases that
    pin no choice. The claims of the question stay in their order, which is the order of the pod.
    """
    for case in cases:
        yield case
        if case.operation != "allocate":
            continue
        yield _variant(case, SAME, case.objects)
        if profile == "kep" and not case.order:
            reverse = {kind: items[::-1] for kind, items in case.objects.items()}
            yield _variant(case, OBJECTS_REVERSED, reverse)
            yield _variant(case, SLICES_RENAMED, _renamed(case.objects))


def _variant(case: Case, how: str, objects: Objects) -> Case:
    found = {kind: tuple(items) for kind, items in objects.items()}
    return replace(case, id=f"{case.id} ({how})", title=f"{case.title}, {how}", objects=found)


def _renamed(objects: Objects) -> Objects:
    """The objects with slices named in the other order; nothing refers to a slice by its name."""
    slices = objects.get("resourceSlices", ())
    names = [f"renamed-{len(slices) - place}" for place in range(len(slices))]
    renamed = [
        {**one, "metadata": {**one["metadata"], "name": name}}
        if isinstance(one.get("metadata"), dict)
        else one
        for one, name in zip(slices, names, strict=True)
    ]
    return {**objects, "resourceSlices": renamed}
