"""The common steps: equal in golden files and in feature files."""

from __future__ import annotations

from textwrap import indent

import pytest

from dra_conform.conformance.allocate.operation import Allocate
from dra_conform.conformance.case import Case
from dra_conform.conformance.steps.claim_steps import CLAIMS
from dra_conform.conformance.steps.device_steps import DEVICES as DEVICE_STEPS
from dra_conform.conformance.steps.world_steps import WORLD
from tests.support.conformance.suite.phrases import require_each_phrase
from tests.support.conformance.suite.writing import feature, golden

ALLOCATE = Allocate()

STEPS = (*WORLD, *DEVICE_STEPS, *CLAIMS, *ALLOCATE.steps)
DEVICES = (
    "devices: [{device: d, allowMultipleAllocations: true, capacity: {bw: 10}, attributes: {a: {int: 1}}}]"
)
CLAIM = "resourceClaim: {name: c}"
TABLE = "\n  | device | allowMultipleAllocations | capacity bw | attribute a |\n  | d      | yes                      | 10          | int 1       |"

GIVEN = {
    "a node": ("node: {name: left}", 'a node "left"'),
    "labels": (
        "node: {name: left, labels: {zone: a, rack: '1'}}",
        'a node "left" with the labels\n  | label | value |\n  | zone  | a     |\n  | rack  | 1     |',
    ),
    "what a node has": (
        "node: {name: left, allocatable: {cpu: '16', memory: 64Gi}}",
        'a node "left" with allocatable 16 of "cpu" and 64Gi of "memory"',
    ),
    "a class": ("deviceClass: {name: nic}", 'a DeviceClass "nic"'),
    "a class with a selector": (
        "deviceClass: {name: nic, selectors: ['device.driver == \"x\"']}",
        'a DeviceClass "nic" with the selector\n  """\n  device.driver == "x"\n  """',
    ),
    "how a class counts": (
        "accounting: {deviceClass: set, policies: {cpu: Max}}",
        'DeviceClass "set" has the accounting policy Max for "cpu"',
    ),
    "a class that manages resources": (
        "accounting: {deviceClass: set, managesNodeAllocatableResources: true}",
        'DeviceClass "set" manages node allocatable resources',
    ),
    "a class for an extended resource": (
        "deviceClass: {name: k, extendedResourceName: example.com/gpu, creationTimestamp: '2026-01-01T10:00:00Z'}",
        'a DeviceClass "k" for extended resource "example.com/gpu" created at "2026-01-01T10:00:00Z"',
    ),
    "devices in their places": (
        "devices: [{device: x, driver: a.example, pool: p, slice: s, node: '*', allowMultipleAllocations: false}, {device: z}]",
        "the devices\n  | device | driver | pool | slice | node | allowMultipleAllocations |\n"
        "  | x      | a.example | p    | s     | *    | no     |\n  | z      |           |      |       |      |        |",
    ),
    "policies": (
        "devices: [{device: x, capacity: {bw: 9, mem: 8, raw: 1}, requestPolicy: {bw: {default: 1, min: 1, max: 9, step: 4}, "
        "mem: {default: 2, values: [1, 2, 4]}, raw: {}}}]",
        "the devices\n  | device | capacity bw | requestPolicy bw | capacity mem | requestPolicy mem | capacity raw | requestPolicy raw |\n"
        "  | x | 9 | default 1, min 1, max 9, step 4 | 8 | default 2, values 1 2 4 | 1 | empty |",
    ),
    "attributes": (
        "devices: [{device: x, attributes: {i: {int: -1}, dom.example/s: {string: a b}, b: {bool: false}, "
        "v: {version: 1.0.0}}}]",
        "the devices\n  | device | attribute i | attribute dom.example/s | attribute b | attribute v |\n"
        "  | x | int -1 | string a b | bool false | version 1.0.0 |",
    ),
    "lists of attributes": (
        "devices: [{device: x, attributes: {i: {ints: [1, -2]}, s: {strings: [a, b]}, b: {bools: [true, false]}, "
        "v: {versions: [1.0.0]}}}]",
        "the devices\n  | device | attribute i | attribute s | attribute b | attribute v |\n"
        "  | x | ints 1 -2 | strings a b | bools true false | versions 1.0.0 |",
    ),
    "what devices take of a node": (
        "devices: [{device: x, capacity: {cores: '8'}, mappings: {cpu: {capacityKey: cores, multiplier: '2'}, "
        "memory: {multiplier: 1Gi}, hugepages-1Gi: {capacityKey: cores}, ephemeral-storage: {}}, "
        "overhead: {cpu: {perPod: '1', perContainer: 100m}, memory: {perPod: '2'}}}]",
        "the devices\n  | device | capacity cores | mapping cpu | mapping memory | mapping hugepages-1Gi "
        "| mapping ephemeral-storage | overhead cpu | overhead memory |\n"
        "  | x | 8 | 2 x cores | 1Gi | cores | empty | 1 per pod, 100m per container | 2 per pod |",
    ),
    "counters and groups of devices": (
        "devices: [{device: x, consumesCounters: {g0: {memory: 6Gi, cores: 2}, g1: {memory: 1}}, compatibilityGroups: {g0: [mig, vgpu]}}]",
        "the devices\n  | device | consumesCounters g0 | consumesCounters g1 | compatibilityGroups g0 |\n"
        "  | x | memory 6Gi, cores 2 | memory 1 | mig, vgpu |",
    ),
    "taints and binding conditions": (
        "devices: [{device: x, taints: [{key: k, value: v, effect: NoSchedule}, {key: q, effect: NoExecute}], "
        "bindingConditions: [A, B], bindingFailureConditions: [F], bindsToNode: true}]",
        "the devices\n  | device | taints | bindingConditions | bindingFailureConditions | bindsToNode |\n"
        "  | x | k=v:NoSchedule, q:NoExecute | A, B | F | yes |",
    ),
    "places of devices": (
        "devices: [{device: x, on: left, slice: s}, {device: w, on: 'zone=a, disk=ssd', slice: s}, "
        "{device: z, node: zone=b, generation: 2}]",
        "the devices\n  | device | on | slice | node | generation |\n  | x | left | s | | |\n"
        "  | w | zone=a, disk=ssd | s | | |\n  | z | | | zone=b | 2 |",
    ),
    "counter sets": (
        "counterSets: [{counterSet: g0, counters: {memory: 8Gi, cores: 4}}, {counterSet: g1, pool: p, driver: x.example, slice: s, "
        "node: '*', generation: 3, counters: {memory: 1}}]",
        "the counter sets\n  | counterSet | counter memory | counter cores | pool | driver | slice | node | generation |\n"
        "  | g0 | 8Gi | 4 | | | | | |\n  | g1 | 1 | | p | x.example | s | * | 3 |",
    ),
    "slices of a pool": (
        "pool: {pool: pool-1, driver: dra.example.com, resourceSliceCount: 3}",
        'pool "pool-1" of driver "dra.example.com" has the resourceSliceCount 3',
    ),
    "a taint rule": (
        "deviceTaintRule: {name: r, driver: x, pool: p, device: d, deviceClassName: nic, selectors: ['true'], "
        "taint: {key: k, value: v, effect: NoSchedule}}",
        'a DeviceTaintRule "r" with\n  | driver | pool | device | deviceClassName | selector | taint |\n'
        "  | x | p | d | nic | true | k=v:NoSchedule |",
    ),
    "configuration of a class": (
        "config: {deviceClass: set, parameters: {profile: fast}}",
        'DeviceClass "set" is configured with profile "fast"',
    ),
    "configuration of a claim": (
        "config: {resourceClaim: c, parameters: {profile: fast}, requests: [r0, r1]}",
        'ResourceClaim "c" is configured with profile "fast" for the requests "r0, r1"',
    ),
    "objects": (
        "objects: [{apiVersion: v1, kind: Node, metadata: {name: left}}]",
        'the objects\n  """\n  apiVersion: v1\n  kind: Node\n  metadata:\n    name: left\n  """',
    ),
    "a fixture": ("fixture: two-nodes", 'the fixture "two-nodes"'),
    "a claim without capacity": ("resourceClaim: {name: x}", 'a ResourceClaim "x" requesting no capacity'),
    "a claim with an empty capacity": (
        "resourceClaim: {name: x, capacity: {}}",
        'a ResourceClaim "x" requesting an empty capacity',
    ),
    "a claim for one quantity": (
        "resourceClaim: {name: x, capacity: {bw: 3}}",
        'a ResourceClaim "x" requesting 3 of "bw"',
    ),
    "a claim for two quantities": (
        "resourceClaim: {name: team/x, capacity: {bw: 500m, mem: 1Gi}}",
        'a ResourceClaim "team/x" requesting 500m of "bw" and 1Gi of "mem"',
    ),
    "a claim of devices": (
        "resourceClaim: {name: x, deviceClassName: nic, count: 2}",
        'a ResourceClaim "x" requesting 2 devices of class "nic"',
    ),
    "a claim of all devices": (
        "resourceClaim: {name: x, allocationMode: All}",
        'a ResourceClaim "x" requesting all devices',
    ),
    "a claim with admin access": (
        "resourceClaim: {name: x, requests: [{request: r, adminAccess: true}, {request: q, adminAccess: false}]}",
        'a ResourceClaim "x" with the requests\n  | request | adminAccess |\n  | r       | yes         |\n  | q       | no          |',
    ),
    "a claim with tolerations": (
        "resourceClaim: {name: x, requests: [{request: r, tolerations: [{key: k, operator: Equal, value: v, effect: NoSchedule}, "
        "{key: q, operator: Exists}, {operator: Exists, effect: NoExecute, tolerationSeconds: 60}, {}]}]}",
        'a ResourceClaim "x" with the request\n  | request | tolerations |\n  | r | k=v:NoSchedule, q, *:NoExecute for 60s, empty |',
    ),
    "a claim with alternatives": (
        "resourceClaim: {name: x, requests: [{request: r, firstAvailable: [{subrequest: big, count: 2}, "
        "{subrequest: small, allocationMode: All, tolerations: [{key: k, operator: Exists}]}]}, {request: q}]}",
        'a ResourceClaim "x" with the requests\n  | request | subrequest | count | allocationMode | tolerations |\n'
        "  | r | big | 2 | | |\n  | r | small | | All | k |\n  | q | | | | |",
    ),
    "a claim of requests": (
        "resourceClaim: {name: x, requests: [{request: r, deviceClassName: nic, count: 2, allocationMode: ExactCount, capacity: {bw: 3}, "
        "selectors: ['true']}, {request: q, allocationMode: All}]}",
        'a ResourceClaim "x" with the requests\n  | request | deviceClassName | count | allocationMode | capacity bw | selector |\n'
        "  | r | nic | 2 | ExactCount | 3 | true |\n  | q | | | All | | |",
    ),
    "distinct": (
        "constraint: {resourceClaim: c, distinctAttribute: dom/a}",
        'ResourceClaim "c" has the constraint distinctAttribute "dom/a"',
    ),
    "matching": (
        "constraint: {resourceClaim: c, matchAttribute: dom/a, requests: [r0, r1]}",
        'ResourceClaim "c" has the constraint matchAttribute "dom/a" for the requests "r0, r1"',
    ),
    "held": (
        "allocated: {resourceClaim: o, results: [{device: d, driver: x.example, pool: p, request: q, consumedCapacity: {bw: 4}, shareID: s}, "
        "{device: e}]}",
        'ResourceClaim "o" is already allocated\n  | device | driver | pool | request | consumedCapacity bw | shareID |\n'
        "  | d      | x.example | p    | q       | 4           | s     |\n  | e | | | | | |",
    ),
    "allocated with adminAccess and groups": (
        "allocated: {resourceClaim: o, results: [{device: d, adminAccess: true, compatibilityGroups: {g0: [mig, vgpu]}}]}",
        'ResourceClaim "o" is already allocated\n  | device | adminAccess | compatibilityGroups g0 |\n  | d      | yes         | mig, vgpu              |',
    ),
    "gate off": (
        "featureGates: {DRAConsumableCapacity: false}",
        'the feature gate "DRAConsumableCapacity" is off',
    ),
    "not admitted": (
        "rejectedObjects: an old policy stays",
        "objects that the API server rejects, because an old policy stays",
    ),
    "gate on": (
        "featureGates: {DRAConsumableCapacity: true}",
        'the feature gate "DRAConsumableCapacity" is on',
    ),
}

