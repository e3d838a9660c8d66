"""The steps of scenarios: equal in golden files and in feature files."""

from __future__ import annotations

from dataclasses import replace
from textwrap import indent

import pytest

from dra_conform.conformance.case import Case
from dra_conform.conformance.cluster.operation import Cluster
from dra_conform.conformance.steps.component_steps import RUNNING
from dra_conform.conformance.steps.node_resources import RECORDED
from dra_conform.conformance.steps.pod_steps import PODS
from tests.support.conformance.suite.phrases import require_each_phrase
from tests.support.conformance.suite.writing import feature, golden

CLUSTER = Cluster()

STEPS = (*PODS, *RECORDED, *RUNNING, *CLUSTER.steps)
ROWS = "\n  | field | value |\n  | {} | {} |"
OBJECT = "{apiVersion: v1, kind: Node, metadata: {name: n}}"
YAML = f'\n  """\n  {OBJECT}\n  """'
REQUESTS = "\n  | request | count |\n  | a       | 2     |"

GIVEN = {
    "a pod": ("pod: {name: q}", 'a pod "q" without ResourceClaims'),
    "a pod with claims": (
        "pod: {name: q, resourceClaims: [c, d]}",
        'a pod "q" that uses ResourceClaims "c, d"',
    ),
    "a pod on a node": (
        "pod: {name: q, node: left, resourceClaims: [c]}",
        'a pod "q" on node "left" that uses ResourceClaim "c"',
    ),
    "a pod with a template": (
        "pod: {name: q, resourceClaimTemplates: {gpu: t}}",
        'a pod "q" that uses the ResourceClaimTemplate "t" as "gpu"',
    ),
    "a pod with a template of its name": (
        "pod: {name: q, resourceClaimTemplates: {t: t}}",
        'a pod "q" that uses the ResourceClaimTemplate "t"',
    ),
    "a pod with containers": (
        "pod: {name: q, containers: [{name: a, kind: sidecar, requests: {cpu: '1'}, limits: {cpu: '2'}, "
        "claims: [c, d/r]}]}",
        'a pod "q" with the container'
        "\n  | container | kind | request cpu | limit cpu | claims |\n  | a | sidecar | 1 | 2 | c, d/r |",
    ),
    "a pod with claims and containers": (
        "pod: {name: q, resourceClaims: [c], containers: [{name: a}]}",
        'a pod "q" that uses ResourceClaim "c" with the container\n  | container |\n  | a |',
    ),
    "a pod with a template and containers": (
        "pod: {name: q, resourceClaimTemplates: {gpu: t}, containers: [{name: a, claims: [gpu]}]}",
        'a pod "q" that uses the ResourceClaimTemplate "t" as "gpu" with the container'
        "\n  | container | claims |\n  | a | gpu |",
    ),
    "what a pod records": (
        "nodeAllocatableResourceClaimStatuses: {pod: p, resourceClaims: [{resourceClaim: c, containers: [a, b], resources: {cpu: '4'}, "
        "overhead: {cpu: {perContainer: 100m}}}]}",
        'pod "p" has the nodeAllocatableResourceClaimStatuses'
        "\n  | resourceClaim | containers | resource cpu | overhead cpu       |\n  | c             | a, b       | 4            | 100m per container |",
    ),
    "what a pod requests": (
        "podResources: {pod: p, requests: {cpu: '1'}}",
        'pod "p" requests 1 of "cpu" at pod level',
    ),
    "what a pod is limited to": (
        "podResources: {pod: p, limits: {cpu: '1'}}",
        'pod "p" is limited to 1 of "cpu" at pod level',
    ),
    "overhead of a pod": (
        "podResources: {pod: p, overhead: {cpu: 250m}}",
        'pod "p" has an overhead of 250m of "cpu"',
    ),
    "a pod with extended resources": (
        "pod: {name: q, resources: {example.com/gpu: 2, example.com/nic: 1}}",
        'a pod "q" that requests 2 of "example.com/gpu" and 1 of "example.com/nic"',
    ),
    "a pod with claims and extended resources": (
        "pod: {name: q, resourceClaims: [c], resources: {example.com/gpu: 2}}",
        'a pod "q" that uses ResourceClaim "c" and requests 2 of "example.com/gpu"',
    ),
    "a pod with a template and extended resources": (
        "pod: {name: q, resourceClaimTemplates: {t: t}, resources: {example.com/gpu: 2}}",
        'a pod "q" that uses the ResourceClaimTemplate "t" and requests 2 of "example.com/gpu"',
    ),
    "a template": (
        "resourceClaimTemplate: {name: t, capacity: {bw: 3}}",
        'a ResourceClaimTemplate "t" requesting 3 of "bw"',
    ),
    "a template of no capacity": (
        "resourceClaimTemplate: {name: t}",
        'a ResourceClaimTemplate "t" requesting no capacity',
    ),
    "a template of an empty capacity": (
        "resourceClaimTemplate: {name: t, capacity: {}}",
        'a ResourceClaimTemplate "t" requesting an empty capacity',
    ),
    "a template of devices": (
        "resourceClaimTemplate: {name: t, count: 2}",
        'a ResourceClaimTemplate "t" requesting 2 devices',
    ),
    "a template of requests": (
        "resourceClaimTemplate: {name: t, requests: [{request: a, count: 2}]}",
        f'a ResourceClaimTemplate "t" with the requests{REQUESTS}',
    ),
    "a gate of a component": (
        "component: {components: [scheduler], featureGates: {DRAConsumableCapacity: false}}",
        'the feature gate "DRAConsumableCapacity" is off in the scheduler',
    ),
    "a release of components": (
        "component: {components: [apiserver, kubelet], release: '1.36'}",
        "the API server and the kubelet run Kubernetes 1.36",
    ),
}

