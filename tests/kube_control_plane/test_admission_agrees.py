"""The built-in admits and rejects the same writes as the API server of each release, with the same errors.

The test sends a few hundred random writes per release, `python -m tests.support.kube_control_plane.compare` any number.
`tests/support/kube_control_plane/known_differences.py` has the known differences with their reasons.

These are not compared:

| what | why |
|---|---|
| metadata that the server fills | the built-in's admission stores nothing |
| fields of DRAPartitionableDevicesType, DRAOptionalNodeOperations and DRADerivedAttributes | the specification does not describe them |
| fields of pods other than claims and their containers | they do not concern DRA |
| empty strings, lists, maps and structs in stored objects | Go writes some and omits others, with the same meaning |
| values and details of errors | they are messages for people |
| old objects that cannot be decoded or have bad metadata | the API server never stores them |
"""

from __future__ import annotations

import pytest

from tests.support.kube_control_plane.builds import ALL_VERSIONS, Admission, running
from tests.support.kube_control_plane.compare import answered
from tests.support.kube_control_plane.known_differences import reason

pytestmark = pytest.mark.slow

COUNT = 300


def test_random_writes_have_equal_answers(admission: Admission) -> None:
    with running(admission.release, *ALL_VERSIONS) as build:
        asked = [one for one in answered(build, COUNT, seed=1) if one.real.outcome != "no question"]
    different = [one for one in asked if one.ours != one.real]
    unknown = [(one.number, one.ours.against(one.real)) for one in different if not reason(one)]
    assert unknown == []
