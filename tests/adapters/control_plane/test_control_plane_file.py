"""Control plane files: what is read, the line and path of each problem, and the specs that name them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dra_conform.adapters.control_plane.control_plane_file import (
    ControlPlaneFile,
    inline_component,
    read_control_plane_file,
)
from dra_conform.adapters.specs import BadSpec, files_of, open_implementation
from dra_conform.kube.errors import InputError, InputErrors

START = "version: v1.37.1\ncomponents:\n"
MINIMAL = f"{START}  scheduler:\n    command: [./scheduler]\n"


def read(folder: Path, text: str) -> ControlPlaneFile:
    path = folder / "control-plane.yaml"
    path.write_text(text)
    return read_control_plane_file(path)


def test_a_minimal_file_has_defaults(tmp_path: Path) -> None:
    component = read(tmp_path, MINIMAL).components["scheduler"]
    assert (component.command, component.scheduler_name) == (("./scheduler",), "default-scheduler")
    assert (component.ready.alive_seconds, component.ready_seconds) == (3, 60)
    assert (component.title, component.takes_gates) == ("scheduler", False)


def test_manifests_are_relative_to_the_file(tmp_path: Path) -> None:
    component = read(tmp_path, f"{MINIMAL}    manifests: [crds.yaml]\n").components["scheduler"]
    assert component.manifests == (str(tmp_path / "crds.yaml"),)


@pytest.mark.parametrize(
    "field", ["command: [./s, '--gates={gates}']", "env: {GATES: '{gates}'}", "config: {a: ['{gates}']}"]
)
def test_gates_reach_a_component_by_command_environment_or_configuration(field: str, tmp_path: Path) -> None:
    command = "" if field.startswith("command") else "    command: [./s]\n"
    file = read(tmp_path, f"{START}  scheduler:\n{command}    {field}\n")
    assert file.components["scheduler"].takes_gates


COMPONENT = f"{START}  scheduler:\n    command: [./s]\n"
PROBLEMS = {
    "version: v1.37.1\n": ":1: components: ",
    "version: 1.37\ncomponents: {scheduler: {command: [s]}}\n": ":1: version: ",
    "version: '1.37'\ncomponents: {scheduler: {command: [s]}}\n": ":1: version: is '1.37', expected a version",
    "version: v1.37.1\ncomponents: {}\n": ":2: components: replaces nothing",
    f"{START}  etcd: {{command: [s]}}\n": ":3: components.etcd: cannot be replaced, expected one of scheduler",
    f"{START}  scheduler: {{command: []}}\n": ":3: components.scheduler.command: is empty",
    f"{START}  scheduler: {{command: ['']}}\n": ":3: components.scheduler.command: is empty",
    f"{START}  scheduler: {{command: ./s}}\n": ":3: components.scheduler.command: ",
    f"{START}  scheduler:\n    command:\n    - ./s\n    - {{kubeconfig}}\n": ":6: components.scheduler.command[1]: ",
    f"{START}  scheduler:\n    command:\n    - ./s\n    - --p={{prot}}\n": (
        ":6: components.scheduler.command[1]: uses {prot}, expected one of {kubeconfig}"
    ),
    f"{COMPONENT}    env: {{A: '{{config}}'}}\n": (
        ":5: components.scheduler.env.A: uses {config}, expected a field config"
    ),
    f"{COMPONENT}    env: {{'A=B': c}}\n": ":5: components.scheduler.env",
    f'{COMPONENT}    env: {{A: "a\\0b"}}\n': ":5: components.scheduler.env.A: contains a NUL character",
    f"{COMPONENT}    ready: {{}}\n": ":5: components.scheduler.ready: has 0 probes",
    f"{COMPONENT}    ready: {{log: x, lease: a/b}}\n": ":5: components.scheduler.ready: has 2 probes",
    f"{COMPONENT}    ready: {{lease: x}}\n": ":5: components.scheduler.ready.lease: is not the name of a Lease",
    f"{COMPONENT}    ready: {{url: 'file:///etc/passwd'}}\n": ":5: components.scheduler.ready.url: is not a URL",
    f"{COMPONENT}    ready: {{aliveSeconds: 9999}}\n": ":5: components.scheduler.ready.aliveSeconds: is 9999",
    f"{COMPONENT}    ready: {{aliveSeconds: -1}}\n": ":5: components.scheduler.ready.aliveSeconds: is -1",
    f"{COMPONENT}    readySeconds: 0\n": ":5: components.scheduler.readySeconds: is 0, expected 1 to 600",
    f"{COMPONENT}    metrics: localhost\n": ":5: components.scheduler.metrics: is not a URL",
    f"{COMPONENT}    release: '1.99'\n": ":5: components.scheduler.release: is '1.99'",
    f"{COMPONENT}    schedulerName: Mine\n": ":5: components.scheduler.schedulerName: is not a DNS subdomain",
    f"{COMPONENT}    manifests: [a, '-']\n": ":5: components.scheduler.manifests[1]: is '-', expected a file",
    f"{COMPONENT}    nmae: x\n": ":5: components.scheduler.nmae: is an unknown field",
    f"{START}  quota-controller: {{command: [s], schedulerName: mine}}\n": (
        ":3: components.quota-controller.schedulerName: is set for a controller"
    ),
    f"{MINIMAL}---\n{MINIMAL}": "has 2 YAML documents, expected one control plane",
    "": "has 0 YAML documents",
}


@pytest.mark.parametrize("text", PROBLEMS)
def test_a_problem_has_its_line_and_path(text: str, tmp_path: Path) -> None:
    with pytest.raises((InputError, InputErrors)) as raised:
        read(tmp_path, text)
    assert PROBLEMS[text] in str(raised.value)
    assert str(raised.value).startswith(str(tmp_path / "control-plane.yaml"))


def test_a_file_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        open_implementation(f"kube:{tmp_path / 'missing.yaml'}")


def test_a_component_can_be_replaced_on_the_command_line() -> None:
    file = inline_component("v1.37.1", "scheduler", ("./my-scheduler", "--feature-gates={gates}"))
    assert file.components["scheduler"].title == "my-scheduler"
    assert file.components["scheduler"].takes_gates


SPECS = {
    "kube:v1.37.1,scheduler=exec:": "names no command",
    "kube:v1.37.1,scheduler=./s": "names no program",
    "kube:v1.37.1,scheduler": "names no program",
    "kube:v1.37.1,etcd=exec:./s": "etcd: cannot be replaced, expected one of scheduler",
    "kube:v1.37.1,scheduler=exec:./s {node}": r"scheduler\.command\[1\]: uses \{node\}",
    "kube:v1.37.1,scheduler=exec:./s {config}": r"scheduler\.command\[1\]: uses \{config\}",
    "kube:1.37,scheduler=exec:./s": "names no version",
    "kube:,scheduler=exec:./s": "names no version",
}


@pytest.mark.parametrize("spec", SPECS)
def test_a_malformed_replacement_is_explained(spec: str) -> None:
    with pytest.raises(BadSpec, match=SPECS[spec]):
        open_implementation(spec)


def test_outputs_do_not_overwrite_the_control_plane_file() -> None:
    assert files_of("kube:a/control-plane.yaml") == [Path("a/control-plane.yaml")]
    assert files_of("kube:v1.37.1") == []
    assert files_of(f"kube:v1.37.1,scheduler=exec:{__file__} {{kubeconfig}}") == [Path(__file__)]


EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "schedulers").glob("*/control-plane.yaml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_examples_are_control_plane_files(path: Path) -> None:
    component = read_control_plane_file(path).components["scheduler"]
    assert (component.title, component.takes_gates) == (f"{path.parent.name} {component.version}", True)