WHEN = {
    "create": ("create: {kind: Pod, name: p}", 'pod "p" is created'),
    "create an object": (f"create: {{object: {OBJECT}}}", f"this object is created{YAML}"),
    "update": (
        "update: {kind: Pod, name: p, fields: {spec.x: 1}}",
        'pod "p" is updated with' + ROWS.format("spec.x", "1"),
    ),
    "update to": (f"update: {{object: {OBJECT}}}", f"this object is updated{YAML}"),
    "update the status": (
        "update: {kind: Pod, name: p, fields: {status.x: 1}, status: true}",
        'the status of pod "p" is updated with' + ROWS.format("status.x", "1"),
    ),
    "update the status to": (
        f"update: {{object: {OBJECT}, status: true}}",
        f"the status of this object is updated{YAML}",
    ),
    "update as somebody": (
        "update: {kind: Pod, name: p, fields: {spec.x: 1}, user: {name: jane, groups: [a, b]}}",
        'as user "jane" in groups "a, b", pod "p" is updated with' + ROWS.format("spec.x", "1"),
    ),
    "patch": (
        "patch: {kind: Pod, name: p, patch: {spec: {x: 1}}}",
        'pod "p" is patched with\n  """\n  spec: {x: 1}\n  """',
    ),
    "patch the status": (
        "patch: {kind: Pod, name: p, patch: {status: null}, status: true, user: {name: jane}}",
        'as user "jane", the status of pod "p" is patched with\n  """\n  status: null\n  """',
    ),
    "apply": (f"apply: {{manager: a, object: {OBJECT}}}", f'field manager "a" applies this object{YAML}'),
    "apply by force": (
        f"apply: {{manager: a, object: {OBJECT}, force: true}}",
        f'field manager "a" applies this object by force{YAML}',
    ),
    "apply the status": (
        f"apply: {{manager: a, object: {OBJECT}, status: true, user: {{name: jane, groups: [g]}}}}",
        f'as user "jane" in group "g", field manager "a" applies the status of this object{YAML}',
    ),
    "create a claim": (
        "createResourceClaim: {name: d, capacity: {bw: 3}}",
        'a ResourceClaim "d" requesting 3 of "bw" is created',
    ),
    "create a claim of no capacity": (
        "createResourceClaim: {name: d}",
        'a ResourceClaim "d" requesting no capacity is created',
    ),
    "create a claim of an empty capacity": (
        "createResourceClaim: {name: d, capacity: {}}",
        'a ResourceClaim "d" requesting an empty capacity is created',
    ),
    "create a claim of devices": (
        "createResourceClaim: {name: d, deviceClassName: nic, count: 2}",
        'a ResourceClaim "d" requesting 2 devices of class "nic" is created',
    ),
    "create a claim of requests": (
        "createResourceClaim: {name: d, requests: [{request: a, count: 2}]}",
        f'a ResourceClaim "d" with the requests is created{REQUESTS}',
    ),
    "create a template": (
        "createResourceClaimTemplate: {name: t, capacity: {bw: 3}}",
        'a ResourceClaimTemplate "t" requesting 3 of "bw" is created',
    ),
    "create a template of no capacity": (
        "createResourceClaimTemplate: {name: t}",
        'a ResourceClaimTemplate "t" requesting no capacity is created',
    ),
    "create a template of an empty capacity": (
        "createResourceClaimTemplate: {name: t, capacity: {}}",
        'a ResourceClaimTemplate "t" requesting an empty capacity is created',
    ),
    "create a template of devices": (
        "createResourceClaimTemplate: {name: t, allocationMode: All}",
        'a ResourceClaimTemplate "t" requesting all devices is created',
    ),
    "create a template of requests": (
        "createResourceClaimTemplate: {name: t, requests: [{request: a, count: 2}]}",
        f'a ResourceClaimTemplate "t" with the requests is created{REQUESTS}',
    ),
    "resize": (
        "resize: {pod: p, fields: {spec.x: 1}}",
        'pod "p" is resized to' + ROWS.format("spec.x", "1"),
    ),
    "create a pod with containers": (
        "createPod: {name: q, containers: [{name: a, requests: {cpu: '1'}}]}",
        'a pod "q" with the container is created\n  | container | request cpu |\n  | a | 1 |',
    ),
    "create a pod with claims and containers": (
        "createPod: {name: q, resourceClaims: [c], containers: [{name: a}]}",
        'a pod "q" that uses ResourceClaim "c" with the container is created\n  | container |\n  | a |',
    ),
    "create a pod with a template and containers": (
        "createPod: {name: q, resourceClaimTemplates: {gpu: t}, containers: [{name: a, claims: [gpu]}]}",
        'a pod "q" that uses the ResourceClaimTemplate "t" as "gpu" with the container is created'
        "\n  | container | claims |\n  | a | gpu |",
    ),
    "create a pod": ("createPod: {name: q}", 'a pod "q" without ResourceClaims is created'),
    "create a pod with claims": (
        "createPod: {name: q, resourceClaims: [c]}",
        'a pod "q" that uses ResourceClaim "c" is created',
    ),
    "create a pod with a template": (
        "createPod: {name: q, resourceClaimTemplates: {gpu: t}}",
        'a pod "q" that uses the ResourceClaimTemplate "t" as "gpu" is created',
    ),
    "create a class": (
        "createDeviceClass: {name: k, extendedResourceName: example.com/gpu, selectors: ['true']}",
        'a DeviceClass "k" for extended resource "example.com/gpu" is created with the selector\n  """\n  true\n  """',
    ),
    "create a pod with extended resources": (
        "createPod: {name: q, resources: {example.com/gpu: 2}}",
        'a pod "q" that requests 2 of "example.com/gpu" is created',
    ),
    "create a pod with claims and extended resources": (
        "createPod: {name: q, resourceClaims: [c], resources: {example.com/gpu: 2}}",
        'a pod "q" that uses ResourceClaim "c" and requests 2 of "example.com/gpu" is created',
    ),
    "create a pod with a template and extended resources": (
        "createPod: {name: q, resourceClaimTemplates: {t: t}, resources: {example.com/gpu: 2}}",
        'a pod "q" that uses the ResourceClaimTemplate "t" and requests 2 of "example.com/gpu" is created',
    ),
    "publish": (
        "publish: [{device: e, allowMultipleAllocations: true}]",
        "the driver publishes the device\n  | device | allowMultipleAllocations |\n  | e      | yes                      |",
    ),
    "change a device": (
        "updateDevice: {device: d, fields: {allowMultipleAllocations: null}}",
        'the driver updates the device "d" with' + ROWS.format("allowMultipleAllocations", ""),
    ),
    "delete": ("delete: {kind: Pod, name: p}", 'pod "p" is deleted'),
    "delete a pod": ("delete: {kind: Pod, name: p}", 'pod "p" is deleted'),
    "delete a claim": (
        "delete: {kind: ResourceClaim, name: gpu of pod p}",
        'ResourceClaim "gpu of pod p" is deleted',
    ),
    "finish": ("finish: {pod: p}", 'pod "p" finishes'),
    "fail as a pod": ("finish: {pod: p, phase: Failed}", 'pod "p" fails'),
    "read": (
        "get: {kind: ResourceClaim, name: c, version: v1beta1}",
        'ResourceClaim "c" is read in version "v1beta1"',
    ),
    "list by driver": (
        "listResourceSlices: {driver: dra.example.com}",
        'ResourceSlices are listed by spec.driver "dra.example.com"',
    ),
    "list by node": (
        "listResourceSlices: {nodeName: node-1}",
        'ResourceSlices are listed by spec.nodeName "node-1"',
    ),
    "gates": (
        "setFeatureGates: {featureGates: {DRAConsumableCapacity: true}}",
        'the feature gate "DRAConsumableCapacity" is turned on',
    ),
    "gates of components": (
        "setFeatureGates: {components: [apiserver, scheduler], featureGates: {DRAConsumableCapacity: false}}",
        'the feature gate "DRAConsumableCapacity" is turned off in the API server and the scheduler',
    ),
    "a release": (
        "setRelease: {components: [scheduler], release: '1.36'}",
        "the scheduler restarts with Kubernetes 1.36",
    ),
    "the first release": (
        "setRelease: {components: [scheduler]}",
        "the scheduler restarts with the release under test",
    ),
    "restart": ("restart: {components: [scheduler]}", "the scheduler restarts"),
    "time": ("passSeconds: 60", "60 seconds pass"),
    "failing writes": (
        "failWrites: {times: 2, kind: ResourceClaim, subresource: status}",
        "the next 2 updates of the status of a ResourceClaim by components fail with Conflict",
    ),
    "failing creations": (
        "failWrites: {times: 1, verb: create, kind: ResourceClaim, reason: Forbidden}",
        "the next 1 creation of a ResourceClaim by components fails with Forbidden",
    ),
    "settle": ("reachSteadyState: true", "the cluster reaches a steady state"),
}

