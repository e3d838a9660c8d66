"""One vocabulary for stories: what a step means does not depend on the format it is written in."""

from __future__ import annotations

from dataclasses import replace
from textwrap import indent

import pytest

from dra_conform.conformance.case import Case
from dra_conform.conformance.cluster.operation import CLUSTER
from dra_conform.conformance.steps.component_steps import RUNNING
from dra_conform.conformance.steps.pod_steps import PODS
from dra_conform.conformance.steps.recorded_claims import RECORDED
from tests.support.conformance.suite.writing import feature, golden

STEPS = (*PODS, *RECORDED, *RUNNING, *CLUSTER.steps)
ROWS = "\n  | field | value |\n  | {} | {} |"
OBJECT = "{apiVersion: v1, kind: Node, metadata: {name: n}}"
YAML = f'\n  """\n  {OBJECT}\n  """'
REQUESTS = "\n  | request | count |\n  | a       | 2     |"

GIVEN = {
    "a pod": ("pod: {name: q}", 'a pod "q" without claims'),
    "a pod with claims": ("pod: {name: q, claims: [c, d]}", 'a pod "q" that uses claims "c, d"'),
    "a pod on a node": (
        "pod: {name: q, node: left, claims: [c]}",
        'a pod "q" on node "left" that uses claim "c"',
    ),
    "a pod with a template": (
        "pod: {name: q, templates: {gpu: t}}",
        'a pod "q" that uses the template "t" as "gpu"',
    ),
    "a pod with a template of its name": (
        "pod: {name: q, templates: {t: t}}",
        'a pod "q" that uses the template "t"',
    ),
    "a pod with containers": (
        "pod: {name: q, containers: [{name: a, kind: sidecar, requests: {cpu: '1'}, limits: {cpu: '2'}, "
        "claims: [c, d/r]}]}",
        'a pod "q" with the container'
        "\n  | container | kind | request cpu | limit cpu | claims |\n  | a | sidecar | 1 | 2 | c, d/r |",
    ),
    "a pod with claims and containers": (
        "pod: {name: q, claims: [c], containers: [{name: a}]}",
        'a pod "q" that uses claim "c" with the container\n  | container |\n  | a |',
    ),
    "a pod with a template and containers": (
        "pod: {name: q, templates: {gpu: t}, containers: [{name: a, claims: [gpu]}]}",
        'a pod "q" that uses the template "t" as "gpu" with the container'
        "\n  | container | claims |\n  | a | gpu |",
    ),
    "what a pod records": (
        "recorded: {pod: p, claims: [{claim: c, containers: [a, b], takes: {cpu: '4'}, "
        "overhead: {cpu: {container: 100m}}}]}",
        'the status of pod "p" records'
        "\n  | claim | containers | takes cpu | overhead cpu |\n  | c | a, b | 4 | 100m per container |",
    ),
    "what a pod requests": (
        "pod-amounts: {pod: p, requests: {cpu: '1'}}",
        'pod "p" requests 1 of "cpu" as a whole',
    ),
    "what a pod is limited to": (
        "pod-amounts: {pod: p, limits: {cpu: '1'}}",
        'pod "p" is limited to 1 of "cpu" as a whole',
    ),
    "what a pod takes besides": (
        "pod-amounts: {pod: p, overhead: {cpu: 250m}}",
        'pod "p" has an overhead of 250m of "cpu"',
    ),
    "a pod with extended resources": (
        "pod: {name: q, resources: {example.com/gpu: 2, example.com/nic: 1}}",
        'a pod "q" that requests 2 of "example.com/gpu" and 1 of "example.com/nic"',
    ),
    "a pod with claims and extended resources": (
        "pod: {name: q, claims: [c], resources: {example.com/gpu: 2}}",
        'a pod "q" that uses claim "c" and requests 2 of "example.com/gpu"',
    ),
    "a pod with a template and extended resources": (
        "pod: {name: q, templates: {t: t}, resources: {example.com/gpu: 2}}",
        'a pod "q" that uses the template "t" and requests 2 of "example.com/gpu"',
    ),
    "a template": (
        "template: {name: t, capacity: {bw: 3}}",
        'a template "t" requesting 3 of "bw"',
    ),
    "a template of no capacity": ("template: {name: t}", 'a template "t" requesting no capacity'),
    "a template of an empty capacity": (
        "template: {name: t, capacity: {}}",
        'a template "t" requesting an empty capacity',
    ),
    "a template of devices": ("template: {name: t, count: 2}", 'a template "t" requesting 2 devices'),
    "a template of requests": (
        "template: {name: t, requests: [{request: a, count: 2}]}",
        f'a template "t" with the requests{REQUESTS}',
    ),
    "a gate of a component": (
        "component: {components: [scheduler], gates: {DRAConsumableCapacity: false}}",
        'the feature gate "DRAConsumableCapacity" is off in the scheduler',
    ),
    "a release of components": (
        "component: {components: [apiserver, kubelet], release: '1.36'}",
        "the API server and the kubelet run Kubernetes 1.36",
    ),
}

