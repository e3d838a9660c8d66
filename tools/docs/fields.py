"""Print docs/fields.md: every field of resource.k8s.io with cases of the API reference that write it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import inspect

from dra_conform.conformance.case import Case
from dra_conform.conformance.suite.loading import load_suite
from dra_conform.conformance.writes.answer import Admission
from dra_conform.kube import core, resource
from dra_conform.kube.field_paths import ABSENT
from dra_conform.kube.json_values import Json
from dra_conform.kube.versions import to_v1

HEAD = """# Fields

You want the case that shows how the API server treats a field. The table has every field of
`resource.k8s.io` and the claim fields of pods, with a case in which the field is stored and one in which
its value is rejected. `[]` is each item of a list or each value of a map. `dra-conform show CASE` prints
a case. `make fields` generates this page.

| field | stored in | rejected in |
|---|---|---|"""

ROOTS: tuple[tuple[str, str, type], ...] = (
    ("ResourceSlice", "spec", resource.ResourceSliceSpec),
    ("ResourceClaim", "spec", resource.ResourceClaimSpec),
    ("ResourceClaim", "status", resource.ResourceClaimStatus),
    ("ResourceClaimTemplate", "spec", resource.ResourceClaimTemplateSpec),
    ("DeviceClass", "spec", resource.DeviceClassSpec),
    ("DeviceTaintRule", "spec", resource.DeviceTaintRuleSpec),
    ("DeviceTaintRule", "status", resource.DeviceTaintRuleStatus),
    ("Pod", "spec.resourceClaims[]", core.PodResourceClaim),
    ("Pod", "spec.containers[].resources.claims[]", core.ResourceClaimReference),
    ("Pod", "spec.initContainers[].resources.claims[]", core.ResourceClaimReference),
    ("Pod", "status.resourceClaimStatuses[]", core.PodResourceClaimStatus),
    ("Pod", "status.extendedResourceClaimStatus", core.PodExtendedResourceClaimStatus),
    ("Pod", "status.nodeAllocatableResourceClaimStatuses[]", core.NodeAllocatableResourceClaimStatus),
)

_SKETCH = "planned by KEP-5517, in no release"
_OF_1_37 = "needs a gate of 1.37 that the suite does not cover"
REASONS = (
    (re.compile(r".*\.results\[\]\.compatibilityGroups(\[\])?"), "defined by KEP-5963, in no release"),
    (
        re.compile(r".*(\.accountingPolicy|\.managesNodeAllocatableResources|AccountingPolicies(\[\])?)"),
        _SKETCH,
    ),
    (re.compile(r".*(\.derivedAttributes|\.partitionTypeAttribute|\.skipNodeOperations).*"), _OF_1_37),
    (re.compile(r"spec\.metadata\.(?!labels|annotations).*"), "must not be set (API/template/metadata)"),
    (re.compile(r"spec\.metadata(\.(labels|annotations))?(\[\])?"), "metadata has no type of this API group"),
)
"""Why a field has no case in one of the columns."""

_TYPES: Mapping[type, tuple[type, ...]] = {
    inspect.StrType: (str,),
    inspect.IntType: (int,),
    inspect.BoolType: (bool,),
    inspect.DictType: (dict,),
    inspect.StructType: (dict,),
    inspect.VarTupleType: (list, tuple),
    inspect.CustomType: (str, int),
}
"""Types of JSON values by the type of the field."""

_ITEM = re.compile(r"\[[^\]]*\]")


def fields() -> Iterator[tuple[str, str]]:
    """Yield the kind and the path of every field."""
    for kind, root, struct in ROOTS:
        yield from ((kind, path) for path in _fields(inspect.type_info(struct), root))


def _fields(info: inspect.Type, path: str) -> Iterator[str]:
    match _plain(info):
        case inspect.StructType(cls=cls):
            for field in inspect.type_info(cls).fields:  # type: ignore[attr-defined]
                inner = f"{path}.{field.encode_name}"
                yield inner
                yield from _fields(field.type, inner)
        case inspect.DictType(value_type=inner_type) | inspect.VarTupleType(item_type=inner_type):
            yield from _fields(inner_type, f"{path}[]")


def _plain(info: inspect.Type) -> inspect.Type:
    """Return the type without None."""
    if isinstance(info, inspect.UnionType):
        return next(type_ for type_ in info.types if not isinstance(type_, inspect.NoneType))
    return info


def rows(cases: list[Case]) -> Iterator[tuple[str, str, str]]:
    """Yield each field's name, a case that stores it and a case that rejects it, or why there is none."""
    stored, refused = hits(cases)
    for kind, path in fields():
        reason = next((why for pattern, why in REASONS if pattern.fullmatch(path)), "")
        key = (kind, path)
        yield f"{kind} {path}", stored.get(key, reason), refused.get(key, reason)


