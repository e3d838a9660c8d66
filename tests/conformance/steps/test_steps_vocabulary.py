"""One vocabulary: what a step means does not depend on the format it is written in."""

from __future__ import annotations

from textwrap import indent

import pytest

from dra_conform.conformance.allocate.operation import ALLOCATE
from dra_conform.conformance.case import Case
from dra_conform.conformance.steps.claim_steps import CLAIMS
from dra_conform.conformance.steps.device_steps import DEVICES as DEVICE_STEPS
from dra_conform.conformance.steps.world_steps import WORLD
from tests.support.conformance.suite.writing import feature, golden

STEPS = (*WORLD, *DEVICE_STEPS, *CLAIMS, *ALLOCATE.steps)
DEVICES = "devices: [{device: d, shared: true, capacity: {bw: 10}, attributes: {a: {int: 1}}}]"
CLAIM = "claim: {name: c}"
TABLE = (
    "\n  | device | shared | capacity bw | attribute a |\n  | d      | yes    | 10          | int 1       |"
)

GIVEN = {
    "a node": ("node: {name: left}", 'a node "left"'),
    "labels": (
        "node: {name: left, labels: {zone: a, rack: '1'}}",
        'a node "left" with the labels\n  | label | value |\n  | zone  | a     |\n  | rack  | 1     |',
    ),
    "what a node has": (
        "node: {name: left, allocatable: {cpu: '16', memory: 64Gi}}",
        'a node "left" with 16 of "cpu" and 64Gi of "memory"',
    ),
    "a class": ("class: {name: nic}", 'a device class "nic"'),
    "a class with a selector": (
        "class: {name: nic, selectors: ['device.driver == \"x\"']}",
        'a device class "nic" that selects\n  """\n  device.driver == "x"\n  """',
    ),
    "how a class counts": (
        "counting: {class: set, policies: {cpu: Max}}",
        'device class "set" counts "cpu" as Max',
    ),
    "a class that manages resources": (
        "counting: {class: set, manages: true}",
        'device class "set" manages resources of nodes',
    ),
    "a class for an extended resource": (
        "class: {name: k, resource: example.com/gpu, created: '2026-01-01T10:00:00Z'}",
        'a device class "k" for "example.com/gpu" created at "2026-01-01T10:00:00Z"',
    ),
    "devices in their places": (
        "devices: [{device: x, driver: a.example, pool: p, slice: s, node: '*', shared: false}, {device: z}]",
        "the devices\n  | device | driver    | pool | slice | node | shared |\n"
        "  | x      | a.example | p    | s     | *    | no     |\n  | z      |           |      |       |      |        |",
    ),
    "policies": (
        "devices: [{device: x, capacity: {bw: 9, mem: 8, raw: 1}, policy: {bw: {default: 1, min: 1, max: 9, step: 4}, "
        "mem: {default: 2, values: [1, 2, 4]}, raw: {}}}]",
        "the devices\n  | device | capacity bw | policy bw | capacity mem | policy mem | capacity raw | policy raw |\n"
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
        "devices: [{device: x, capacity: {cores: '8'}, takes: {cpu: {capacity: cores, times: '2'}, "
        "memory: {times: 1Gi}, hugepages-1Gi: {capacity: cores}, ephemeral-storage: {}}, "
        "overhead: {cpu: {pod: '1', container: 100m}, memory: {pod: '2'}}}]",
        "the devices\n  | device | capacity cores | takes cpu | takes memory | takes hugepages-1Gi "
        "| takes ephemeral-storage | overhead cpu | overhead memory |\n"
        "  | x | 8 | 2 x cores | 1Gi | cores | empty | 1 per pod, 100m per container | 2 per pod |",
    ),
    "counters and groups of devices": (
        "devices: [{device: x, counters: {g0: {memory: 6Gi, cores: 2}, g1: {memory: 1}}, groups: {g0: [mig, vgpu]}}]",
        "the devices\n  | device | counters g0 | counters g1 | groups g0 |\n"
        "  | x | memory 6Gi, cores 2 | memory 1 | mig, vgpu |",
    ),
    "taints and binding conditions": (
        "devices: [{device: x, taints: [{key: k, value: v, effect: NoSchedule}, {key: q, effect: NoExecute}], "
        "binding: [A, B], failure: [F], binds: true}]",
        "the devices\n  | device | taints | binding | failure | binds |\n"
        "  | x | k=v:NoSchedule, q:NoExecute | A, B | F | yes |",
    ),
    "places of devices": (
        "devices: [{device: x, on: left, slice: s}, {device: w, on: 'zone=a, disk=ssd', slice: s}, "
        "{device: z, node: zone=b, generation: 2}]",
        "the devices\n  | device | on | slice | node | generation |\n  | x | left | s | | |\n"
        "  | w | zone=a, disk=ssd | s | | |\n  | z | | | zone=b | 2 |",
    ),
    "counter sets": (
        "counters: [{set: g0, counters: {memory: 8Gi, cores: 4}}, {set: g1, pool: p, driver: x.example, slice: s, "
        "node: '*', generation: 3, counters: {memory: 1}}]",
        "the counter sets\n  | set | counter memory | counter cores | pool | driver | slice | node | generation |\n"
        "  | g0 | 8Gi | 4 | | | | | |\n  | g1 | 1 | | p | x.example | s | * | 3 |",
    ),
    "slices of a pool": (
        "pool: {pool: pool-1, driver: dra.example.com, slices: 3}",
        'pool "pool-1" of driver "dra.example.com" says it has 3 slices',
    ),
    "a taint rule": (
        "taint-rule: {name: r, driver: x, pool: p, device: d, class: nic, selectors: ['true'], "
        "taint: {key: k, value: v, effect: NoSchedule}}",
        'the device taint rule "r"\n  | driver | pool | device | class | selector | taint |\n'
        "  | x | p | d | nic | true | k=v:NoSchedule |",
    ),
    "configuration of a class": (
        "config: {class: set, parameters: {profile: fast}}",
        'device class "set" is configured with "fast"',
    ),
    "configuration of a claim": (
        "config: {claim: c, parameters: {profile: fast}, requests: [r0, r1]}",
        'claim "c" is configured with "fast" for the requests "r0, r1"',
    ),
    "objects": (
        "objects: [{apiVersion: v1, kind: Node, metadata: {name: left}}]",
        'the objects\n  """\n  apiVersion: v1\n  kind: Node\n  metadata:\n    name: left\n  """',
    ),
    "a fixture": ("fixture: two-nodes", 'the fixture "two-nodes"'),
    "a claim without capacity": ("claim: {name: x}", 'a claim "x" requesting no capacity'),
    "a claim with an empty capacity": (
        "claim: {name: x, capacity: {}}",
        'a claim "x" requesting an empty capacity',
    ),
    "a claim of one amount": ("claim: {name: x, capacity: {bw: 3}}", 'a claim "x" requesting 3 of "bw"'),
    "a claim of two amounts": (
        "claim: {name: team/x, capacity: {bw: 500m, mem: 1Gi}}",
        'a claim "team/x" requesting 500m of "bw" and 1Gi of "mem"',
    ),
    "a claim of devices": (
        "claim: {name: x, class: nic, count: 2}",
        'a claim "x" requesting 2 devices of class "nic"',
    ),
    "a claim of all devices": ("claim: {name: x, mode: All}", 'a claim "x" requesting all devices'),
    "a claim with admin access": (
        "claim: {name: x, requests: [{request: r, admin: true}, {request: q, admin: false}]}",
        'a claim "x" with the requests\n  | request | admin |\n  | r | yes |\n  | q | no |',
    ),
    "a claim with tolerations": (
        "claim: {name: x, requests: [{request: r, tolerations: [{key: k, operator: Equal, value: v, effect: NoSchedule}, "
        "{key: q, operator: Exists}, {operator: Exists, effect: NoExecute, tolerationSeconds: 60}, {}]}]}",
        'a claim "x" with the request\n  | request | tolerations |\n  | r | k=v:NoSchedule, q, *:NoExecute for 60s, empty |',
    ),
    "a claim with alternatives": (
        "claim: {name: x, requests: [{request: r, subrequests: [{subrequest: big, count: 2}, "
        "{subrequest: small, mode: All, tolerations: [{key: k, operator: Exists}]}]}, {request: q}]}",
        'a claim "x" with the requests\n  | request | subrequest | count | mode | tolerations |\n'
        "  | r | big | 2 | | |\n  | r | small | | All | k |\n  | q | | | | |",
    ),
    "a claim of requests": (
        "claim: {name: x, requests: [{request: r, class: nic, count: 2, mode: ExactCount, capacity: {bw: 3}, "
        "selectors: ['true']}, {request: q, mode: All}]}",
        'a claim "x" with the requests\n  | request | class | count | mode | capacity bw | selector |\n'
        "  | r | nic | 2 | ExactCount | 3 | true |\n  | q | | | All | | |",
    ),
    "distinct": ("constraint: {claim: c, distinct: dom/a}", 'claim "c" needs distinct "dom/a"'),
    "matching": (
        "constraint: {claim: c, match: dom/a, requests: [r0, r1]}",
        'claim "c" needs matching "dom/a" among the requests "r0, r1"',
    ),
    "held": (
        "held: {claim: o, devices: [{device: d, driver: x.example, pool: p, request: q, consumed: {bw: 4}, share: s}, "
        "{device: e}]}",
        'claim "o" already holds\n  | device | driver    | pool | request | consumed bw | share |\n'
        "  | d      | x.example | p    | q       | 4           | s     |\n  | e | | | | | |",
    ),
    "held with admin access and groups": (
        "held: {claim: o, devices: [{device: d, admin: true, groups: {g0: [mig, vgpu]}}]}",
        'claim "o" already holds\n  | device | admin | groups g0 |\n  | d | yes | mig, vgpu |',
    ),
    "gate off": ("gate: {DRAConsumableCapacity: false}", 'the feature gate "DRAConsumableCapacity" is off'),
    "not admitted": (
        "not-admitted: an old policy stays",
        "objects that the API server does not admit, because an old policy stays",
    ),
    "gate on": ("gate: {DRAConsumableCapacity: true}", 'the feature gate "DRAConsumableCapacity" is on'),
}

