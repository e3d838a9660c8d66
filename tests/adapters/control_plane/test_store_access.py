"""Other users of the machine cannot reach the store of a control plane."""

from __future__ import annotations

import pytest

from dra_conform.adapters.control_plane.control_plane import ControlPlane
from dra_conform.adapters.control_plane.programs import NotBuilt

pytestmark = [pytest.mark.live, pytest.mark.slow]


def test_etcd_listens_on_a_socket_that_only_its_user_reaches() -> None:
    try:
        plane = ControlPlane("v1.37.1")
    except NotBuilt as error:
        pytest.skip(str(error))
    try:
        layout = plane._host.layout
        assert layout.store.is_socket()
        assert layout.folder.stat().st_mode & 0o777 == 0o700
    finally:
        plane.close()
