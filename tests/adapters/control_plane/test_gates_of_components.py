"""Starts and feature gates of components under test, on a control plane without processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from kubernetes.client import Configuration

from dra_conform.adapters.control_plane import control_plane
from dra_conform.adapters.control_plane.command_lines import Layout
from dra_conform.adapters.control_plane.control_plane import ControlPlane
from dra_conform.adapters.control_plane.control_plane_file import ReplacingComponent
from dra_conform.adapters.control_plane.manifests import CannotApply
from dra_conform.adapters.control_plane.replaced_component import ReplacedFailed
from dra_conform.adapters.live.endpoint import CannotRun, Endpoint
from dra_conform.kube.json_values import Json
from dra_conform.kube.manifest_files import Manifest
from dra_conform.kube.profile import Profile
from dra_conform.kube.yaml import parse_yaml

PROFILE = Profile.named("kubernetes-1.37")
TAINTS_OFF = PROFILE.with_gates({"DRADeviceTaints": False})
WITH_GATES = ReplacingComponent(("./s", "--feature-gates={gates}"))
WITHOUT_GATES = ReplacingComponent(("./s",))


class Host:
    """The processes of a control plane, which only record their starts."""

    def __init__(
        self,
        program: Path,
        replaced: Mapping[str, ReplacingComponent],
        _: object,
        *,
        one_api_server: bool,
        keep_logs: bool,
    ) -> None:
        self.layout = Layout(Path("/none"), (1,), 2, 3, (4,))
        self.server = "https://127.0.0.1:1"
        self.starts: list[tuple[str, Mapping[str, bool]]] = []
        self.replaced = replaced

    def start(self, name: str, program: Path | None, gates: Mapping[str, bool]) -> None:
        assert (program is None) == (name in self.replaced)
        self.starts.append((name, gates))

    def stop(self, name: str, *, restarts: bool) -> None:
        pass

    def running(self, name: str) -> bool:
        return True

    def metrics(self, name: str) -> str | None:
        return None if name in self.replaced else "metrics"

    def take(self) -> list[str]:
        """Return the names of the components that were started since the previous call."""
        names = [name for name, _ in self.starts]
        self.starts.clear()
        return names


def plane(
    monkeypatch: pytest.MonkeyPatch, manifests: tuple[Manifest, ...] = (), **replaced: ReplacingComponent
) -> tuple[ControlPlane, Host]:
    monkeypatch.setattr(control_plane, "Host", Host)
    monkeypatch.setattr(control_plane.programs, "program", lambda version: Path(f"kube-{version}"))
    monkeypatch.setattr(control_plane.programs, "newest_of", lambda release: f"v{release}.9")
    endpoint = Endpoint("https://127.0.0.1:1", Configuration())
    monkeypatch.setattr(control_plane.Endpoint, "of_kubeconfig", lambda path: endpoint)
    monkeypatch.setattr(control_plane, "Api", lambda *_: None)
    named = {name.replace("_", "-"): component for name, component in replaced.items()}
    opened = ControlPlane("v1.37.1", named, manifests)
    host: Any = opened._host
    return opened, host


def test_components_start_in_order_and_restart_with_other_gates(monkeypatch: pytest.MonkeyPatch) -> None:
    opened, host = plane(monkeypatch, scheduler=WITH_GATES, claim_controller=WITH_GATES)
    opened.begin(PROFILE, {})
    assert host.starts[1] == ("scheduler", PROFILE.gates)
    assert host.take() == ["apiserver", "scheduler", "controller-manager", "claim-controller"]
    opened.begin(PROFILE, {})
    assert host.take() == []
    opened.set_gates(["scheduler"], {"DRADeviceTaints": False})
    assert host.starts == [("scheduler", TAINTS_OFF.gates)]


def test_a_controller_restarts_with_the_controller_manager(monkeypatch: pytest.MonkeyPatch) -> None:
    opened, host = plane(monkeypatch, claim_controller=WITH_GATES)
    opened.begin(PROFILE, {})
    host.take()
    opened.restart(["controller-manager"])
    assert host.take() == ["controller-manager", "claim-controller"]
    opened.restart(["scheduler"])
    assert host.take() == ["scheduler"]


def test_a_component_without_gates_cannot_run_cases_that_change_them(monkeypatch: pytest.MonkeyPatch) -> None:
    opened, host = plane(monkeypatch, scheduler=WITHOUT_GATES)
    opened.begin(PROFILE, {})
    assert ("scheduler", {}) in host.starts
    with pytest.raises(CannotRun, match=r"takes no feature gates, expected DRADeviceTaints=false"):
        opened.begin(TAINTS_OFF, {})


def test_a_component_of_another_release_gets_the_gates_that_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    older = ReplacingComponent(WITH_GATES.command, release="1.36")
    opened, host = plane(monkeypatch, scheduler=older)
    opened.begin(TAINTS_OFF, {})
    own = Profile.named("kubernetes-1.36").with_gates({"DRADeviceTaints": False})
    assert dict(host.starts)["scheduler"] == own.gates
    new = next(gate for gate in PROFILE.gates if gate not in own.gates)
    with pytest.raises(CannotRun, match=f"does not know the feature gate {new}"):
        opened.begin(PROFILE.with_gates({new: not PROFILE.gates[new]}).with_gates({new: True}), {})


def test_a_scenario_with_another_release_of_the_component_cannot_run(monkeypatch: pytest.MonkeyPatch) -> None:
    opened, _ = plane(monkeypatch, scheduler=WITH_GATES)
    with pytest.raises(
        CannotRun, match=r"runs release 1\.36 of the scheduler, but the scheduler is under test"
    ):
        opened.begin(PROFILE, {"scheduler": {"release": "1.36"}})
    opened.begin(PROFILE, {"controller-manager": {"release": "1.36"}})


def test_metrics_are_unknown_if_a_component_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for replaced in ({}, {"scheduler": WITHOUT_GATES}):
        opened, _ = plane(monkeypatch, **replaced)
        opened.begin(PROFILE, {})
        assert (opened.metrics() is None) == bool(replaced)


def test_a_rejected_manifest_is_a_failure_of_the_component(monkeypatch: pytest.MonkeyPatch) -> None:
    def apply(_: Json, manifests: Sequence[Manifest]) -> None:
        raise CannotApply(f"{manifests[0].file}: Role is rejected: no")

    monkeypatch.setattr(control_plane, "apply_manifests", apply)
    opened, host = plane(
        monkeypatch, (Manifest({}, *parse_yaml("{}", "roles.yaml")),), scheduler=WITHOUT_GATES
    )
    with pytest.raises(ReplacedFailed, match=r"roles\.yaml: Role is rejected: no"):
        opened.begin(PROFILE, {})
    assert host.take() == ["apiserver"]


def test_pods_get_the_name_of_the_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = ReplacingComponent(("./s",), scheduler_name="mine")
    assert plane(monkeypatch, scheduler=mine)[0].scheduler_name == "mine"
    assert plane(monkeypatch)[0].scheduler_name == "default-scheduler"