WHEN = {
    "one claim": ("allocate: {claims: [c]}", 'allocation of claim "c" is attempted'),
    "a node": (
        "allocate: {claims: [c], node: node-1}",
        'allocation of claim "c" on node "node-1" is attempted',
    ),
    "together": ("allocate: {claims: [c, b]}", 'allocation of the claims "c, b" together is attempted'),
    "together on a node": (
        "allocate: {claims: [c, b], node: node-1}",
        'allocation of the claims "c, b" together on node "node-1" is attempted',
    ),
}

RESULTS = (
    "\n  | request | device | pool | driver | consumed bw | share | admin | groups g0 | binding | failure |"
    "\n  | r0 | d | p | x | 5 | yes | no | a, b | A, B | F |"
)
RESULT = (
    "{request: r0, device: d, pool: p, driver: x, consumed: {bw: 5}, share: true, admin: false, "
    "groups: {g0: [a, b]}, binding: [A, B], failure: [F]}"
)

THEN = {
    "allocated": ("allocated: c", 'claim "c" is allocated'),
    "gets": (f"gets: {{claim: c, results: [{RESULT}]}}", f'claim "c" gets exactly{RESULTS}'),
    "gets one of": (
        "gets-one-of: {claim: c, choices: [[{device: a}, {device: b}], [{device: d, share: false}]]}",
        'claim "c" gets one of\n  | choice | device | share |\n  | 1 | a | |\n  | 1 | b | |\n  | 2 | d | no |',
    ),
    "has a result": (f"has: {{claim: c, results: [{RESULT}]}}", f'claim "c" has the result{RESULTS}'),
    "has results": (
        "has: {claim: c, results: [{device: a}, {device: b}]}",
        'claim "c" has the results\n  | device |\n  | a |\n  | b |',
    ),
    "consumes": ("consumes: {claim: c, capacity: {bw: 5}}", 'claim "c" consumes 5 of "bw"'),
    "consumes two": (
        "consumes: {claim: c, capacity: {bw: 5, mem: 1Gi}}",
        'claim "c" consumes 5 of "bw" and 1Gi of "mem"',
    ),
    "a device": ("devices: {claim: c, count: 1}", 'claim "c" gets 1 device'),
    "devices": ("devices: {claim: c, count: 12}", 'claim "c" gets 12 devices'),
    "usable on": (
        "usable-on: {claim: c, nodes: [left, right]}",
        'claim "c" can be used on nodes "left, right" only',
    ),
    "configured": (
        "configured: {claim: c, entries: [{source: FromClass, requests: [r0], parameters: {profile: fast}}, "
        "{source: FromClaim, parameters: {profile: slow}}]}",
        'claim "c" has the configuration\n  | source | requests | profile |\n  | FromClass | r0 | fast |\n'
        "  | FromClaim | | slow |",
    ),
    "nothing fits": ("nothing-fits: true", "nothing fits"),
    "nothing fits because": (
        "nothing-fits: {category: CapacityPolicyViolation}",
        "nothing fits because of CapacityPolicyViolation",
    ),
    "an error": ("error: true", "the allocation ends in an error"),
    "an error because": (
        "error: {category: SelectorRuntimeError}",
        "the allocation ends in an error because of SelectorRuntimeError",
    ),
    "not allocated": ("not-allocated: true", "nothing is allocated"),
    "not allocated because": (
        "not-allocated: {category: FieldInvalid}",
        "nothing is allocated because of FieldInvalid",
    ),
    "may be refused": ("may-be-refused: true", "it may also be refused"),
}