WHEN = {
    "one claim": ("allocate: {resourceClaims: [c]}", 'allocation of ResourceClaim "c" is attempted'),
    "a node": (
        "allocate: {resourceClaims: [c], node: node-1}",
        'allocation of ResourceClaim "c" on node "node-1" is attempted',
    ),
    "together": (
        "allocate: {resourceClaims: [c, b]}",
        'allocation of the ResourceClaims "c, b" together is attempted',
    ),
    "together on a node": (
        "allocate: {resourceClaims: [c, b], node: node-1}",
        'allocation of the ResourceClaims "c, b" together on node "node-1" is attempted',
    ),
}

RESULTS = (
    "\n  | request | device | pool | driver | consumedCapacity bw | shareID | adminAccess | compatibilityGroups g0 | bindingConditions | bindingFailureConditions |"
    "\n  | r0 | d | p | x | 5 | yes | no | a, b | A, B | F |"
)
RESULT = (
    "{request: r0, device: d, pool: p, driver: x, consumedCapacity: {bw: 5}, shareID: true, adminAccess: false, "
    "compatibilityGroups: {g0: [a, b]}, bindingConditions: [A, B], bindingFailureConditions: [F]}"
)

THEN = {
    "allocated": ("allocated: c", 'ResourceClaim "c" is allocated'),
    "gets": (
        f"allocatedExactly: {{resourceClaim: c, results: [{RESULT}]}}",
        f'ResourceClaim "c" is allocated exactly{RESULTS}',
    ),
    "gets one of": (
        "allocatedOneOf: {resourceClaim: c, choices: [[{device: a}, {device: b}], [{device: d, shareID: false}]]}",
        'ResourceClaim "c" is allocated one of\n  | choice | device | shareID |\n  | 1      | a      |         |\n  | 1      | b      |         |\n  | 2      | d      | no      |',
    ),
    "has a result": (
        f"allocatedAtLeast: {{resourceClaim: c, results: [{RESULT}]}}",
        f'ResourceClaim "c" is allocated at least{RESULTS}',
    ),
    "has results": (
        "allocatedAtLeast: {resourceClaim: c, results: [{device: a}, {device: b}]}",
        'ResourceClaim "c" is allocated at least\n  | device |\n  | a |\n  | b |',
    ),
    "consumes": ("consumes: {resourceClaim: c, capacity: {bw: 5}}", 'ResourceClaim "c" consumes 5 of "bw"'),
    "consumes two": (
        "consumes: {resourceClaim: c, capacity: {bw: 5, mem: 1Gi}}",
        'ResourceClaim "c" consumes 5 of "bw" and 1Gi of "mem"',
    ),
    "a device": ("allocatedDevices: {resourceClaim: c, count: 1}", 'ResourceClaim "c" is allocated 1 device'),
    "devices": (
        "allocatedDevices: {resourceClaim: c, count: 12}",
        'ResourceClaim "c" is allocated 12 devices',
    ),
    "usable on": (
        "availableOn: {resourceClaim: c, nodes: [left, right]}",
        'ResourceClaim "c" is available only on nodes "left, right"',
    ),
    "configured": (
        "config: {resourceClaim: c, entries: [{source: FromClass, requests: [r0], parameters: {profile: fast}}, "
        "{source: FromClaim, parameters: {profile: slow}}]}",
        'ResourceClaim "c" has the configuration\n  | source | requests | profile |\n  | FromClass | r0 | fast |\n'
        "  | FromClaim | | slow |",
    ),
    "no allocation is possible": ("unallocatable: true", "no allocation is possible"),
    "nothing fits because": (
        "unallocatable: {category: CapacityPolicyViolation}",
        "no allocation is possible because of CapacityPolicyViolation",
    ),
    "an error": ("allocationError: true", "allocation fails with an error"),
    "an error because": (
        "allocationError: {category: SelectorRuntimeError}",
        "allocation fails with an error because of SelectorRuntimeError",
    ),
    "not allocated": ("nothingAllocated: true", "nothing is allocated"),
    "not allocated because": (
        "nothingAllocated: {category: FieldInvalid}",
        "nothing is allocated because of FieldInvalid",
    ),
    "may also fail": ("mayAlsoFail: true", "allocation may also fail"),
}

