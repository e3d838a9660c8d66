"""The folder of a driver and its sockets."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from dra_conform.adapters.driver.temporary_folder import TemporaryFolder


@pytest.mark.parametrize("short", [True, False])
def test_sockets_fit_into_the_folder(tmp_path: Path, short: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = Path("/var/tmp") if short else tmp_path / ("x" * 100)
    parent.mkdir(exist_ok=True)
    monkeypatch.setattr(tempfile, "tempdir", str(parent))
    folder = TemporaryFolder()
    try:
        assert folder.path.parent == (parent if short else Path("/tmp"))
    finally:
        folder.close()
    assert not folder.path.exists()
