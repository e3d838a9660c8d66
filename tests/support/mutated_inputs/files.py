"""Files other than suites and manifests: reports, events, ledgers, kubeconfigs and API answers."""

from __future__ import annotations

import contextlib
import io
import json
import random
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import yaml

from dra_conform.adapters.live import api_answers
from dra_conform.adapters.live.endpoint import read_kubeconfig
from dra_conform.cli import exits, main
from dra_conform.conformance.events import CaseFinished, RunFinished, RunStarted
from dra_conform.conformance.implementation import Identity
from dra_conform.conformance.verdict import CaseResult, Finding, Kind, Verdict
from dra_conform.kube.json_values import Json
from dra_conform.reports import html, json_report, junit, markdown
from dra_conform.reports.ledger import KnownFailure, KnownGroup, read_ledger, write_ledger
from dra_conform.reports.ndjson import Ndjson
from dra_conform.reports.recorded_runs import recorded_runs
from dra_conform.reports.runs import Run
from tests.support.mutated_inputs.mutating import mutated, mutated_tree
from tests.support.shipped import shipped_suite

_FOLDER = Path(tempfile.mkdtemp(prefix="mutated-inputs-"))
_CODES = {exits.OK, exits.FAILURES, exits.USAGE, exits.INCOMPLETE}


def compared(text: str) -> None:
    """Compare a mutated report with a valid one, in both directions."""
    whole, file = _written("whole.json", _report()), _written("report.json", text)
    for pair in ((whole, file), (file, whole)):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            assert main(["compare", *pair]) in _CODES


def resumed(text: str) -> None:
    """Read events, and write every report of them."""
    run, suite = _run(), shipped_suite()
    cases = [result.case for result in run.results]
    recorded = recorded_runs([_written("events", text)], suite, cases, "kep", {})
    for event in recorded:
        again = Run(run.started, tuple(event.results.values()), 1.0)
        for report in (json_report, junit, markdown, html):
            report.render([again])


def counted(text: str) -> None:
    """Count the quotas and nodes of a cluster, also as a change of the cluster, and write every file."""
    whole, file = _written("cluster.json", json.dumps(_CLUSTER)), _written("dump", text)
    outputs = [
        "--parquet",
        str(_FOLDER / "usage.parquet"),
        "--html",
        str(_FOLDER / "usage.html"),
        "--explain",
    ]
    for arguments in (
        ["usage", "-f", file],
        ["usage", "-f", whole, "--with", file],
        ["footprint", "-f", file, *outputs],
    ):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            assert main([*arguments, "--explain", "--profile", "kubernetes-1.37"]) in _CODES


def dumps() -> Callable[[random.Random], str]:
    """Return a generator of mutated dumps of a cluster, half of them as JSON values with one change."""

    def draw(chance: random.Random) -> str:
        if chance.random() < 0.5:
            return mutated_tree([_CLUSTER], chance)
        return mutated(_cluster_texts(), chance)

    return draw


@cache
def _cluster_texts() -> list[str]:
    return [json.dumps(_CLUSTER), yaml.safe_dump(_CLUSTER)]


_RESOURCES = {
    "requests": {"cpu": "1", "example.com/gpu": "1"},
    "limits": {"cpu": "2", "memory": "1Gi", "example.com/gpu": "1"},
}
_POD_SPEC = {
    "nodeName": "n",
    "affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"namespaces": ["a"]}]}},
    "tolerations": [{"key": "k", "operator": "Exists"}],
    "initContainers": [{"name": "i", "image": "i", "restartPolicy": "Always", "resources": _RESOURCES}],
    "containers": [{"name": "c", "image": "i", "resources": {**_RESOURCES, "claims": [{"name": "e"}]}}],
    "resources": {"requests": {"memory": "2Gi"}},
    "overhead": {"cpu": "250m"},
    "resourceClaims": [{"name": "e", "resourceClaimTemplateName": "t"}],
}
_POD_STATUS = {
    "phase": "Running",
    "qosClass": "Burstable",
    "conditions": [{"type": "PodResizePending", "reason": "Deferred"}],
    "resourceClaimStatuses": [{"name": "e", "resourceClaimName": "c"}],
    "extendedResourceClaimStatus": {"resourceClaimName": "x", "requestMappings": []},
    "containerStatuses": [{"name": "c", "allocatedResources": {"cpu": "3"}, "resources": _RESOURCES}],
    "nodeAllocatableResourceClaimStatuses": [
        {
            "resourceClaimName": "c",
            "containers": ["c"],
            "mapping": [{"name": "cpu", "quantity": "2"}],
            "overhead": [{"name": "memory", "perPod": "1Gi", "perContainer": "1Mi"}],
        }
    ],
}
_CLAIM_SPEC = {
    "devices": {
        "requests": [
            {"name": "r", "exactly": {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 2}},
            {
                "name": "q",
                "firstAvailable": [{"name": "s", "deviceClassName": "gpu", "allocationMode": "All"}],
            },
        ]
    }
}
_ALLOCATION = {
    "devices": {"results": [{"request": "r", "driver": "d.example.com", "pool": "p", "device": "d"}]}
}