def hits(cases: list[Case]) -> tuple[dict[tuple[str, str], str], dict[tuple[str, str], str]]:
    """Return the first case that stores a field and the first that rejects it, each by kind and path."""
    stored: dict[tuple[str, str], str] = {}
    refused: dict[tuple[str, str], str] = {}
    for case in cases:
        written, [act] = case.ask["object"], case.case_steps
        kind = written["kind"]
        if act.expectation.outcome is Admission.ADMITTED:
            gone = {_ITEM.sub("[]", field.path) for field in act.expectation.fields if field.value is ABSENT}
            for path in _written(to_v1(dict(written)), ""):
                if path not in gone:
                    stored.setdefault((kind, path), case.id)
            continue
        for expectation in (act.expectation, *(deviation.expectation for deviation in act.deviations)):
            for error in expectation.errors:
                refused.setdefault((kind, _ITEM.sub("[]", error.path or "")), case.id)
        for path in _wrong(written):
            refused.setdefault((kind, path), case.id)
    return stored, refused


def _written(value: Json, path: str) -> Iterator[str]:
    """Yield the paths in an object. Values of maps have paths too: JSON does not tell maps from structs."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            for place in (f"{path}.{name}".removeprefix("."), f"{path}[]"):
                yield place
                yield from _written(inner, place)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _written(inner, f"{path}[]")


def _wrong(written: Json) -> Iterator[str]:
    """Yield the paths at which a value does not have the type of its field."""
    for kind, root, struct in ROOTS:
        if kind == written["kind"]:
            for value in _at(written, root):
                yield from _mismatches(value, inspect.type_info(struct), root)


def _at(value: Json, path: str) -> Iterator[Json]:
    name, _, rest = path.partition(".")
    inner = value.get(name.removesuffix("[]")) if isinstance(value, Mapping) else None
    for item in inner if name.endswith("[]") and isinstance(inner, list) else [inner]:
        if item is not None:
            yield from _at(item, rest) if rest else [item]


def _mismatches(value: Json, info: inspect.Type, path: str) -> Iterator[str]:
    info = _plain(info)
    right = _TYPES.get(type(info), (object,))
    if not isinstance(value, right) or (
        isinstance(value, bool) and bool not in right and object not in right
    ):
        yield path
        return
    match info:
        case inspect.StructType(cls=cls):
            for field in inspect.type_info(cls).fields:  # type: ignore[attr-defined]
                if value.get(field.encode_name) is not None:
                    yield from _mismatches(
                        value[field.encode_name], field.type, f"{path}.{field.encode_name}"
                    )
        case inspect.DictType(value_type=inner):
            for item in value.values():
                yield from _mismatches(item, inner, f"{path}[]")
        case inspect.VarTupleType(item_type=inner):
            for item in value:
                yield from _mismatches(item, inner, f"{path}[]")


def main() -> None:
    cases = [case for case in load_suite().cases if case.operation == "admit" and case.id.startswith("api/")]
    print(HEAD)
    for name, stored, refused in rows(cases):
        cells = (f"`{case_id}`" if case_id.startswith("api/") else case_id for case_id in (stored, refused))
        print(f"| `{name}` | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
