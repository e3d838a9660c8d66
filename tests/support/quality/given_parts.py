"""Check that a negative outcome depends on some part of the setup.

A part is an object, or a field or list element of an object. A case without allocation is useful if there is a part
or a feature (`stripping.py`) without which the textbook allocator allocates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform.conformance.case import Case, Objects
from dra_conform.conformance.features import profile_of
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import KEP, Profile
from tests.reference.textbook import Textbook
from tests.support.quality.stripping import STRIPS

_NAMES = frozenset({"name", "request", "driver", "pool", "device", "metadata", "apiVersion", "kind"})
"""Fields that every object of a kind needs."""


def shows(case: Case) -> bool:
    """Return whether a case of `allocate` without allocation has one if a part of the setup is removed."""
    profile, _ = profile_of(case, KEP)
    fewer = (objects for _, objects in parts(case.objects))
    stripped = (strip(case.objects) for strips in STRIPS.values() for strip in strips)
    return any(_allocates(objects, case, profile) for less in (stripped, fewer) for objects in less)


def parts(objects: Objects) -> Iterator[tuple[str, Objects]]:
    """Yield each part by the name of its collection, with the objects without that part."""
    for collection, members in objects.items():
        for index, member in enumerate(members):
            yield collection, {**objects, collection: (*members[:index], *members[index + 1 :])}
            for changed in _without(member):
                yield collection, {**objects, collection: _put(members, index, changed)}


def _allocates(objects: Objects, case: Case, profile: Profile) -> bool:
    try:
        return bool(Textbook().allocate(objects, case.ask, profile)["outcome"] == "allocated")
    except (KeyError, StopIteration, ValueError, TypeError, IndexError, AssertionError, AttributeError):
        return False


def _without(value: Json) -> Iterator[Json]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key in _NAMES and not isinstance(inner, Mapping):
                continue
            yield {name: element for name, element in value.items() if name != key}
            for changed in _without(inner):
                yield {**value, key: changed}
    elif isinstance(value, (list, tuple)):
        for index, inner in enumerate(value):
            yield [*value[:index], *value[index + 1 :]]
            for changed in _without(inner):
                yield _put(value, index, changed)


def _put(members: Json, index: int, value: Json) -> Json:
    return type(members)((*members[:index], value, *members[index + 1 :]))