def _object(api_version: str, kind: str, name: str, **parts: Json) -> Json:
    metadata = {"name": name, "namespace": "a", "uid": name, "creationTimestamp": "2026-01-01T00:00:00Z"}
    if kind in ("DeviceClass", "ResourceSlice", "Node"):
        del metadata["namespace"]
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **parts}


_CLUSTER: Json = {
    "apiVersion": "v1",
    "kind": "List",
    "items": [
        _object("resource.k8s.io/v1", "DeviceClass", "gpu", spec={"extendedResourceName": "example.com/gpu"}),
        _object("resource.k8s.io/v1", "ResourceClaimTemplate", "t", spec={"spec": _CLAIM_SPEC}),
        _object(
            "resource.k8s.io/v1", "ResourceClaim", "c", spec=_CLAIM_SPEC, status={"allocation": _ALLOCATION}
        ),
        _object(
            "resource.k8s.io/v1",
            "ResourceSlice",
            "s",
            spec={
                "driver": "d.example.com",
                "nodeName": "n",
                "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1},
                "devices": [
                    {"name": "d", "nodeAllocatableResources": {"cpu": {"mapping": {"deviceMultiplier": "2"}}}}
                ],
            },
        ),
        _object("v1", "Node", "n", status={"allocatable": {"cpu": "8", "memory": "16Gi", "pods": "9"}}),
        _object(
            "v1", "ResourceQuota", "q", spec={"hard": {"requests.cpu": "1", "requests.example.com/gpu": "1"}}
        ),
        _object(
            "v1",
            "ResourceQuota",
            "z",
            spec={
                "hard": {"pods": "0"},
                "scopeSelector": {
                    "matchExpressions": [{"scopeName": "CrossNamespacePodAffinity", "operator": "Exists"}]
                },
            },
        ),
        _object("v1", "Pod", "p", spec=_POD_SPEC, status=_POD_STATUS),
        {**_object("v1", "Pod", "new", spec=_POD_SPEC), "metadata": {"name": "new", "namespace": "a"}},
        {
            "apiVersion": "apps/v1",
            "kind": "DaemonSet",
            "metadata": {"name": "d", "namespace": "a"},
            "spec": {
                "selector": {"matchLabels": {"a": "b"}},
                "template": {"metadata": {"labels": {"a": "b"}}, "spec": {**_POD_SPEC, "nodeName": ""}},
            },
        },
    ],
}
"""A cluster with existing and new objects."""


def known(text: str) -> object:
    """Read a ledger."""
    return read_ledger(_written("ledger.yaml", text))


def reached(text: str) -> object:
    """Read a kubeconfig."""
    return read_kubeconfig(Path(_written("kubeconfig", text)))


def answered(text: str) -> None:
    """Read an answer of an API server as every type of answer."""
    data = text.encode("utf-8", errors="surrogatepass")
    for read in (
        api_answers.object_answer,
        api_answers.written_answer,
        api_answers.list_answer,
        api_answers.status_answer,
        api_answers.resources_answer,
        api_answers.version_answer,
        api_answers.watch_event,
    ):
        with contextlib.suppress(api_answers.MalformedAnswer):
            read(data)


def texts_and_trees(seeds: Sequence[Json]) -> Callable[[random.Random], str]:
    """Return a function that draws a mutated seed, half of them as text and half as a tree."""
    texts = [json.dumps(seed) for seed in seeds]

    def draw(chance: random.Random) -> str:
        return mutated(texts, chance) if chance.random() < 0.5 else mutated_tree(seeds, chance)

    return draw