WHEN = {
    "create": ("create: {kind: Pod, name: p}", 'the Pod "p" is created'),
    "create an object": (f"create: {{object: {OBJECT}}}", f"this object is created{YAML}"),
    "update": (
        "update: {kind: Pod, name: p, fields: {spec.x: 1}}",
        'the Pod "p" is updated with' + ROWS.format("spec.x", "1"),
    ),
    "update to": (f"update: {{object: {OBJECT}}}", f"it is updated to this object{YAML}"),
    "update the status": (
        "update: {kind: Pod, name: p, fields: {status.x: 1}, status: true}",
        'the status of the Pod "p" is updated with' + ROWS.format("status.x", "1"),
    ),
    "update the status to": (
        f"update: {{object: {OBJECT}, status: true}}",
        f"its status is updated to that of this object{YAML}",
    ),
    "update as somebody": (
        "update: {kind: Pod, name: p, fields: {spec.x: 1}, user: {name: jane, groups: [a, b]}}",
        'as user "jane" in groups "a, b", the Pod "p" is updated with' + ROWS.format("spec.x", "1"),
    ),
    "patch": (
        "patch: {kind: Pod, name: p, patch: {spec: {x: 1}}}",
        'the Pod "p" is patched with\n  """\n  spec: {x: 1}\n  """',
    ),
    "patch the status": (
        "patch: {kind: Pod, name: p, patch: {status: null}, status: true, user: {name: jane}}",
        'as user "jane", the status of the Pod "p" is patched with\n  """\n  status: null\n  """',
    ),
    "apply": (f"apply: {{manager: a, object: {OBJECT}}}", f'manager "a" applies this object{YAML}'),
    "apply by force": (
        f"apply: {{manager: a, object: {OBJECT}, force: true}}",
        f'manager "a" applies this object by force{YAML}',
    ),
    "apply the status": (
        f"apply: {{manager: a, object: {OBJECT}, status: true, user: {{name: jane, groups: [g]}}}}",
        f'as user "jane" in group "g", manager "a" applies the status of this object{YAML}',
    ),
    "create a claim": (
        "create-claim: {name: d, capacity: {bw: 3}}",
        'a claim "d" requesting 3 of "bw" is created',
    ),
    "create a claim of no capacity": (
        "create-claim: {name: d}",
        'a claim "d" requesting no capacity is created',
    ),
    "create a claim of an empty capacity": (
        "create-claim: {name: d, capacity: {}}",
        'a claim "d" requesting an empty capacity is created',
    ),
    "create a claim of devices": (
        "create-claim: {name: d, class: nic, count: 2}",
        'a claim "d" requesting 2 devices of class "nic" is created',
    ),
    "create a claim of requests": (
        "create-claim: {name: d, requests: [{request: a, count: 2}]}",
        f'a claim "d" with the requests is created{REQUESTS}',
    ),
    "create a template": (
        "create-template: {name: t, capacity: {bw: 3}}",
        'a template "t" requesting 3 of "bw" is created',
    ),
    "create a template of no capacity": (
        "create-template: {name: t}",
        'a template "t" requesting no capacity is created',
    ),
    "create a template of an empty capacity": (
        "create-template: {name: t, capacity: {}}",
        'a template "t" requesting an empty capacity is created',
    ),
    "create a template of devices": (
        "create-template: {name: t, mode: All}",
        'a template "t" requesting all devices is created',
    ),
    "create a template of requests": (
        "create-template: {name: t, requests: [{request: a, count: 2}]}",
        f'a template "t" with the requests is created{REQUESTS}',
    ),
    "resize": (
        "resize: {pod: p, fields: {spec.x: 1}}",
        'pod "p" is resized to' + ROWS.format("spec.x", "1"),
    ),
    "create a pod with containers": (
        "create-pod: {name: q, containers: [{name: a, requests: {cpu: '1'}}]}",
        'a pod "q" with the container is created\n  | container | request cpu |\n  | a | 1 |',
    ),
    "create a pod with claims and containers": (
        "create-pod: {name: q, claims: [c], containers: [{name: a}]}",
        'a pod "q" that uses claim "c" with the container is created\n  | container |\n  | a |',
    ),
    "create a pod with a template and containers": (
        "create-pod: {name: q, templates: {gpu: t}, containers: [{name: a, claims: [gpu]}]}",
        'a pod "q" that uses the template "t" as "gpu" with the container is created'
        "\n  | container | claims |\n  | a | gpu |",
    ),
    "create a pod": ("create-pod: {name: q}", 'a pod "q" without claims is created'),
    "create a pod with claims": (
        "create-pod: {name: q, claims: [c]}",
        'a pod "q" that uses claim "c" is created',
    ),
    "create a pod with a template": (
        "create-pod: {name: q, templates: {gpu: t}}",
        'a pod "q" that uses the template "t" as "gpu" is created',
    ),
    "create a class": (
        "create-class: {name: k, resource: example.com/gpu, selectors: ['true']}",
        'a device class "k" for "example.com/gpu" is created that selects\n  """\n  true\n  """',
    ),
    "create a pod with extended resources": (
        "create-pod: {name: q, resources: {example.com/gpu: 2}}",
        'a pod "q" that requests 2 of "example.com/gpu" is created',
    ),
    "create a pod with claims and extended resources": (
        "create-pod: {name: q, claims: [c], resources: {example.com/gpu: 2}}",
        'a pod "q" that uses claim "c" and requests 2 of "example.com/gpu" is created',
    ),
    "create a pod with a template and extended resources": (
        "create-pod: {name: q, templates: {t: t}, resources: {example.com/gpu: 2}}",
        'a pod "q" that uses the template "t" and requests 2 of "example.com/gpu" is created',
    ),
    "publish": (
        "publish: [{device: e, shared: true}]",
        "the driver publishes the device\n  | device | shared |\n  | e      | yes    |",
    ),
    "change a device": (
        "change-device: {device: d, fields: {allowMultipleAllocations: null}}",
        'the driver changes the device "d"' + ROWS.format("allowMultipleAllocations", ""),
    ),
    "delete": ("delete: {kind: Pod, name: p}", 'the Pod "p" is deleted'),
    "delete a pod": ("delete: {kind: Pod, name: p}", 'pod "p" is deleted'),
    "delete a claim": (
        "delete: {kind: ResourceClaim, name: gpu of pod p}",
        'claim "gpu of pod p" is deleted',
    ),
    "finish": ("finish: {pod: p}", 'pod "p" finishes'),
    "fail as a pod": ("finish: {pod: p, phase: Failed}", 'pod "p" fails'),
    "read": (
        "get: {kind: ResourceClaim, name: c, version: v1beta1}",
        'the ResourceClaim "c" is read in version "v1beta1"',
    ),
    "gates": (
        "set-gates: {gates: {DRAConsumableCapacity: true}}",
        'the feature gate "DRAConsumableCapacity" is turned on',
    ),
    "gates of components": (
        "set-gates: {components: [apiserver, scheduler], gates: {DRAConsumableCapacity: false}}",
        'the feature gate "DRAConsumableCapacity" is turned off in the API server and the scheduler',
    ),
    "a release": (
        "set-version: {components: [scheduler], release: '1.36'}",
        "the scheduler now runs Kubernetes 1.36",
    ),
    "the first release": (
        "set-version: {components: [scheduler]}",
        "the scheduler now runs the release under test",
    ),
    "restart": ("restart: {components: [scheduler]}", "the scheduler restarts"),
    "time": ("advance: 60", "60 seconds pass"),
    "failing writes": (
        "fail: {times: 2, kind: ResourceClaim, subresource: status}",
        "the next 2 updates of the status of a ResourceClaim by components fail as Conflict",
    ),
    "failing creations": (
        "fail: {times: 1, verb: create, kind: ResourceClaim, reason: Forbidden}",
        "the next 1 creation of a ResourceClaim by components fails as Forbidden",
    ),
    "settle": ("settle: true", "the cluster settles"),
}

