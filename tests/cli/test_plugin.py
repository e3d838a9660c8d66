"""`dra-conform plugin`: the plugin that it creates, and names that it rejects."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from dra_conform.cli import exits, main

ROOT = Path(__file__).parents[2]


def init(folder: Path, *more: str) -> int:
    return main(["plugin", "init", "--kep", "6042", *more, str(folder)])


def install(folder: Path, package: str) -> None:
    """Write the metadata of a plugin, as pip does for an installed package."""
    metadata = folder / f"{package}-0.1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.1.0\n", "utf-8")
    entry = f"[dra_conform.plugins]\n{package} = {package}.plugin:PLUGIN\n"
    (metadata / "entry_points.txt").write_text(entry, "utf-8")


def call(folder: Path, *command: str, installed: Sequence[Path] = ()) -> subprocess.CompletedProcess[str]:
    """Run dra-conform in the folder of a plugin, which is installed together with other plugins."""
    path = os.pathsep.join(map(str, (ROOT, folder, *installed)))
    return subprocess.run(
        [sys.executable, "-m", "dra_conform", *command],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        cwd=folder,
        check=False,
    )


@pytest.mark.slow
def test_the_created_plugin_passes_its_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "cooling-zone"
    assert init(folder, "--field", "coolingZone") == exits.OK
    assert "-i python:cooling_zone.allocators:CoolingZoneAllocator" in capsys.readouterr().out
    files = {
        str(path.relative_to(folder)): path.read_text("utf-8")
        for path in folder.rglob("*.*")
        if path.is_file()
    }
    assert files.keys() == {
        "pyproject.toml",
        "cooling_zone/__init__.py",
        "cooling_zone/allocators.py",
        "cooling_zone/plugin.py",
        "suite/features/kep-6042/cooling-zone.feature",
        "suite/golden/kep-6042/cooling-zone.yaml",
        "suite/requirements/kep-6042.yaml",
    }
    assert not any("power" in text.lower() or "0000" in text for text in files.values())
    assert 'GATE = "DRADeviceCoolingZone"' in files["cooling_zone/plugin.py"]
    assert (
        "        | device | coolingZone |\n        | gpu-1  | low         |\n"
        in (files["suite/features/kep-6042/cooling-zone.feature"])
    )

    install(folder, "cooling_zone")
    spec = "python:cooling_zone.allocators:CoolingZoneAllocator"
    for command in (("lint", "--suite", "suite"), ("run", "--suite", "suite", "-i", spec)):
        done = call(folder, *command)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "all 14 cases pass" in done.stdout


def test_two_created_plugins_can_be_installed_together(tmp_path: Path) -> None:
    for package, field in (("cooling_zone", "coolingZone"), ("link_type", "linkType")):
        init(tmp_path / package, "--field", field)
        install(tmp_path / package, package)
    done = call(tmp_path / "cooling_zone", "lint", "--suite", "suite", installed=[tmp_path / "link_type"])
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_gate_can_have_another_name(tmp_path: Path) -> None:
    assert init(tmp_path, "--field", "zone", "--gate", "DRAZones") == exits.OK
    plugin = (tmp_path / "zone" / "plugin.py").read_text("utf-8")
    assert 'GATE = "DRAZones"' in plugin


def test_a_field_can_begin_like_that_of_the_example(tmp_path: Path) -> None:
    assert init(tmp_path, "--field", "powerClasses") == exits.OK
    plugin = (tmp_path / "power_classes" / "plugin.py").read_text("utf-8")
    assert 'GATE = "DRADevicePowerClasses"' in plugin
    assert "class DevicePowerClasses(" in plugin


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--field", "Cooling zone"), "argument --field: 'Cooling zone' is not the name of a field"),
        (("--field", "attributes"), "argument --field: 'attributes' is a field of a device already"),
        (("--field", "class"), "argument --field: 'class' would name the plugin like a module of Python"),
        (
            ("--field", "zone", "--gate", "DRAAdminAccess"),
            "argument --gate: 'DRAAdminAccess' is a gate already",
        ),
        (("--field", "zone", "--gate", "my gate"), "argument --gate: 'my gate' is not a name"),
        (("--field", "zone", "--kep", "KEP-1"), "argument --kep: 'KEP-1' is not a number"),
    ],
)
def test_names_that_are_rejected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str
) -> None:
    assert init(tmp_path, *options) == exits.USAGE
    assert message in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == []


def test_files_are_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pyproject.toml").write_text("mine", "utf-8")
    assert init(tmp_path, "--field", "zone") == exits.USAGE
    assert "pyproject.toml: exists already" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["pyproject.toml"]
