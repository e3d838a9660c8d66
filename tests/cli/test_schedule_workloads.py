"""`dra-conform schedule`: the pods of workloads, also of those in dumps and of those applied again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from dra_conform.cli import exits
from tests.support.cli.calling import Call

NODE = """\
apiVersion: v1
kind: Node
metadata: {name: node-1, labels: {disk: ssd}}
status: {allocatable: {cpu: "8", pods: "110"}}
---
"""

WORKLOAD = """\
apiVersion: %s
kind: %s
metadata: {%s}
spec: {%s, template: {spec: {restartPolicy: %s, containers: [{name: c, image: i, resources: {requests: {cpu: "%s"}}}]}}}
---
"""


def workload(kind: str, metadata: str, spec: str, cpu: str = "1") -> str:
    version = "batch/v1" if kind == "Job" else "apps/v1"
    policy = "Never" if kind == "Job" else "Always"
    return WORKLOAD % (version, kind, metadata, spec, policy, cpu)


def controlled(kind: str, name: str, pod: str, extra: str = "", phase: str = "Running") -> str:
    version = "batch/v1" if kind == "Job" else "apps/v1"
    owner = f"{{apiVersion: {version}, kind: {kind}, name: {name}, uid: u-{name}, controller: true}}"
    return f"""\
apiVersion: v1
kind: Pod
metadata: {{name: {pod}, uid: "{pod}", ownerReferences: [{owner}]{extra}}}
spec: {{nodeName: node-1, containers: [{{name: c, image: i}}]}}
status: {{phase: {phase}}}
---
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def states(call: Call, *texts: str) -> tuple[Mapping[str, str], str]:
    """Return the state of each pod in `default`, and what is on stderr."""
    arguments = []
    for number, text in enumerate((NODE + texts[0], *texts[1:])):
        Path(f"{number}.yaml").write_text(text, "utf-8")
        arguments += ["-f", f"{number}.yaml"]
    completed = call("schedule", *arguments)
    rows = [line.split() for line in completed.out.partition("\n\n")[0].splitlines()[1:]]
    return {row[0].removeprefix("default/"): row[1] for row in rows}, completed.err


def test_workloads_of_one_name_have_pods_of_their_own(call: Call) -> None:
    text = "".join(
        workload(kind, "name: w", spec)
        for kind, spec in (
            ("Deployment", "replicas: 2"),
            ("Job", "parallelism: 1"),
            ("StatefulSet", "replicas: 1"),
        )
    )
    found, _ = states(call, text)
    assert list(found) == ["w-0", "w-1", "w-job-0", "w-statefulset-0"]


def test_workloads_with_a_generate_name(call: Call) -> None:
    job = workload("Job", "generateName: train-", "parallelism: 1")
    assert list(states(call, job * 3)[0]) == ["train-0", "train-job-0", "train-job-2-0"]


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (workload("Job", "name: w", "suspend: true, parallelism: 3"), "Job default/w has no new pods, because it is suspended"),
        (
            workload("Deployment", "name: w", "replicas: 0"),
            "Deployment default/w has no new pods, because it has 0 replicas",
        ),
        (
            workload("DaemonSet", "name: w", "selector: {}").replace("{restart", "{nodeSelector: {disk: hdd}, restart"),
            "DaemonSet default/w has no new pods, because its pods may run on no node, or each node has one",
        ),
        (
            "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: w}\nspec: {suspend: true, jobTemplate: {spec: "
            "{template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}}\n---\n",
            "CronJob default/w has no new pods, because it is suspended",
        ),
    ],
    ids=["job", "deployment", "daemon-set", "cron-job"],
)  # fmt: skip
def test_why_a_workload_has_no_pods(text: str, note: str, call: Call) -> None:
    found, notes = states(call, text + workload("Job", "name: other", "parallelism: 1"))
    assert list(found) == ["other-0"]
    assert f"note: {note}\n" in notes
    Path("alone.yaml").write_text(NODE + text, "utf-8")
    completed = call("schedule", "-f", "alone.yaml")
    assert (completed.code, completed.err) == (exits.USAGE, f"alone.yaml: has no pod: {note}\n")