SHARED = (
    (DEVICES, f"the devices{TABLE}"),
    ("class: {name: set}", 'a device class "set"'),
    (CLAIM, 'a claim "c" requesting no capacity'),
)
OTHER = ("claim: {name: b}", 'a claim "b" requesting no capacity')


def both(given: list[tuple[str, str]], when: tuple[str, str], then: tuple[str, str]) -> tuple[Case, Case]:
    """The case from golden and the one from Gherkin."""
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
    """What a case asks and expects, without its words."""
    expected = case.acts[0].expectation
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
def test_given_means_the_same(name: str) -> None:
    plain, _ = both(list(SHARED), WHEN["one claim"], THEN["allocated"])
    from_golden, from_gherkin = both([*SHARED, GIVEN[name]], WHEN["one claim"], THEN["allocated"])
    assert meaning(from_golden) == meaning(from_gherkin)
    assert meaning(from_golden) != meaning(plain)


@pytest.mark.parametrize("name", WHEN)
def test_when_means_the_same(name: str) -> None:
    from_golden, from_gherkin = both([*SHARED, OTHER], WHEN[name], THEN["allocated"])
    assert meaning(from_golden) == meaning(from_gherkin)


@pytest.mark.parametrize("name", THEN)
def test_then_means_the_same(name: str) -> None:
    from_golden, from_gherkin = both(list(SHARED), WHEN["one claim"], THEN[name])
    assert meaning(from_golden) == meaning(from_gherkin)


def test_every_step_is_tried_in_both_formats() -> None:
    tried = {
        (keyword, text.partition(":")[0])
        for keyword, table in (("given", GIVEN), ("when", WHEN), ("then", THEN))
        for text, _ in table.values()
    }
    assert tried == {(step.keyword, step.key) for step in STEPS}


def test_every_phrase_is_tried_and_belongs_to_one_step() -> None:
    for keyword, table in (("given", GIVEN), ("when", WHEN), ("then", THEN)):
        said = [text.partition("\n")[0] for _, text in table.values()]
        phrases = [phrase for step in STEPS if step.keyword == keyword for phrase in step.phrases]
        for phrase in phrases:
            assert any(phrase.pattern.fullmatch(text) for text in said), phrase.words
        for text in said:
            assert sum(bool(phrase.pattern.fullmatch(text)) for phrase in phrases) == 1, text
