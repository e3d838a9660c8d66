"""Plugins: the example of a KEP in work, and plugins that cannot be loaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from dra_conform.conformance import features
from dra_conform.conformance.allocate.invariants import rules
from dra_conform.conformance.allocate.invariants.rules import Rule
from dra_conform.conformance.features import OwnFeature
from dra_conform.conformance.plugin_entries import BadPlugin
from dra_conform.conformance.plugins import Plugin, conflicts
from dra_conform.conformance.steps.device_steps import devices
from dra_conform.conformance.usage.operation import Usage
from dra_conform.kube.own_fields import OwnField
from tests.support.conformance.suite.writing import suite

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "dra_conform" / "adapters" / "skeletons" / "power-class"
SUITE = str(EXAMPLE / "suite")
CORRECT = "python:power_class.allocators:PowerClassAllocator"
FAULTY = "python:power_class.allocators:IgnoresPowerClass"


def install(folder: Path, target: str) -> None:
    """Write the metadata of an installed package with a plugin."""
    metadata = folder / "trial-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: trial\nVersion: 1\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(f"[dra_conform.plugins]\ntrial = {target}\n", encoding="utf-8")


def call(folder: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python with the packages in a folder and the example."""
    path = os.pathsep.join(map(str, (ROOT, folder, EXAMPLE)))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder, check=False)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    install(tmp_path, "power_class.plugin:PLUGIN")
    return tmp_path


@pytest.mark.slow
def test_the_example_finds_the_faulty_allocator(installed: Path) -> None:
    done = call(installed, "dra_conform", "run", "--suite", SUITE, "-i", CORRECT, "-i", FAULTY)
    assert done.returncode == 1, done.stderr
    assert "all 14 cases pass" in done.stdout
    assert "10 of 14 cases failed" in done.stdout
    assert "decisions of the built-in" not in done.stdout
    assert "power-class-matches: ResourceClaim default/c, request r0: device gpu-1" in done.stdout


@pytest.mark.slow
def test_the_shipped_suite_passes_with_the_example(installed: Path) -> None:
    done = call(installed, "dra_conform", "run", "--select", "operation:allocate")
    assert done.returncode == 0, done.stdout[:2000]


@pytest.mark.slow
def test_the_example_runs_under_pytest(installed: Path) -> None:
    options = ("-q", "-p", "no:cacheprovider", "--implementation", CORRECT)
    done = call(installed, "pytest", *options, str(EXAMPLE / "suite" / "features"))
    assert done.returncode == 0, done.stdout
    assert "14 passed" in done.stdout


@pytest.mark.slow
def test_the_example_has_no_problems(installed: Path) -> None:
    done = call(installed, "dra_conform", "lint", "--suite", SUITE)
    assert (done.returncode, done.stdout) == (0, "14 cases, 4 requirements: no problems found\n")


def test_the_schema_of_golden_files_has_the_steps_of_plugins(installed: Path) -> None:
    done = call(installed, "dra_conform", "schema", "golden", "--suite", SUITE)
    kinds = json.loads(done.stdout)["$defs"]
    assert kinds["Given"]["properties"]["devicePowerClass"] == {
        "description": "Set the power class of a device of the setup."
    }
    assert "runsOnDeviceOfPowerClass" in kinds["Then"]["properties"]


@pytest.mark.parametrize(
    ("member", "parameters", "name", "expected"),
    [
        ("rules=(Rule('colours-match', check),)", "case, *others", "rule", "a message for each violation"),
        (
            "filters=(DeviceFilter('colours-match', check),)",
            "case, device, profile",
            "device filter",
            "the problem of a device, or an empty string",
        ),
    ],
)
def test_a_rule_that_fails_is_named_with_its_line(
    tmp_path: Path, member: str, parameters: str, name: str, expected: str
) -> None:
    (tmp_path / "failing.py").write_text(
        "from dra_conform.conformance.plugins import DeviceFilter, Plugin, Rule\n"
        f"def check({parameters}):\n"
        "    return [getattr(case, 'objects', case)['colours']]\n"
        f"PLUGIN = Plugin({member})\n",
        encoding="utf-8",
    )
    install(tmp_path, "failing:PLUGIN")
    suite(tmp_path / "suite")
    done = call(tmp_path, "dra_conform", "run", "--suite", "suite", "--json", "report.json")
    assert done.returncode == 1, done.stderr
    [result] = json.loads((tmp_path / "report.json").read_text("utf-8"))["results"]
    assert result["verdict"] == "protocol"
    assert result["detail"] == (
        f"{name} colours-match of a plugin fails at {tmp_path}/failing.py:3 with KeyError: 'colours', "
        f"expected {expected}"
    )


