"""Driver files: what is read, and the line and path of each problem."""

from __future__ import annotations

from pathlib import Path

import pytest

from dra_conform.adapters.driver.driver_file import DriverFile, driver_file_text, read_driver_file
from dra_conform.kube.errors import InputError, InputErrors

MINIMAL = "name: gpu.example.com\ncommand: [./driver]\n"


def read(folder: Path, text: str) -> DriverFile:
    path = folder / "driver.yaml"
    path.write_text(text)
    return read_driver_file(path)


def test_a_minimal_file_has_defaults(tmp_path: Path) -> None:
    file = read(tmp_path, MINIMAL)
    assert (file.name, file.command) == ("gpu.example.com", ("./driver",))
    assert (file.folders, file.start_seconds, file.rolling) == ("given", 30, None)


PROBLEMS = {
    "name: gpu.example.com\n": ":1: command: ",
    "name: GPU\ncommand: [./driver]\n": ":1: name: is not a driver name",
    f"name: {'a' * 64}\ncommand: [./driver]\n": ":1: name: is not a driver name",
    "name: a.b\ncommand: []\n": ":2: command: is empty",
    "name: a.b\ncommand: ['']\n": ":2: command: is empty",
    "name: a.b\ncommand: ./driver\n": ":2: command: ",
    "name: a.b\ncommand:\n- ./driver\n- --node=$NODES\n": ":4: command[1]: uses $NODES, expected one of $KUBECONFIG",
    f"{MINIMAL}env:\n  X: $NODE\n  FOLDER: $CDI_ROOT\n": ":5: env.FOLDER: uses $CDI_ROOT",
    f"{MINIMAL}env: {{X: 1}}\n": ":3: env.X: ",
    "name: a..b\ncommand: [./driver]\n": ":1: name: is not a driver name",
    'name: a.b\ncommand: [./driver, "a\\0"]\n': ":2: command[1]: has a NUL byte",
    f"{MINIMAL}env: {{A=B: x}}\n": ":3: env[A=B]: is not the name of a variable",
    f"{MINIMAL}env: {{'': x}}\n": ": is not the name of a variable",
    f'{MINIMAL}env: {{X: "a\\0"}}\n': ":3: env.X: has a NUL byte",
    f"{MINIMAL}rolling: {{env: {{A: $NODES}}}}\n": ":3: rolling.env.A: uses $NODES, expected one of",
    f"{MINIMAL}variants: {{shares: {{env: {{A=B: x}}}}}}\n": ": is not the name of a variable",
    f"{MINIMAL}state: /var/lib/kubelet/plugins/a.b/state\n": "expected a file below $PLUGINS/",
    f"{MINIMAL}state: $PLUGINS/../../etc/passwd\n": "expected a file below $PLUGINS/",
    f"{MINIMAL}state: $HOME/checkpoint\n": ":3: state: uses $HOME",
    f"{MINIMAL}folders: mine\n": ":3: folders: is 'mine', expected given or built-in",
    f"{MINIMAL}startSeconds: 0\n": ":3: startSeconds: is 0, expected 1 to 600 seconds",
    f"{MINIMAL}concurrency: 0\n": ":3: concurrency: is 0, expected 1 to 32 scenarios",
    f"{MINIMAL}startSeconds: soon\n": ":3: startSeconds: ",
    f"{MINIMAL}rolling: {{environment: {{A: b}}}}\n": ":3: rolling.environment: is an unknown field",
    f"{MINIMAL}configuration: {{good: {{}}}}\n": ":3: configuration.bad: ",
    f"{MINIMAL}variants: {{faster: {{}}}}\n": ":3: variants.faster: is unknown, expected one of shares",
    f"{MINIMAL}nmae: x\n": ":3: nmae: is an unknown field",
    f"{MINIMAL}name: x\n": ":3: ",
    f"{MINIMAL}---\n{MINIMAL}": "has 2 YAML documents, expected one driver",
    "": "has 0 YAML documents, expected one driver",
}


@pytest.mark.parametrize("text", PROBLEMS)
def test_a_problem_has_its_line_and_path(text: str, tmp_path: Path) -> None:
    with pytest.raises((InputError, InputErrors)) as raised:
        read(tmp_path, text)
    assert f"driver.yaml{PROBLEMS[text]}" in str(raised.value) or PROBLEMS[text] in str(raised.value)
    assert str(raised.value).startswith(str(tmp_path))


def test_a_file_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_driver_file(tmp_path / "missing.yaml")


WRITTEN = {
    "the default": ("gpu.example.com", ["./driver", "--kubeconfig", "$KUBECONFIG"], "given"),
    "words that YAML takes for something else": (
        "yes",
        ["on", "1", "-", "a: b", "#", "", '"', "{", "no"],
        "given",
    ),
    "built-in folders": ("a.b", ["driver"], "built-in"),
}


@pytest.mark.parametrize("case", WRITTEN)
def test_a_written_file_reads_as_it_was_given(case: str, tmp_path: Path) -> None:
    name, command, folders = WRITTEN[case]
    file = read(tmp_path, driver_file_text(name, command, folders))
    assert (file.name, [*file.command], file.folders) == (name, command, folders)


def test_the_optional_parts_of_a_written_file_can_be_uncommented(tmp_path: Path) -> None:
    text = driver_file_text("gpu.example.com", ["driver"], "given")
    parts = ("rolling", "configuration", "state", "startSeconds", "concurrency")
    for part in parts:
        assert f"\n# {part}: " in text
        text = text.replace(f"# {part}: ", f"{part}: ")
    file = read(tmp_path, text)
    assert file.rolling is not None
    assert file.configuration is not None
    assert file.state == "$PLUGINS/gpu.example.com/checkpoint.json"


EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "drivers").glob("*/driver.yaml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_the_driver_files_of_known_drivers_are_valid(path: Path) -> None:
    assert read_driver_file(path).version
