"""The built-in admits and rejects the same writes as the API server of each release, with the same errors.

A few hundred random writes a release; `python -m tests.support.kube_control_plane.compare` takes as many as one likes.
What is answered otherwise, and why, is in `tests/support/kube_control_plane/known_differences.py`.

What is not compared, and why:

| what | why |
|---|---|
| metadata that the server fills | the built-in's admission stores nothing |
| fields of DRAPartitionableDevicesType, DRAOptionalNodeOperations and DRADerivedAttributes | no document here is about them |
| of pods all but their claims and who uses them | the rest has nothing to do with DRA |
| empty texts, lists, maps and structs in what is stored | Go serves some and leaves others out; they mean the same |
| values and details of errors | they are prose |
| old objects that cannot be decoded or have bad metadata | none is ever stored |
"""

from __future__ import annotations

import pytest

from dra_conform.fuzz.writes.versions import OPTIONS
from tests.support.kube_control_plane.builds import Admission, running
from tests.support.kube_control_plane.compare import answered
from tests.support.kube_control_plane.known_differences import reason

pytestmark = pytest.mark.slow

COUNT = 300


def test_random_writes(admission: Admission) -> None:
    with running(admission.release, *OPTIONS) as build:
        asked = [one for one in answered(build, COUNT, seed=1) if one.real.outcome != "no question"]
    different = [one for one in asked if one.ours != one.real]
    unknown = [(one.number, one.ours.against(one.real)) for one in different if not reason(one)]
    assert unknown == []