WRITTEN = {
    "stored": ("stored: {spec.x: 1}", "it is stored with" + ROWS.format("spec.x", "1")),
    "set to": ("stored: {spec.x: [1, a]}", 'the field "spec.x" is set to [1, a]'),
    "set": ("set: spec.x", 'the field "spec.x" is set'),
    "warned": ("warned: unknown field", 'it is stored with the warning "unknown field"'),
    "warned somehow": ("warned: true", "it is stored with a warning"),
    "not warned": ("warned: false", "it is stored without warnings"),
    "not served": ("not-served: true", "its version is not served"),
    "unchanged": ("unchanged: true", "it is stored as it was written"),
    "dropped": ("dropped: spec.x", 'the field "spec.x" is dropped'),
    "kept": ("kept: metadata.name", 'the field "metadata.name" is kept'),
    "rejected": (
        "rejected: {type: Invalid, path: spec.x}",
        'it is rejected with Invalid at "spec.x"',
    ),
    "forbidden": ("rejected: {reason: Forbidden}", "it is rejected as Forbidden"),
}

THEN = {
    "what a quota counts": (
        "quota-counts: {quota: q, used: {pods: '2', requests.cpu: '3'}}",
        'quota "q" counts 2 of "pods" and 3 of "requests.cpu"',
    ),
    "allocated": ("allocated: gpu of pod p", 'claim "gpu of pod p" is allocated'),
    "gets": (
        "gets: {claim: c, results: [{device: d}]}",
        'claim "c" gets exactly\n  | device |\n  | d      |',
    ),
    "gets-one-of": (
        "gets-one-of: {claim: c, choices: [[{device: d}], [{device: e}]]}",
        'claim "c" gets one of\n  | choice | device |\n  | 1      | d      |\n  | 2      | e      |',
    ),
    "has": (
        "has: {claim: c, results: [{device: d}]}",
        'claim "c" has the result\n  | device |\n  | d      |',
    ),
    "consumes": ("consumes: {claim: c, capacity: {bw: 5}}", 'claim "c" consumes 5 of "bw"'),
    "devices": ("devices: {claim: c, count: 2}", 'claim "c" gets 2 devices'),
    "usable-on": ("usable-on: {claim: c, nodes: [left]}", 'claim "c" can be used on node "left" only'),
    "configured": (
        "configured: {claim: c, entries: [{source: FromClass, parameters: {profile: fast}}]}",
        'claim "c" has the configuration\n  | source    | profile |\n  | FromClass | fast    |',
    ),
    "runs": ("runs: {pod: p}", 'pod "p" runs'),
    "runs on": ("runs: {pod: p, node: left}", 'pod "p" runs on node "left"'),
    "pending": ("pending: p", 'pod "p" is pending'),
    "unallocated": ("unallocated: c", 'claim "c" is not allocated'),
    "reserved": ("reserved: {claim: c, pods: [p, q]}", 'claim "c" is reserved for pods "p, q"'),
    "reserved for nobody": ("reserved: {claim: c}", 'claim "c" is reserved for nobody'),
    "new-shares": ("new-shares: c", 'claim "c" has new shares'),
    "keeps-allocation": ("keeps-allocation: c", 'claim "c" keeps its allocation'),
    "as-before": (
        "as-before: {kind: ResourceSlice, name: pool-1-slice}",
        'the ResourceSlice "pool-1-slice" is as it was',
    ),
    "missing": ("missing: {kind: ResourceClaim, name: c}", 'the ResourceClaim "c" does not exist'),
    "records": (
        "records: {pod: p, claims: [{claim: c, containers: [b, a], takes: {cpu: '4'}, "
        "overhead: {cpu: {container: 100m}}}]}",
        'pod "p" records'
        "\n  | claim | containers | takes cpu | overhead cpu |\n  | c | a, b | 4 | 100m per container |",
    ),
    "records nothing": ("records: {pod: p}", 'pod "p" records nothing'),
    "served": (
        "served: {pod: p, containers: [{container: c, resource: example.com/gpu}]}",
        'the special claim of pod "p" serves\n  | container | resource |\n  | c | example.com/gpu |',
    ),
    "served by requests": (
        "served: {pod: p, containers: [{container: c, resource: example.com/gpu, request: r}]}",
        'the special claim of pod "p" serves\n  | container | resource | request |\n  | c | example.com/gpu | r |',
    ),
    "no-special-claim": ("no-special-claim: p", 'pod "p" has no special claim'),
    "state": (
        "state: {kind: Pod, name: p, fields: {spec.x: null}}",
        'the Pod "p" has' + ROWS.format("spec.x", ""),
    ),
}
THEN |= {
    "refused": (
        "refused: {pod: p, code: UnschedulableAndUnresolvable}",
        'pod "p" is refused as UnschedulableAndUnresolvable',
    ),
    "refused on": (
        "refused: {pod: p, node: left, code: Unschedulable}",
        'pod "p" is refused on node "left" as Unschedulable',
    ),
    "prepared": (
        "prepared: {claim: c, node: left, devices: [{device: d, share: true}]}",
        'claim "c" is prepared on node "left" with\n  | device | share |\n  | d      | yes   |',
    ),
    "prepared nowhere": ("prepared: {claim: c}", 'claim "c" is prepared on no node'),
    "event with words": (
        "event: {pod: p, reason: FailedScheduling, words: all claims}",
        'an event FailedScheduling is told of pod "p" with "all claims"',
    ),
    "grown": (
        "grown: {metric: 'a_total{status=success, kind=}', by: 2}",
        "the metric a_total{status=success, kind=} has grown by 2",
    ),
    "event": ("event: {pod: p, reason: Scheduled}", 'an event Scheduled is told of pod "p"'),
}
READS = {
    "reads": ("reads: {spec.x: 1}", "it reads" + ROWS.format("spec.x", "1")),
    "set": ("set: spec.x", 'the field "spec.x" is set'),
    "not served": ("not-served: true", "its version is not served"),
}