@pytest.mark.parametrize(
    ("spec", "pods"),
    [
        ("parallelism: 4, completions: 3", 3),
        ("completions: 3", 1),
        ("parallelism: 4, completions: 0", 0),
    ],
)
def test_pods_of_a_job_of_an_unknown_kind(spec: str, pods: int, call: Call) -> None:
    text = (
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: w}\nspec: {jobTemplate: {spec: {%s, "
        "template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}}\n---\n"
    )
    found, _ = states(call, text % spec + workload("Job", "name: other", "parallelism: 1"))
    assert len(found) == pods + 1


@pytest.mark.parametrize(
    ("leader", "names"),
    [
        ("", ["w-0", "w-1", "w-2", "w-3", "w-4", "w-5"]),
        (
            "leaderTemplate: {spec: {containers: [{name: l, image: i}]}}, ",
            ["w-leadertemplate-0", "w-leadertemplate-1", *(f"w-workertemplate-{number}" for number in range(4))],
        ),
    ],
)  # fmt: skip
def test_a_leader_worker_set(leader: str, names: list[str], call: Call) -> None:
    text = (
        "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: w}\nspec: {replicas: 2, "
        "leaderWorkerTemplate: {size: 3, %sworkerTemplate: {spec: {containers: [{name: c, image: i}]}}}}\n"
    )
    assert list(states(call, text % leader)[0]) == names


def test_a_job_in_a_dump_has_the_pods_that_are_missing(call: Call) -> None:
    job = workload("Job", "name: w, uid: u", "parallelism: 3, completions: 4")
    done = f"{job[: -len('---') - 1]}status: {{succeeded: 2}}\n---\n"
    assert list(states(call, done + controlled("Job", "w", "w-abc"))[0]) == ["w-abc", "w-0"]
    failed = job[: -len("---") - 1] + "status: {conditions: [{type: Failed, status: 'True'}]}\n---\n"
    found, notes = states(call, failed + controlled("Job", "w", "w-abc", phase="Failed"))
    assert list(found) == ["w-abc"]
    assert "note: Job default/w has no new pods, because it is finished\n" in notes


def test_pods_of_a_deployment_in_a_dump_are_not_counted_twice(call: Call) -> None:
    owner = "ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: w, uid: u-w, controller: true}]"
    dump = (
        workload("Deployment", "name: w, uid: u-w", "replicas: 3")
        + workload("ReplicaSet", f"name: w-5d, uid: u-w-5d, {owner}", "replicas: 3")
        + controlled("ReplicaSet", "w-5d", "w-5d-x1")
    )
    assert list(states(call, dump)[0]) == ["w-5d-x1", "w-0", "w-1"]
    without_replica_set = workload("Deployment", "name: w", "replicas: 2") + controlled(
        "ReplicaSet", "w-5d", "w-5d-x1", ", labels: {pod-template-hash: 5d}"
    )
    assert list(states(call, without_replica_set)[0]) == ["w-5d-x1", "w-0"]


def test_a_stateful_set_and_a_daemon_set_in_a_dump(call: Call) -> None:
    dump = (
        workload("StatefulSet", "name: s", "replicas: 2")
        + controlled("StatefulSet", "s", "s-0")
        + workload("DaemonSet", "name: d", "selector: {}")
        + controlled("DaemonSet", "d", "d-x1")
    )
    found, notes = states(call, dump)
    assert list(found) == ["s-0", "d-x1", "s-1"]
    assert "note: DaemonSet default/d has no new pods" in notes


def test_workloads_that_control_each_other(call: Call) -> None:
    texts = [
        workload(
            "ReplicaSet",
            f"name: {name}, ownerReferences: [{{apiVersion: apps/v1, kind: ReplicaSet, name: {owner}, uid: u, controller: true}}]",
            "replicas: 1",
        )
        for name, owner in (("a", "b"), ("b", "a"))
    ]
    assert list(states(call, "".join(texts) + workload("Job", "name: j", "parallelism: 1"))[0]) == ["j-0"]


def test_a_workload_that_is_applied_again(call: Call) -> None:
    first = workload("Deployment", "name: w", "replicas: 3", "2")
    found, notes = states(call, first, first)
    assert (list(found), notes) == (["w-0", "w-1", "w-2"], "")
    fewer, more = (workload("Deployment", "name: w", f"replicas: {number}", "2") for number in (1, 4))
    found, notes = states(call, first, fewer, workload("Job", "name: j", "parallelism: 1", "6"))
    assert found == {"w-0": "running", "j-0": "running"}
    assert notes == (
        "note: rolling updates are not simulated; changed pods were deleted before new ones were created: "
        "Deployment default/w\n"
    )
    assert states(call, first, more)[0] == {f"w-{number}": "running" for number in range(4)}
    found, _ = states(call, first, workload("Deployment", "name: w", "replicas: 3", "4"))
    assert found == {"w-0": "running", "w-1": "running", "w-2": "pending"}
    assert list(states(call, first + more)[0]) == ["w-0", "w-1", "w-2", "w-3"]


def test_pods_that_their_workload_would_replace(call: Call) -> None:
    taint = "apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\nspec: {unschedulable: true}\n"
    completed, notes = states(call, workload("Job", "name: w", "parallelism: 1", "9") + taint)
    assert (completed, notes) == ({"w-0": "pending"}, "")
    claim = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  {driver: d.example.com, allNodes: true, pool: {name: p, generation: 1, resourceSliceCount: 1}, devices: [%s]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: t}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}
---
"""
    pods = workload("Deployment", "name: w", "replicas: 1").replace(
        "{restart", "{resourceClaims: [{name: g, resourceClaimTemplateName: t}], restart"
    )
    tainted = "{name: a, taints: [{key: k, effect: NoExecute}]}"
    found, notes = states(call, claim % "{name: a}" + pods, claim % tainted)
    assert found == {"w-0": "gone"}
    assert notes == (
        "note: a cluster would create other pods in place of those that were evicted or failed; this is not "
        "simulated: Deployment default/w\n"
    )


def test_a_template_of_a_workload_without_pods_gets_no_claim(call: Call) -> None:
    template = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: t}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}
---
"""
    job = workload("Job", "name: w", "suspend: true").replace(
        "{restart", "{resourceClaims: [{name: g, resourceClaimTemplateName: t}], restart"
    )
    Path("0.yaml").write_text(NODE + template + job, "utf-8")
    completed = call("allocate", "-f", "0.yaml")
    assert "so one ResourceClaim is made from it" not in completed.err


def test_a_quota_that_records_more_than_the_manifests_have(call: Call) -> None:
    quota = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: q, namespace: default, uid: q}
