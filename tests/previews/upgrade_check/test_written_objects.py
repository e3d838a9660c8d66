"""Objects of manifests that are stored differently after an upgrade, with API servers of a test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from dra_conform.kube.errors import InputError
from dra_conform.kube.manifest_files import manifests_of
from dra_conform.kube.profile import Profile
from dra_conform.previews.dry_run.execution import builtin
from dra_conform.previews.upgrade_check.findings import UpgradeStep
from dra_conform.previews.upgrade_check.release_servers import ReleaseServers
from dra_conform.previews.upgrade_check.written_objects import WrittenObjects

STEP = UpgradeStep(Profile.named("kubernetes-1.37"), Profile.named("kubernetes-1.38"))
RULE = """
apiVersion: resource.k8s.io/v1beta2
kind: DeviceTaintRule
metadata: {name: broken}
spec: {taint: {key: broken, effect: NoSchedule}}
"""


def _at_other_times(field: str) -> ReleaseServers:
    """Return API servers, each of which stores its own value in a field of the taint."""

    def admission(questions: Sequence[Any], profile: Profile) -> Iterator[Mapping[str, Any]]:
        for answer in builtin(questions, profile):
            taint = {**answer["object"]["spec"]["taint"], field: f"2026-01-01T00:00:{profile.release[-2:]}Z"}
            yield {**answer, "object": {**answer["object"], "spec": {"taint": taint}}}

    return ReleaseServers(admission)


@pytest.mark.parametrize(("field", "differs"), [("timeAdded", False), ("value", True)])
def test_the_time_that_an_api_server_sets_is_no_difference(field: str, differs: bool) -> None:
    errors: list[InputError] = []
    written = WrittenObjects(
        [*manifests_of(RULE, "rule.yaml", errors)], [STEP.before, STEP.after], _at_other_times(field)
    )
    found = [finding.path for finding in written.findings(STEP, 0)]
    assert not errors
    assert found == ([f"spec.taint.{field}"] if differs else [])