SETTLE = WHEN["settle"]
SHARED = (
    ("devices: [{device: d}]", "the device\n  | device |\n  | d      |"),
    ("claim: {name: c}", 'a claim "c" requesting no capacity'),
    ("pod: {name: p, claims: [c]}", 'a pod "p" that uses claim "c"'),
)


def both(
    given: tuple[tuple[str, str], ...],
    *acts: tuple[tuple[str, str], tuple[str, str]],
) -> tuple[Case, Case]:
    """One case from its golden and from its Gherkin words."""
    shared = "".join(f"      - {text}\n" for text, _ in given)
    listed = "".join(f"      - {{when: {{{when}}}, then: [{{{then}}}]}}\n" for (when, _), (then, _) in acts)
    text = (
        "document: KEP-5075\narea: a\ntitle: T\ncases:\n  - case: one\n    title: One\n"
        f"    requirements: [KEP-5075/a/b]\n    given:\n{shared}    acts:\n{listed}"
    )
    words = "".join(f"    Given {said}\n".replace("\n  ", "\n      ") for _, said in given)
    words += "".join(indent(f"When {when}\nThen {then}\n", "    ") for (_, when), (_, then) in acts)
    (from_golden,) = golden(text)
    (from_gherkin,) = feature(f"Feature: T\n  @case:one\n  Scenario: One\n{words}")
    return from_golden, from_gherkin