spec: {hard: {pods: "6", requests.cpu: "6"}}
status: {hard: {pods: "6", requests.cpu: "6"}, used: {pods: "5", requests.cpu: "%s"}}
---
"""
    pods = "".join(controlled("Job", "w", f"w-{number}") for number in range(5))
    found, notes = states(call, quota % 5, workload("Deployment", "name: d", "replicas: 3"))
    assert found == dict.fromkeys(("d-0", "d-1", "d-2"), "running")
    assert notes == (
        "note: ResourceQuota default/q records more usage than the manifests have, and only the manifests count: "
        "pods 5 instead of 0, requests.cpu 5 instead of 0\n"
    )
    assert states(call, quota % 0 + pods)[1] == ""


LIMITS = """\
apiVersion: v1
kind: LimitRange
metadata: {name: l%s}
spec: {limits: [{type: Container, %s}, {type: Pod, max: {cpu: 9}}]}
---
"""


@pytest.mark.parametrize(
    ("limits", "own", "running"),
    [
        ("defaultRequest: {cpu: 5}", "", 1),
        ("default: {cpu: 5}", "", 1),
        ("max: {cpu: 5}", "", 1),
        ("min: {cpu: 5}", "", 1),
        ("default: {cpu: 9}, defaultRequest: {cpu: 1}, min: {cpu: 5}", "", 2),
        ("default: {cpu: 5}", "limits: {cpu: 4}", 2),
        ("default: {cpu: 5}", "requests: {cpu: 3}", 2),
        ("default: {memory: 5}", "", 2),
    ],
)
def test_the_defaults_of_a_limit_range(limits: str, own: str, running: int, call: Call) -> None:
    deployment = workload("Deployment", "name: d", "replicas: 2").replace('requests: {cpu: "1"}', own)
    found, notes = states(call, LIMITS % ("", limits) + deployment)
    assert list(found.values()).count("running") == running
    assert notes == (
        "note: only the defaults of LimitRanges are simulated, not minimum, maximum and ratio: default/l\n"
    )


def test_a_limit_range_is_for_new_pods_of_its_namespace(call: Call) -> None:
    small = workload("Deployment", "name: d", "replicas: 2").replace('requests: {cpu: "1"}', "")
    later = LIMITS % ("", "default: {cpu: 9}")
    assert states(call, small, later + small)[0] == {"d-0": "running", "d-1": "running"}
    elsewhere = later.replace("{name: l}", "{name: l, namespace: other}")
    assert states(call, elsewhere + small)[0] == {"d-0": "running", "d-1": "running"}
    existing = controlled("Job", "w", "w-1")
    assert states(call, later + existing)[0] == {"w-1": "running"}


def test_a_quota_and_a_limit_range(call: Call) -> None:
    quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {requests.cpu: 3}}\n---\n"
    small = workload("Deployment", "name: d", "replicas: 2").replace('requests: {cpu: "1"}', "")
    found, _ = states(call, quota + LIMITS % ("", "default: {cpu: 2}") + small)
    assert found == {"d-0": "running", "d-1": "rejected"}


def test_a_malformed_limit_range(call: Call) -> None:
    Path("0.yaml").write_text(
        LIMITS % ("", "default: {cpu: x}") + workload("Job", "name: j", "parallelism: 1")
    )
    completed = call("schedule", "-f", "0.yaml")
    assert completed.code == exits.USAGE
    assert completed.err.startswith("0.yaml:4: spec.limits[0].default.cpu: ")


def test_a_workload_of_a_dump_that_is_applied_again(call: Call) -> None:
    dump = workload("Deployment", "name: w, uid: u-w", "replicas: 2") + "".join(
        controlled("Deployment", "w", f"w-{suffix}") for suffix in ("x1", "x2")
    )
    changed = workload("Deployment", "name: w", "replicas: 2", "100")
    found, notes = states(call, dump, changed)
    assert found == {"w-0": "pending", "w-1": "pending"}
    assert notes == (
        "note: rolling updates are not simulated; changed pods were deleted before new ones were created: "
        "Deployment default/w\n"
    )
    fewer, none = (workload("Deployment", "name: w", f"replicas: {number}") for number in (1, 0))
    assert list(states(call, dump, fewer)[0]) == ["w-x1"]
    more = workload("Deployment", "name: w", "replicas: 3")
    assert list(states(call, dump, more)[0]) == ["w-x1", "w-x2", "w-0"]
    Path("1.yaml").write_text(none, "utf-8")
    assert "has 0 replicas" in call("schedule", "-f", "0.yaml", "-f", "1.yaml").err


def test_a_pod_of_a_daemon_set_that_waits_for_its_node(call: Call) -> None:
    term = "{matchFields: [{key: metadata.name, operator: In, values: [node-1]}]}"
    waiting = f"requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{term}]}}"
    pod = controlled("DaemonSet", "d", "d-x1", phase="Pending").replace(
        "nodeName: node-1", f"affinity: {{nodeAffinity: {{{waiting}}}}}"
    )
    assert states(call, workload("DaemonSet", "name: d", "selector: {}") + pod)[0] == {"d-x1": "running"}


def test_other_pods_keep_their_names(call: Call) -> None:
    new = "apiVersion: v1\nkind: Pod\nmetadata: {name: w-0}\nspec: {containers: [{name: c, image: i}]}\n---\n"
    ended = new.replace("{name: w-0}", "{name: w-0, uid: u}") + "status: {phase: Succeeded}\n"
    deployment = workload("Deployment", "name: w", "replicas: 1")
    assert list(states(call, new + deployment)[0]) == ["w-0", "w-deployment-0"]
    ended = ended.replace("---\nstatus", "status") + "---\n"
    assert states(call, ended + deployment)[0] == {"w-0": "completed", "w-deployment-0": "running"}


def test_pods_of_a_leader_worker_set_in_a_dump(call: Call) -> None:
    text = (
        "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: w}\nspec: {replicas: 1, "
        "leaderWorkerTemplate: {size: 2, workerTemplate: {spec: {containers: [{name: c, image: i}]}}}}\n---\n"
    )
    group = "leaderworkerset.x-k8s.io/v1"
    leader = controlled("LeaderWorkerSet", "w", "w-0").replace("apps/v1", group)
    owner = "ownerReferences: [{apiVersion: v1, kind: Pod, name: w-0, uid: w-0, controller: true}]"
    workers = workload("StatefulSet", f"name: w-0, uid: s, {owner}", "replicas: 1, ordinals: {start: 1}")
    assert list(states(call, text + leader + workers + controlled("StatefulSet", "w-0", "w-0-1"))[0]) == [
        "w-0",
        "w-0-1",
    ]


def test_the_ordinals_of_a_stateful_set(call: Call) -> None:
    text = workload("StatefulSet", "name: s", "replicas: 2, ordinals: {start: 5}")
    assert list(states(call, text)[0]) == ["s-5", "s-6"]


def test_jobs_of_a_cron_job_in_a_dump(call: Call) -> None:
    cron = (
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\nspec: {%sjobTemplate: {spec: {template: "
        "{spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}}\n---\n"
    )
    owner = "ownerReferences: [{apiVersion: batch/v1, kind: CronJob, name: c, uid: u-c, controller: true}]"
    job = workload("Job", f"name: c-1, uid: u-c-1, {owner}", "parallelism: 1")
    assert list(states(call, cron % "" + job)[0]) == ["c-1-0"]
    assert list(states(call, cron % "suspend: true, " + job)[0]) == ["c-1-0"]


def test_kinds_of_other_groups_are_other_workloads(call: Call) -> None:
    volcano = (
        "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: j}\nspec: {tasks: [{replicas: 1, "
        "template: {spec: {containers: [{name: c, image: i}]}}}]}\n---\n"
    )
    found, _ = states(call, volcano + workload("Job", "name: j", "parallelism: 2"))
    assert list(found) == ["j-0", "j-job-0", "j-job-1"]


@pytest.mark.parametrize(("first", "second", "state"), [(1, 20, "pending"), (20, 1, "running")])
def test_a_limit_range_that_is_applied_again(first: int, second: int, state: str, call: Call) -> None:
    ranges = [LIMITS % ("", f"defaultRequest: {{cpu: {cpu}}}") for cpu in (first, second)]
    small = workload("Deployment", "name: d", "replicas: 1").replace('requests: {cpu: "1"}', "")
    assert states(call, *ranges, small)[0] == {"d-0": state}