def test_without_the_plugin_its_fields_are_unknown(tmp_path: Path) -> None:
    done = call(tmp_path, "dra_conform", "list", "--suite", SUITE)
    assert done.returncode == 4, done.stdout
    assert "features/kep-0000/power-class.feature:" in done.stderr
    assert "powerClass" in done.stderr


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("no_such_module:PLUGIN", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"),
        ("power_class.plugin:FIELD", "is str, expected a Plugin"),
        ("exits:PLUGIN", "cannot be loaded: SystemExit: 0"),
    ],
)
def test_a_plugin_that_cannot_be_loaded(tmp_path: Path, target: str, message: str) -> None:
    (tmp_path / "exits.py").write_text("raise SystemExit(0)\n", encoding="utf-8")
    install(tmp_path, target)
    done = call(tmp_path, "dra_conform", "list", "kind")
    assert done.returncode == 2
    assert done.stderr == f"plugin trial ({target}): {message}\n"


@pytest.mark.parametrize(
    ("plugin", "message"),
    [
        (Plugin(gates={"DRAAdminAccess": "1.38 alpha"}), "feature gate DRAAdminAccess exists"),
        (Plugin(operations=(Usage(),)), "operation usage exists"),
        (Plugin(steps={"allot": ()}), "unknown operation allot, expected one of allocate"),
        (Plugin(features=(OwnFeature("device-taints", bool),)), "feature device-taints exists"),
        (Plugin(features=(OwnFeature("own", bool, "DRANone"),)), "feature own has the unknown gate DRANone"),
        (Plugin(given=(devices,)), "Given step devices exists"),
        (Plugin(steps={"usage": (Usage.steps[0],)}), f"When step {Usage.steps[0].key} exists"),
        (Plugin(fields=(OwnField("device", "attributes"),)), "field attributes of a device exists"),
        (Plugin(fields=(OwnField("request", "firstAvailable"),)), "field firstAvailable of a request exists"),
        (Plugin(fields=(OwnField("result", "shareID"),)), "field shareID of a result exists"),
    ],
)
def test_a_plugin_cannot_redefine(plugin: Plugin, message: str) -> None:
    [problem] = conflicts(plugin)
    assert problem.startswith(message)


def test_two_plugins_cannot_have_rules_of_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = Rule("colours-match", lambda case, profile, allocations: iter(()))
    monkeypatch.setattr(rules, "_RULES", [rule])
    assert [*conflicts(Plugin(rules=(rule,)))] == ["rule colours-match exists, expected a new name"]


def test_a_feature_of_a_plugin_need_not_expect_malformed_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    def uses(objects: Mapping[str, Sequence[Any]]) -> bool:
        return any(claim["spec"]["devices"]["colour"] for claim in objects["resourceClaims"])

    monkeypatch.setattr(features, "_OWN", {"colour": OwnFeature("colour", uses)})
    claim = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "c"}}
    for spec in ({}, {"spec": 7}, {"spec": {"devices": {"requests": [{"name": 7}]}}}):
        assert features.features_of({"resourceClaims": [{**claim, **spec}]}) == frozenset()
    with pytest.raises(BadPlugin, match="feature colour of a plugin: `uses` fails with KeyError: 'colour'"):
        features.features_of({"resourceClaims": [{**claim, "spec": {"devices": {}}}]})


@pytest.mark.slow
def test_the_shipped_suite_can_be_listed_with_the_example(installed: Path) -> None:
    done = call(installed, "dra_conform", "list", "operation")
    assert (done.returncode, done.stderr) == (0, "")