SHARED = (
    (DEVICES, f"the devices{TABLE}"),
    ("deviceClass: {name: set}", 'a DeviceClass "set"'),
    (CLAIM, 'a ResourceClaim "c" requesting no capacity'),
)
OTHER = ("resourceClaim: {name: b}", 'a ResourceClaim "b" requesting no capacity')


def both(given: list[tuple[str, str]], when: tuple[str, str], then: tuple[str, str]) -> tuple[Case, Case]:
    """The case from the golden file and the case from the feature file."""
    steps = "".join(f"      - {key}\n" for key, _ in given)
    text = (
        "document: KEP-5075\narea: a\ntitle: t\ncases:\n  - case: one\n    title: One\n    requirements: [r]\n"
        f"    given:\n{steps}    when: {{{when[0]}}}\n    then:\n      - {then[0]}\n"
    )
    words = "".join(indent(f"Given {phrase}\n", "    ") for _, phrase in given)
    scenario = f"Feature: T\n  @case:one\n  Scenario: One\n{words}" + indent(
        f"When {when[1]}\nThen {then[1]}\n", "    "
    )
    (from_golden,), (from_gherkin,) = golden(text), feature(scenario)
    return from_golden, from_gherkin


def meaning(case: Case) -> tuple[object, ...]:
    """The question and the expectations of a case, without their texts."""
    expected = case.case_steps[0].expectation
    return (
        case.objects,
        case.ask,
        case.gates,
        case.not_admitted,
        case.features,
        expected.outcomes,
        expected.checks,
        expected.category,
    )


