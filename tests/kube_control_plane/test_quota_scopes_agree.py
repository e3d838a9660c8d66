"""The built-in admits and rejects the same ResourceQuota scopes as the API server of each release."""

from __future__ import annotations

import pytest

from dra_conform.kube.profile import Profile
from tests.support.apiserver.objects import create, errors
from tests.support.apiserver.quotas_with_scopes import quota, specs
from tests.support.kube_control_plane.builds import Admission

pytestmark = pytest.mark.slow


def test_every_scope_with_every_resource_and_operator(admission: Admission) -> None:
    profile = Profile.named(f"kubernetes-{admission.minor}")
    otherwise = []
    for spec in specs():
        real = {(one["path"], one["type"]) for one in admission.create(quota(spec)).get("errors", ())}
        if errors(create(quota(spec), profile)) != real:
            otherwise.append((spec, real))
    assert otherwise == []