WRITTEN = {
    "stored": ("stored: {spec.x: 1}", "the object is stored with" + ROWS.format("spec.x", "1")),
    "set to": ("stored: {spec.x: [1, a]}", 'the field "spec.x" is set to [1, a]'),
    "set": ("set: spec.x", 'the field "spec.x" is set'),
    "warned": ("warned: unknown field", 'the object is stored with the warning "unknown field"'),
    "warned somehow": ("warned: true", "the object is stored with a warning"),
    "not warned": ("warned: false", "the object is stored without warnings"),
    "not served": ("versionNotServed: true", "the API version is not served"),
    "unchanged": ("storedAsWritten: true", "the object is stored as written"),
    "dropped": ("dropped: spec.x", 'the field "spec.x" is dropped'),
    "kept": ("kept: metadata.name", 'the field "metadata.name" is kept'),
    "rejected": (
        "rejected: {type: Invalid, path: spec.x}",
        'the object is rejected with Invalid at "spec.x"',
    ),
    "forbidden": ("rejected: {reason: Forbidden}", "the object is rejected as Forbidden"),
}

THEN = {
    "what a quota counts": (
        "quotaUsed: {resourceQuota: q, used: {pods: '2', requests.cpu: '3'}}",
        'ResourceQuota "q" reports 2 of "pods" and 3 of "requests.cpu" as used',
    ),
    "allocated": ("allocated: gpu of pod p", 'ResourceClaim "gpu of pod p" is allocated'),
    "gets": (
        "allocatedExactly: {resourceClaim: c, results: [{device: d}]}",
        'ResourceClaim "c" is allocated exactly\n  | device |\n  | d      |',
    ),
    "allocatedOneOf": (
        "allocatedOneOf: {resourceClaim: c, choices: [[{device: d}], [{device: e}]]}",
        'ResourceClaim "c" is allocated one of\n  | choice | device |\n  | 1      | d      |\n  | 2      | e      |',
    ),
    "has": (
        "allocatedAtLeast: {resourceClaim: c, results: [{device: d}]}",
        'ResourceClaim "c" is allocated at least\n  | device |\n  | d      |',
    ),
    "consumes": ("consumes: {resourceClaim: c, capacity: {bw: 5}}", 'ResourceClaim "c" consumes 5 of "bw"'),
    "devices": ("allocatedDevices: {resourceClaim: c, count: 2}", 'ResourceClaim "c" is allocated 2 devices'),
    "availableOn": (
        "availableOn: {resourceClaim: c, nodes: [left]}",
        'ResourceClaim "c" is available only on node "left"',
    ),
    "configured": (
        "config: {resourceClaim: c, entries: [{source: FromClass, parameters: {profile: fast}}]}",
        'ResourceClaim "c" has the configuration\n  | source    | profile |\n  | FromClass | fast    |',
    ),
    "runs": ("running: {pod: p}", 'pod "p" is Running'),
    "runs on": ("running: {pod: p, node: left}", 'pod "p" is Running on node "left"'),
    "pending": ("pending: p", 'pod "p" is Pending'),
    "unallocated": ("notAllocated: c", 'ResourceClaim "c" is not allocated'),
    "reserved": (
        "reservedFor: {resourceClaim: c, pods: [p, q]}",
        'ResourceClaim "c" is reserved for pods "p, q"',
    ),
    "reserved for no pod": ("reservedFor: {resourceClaim: c}", 'ResourceClaim "c" is reserved for no pod'),
    "newShareIDs": ("newShareIDs: c", 'ResourceClaim "c" has new share IDs'),
    "keepsAllocation": ("keepsAllocation: c", 'ResourceClaim "c" keeps its allocation'),
    "specUnchanged": (
        "specUnchanged: {kind: ResourceSlice, name: pool-1-slice}",
        'the spec of ResourceSlice "pool-1-slice" is unchanged',
    ),
    "missing": ("doesNotExist: {kind: ResourceClaim, name: c}", 'ResourceClaim "c" does not exist'),
    "records": (
        "nodeAllocatableResourceClaimStatuses: {pod: p, resourceClaims: [{resourceClaim: c, containers: [b, a], resources: {cpu: '4'}, "
        "overhead: {cpu: {perContainer: 100m}}}]}",
        'pod "p" has the nodeAllocatableResourceClaimStatuses'
        "\n  | resourceClaim | containers | resource cpu | overhead cpu       |\n  | c             | a, b       | 4            | 100m per container |",
    ),
    "records nothing": (
        "nodeAllocatableResourceClaimStatuses: {pod: p}",
        'pod "p" has no nodeAllocatableResourceClaimStatuses',
    ),
    "served": (
        "requestMappings: {pod: p, mappings: [{containerName: c, resourceName: example.com/gpu}]}",
        'pod "p" has the requestMappings\n  | containerName | resourceName    |\n  | c             | example.com/gpu |',
    ),
    "served by requests": (
        "requestMappings: {pod: p, mappings: [{containerName: c, resourceName: example.com/gpu, requestName: r}]}",
        'pod "p" has the requestMappings\n  | containerName | resourceName    | requestName |\n  | c             | example.com/gpu | r           |',
    ),
    "noExtendedResourceClaim": ("noExtendedResourceClaim: p", 'pod "p" has no extended-resource claim'),
    "state": (
        "hasFields: {kind: Pod, name: p, fields: {spec.x: null}}",
        'pod "p" has' + ROWS.format("spec.x", ""),
    ),
}
THEN |= {
    "refused": (
        "schedulingFails: {pod: p, code: UnschedulableAndUnresolvable}",
        'scheduling of pod "p" fails with UnschedulableAndUnresolvable',
    ),
    "refused on": (
        "schedulingFails: {pod: p, node: left, code: Unschedulable}",
        'filtering of node "left" for pod "p" fails with Unschedulable',
    ),
    "prepared": (
        "prepared: {resourceClaim: c, node: left, devices: [{device: d, shareID: true}]}",
        'ResourceClaim "c" is prepared on node "left" with\n  | device | shareID |\n  | d      | yes     |',
    ),
    "prepared nowhere": ("prepared: {resourceClaim: c}", 'ResourceClaim "c" is prepared on no node'),
    "event with words": (
        "event: {pod: p, reason: FailedScheduling, message: all claims}",
        'pod "p" has an event FailedScheduling with the message "all claims"',
    ),
    "grown": (
        "metricChange: {metric: 'a_total{status=success, kind=}', by: 2}",
        "the metric a_total{status=success, kind=} changes by 2",
    ),
    "increased": (
        "metricIncrease: {metric: 'a_total{resource=example.com/gpu}'}",
        "the metric a_total{resource=example.com/gpu} increases",
    ),
    "more writes": (
        "moreSchedulerWrites: {resource: pods/status, count: 2}",
        "the scheduler sends 2 more write requests for pods/status than before",
    ),
    "no more writes": (
        "moreSchedulerWrites: {resource: pods, count: 0}",
        "the scheduler sends no more write requests for pods than before",
    ),
    "known writes": ("onlyKnownSchedulerWrites: {}", "the scheduler sends no new kind of write request"),
    "logged": (
        "schedulerLogs: {words: [too small, eth1], verbosity: 7}",
        'the scheduler logs "too small" with "eth1" at verbosity 7',
    ),
    "not logged": (
        "schedulerLogs: {words: [too small], verbosity: 5, logged: false}",
        'the scheduler does not log "too small" at verbosity 5',
    ),
    "event": ("event: {pod: p, reason: Scheduled}", 'pod "p" has an event Scheduled'),
}
READS = {
    "reads": ("read: {spec.x: 1}", "the object read has" + ROWS.format("spec.x", "1")),
    "set": ("set: spec.x", 'the field "spec.x" is set'),
    "not served": ("versionNotServed: true", "the API version is not served"),
}
LISTS = {
    "listed": ("listHas: [a, b]", 'the list has only ResourceSlices "b, a"'),
    "nothing listed": ("listHas: []", "the list has no ResourceSlice"),
}

