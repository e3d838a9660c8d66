"""Objects that the first release has stored, in the later steps of an upgrade or downgrade."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from dra_conform.kube.errors import InputError
from dra_conform.kube.manifest_files import manifests_of
from dra_conform.kube.profile import Profile
from dra_conform.previews.upgrade_check.findings import Scope, UpgradeFinding, UpgradeStep
from dra_conform.previews.upgrade_check.written_objects import WrittenObjects

CLASS = """\
apiVersion: resource.k8s.io/v1beta1
kind: DeviceClass
metadata: {name: gpu}
spec: {extendedResourceName: example.com/gpu}
"""
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: claim}
spec:
  devices:
    requests:
    - name: r0
      exactly: {deviceClassName: gpu, tolerations: [{key: example.com/broken, operator: Exists}]}
"""
UPPER_CASE = """\
apiVersion: resource.k8s.io/v1beta2
kind: ResourceClaim
metadata: {name: claim}
spec:
  devices:
    requests:
    - name: r0
      exactly: {deviceClassName: gpu, capacity: {requests: {memory: 1Gi}}}
    constraints: [{matchAttribute: CAPACITY}]
"""


def _findings(manifest: str, *releases: str) -> Mapping[str, list[UpgradeFinding]]:
    """Return the findings by step."""
    errors: list[InputError] = []
    manifests = manifests_of(manifest.replace("CAPACITY", "GPU.example.com/numa"), "m.yaml", errors)
    profiles = [Profile.named(f"kubernetes-{release}") for release in releases]
    written = WrittenObjects([*manifests], profiles)
    steps = [UpgradeStep(*each) for each in pairwise(profiles)]
    found = {step.title: list(written.findings(step, number)) for number, step in enumerate(steps)}
    assert not errors
    return found


def test_a_field_of_the_first_release_is_lost_in_the_step_whose_release_does_not_know_it() -> None:
    found = _findings(CLASS, "1.36", "1.35", "1.34", "1.33")
    [dropped] = found["1.36 -> 1.35"]
    assert (dropped.after, dropped.scope) == ("dropped", Scope.NEW)
    assert found["1.35 -> 1.34"] == []
    [lost] = found["1.34 -> 1.33"]
    assert (lost.path, lost.after, lost.scope) == ("spec.extendedResourceName", "lost", Scope.EXISTING)


def test_tolerations_that_the_first_release_stores_are_kept_and_can_be_written_again() -> None:
    found = _findings(CLAIM, "1.34", "1.35", "1.36")
    scopes = {step: [finding.scope for finding in findings] for step, findings in found.items()}
    assert scopes == {"1.34 -> 1.35": [Scope.NEW], "1.35 -> 1.36": [Scope.NEW]}


def test_tolerations_that_the_first_release_drops_cannot_be_written_again() -> None:
    found = _findings(CLAIM, "1.35", "1.36", "1.37")
    rejected = [finding for finding in found["1.35 -> 1.36"] if finding.scope is Scope.EXISTING]
    assert [finding.after for finding in rejected] == ["update rejected: Invalid: field is immutable"]
    assert found["1.36 -> 1.37"] == []


def test_an_object_that_the_first_release_rejects_is_no_existing_object() -> None:
    found = _findings(UPPER_CASE, "1.37", "1.36", "1.35", "1.34", "1.33")
    assert [finding.after for finding in found["1.37 -> 1.36"]] == ["admitted"]
    assert {finding.scope for findings in found.values() for finding in findings} == {Scope.NEW}


def test_a_field_is_lost_although_new_objects_are_rejected() -> None:
    found = _findings(UPPER_CASE.replace("v1beta2", "v1"), "1.36", "1.35", "1.34", "1.33")
    after = {finding.path: (finding.after, finding.scope) for finding in found["1.34 -> 1.33"]}
    assert after["spec.devices.requests[0].exactly.capacity"] == ("lost", Scope.EXISTING)
    assert after["apiVersion"][1] is Scope.NEW
