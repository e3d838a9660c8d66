"""Variants of cases for `--ask-again`: repeated, reordered and renamed. The answers must agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dra_conform.conformance.allocate.renaming import renamed
from dra_conform.conformance.case import Case

Json = Any
Objects = Mapping[str, Sequence[Json]]

# Each label is a part of the ids of variants, which ledgers and recorded runs keep.
SAME = "asked again"
OBJECTS_REVERSED = "asked with the objects in reverse order"
SLICES_RENAMED = "asked with renamed ResourceSlices"
DEVICES_RENAMED = "asked with renamed devices and ResourceClaims"
CLAIMS_REVERSED = "asked with the ResourceClaims in reverse order"


def with_variants(cases: Iterable[Case], profile: str) -> Iterator[Case]:
    """Yield each case, and after a case of `allocate` its variants, whose answers must be equal except for
    names.

    The first variant repeats the case, because an answer must not depend on earlier questions. The second
    renames devices and ResourceClaims. In profile `kep`, cases that do not select one of several valid
    answers have more variants: all objects in reverse order, renamed ResourceSlices, and ResourceClaims of
    the question in reverse order. The last one is left out for prioritized lists, because another subrequest
    might be chosen.
    """
    for case in cases:
        yield case
        if case.operation != "allocate":
            continue
        yield _variant(case, SAME, case.objects)
        yield _variant(renamed(case), DEVICES_RENAMED)
        if profile == "kep" and not case.order:
            reverse = {kind: items[::-1] for kind, items in case.objects.items()}
            yield _variant(case, OBJECTS_REVERSED, reverse)
            yield _variant(case, SLICES_RENAMED, _slices_renamed(case.objects))
            if len(case.ask["claims"]) > 1 and "prioritized-list" not in case.features:
                asked = {**case.ask, "claims": case.ask["claims"][::-1]}
                yield _variant(replace(case, ask=asked), CLAIMS_REVERSED)


def _variant(case: Case, how: str, objects: Objects | None = None) -> Case:
    copied = {kind: tuple(items) for kind, items in (objects or case.objects).items()}
    return replace(case, id=f"{case.id} ({how})", title=f"{case.title}, {how}", objects=copied)


def _slices_renamed(objects: Objects) -> Objects:
    """Return the objects with ResourceSlices named in reverse order. Nothing refers to their names."""
    slices = objects.get("resourceSlices", ())
    names = [f"renamed-{len(slices) - index}" for index in range(len(slices))]
    renamed_slices = [
        {**resource_slice, "metadata": {**resource_slice["metadata"], "name": name}}
        if isinstance(resource_slice.get("metadata"), dict)
        else resource_slice
        for resource_slice, name in zip(slices, names, strict=True)
    ]
    return {**objects, "resourceSlices": renamed_slices}