SETTLE = WHEN["settle"]
SHARED = (
    ("devices: [{device: d}]", "the device\n  | device |\n  | d      |"),
    ("resourceClaim: {name: c}", 'a ResourceClaim "c" requesting no capacity'),
    ("pod: {name: p, resourceClaims: [c]}", 'a pod "p" that uses ResourceClaim "c"'),
)


def both(
    given: tuple[tuple[str, str], ...],
    *steps: tuple[tuple[str, str], tuple[str, str]],
) -> tuple[Case, Case]:
    """The case from the golden file and the case from the feature file."""
    shared = "".join(f"      - {text}\n" for text, _ in given)
    listed = "".join(f"      - {{when: {{{when}}}, then: [{{{then}}}]}}\n" for (when, _), (then, _) in steps)
    text = (
        "document: KEP-5075\narea: a\ntitle: T\ncases:\n  - case: one\n    title: One\n"
        f"    requirements: [KEP-5075/a/b]\n    given:\n{shared}    steps:\n{listed}"
    )
    words = "".join(f"    Given {said}\n".replace("\n  ", "\n      ") for _, said in given)
    words += "".join(indent(f"When {when}\nThen {then}\n", "    ") for (_, when), (_, then) in steps)
    (from_golden,) = golden(text)
    (from_gherkin,) = feature(f"Feature: T\n  @case:one\n  Scenario: One\n{words}")
    return from_golden, from_gherkin


