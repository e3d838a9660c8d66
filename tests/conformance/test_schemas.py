"""The published JSON schemas agree with the loaders."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from jsonschema import Draft202012Validator

import dra_conform
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.steps.lookup import given_steps
from dra_conform.conformance.steps.step import Params
from dra_conform.conformance.suite import catalogue, golden_file
from dra_conform.conformance.suite.loading import shipped
from tests.support.conformance.suite.writing import CATALOGUE, GOLDEN

STEPS = (*given_steps(), *(step for operation in OPERATIONS.values() for step in operation.steps))


@cache
def schema(name: str) -> Any:
    return json.loads((resources.files("dra_conform") / "schemas" / f"{name}.schema.json").read_text("utf-8"))


def problems(name: str, content: Any) -> list[str]:
    return [
        f"{error.json_path}: {error.message}"
        for error in Draft202012Validator(schema(name)).iter_errors(content)
    ]


@pytest.mark.parametrize("name", ["golden", "requirements"])
def test_schemas_are_valid(name: str) -> None:
    assert schema(name)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema(name))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "pattern"), [("golden", "golden/**/*.yaml"), ("requirements", "requirements/*.yaml")]
)
def test_the_suite_conforms(name: str, pattern: str) -> None:
    files = sorted(shipped().glob(pattern))
    assert files
    for file in files:
        assert problems(name, yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)) == [], file.name


def test_the_test_texts_conform() -> None:
    assert problems("golden", yaml.safe_load(GOLDEN)) == []
    assert problems("requirements", yaml.safe_load(CATALOGUE)) == []


def _named(kind: type) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(kind)}


def test_golden_has_exactly_the_known_steps() -> None:
    defined = schema("golden")["$defs"]
    for keyword, name in (("given", "Given"), ("when", "When"), ("then", "Then")):
        assert set(defined[name]["properties"]) == {step.key for step in STEPS if step.keyword == keyword}


def _undescribed(name: str, part: Any) -> list[str]:
    found = []
    for member, content in part.get("properties", {}).items():
        if not content.keys() & {"description", "$ref"}:
            found.append(f"{name}.{member}")
        found += _undescribed(f"{name}.{member}", content)
    return found


def test_golden_describes_each_member() -> None:
    whole = schema("golden")
    assert _undescribed("", whole) == []
    for name, part in whole["$defs"].items():
        assert part["description"], name
        assert _undescribed(name, part) == []


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (golden_file.GoldenCase, "Case"),
        (golden_file.GoldenStep, "Step"),
        (golden_file.GoldenDeviation, "Deviation"),
        (golden_file.GoldenTable, "Table"),
    ],
)
def test_golden_members(kind: type, name: str) -> None:
    assert set(schema("golden")["$defs"][name]["properties"]) == _named(kind)


def test_golden_steps_have_the_members_of_their_parameters() -> None:
    defined = schema("golden")["$defs"]
    checked = 0
    for step in STEPS:
        part = defined[step.keyword.capitalize()]["properties"][step.key]
        part = part.get("anyOf", [part])[0]  # a step may also be a cell of a table
        if isinstance(step.kind, type) and issubclass(step.kind, Params):
            assert set(defined[part["$ref"].rpartition("/")[2]]["properties"]) == _named(step.kind), step.key
            checked += 1
    assert checked > 8


def test_top_level_members() -> None:
    assert set(schema("golden")["properties"]) == _named(golden_file.GoldenFile)
    assert set(schema("requirements")["properties"]) == _named(catalogue.CatalogueFile)
    assert set(schema("requirements")["$defs"]["Requirement"]["properties"]) == _named(
        catalogue.CatalogueEntry
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("area: rounding\n", ""),
        ("- devices:", "- devises:"),
        ("{consumes:", "{consume:"),
        ("allowMultipleAllocations: true", "allowMultipleAllocations: maybe"),
        ("{bw: 10}", "{bw: [1]}"),
        ("resourceClaims: [c]", "claims: c"),
        ("[KEP-5075/rounding/step-up]", "step-up"),
        ("    title: One case passes\n", ""),
        ("    when:", "    steps: []\n    when:"),
        ("    when:", "    steps: [{when: {create: {kind: Node, name: n}}}]\n    when:"),
        ("when: {allocate: {resourceClaims: [c]}}", "steps: [{then: [{stored: true}]}]"),
        ("allocate: {resourceClaims: [c]}", "create: {kind: Node}"),
        ("allocate: {resourceClaims: [c]}", "create: {kind: Node, name: n, object: {}}"),
        ("allocate: {resourceClaims: [c]}", "create: {kind: Node, name: n, status: true}"),
        ("consumes: {resourceClaim: c, capacity: {bw: 3}}", "rejected: {type: Wrong, path: spec}"),
        ("consumes: {resourceClaim: c, capacity: {bw: 3}}", "unchanged: false"),
    ],
)
def test_invalid_golden_files(old: str, new: str) -> None:
    assert old in GOLDEN
    assert problems("golden", yaml.safe_load(GOLDEN.replace(old, new, 1)))


MULTI_STEP = """\
document: DRA
area: a
title: Multi-step scenarios
cases:
  - case: one
    title: A multi-step scenario
    requirements: [DRA/a/b]
    steps:
      - when: {create: {kind: DeviceClass, name: c, fields: {spec.selectors: null}}}
      - when: {update: {object: {kind: Pod}, status: true}}
        then: [{rejected: {type: Invalid, path: "spec.x"}}, {rejected: {reason: Forbidden}}, {rejected: true}]
      - when: {update: {kind: DeviceClass, name: c}}
        then: [{stored: {spec.x: 1}}, {stored: true}, {storedAsWritten: true}, {dropped: spec.y}, {kept: spec.z}]
        in: [{profiles: [until 1.36], reason: it is so, then: [{rejected: true}]}]