def meaning(case: Case) -> tuple[object, ...]:
    """What a case asks and expects, without its words."""
    said = [
        (
            one.write and replace(one.write, steps=()),
            one.claims,
            one.facts,
        )
        for act in case.acts
        if (one := act.expectation)
    ]
    return case.operation, case.objects, case.ask, case.gates, case.features, said


@pytest.mark.parametrize("name", GIVEN)
def test_given_means_the_same(name: str) -> None:
    settled = (SETTLE, THEN["pending"])
    plain, _ = both(SHARED, settled)
    from_golden, from_gherkin = both((*SHARED, GIVEN[name]), settled)
    assert meaning(from_golden) == meaning(from_gherkin)
    assert meaning(from_golden) != meaning(plain)
    assert from_golden.operation == "cluster"


@pytest.mark.parametrize("name", WHEN)
def test_when_means_the_same(name: str) -> None:
    from_golden, from_gherkin = both(SHARED, (SETTLE, THEN["pending"]), (WHEN[name], THEN["pending"]))
    assert meaning(from_golden) == meaning(from_gherkin)
    assert len(from_golden.ask["actions"]) == 2


@pytest.mark.parametrize("name", THEN)
def test_then_means_the_same(name: str) -> None:
    from_golden, from_gherkin = both(SHARED, (SETTLE, THEN[name]))
    assert meaning(from_golden) == meaning(from_gherkin)