def meaning(case: Case) -> tuple[object, ...]:
    """The question and the expectations of a case, without their texts."""
    said = [
        (
            one.write and replace(one.write, steps=()),
            one.claims,
            one.facts,
        )
        for step in case.case_steps
        if (one := step.expectation)
    ]
    return case.operation, case.objects, case.ask, case.gates, case.features, said


@pytest.mark.parametrize("name", GIVEN)
def test_given_steps_are_equal_in_both_formats(name: str) -> None:
    settled = (SETTLE, THEN["pending"])
    plain, _ = both(SHARED, settled)
    from_golden, from_gherkin = both((*SHARED, GIVEN[name]), settled)
    assert meaning(from_golden) == meaning(from_gherkin)
    assert meaning(from_golden) != meaning(plain)
    assert from_golden.operation == "cluster"


@pytest.mark.parametrize("name", WHEN)
def test_when_steps_are_equal_in_both_formats(name: str) -> None:
    from_golden, from_gherkin = both(SHARED, (SETTLE, THEN["pending"]), (WHEN[name], THEN["pending"]))
    assert meaning(from_golden) == meaning(from_gherkin)
    assert len(from_golden.ask["actions"]) == 2


@pytest.mark.parametrize("name", THEN)
def test_then_steps_are_equal_in_both_formats(name: str) -> None:
    from_golden, from_gherkin = both(SHARED, (SETTLE, THEN[name]))
    assert meaning(from_golden) == meaning(from_gherkin)


