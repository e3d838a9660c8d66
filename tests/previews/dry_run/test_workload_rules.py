"""Pod templates of workloads: their restartPolicy, and the fields that only a pod has."""

from __future__ import annotations

import pytest

from dra_conform.kube.errors import InputError
from dra_conform.kube.manifest_files import manifests_of
from dra_conform.kube.profile import Profile
from dra_conform.previews.dry_run import DryRunResult, dry_run, propose

TEMPLATE = "template: {spec: {POLICYcontainers: [{name: c, image: i}]}}"
ALWAYS = 'spec.template.spec.restartPolicy: NotSupported: "Never": supported values: "Always"'
REQUIRED = 'Required: valid values: "OnFailure", "Never"'


def _result(version: str, kind: str, policy: str) -> DryRunResult:
    template = TEMPLATE.replace("POLICY", f"restartPolicy: {policy}, " if policy else "")
    spec = f"{{jobTemplate: {{spec: {{{template}}}}}}}" if kind == "CronJob" else f"{{{template}}}"
    text = f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: w}}\nspec:\n  {spec}\n"
    if kind == "PodTemplate":
        text = text.replace("spec:\n  {", "").replace("}}\n", "}\n")
    errors: list[InputError] = []
    manifests = [*manifests_of(text, "w.yaml", errors)]
    assert not errors
    [result] = dry_run(propose(manifests), Profile.named("kep"))
    return result


@pytest.mark.parametrize(
    ("version", "kind", "policy"),
    [
        ("apps/v1", "Deployment", ""),
        ("apps/v1", "DaemonSet", "Always"),
        ("batch/v1", "Job", "Never"),
        ("batch/v1", "CronJob", "OnFailure"),
        ("v1", "PodTemplate", "Never"),
    ],
)
def test_a_workload_with_its_restart_policy_is_admitted(version: str, kind: str, policy: str) -> None:
    result = _result(version, kind, policy)
    assert not result.reason
    assert "status" not in {change.path[0] for change in result.changes}


@pytest.mark.parametrize(
    ("version", "kind", "policy", "message"),
    [
        ("apps/v1", "Deployment", "Never", ALWAYS),
        ("v1", "ReplicationController", "Never", ALWAYS),
        ("batch/v1", "Job", "", f"spec.template.spec.restartPolicy: {REQUIRED}"),
        ("batch/v1", "Job", "Always", f"spec.template.spec.restartPolicy: {REQUIRED}"),
        ("batch/v1", "CronJob", "", f"spec.jobTemplate.spec.template.spec.restartPolicy: {REQUIRED}"),
    ],
)
def test_another_restart_policy_is_rejected(version: str, kind: str, policy: str, message: str) -> None:
    result = _result(version, kind, policy)
    assert [str(problem) for problem in result.problems()] == [f"w.yaml:5: {message}"]
    assert (result.reason, result.stored) == ("Invalid", None)