"""


def test_a_scenario_of_writes_conforms() -> None:
    assert problems("golden", yaml.safe_load(MULTI_STEP)) == []


@pytest.mark.parametrize("operation", ["consume", "allocate", "admit", "quota", "evict", "kubelet-admit"])
def test_operations_with_two_outcomes_have_a_polarity(operation: str) -> None:
    content = yaml.safe_load(CATALOGUE)
    stored = content["requirements"][1]
    stored["operation"] = operation
    del stored["polarity"]
    assert problems("requirements", content)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("level: MUST", "level: must"),
        ("operation: consume", "operation: eat"),
        ("    polarity: [accepts, rejects]\n", ""),
        ("polarity: [accepts, rejects]", "polarity: [takes]"),
        ("id: KEP-5075/api/stored", "id: stored"),
        ("    statement: A value is stored.\n", ""),
    ],
)
def test_invalid_catalogues(old: str, new: str) -> None:
    assert old in CATALOGUE
    assert problems("requirements", yaml.safe_load(CATALOGUE.replace(old, new, 1)))


def _undescribed(node: Any, path: str = "") -> list[str]:
    """The properties without a description; those of a condition need none."""
    if isinstance(node, list):
        return [found for index, one in enumerate(node) for found in _undescribed(one, f"{path}/{index}")]
    if not isinstance(node, dict):
        return []
    properties = node.get("properties")
    own = [
        f"{path}/{name}"
        for name, one in (properties.items() if isinstance(properties, dict) else ())
        if isinstance(one, dict) and not {"description", "$ref"} & one.keys()
    ]
    inner = (_undescribed(one, f"{path}/{name}") for name, one in node.items() if name != "if")
    return [*own, *(found for of_one in inner for found in of_one)]


SCHEMAS = Path(dra_conform.__file__).parent / "schemas"


@pytest.mark.parametrize("file", sorted(SCHEMAS.rglob("*.json")), ids=lambda file: file.name)
def test_each_property_is_described(file: Path) -> None:
    content = json.loads(file.read_text("utf-8"))
    assert _undescribed(content) == []
    assert content["$id"] == f"https://dra-conform.example/schemas/{file.relative_to(SCHEMAS).as_posix()}"