@pytest.mark.parametrize("name", WRITTEN)
def test_then_of_a_write_means_the_same(name: str) -> None:
    from_golden, from_gherkin = both(
        SHARED, (WHEN["create an object"], WRITTEN[name]), (SETTLE, THEN["pending"])
    )
    assert meaning(from_golden) == meaning(from_gherkin)


@pytest.mark.parametrize("name", READS)
def test_then_of_what_is_read_means_the_same(name: str) -> None:
    from_golden, from_gherkin = both(SHARED, (WHEN["read"], READS[name]))
    assert meaning(from_golden) == meaning(from_gherkin)


def test_every_step_is_tried_in_both_formats() -> None:
    tried = {
        (keyword, text.partition(":")[0])
        for keyword, table in (("given", GIVEN), ("when", WHEN), ("then", THEN | WRITTEN | READS))
        for text, _ in table.values()
    }
    assert tried == {(step.keyword, step.key) for step in STEPS}


def test_every_phrase_is_tried_and_belongs_to_one_step() -> None:
    for keyword, table in (("given", GIVEN), ("when", WHEN), ("then", THEN | WRITTEN | READS)):
        said = [text.partition("\n")[0] for _, text in table.values()]
        phrases = [phrase for step in STEPS if step.keyword == keyword for phrase in step.phrases]
        for phrase in phrases:
            assert any(phrase.pattern.fullmatch(text) for text in said), phrase.words
        for text in said:
            assert sum(bool(phrase.pattern.fullmatch(text)) for phrase in phrases) == 1, text
