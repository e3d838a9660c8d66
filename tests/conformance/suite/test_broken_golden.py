"""Invalid golden files: one message for each problem."""

from __future__ import annotations

import pytest

from dra_conform.kube.errors import InputError, InputErrors
from tests.support.conformance.suite.writing import GOLDEN, golden

THEN = "    then: [{consumes: {resourceClaim: c, capacity: {bw: 3}}}]\n"
CLAIM = "      - resourceClaim: {name: c, capacity: {bw: 3}}\n"
OBJECT = "      - objects: [{apiVersion: v1, kind: Nod, metadata: {name: x}}]\n"

BROKEN = {
    "no document": ("document: KEP-5075\n", "", "2: document: is missing, expected a value"),
    "area a list": ("area: rounding", "area: [x]", "3: area: is a list, expected a string"),
    "member unknown": ("title: A trial", "tittle: A trial", "4: tittle: is an unknown field, expected title"),
    "key twice": (
        "  - case: one\n",
        "  - case: one\n    case: two\n",
        "7: duplicate key 'case', expected each key once",
    ),
    "no case": (
        GOLDEN[GOLDEN.index("cases:") :],
        "cases: []\n",
        "5: cases: is empty, expected at least one case",
    ),
    "a column twice": (
        THEN,
        f"{THEN.replace('3', '<b>')}    table: {{columns: [b, a, b], rows: [[3, 1, 4]]}}\n",
        "14: cases[0].table.columns[2]: repeats the column 'b', expected distinct columns",
    ),
    "case untitled": ("    title: One case passes\n", "", "6: cases[0].title: is missing, expected a value"),
    "requirements a text": (
        "requirements: [KEP-5075/rounding/step-up]",
        "requirements: step-up",
        "8: cases[0].requirements: is a string ('step-up'), expected a list",
    ),
    "unknown Given step": (
        "- devices:",
        "- devises:",
        "10: cases[0].given[0]: unknown given step 'devises', expected devices",
    ),
    "when unknown": (
        "{allocate:",
        "{alocate:",
        "12: cases[0].when: unknown when step 'alocate', expected allocate",
    ),
    "then unknown": (
        "{consumes:",
        "{consume:",
        "13: cases[0].then[0]: unknown then step 'consume', expected consumes",
    ),
    "a name twice": (
        CLAIM,
        CLAIM + OBJECT.replace("Nod,", "Node,") * 2,
        "6: cases[0]: Node 'x' is defined twice, expected one definition",
    ),
    "two steps in one": (
        CLAIM,
        f"{CLAIM}        node: {{name: n}}\n",
        "11: cases[0].given[1]: has 2 keys, expected one key, the name of the step",
    ),
    "device unnamed": (
        "{device: d, ",
        "{",
        "10: cases[0].given[0].devices[0].device: is missing, expected a value",
    ),
    "shared a word": (
        "allowMultipleAllocations: true",
        "allowMultipleAllocations: maybe",
        "10: cases[0].given[0].devices[0].allowMultipleAllocations: is a string ('maybe'), expected true or false",
    ),
    "device member unknown": (
        "allowMultipleAllocations: true",
        "allowMultipleAllocation: true",
        "10: cases[0].given[0].devices[0].allowMultipleAllocation: is an unknown field, expected allowMultipleAllocations",
    ),
    "capacity no quantity": (
        "{bw: 10}",
        "{bw: ten}",
        "6: cases[0]: the setup has an invalid object: spec.devices[0].capacity.bw.value: 'ten' is not a quantity, "
        "expected a quantity such as 10, 500m or 1Gi",
    ),
    "policy without capacity": (
        "capacity: {bw: 10}",
        "requestPolicy: {bw: {}}",
        "10: cases[0].given[0].devices: device d has requestPolicy for bw, expected a capacity with this name, too",
    ),
    "attribute of no type": (
        "capacity: {bw: 10}",
        "attributes: {a: {integer: 1}}",
        "6: cases[0]: the setup has an invalid object: spec.devices[0].attributes.a.integer: is an unknown field, "
        "expected int",
    ),
    "claim not in the setup": (
        "resourceClaims: [c]",
        "resourceClaims: [d]",
        "12: cases[0].when.allocate: ResourceClaim 'd' is not in the setup, expected one of default/c",
    ),
    "claims a text": (
        "resourceClaims: [c]",
        "resourceClaims: c",
        "12: cases[0].when.allocate.resourceClaims: is a string ('c'), expected a list",
    ),
    "expected no quantity": (
        "capacity: {bw: 3}}}]",
        "capacity: {bw: 3x}}}]",
        "13: cases[0].then[0].consumes: bw: '3x' is not a quantity, expected a quantity such as 10, 500m or 1Gi",
    ),
    "no then": (THEN, "    then: []\n", "13: cases[0].then: is missing, expected at least one Then step"),
    "two outcomes": (
        "then: [{",
        "then: [{unallocatable: true}, {",
        "13: cases[0].then[1].consumes: contradicts the outcome of an earlier Then step, expected the same outcome",
    ),
    "outcome false": (
        THEN,
        "    then: [{unallocatable: false}]\n",
        "13: cases[0].then[0].unallocatable: is false, expected true or a category",
    ),
    "row too short": (
        THEN,
        f"{THEN}    table: {{columns: [a, b], rows: [[1, 2], [1]]}}\n",
        "14: cases[0].table.rows[1]: has 1 cells, expected 2, one for each column",
    ),
    "column unknown": (
        THEN,
        f"{THEN.replace('3', '<b>')}    table: {{columns: [a], rows: [[1]]}}\n",
        "13: cases[0].then[0].consumes: bw: '<b>' is not a quantity, expected a quantity such as 10, 500m or 1Gi",
    ),
    "profile unknown": (
        THEN,
        f"{THEN}    profiles: [kepp]\n",
        "14: cases[0].profiles: is 'kepp', expected kep, kep-future, in 1.35, since 1.36, until 1.35 or from 1.34 to 1.36",
    ),
    "deviation without reason": (
        THEN,
        f"{THEN}    in: [{{profiles: [in 1.34], then: [{{unallocatable: true}}]}}]\n",
        "14: cases[0].in[0].reason: is missing, expected a value",
    ),
    "constraint of nothing": (
        CLAIM,
        f"{CLAIM}      - constraint: {{resourceClaim: c}}\n",
        "12: cases[0].given[2].constraint: has both or neither of distinctAttribute and matchAttribute, expected one of them",
    ),
    "constraint of no claim": (
        CLAIM,
        f"{CLAIM}      - constraint: {{resourceClaim: x, matchAttribute: a}}\n",
        "12: cases[0].given[2].constraint: ResourceClaim 'x' is not in the setup, expected one of default/c",
    ),
    "object of no kind": (
        CLAIM,
        CLAIM + OBJECT,
        "12: cases[0].given[2].objects: unknown kind 'Nod', expected one of Node, Namespace, DeviceClass, ResourceSlice, "
        "ResourceClaim, ResourceClaimTemplate, DeviceTaintRule, Pod, ResourceQuota",
    ),
    "two documents": (
        "# yaml",
        "a: 1\n---\n# yaml",
        "1: has 2 YAML documents, expected one golden file",
    ),
    "not YAML": (
        "  - case: one\n",
        "  - case: one\n   bad\n",
        "7: not YAML: while parsing a block collection did not find expected '-' indicator",
    ),
}


def test_the_unchanged_text_is_valid() -> None:
    assert len(golden()) == 1


@pytest.mark.parametrize("name", BROKEN)
def test_broken_golden_file(name: str) -> None:
    old, new, message = BROKEN[name]
    assert old in GOLDEN
    with pytest.raises((InputError, InputErrors)) as caught:
        golden(GOLDEN.replace(old, new, 1))
    assert f"golden/kep-5075/trial.yaml:{message}" in str(caught.value).splitlines()


def test_an_unknown_gate_or_category_lists_the_known_ones() -> None:
    gate = GOLDEN.replace(CLAIM, f"{CLAIM}      - featureGates: {{DRANope: true}}\n")
    category = GOLDEN.replace(THEN, "    then: [{allocationError: {category: Nope}}]\n")
    with pytest.raises(
        InputError, match=r":12: .*unknown feature gate 'DRANope', expected .*DRAConsumableCapacity"
    ):
        golden(gate)
    with pytest.raises(InputError, match=r":13: .*unknown category 'Nope', expected .*CapacityNotDeclared"):
        golden(category)