@pytest.mark.parametrize("name", GIVEN)
def test_given_steps_are_equal_in_both_formats(name: str) -> None:
    plain, _ = both(list(SHARED), WHEN["one claim"], THEN["allocated"])
    from_golden, from_gherkin = both([*SHARED, GIVEN[name]], WHEN["one claim"], THEN["allocated"])
    assert meaning(from_golden) == meaning(from_gherkin)
    assert meaning(from_golden) != meaning(plain)


@pytest.mark.parametrize("name", WHEN)
def test_when_steps_are_equal_in_both_formats(name: str) -> None:
    from_golden, from_gherkin = both([*SHARED, OTHER], WHEN[name], THEN["allocated"])
    assert meaning(from_golden) == meaning(from_gherkin)


@pytest.mark.parametrize("name", THEN)
def test_then_steps_are_equal_in_both_formats(name: str) -> None:
    from_golden, from_gherkin = both(list(SHARED), WHEN["one claim"], THEN[name])
    assert meaning(from_golden) == meaning(from_gherkin)


def test_each_step_is_tested_in_both_formats() -> None:
    tried = {
        (keyword, text.partition(":")[0])
        for keyword, table in (("given", GIVEN), ("when", WHEN), ("then", THEN))
        for text, _ in table.values()
    }
    assert tried == {(step.keyword, step.key) for step in STEPS}


def test_each_phrase_is_tested_and_belongs_to_one_step() -> None:
    for keyword, table in (("given", GIVEN), ("when", WHEN), ("then", THEN)):
        require_each_phrase(STEPS, keyword, (text for _, text in table.values()))