def reports(chance: random.Random) -> str:
    """Return a mutated report."""
    return _mutated_reports()(chance)


@cache
def _mutated_reports() -> Callable[[random.Random], str]:
    whole = json.loads(_report())
    return texts_and_trees([whole, {"format": whole["format"], "runs": [whole, {**whole, "profile": "x"}]}])


def events(chance: random.Random) -> str:
    """Return a file of events with one mutated line."""
    lines = list(_events())
    number = chance.randrange(len(lines))
    lines[number] = texts_and_trees([json.loads(lines[number])])(chance)
    return "\n".join(lines) + "\n"


def ledgers() -> Callable[[random.Random], str]:
    failure = KnownFailure("fail: wrong-result", ("expectation: x",))
    write_ledger(_written("ledger", ""), [KnownGroup(reason="r", cases={"a/b/c": failure})])
    text = (_FOLDER / "ledger").read_text("utf-8")
    tree = yaml.safe_load(text)
    return lambda chance: mutated([text], chance) if chance.random() < 0.5 else mutated_tree([tree], chance)


def kubeconfigs() -> Callable[[random.Random], str]:
    cluster = {
        "server": "https://127.0.0.1:6443",
        "certificate-authority-data": "eA==",
        "proxy-url": "http://p",
    }
    user = {"token": "t", "client-certificate-data": "eA==", "client-key-data": "eA==", "username": "u"}
    tree = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "c", "cluster": cluster}],
        "users": [{"name": "u", "user": user}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u", "namespace": "n"}}],
        "current-context": "x",
    }
    text = yaml.safe_dump(tree)
    return lambda chance: mutated([text], chance) if chance.random() < 0.5 else mutated_tree([tree], chance)


def answers() -> Callable[[random.Random], str]:
    owner = {"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "u"}
    metadata = {
        "name": "p",
        "uid": "u",
        "resourceVersion": "1",
        "labels": {"a": "b"},
        "ownerReferences": [owner],
    }
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": []}, "status": {}}
    causes = [{"reason": "FieldValueInvalid", "message": "m", "field": "spec"}]
    status = {
        "kind": "Status",
        "reason": "Invalid",
        "message": "m",
        "details": {"causes": causes},
        "code": 422,
    }
    return texts_and_trees(
        [
            pod,
            {"apiVersion": "v1", "kind": "PodList", "metadata": {"resourceVersion": "1"}, "items": [pod]},
            status,
            {"major": "1", "minor": "37", "gitVersion": "v1.37.1"},
            {"kind": "APIResourceList", "resources": [{"name": "pods"}]},
            {"type": "ADDED", "object": pod},
            {"type": "BOOKMARK", "object": {"metadata": {"resourceVersion": "1"}}},
            {"type": "ERROR", "object": status},
        ]
    )


def _written(name: str, text: str) -> str:
    path = _FOLDER / name
    path.write_bytes(text.encode("utf-8", errors="surrogatepass"))
    return str(path)


@cache
def _run() -> Run:
    """Return a run of three results: pass, fail and crash."""
    suite = shipped_suite()
    passed, failed, crashed = suite.cases[0], suite.cases[500], suite.cases[-1]
    identity = Identity("x", "1", features={"f": "full"})
    shown = {name for case in (passed, failed, crashed) for name in case.requirements}
    catalogue = tuple(requirement for requirement in suite.catalogue if requirement.id in shown)
    started = RunStarted(identity, "kep", suite.as_suite(), 3, catalogue, "2026-01-01T00:00:00Z")
    finding = Finding("expectation", "device d, expected e", 0, 1)
    results = (
        CaseResult(passed, "kep", Verdict.PASS, seconds=0.5),
        CaseResult(
            failed,
            "kep",
            Verdict.FAIL,
            Kind.WRONG_RESULT,
            (finding,),
            {"a": [1]},
            {"a": [2]},
            why=("because",),
        ),
        CaseResult(crashed, "kep", Verdict.CRASH, detail="exit code 1", log="line"),
    )
    return Run(started, results, 1.0)


@cache
def _report() -> str:
    return json_report.render([_run()])


@cache
def _events() -> Sequence[str]:
    run = _run()
    path = _FOLDER / "events"
    writer = Ndjson(str(path))
    for event in (run.started, *map(CaseFinished, run.results), RunFinished(1.0)):
        writer.handle(event)
    writer.close()
    return path.read_text("utf-8").splitlines()
