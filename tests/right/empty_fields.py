"""Correct implementations that report absent fields as empty, null or zero, and fields of later releases.

The Go types of the API cannot tell an empty list, map or string from an absent one. Of pointers to booleans they can.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from msgspec import inspect

from dra_conform.kube.codec import type_info, without_none
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import KINDS, RESOURCE_V1
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import AllocationResult
from dra_conform.simulation.parts import allocate
from tests.faulty.implementations.phases import PhasesCluster
from tests.faulty.implementations.strategies import ApiServer
from tests.right.allocators import OtherForms
from tests.right.clusters import RightCluster
from tests.right.schedulers import RightScheduler

Fill = Callable[[inspect.Field], Json]
"""Return the value of an absent field, ABSENT for none."""

ABSENT = object()
_ZEROS = {inspect.VarTupleType: [], inspect.DictType: {}, inspect.StrType: ""}


def empty(field: inspect.Field) -> Json:
    """Return an empty list, map or string."""
    kind = type(without_none(field.type))
    pointer = kind is inspect.StrType and kind is not type(field.type)
    return _ZEROS.get(kind, ABSENT) if not (pointer or field.required) else ABSENT


def null(field: inspect.Field) -> Json:
    """Return null for each optional field."""
    return ABSENT if field.required else None


def later(field: inspect.Field) -> Json:
    """Return nothing for known fields; `filled` adds one that is unknown."""
    return ABSENT


def filled(value: Json, info: inspect.Type, fill: Fill) -> Json:
    """Return a value of a type with its absent fields."""
    match without_none(info):
        case inspect.StructType(fields=fields) if isinstance(value, Mapping):
            known = {field.encode_name: field for field in fields}
            present = {
                name: filled(member, known[name].type, fill) if name in known else member
                for name, member in value.items()
                if member is not None
            }
            others = {name: fill(field) for name, field in known.items() if name not in present}
            unknown = {"fieldOfLaterRelease": {"a": ["b"]}} if fill is later else {}
            return {
                **present,
                **{name: member for name, member in others.items() if member is not ABSENT},
                **unknown,
            }
        case inspect.DictType(value_type=inner) if isinstance(value, Mapping):
            return {name: filled(member, inner, fill) for name, member in value.items()}
        case inspect.VarTupleType(item_type=inner) if isinstance(value, (list, tuple)):
            return [filled(item, inner, fill) for item in value]
    return value


def filled_object(item: Json, fill: Fill) -> Json:
    """Return an API object with its absent fields."""
    version, kind = item.get("apiVersion", ""), item.get("kind", "")
    struct = KINDS.get((RESOURCE_V1 if version.startswith("resource.k8s.io/") else version, kind))
    return item if struct is None else filled(item, type_info(struct), fill)


class AllocatesWithEmptyFields(OtherForms):
    fill: ClassVar[Fill] = staticmethod(empty)

    def allocate(
        self, objects: Mapping[str, Sequence[Json]], ask: Mapping[str, Json], profile: Profile, seed: int = 0
    ) -> dict[str, Json]:
        answer = allocate(objects, ask, profile, seed)
        if answer["outcome"] != "allocated":
            return answer
        allocations = {
            key: filled(allocation, type_info(AllocationResult), type(self).fill)
            for key, allocation in answer["allocations"].items()
        }
        return {**answer, "allocations": allocations}


class AllocatesWithNullFields(AllocatesWithEmptyFields):
    fill = staticmethod(null)


class AllocatesWithLaterFields(AllocatesWithEmptyFields):
    fill = staticmethod(later)


class ServesEmptyFields(ApiServer):
    fill: ClassVar[Fill] = staticmethod(empty)

    def stored(self, stored_object: Json, ask: Mapping[str, Json]) -> Json:
        return filled_object(stored_object, type(self).fill)


class ServesNullFields(ServesEmptyFields):
    fill = staticmethod(null)


class ClusterWithEmptyFields(RightCluster):
    fill: ClassVar[Fill] = staticmethod(empty)

    def observed(self, observation: Json) -> Json:
        fill = type(self).fill
        if "object" in observation:
            observation["object"] = filled_object(observation["object"], fill)
        if "objects" in observation:
            observation["objects"] = {
                name: [filled_object(item, fill) for item in items]
                for name, items in observation["objects"].items()
            }
        return observation


class ClusterWithNullFields(ClusterWithEmptyFields):
    fill = staticmethod(null)


class _WithEmptyFields(PhasesCluster):
    def answer(self, body: Json) -> Json:
        for observation in body["observations"]:
            for phase in observation.get("phases", ()):
                if "objects" in phase:
                    phase["objects"] = {
                        name: [filled_object(item, empty) for item in items]
                        for name, items in phase["objects"].items()
                    }
        return body


class SchedulesWithEmptyFields(RightScheduler):
    made = _WithEmptyFields


RIGHT: tuple[type, ...] = (
    AllocatesWithEmptyFields,
    AllocatesWithNullFields,
    AllocatesWithLaterFields,
    ServesEmptyFields,
    ServesNullFields,
    ClusterWithEmptyFields,
    ClusterWithNullFields,
    SchedulesWithEmptyFields,
)
"""Each must pass the suite."""