@pytest.mark.parametrize("name", WRITTEN)
def test_then_steps_of_writes_are_equal_in_both_formats(name: str) -> None:
    from_golden, from_gherkin = both(
        SHARED, (WHEN["create an object"], WRITTEN[name]), (SETTLE, THEN["pending"])
    )
    assert meaning(from_golden) == meaning(from_gherkin)


@pytest.mark.parametrize("name", READS)
def test_then_steps_of_reads_are_equal_in_both_formats(name: str) -> None:
    from_golden, from_gherkin = both(SHARED, (WHEN["read"], READS[name]))
    assert meaning(from_golden) == meaning(from_gherkin)


@pytest.mark.parametrize("name", LISTS)
def test_then_steps_of_lists_are_equal_in_both_formats(name: str) -> None:
    from_golden, from_gherkin = both(SHARED, (WHEN["list by driver"], LISTS[name]))
    assert meaning(from_golden) == meaning(from_gherkin)


def test_each_step_is_tested_in_both_formats() -> None:
    tried = {
        (keyword, text.partition(":")[0])
        for keyword, table in (("given", GIVEN), ("when", WHEN), ("then", THEN | WRITTEN | READS | LISTS))
        for text, _ in table.values()
    }
    assert tried == {(step.keyword, step.key) for step in STEPS}


def test_each_phrase_is_tested_and_belongs_to_one_step() -> None:
    for keyword, table in (("given", GIVEN), ("when", WHEN), ("then", THEN | WRITTEN | READS | LISTS)):
        require_each_phrase(STEPS, keyword, (text for _, text in table.values()))
