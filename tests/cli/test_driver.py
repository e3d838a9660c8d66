"""`driver init` and `driver check`."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import msgspec
import pytest

from dra_conform.adapters.driver.driver_file import read_driver_file
from dra_conform.adapters.driver.reference import reference_driver
from dra_conform.cli import exits
from tests.support.adapters.driver_runs import faulty_driver, write_driver_file
from tests.support.cli.calling import Call


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_init_writes_a_file_that_can_be_read(call: Call, folder: Path) -> None:
    completed = call("driver", "init", "--name", "tpu.example.com", "--command-line", "./tpu --node $NODE")
    assert completed.code == exits.OK
    assert "wrote driver.yaml" in completed.out
    assert "dra-conform driver check driver.yaml" in completed.out
    written = read_driver_file(folder / "driver.yaml")
    assert (written.name, written.command) == ("tpu.example.com", ("./tpu", "--node", "$NODE"))


def test_init_has_defaults(call: Call, folder: Path) -> None:
    assert call("driver", "init", "a.yaml").code == exits.OK
    assert read_driver_file(folder / "a.yaml").name == "gpu.example.com"


@pytest.mark.parametrize("option", ["", " --kubeconfig=$KUBECONFIG"])
def test_a_driver_gets_its_kubeconfig_by_option_or_variable(option: str, call: Call, folder: Path) -> None:
    assert call("driver", "init", "--command-line", f"./tpu{option}").code == exits.OK
    assert ("KUBECONFIG" in read_driver_file(folder / "driver.yaml").env) is not bool(option)


def test_init_overwrites_nothing(call: Call, folder: Path) -> None:
    (folder / "driver.yaml").write_text("mine")
    completed = call("driver", "init")
    assert completed.code == exits.USAGE
    assert "driver.yaml: exists already, expected a new file" in completed.err
    assert (folder / "driver.yaml").read_text() == "mine"


def test_init_needs_an_existing_folder(call: Call, folder: Path) -> None:
    completed = call("driver", "init", "missing/driver.yaml")
    assert completed.code == exits.USAGE
    assert "missing/driver.yaml: cannot be written: No such file or directory" in completed.err


def test_init_names_what_is_to_be_corrected(call: Call, folder: Path) -> None:
    completed = call("driver", "init", "--name", "My GPU")
    assert completed.code == exits.OK
    assert "to be corrected: driver.yaml:" in completed.out
    assert "is not a driver name" in completed.out


def test_init_rejects_words_that_cannot_be_split(call: Call, folder: Path) -> None:
    assert call("driver", "init", "--command-line", "'open").code == exits.USAGE
    assert not (folder / "driver.yaml").exists()


STEPS = (
    "the driver registers as reference.dra-conform.example",
    "the driver publishes 8 devices, the first is node-1/gpu-0",
    "the driver prepares a ResourceClaim with node-1/gpu-0",
    "a container runtime finds 1 CDI device",
    "the driver unprepares the ResourceClaim",
    "the driver ends after SIGTERM and removes its socket",
)


@pytest.mark.parametrize("name", ["reference", "driver:reference"])
def test_check_shows_each_step_of_the_reference_driver(name: str, call: Call, folder: Path) -> None:
    completed = call("driver", "check", name)
    assert completed.code == exits.OK
    lines = completed.out.splitlines()
    assert [line[:5].strip() for line in lines[: len(STEPS)]] == ["ok"] * len(STEPS)
    assert all(step in line for step, line in zip(STEPS, lines, strict=False))
    assert "ready to be judged" in completed.out
    for select in ("requirement:DRIVER/prepare/*", "operation:driver"):
        assert f"dra-conform run -i driver:reference --html report.html --select '{select}'" in completed.out
    assert "concurrency" not in completed.out


def test_check_proposes_concurrency_for_a_driver_that_runs_one_scenario_at_a_time(
    call: Call, folder: Path
) -> None:
    path = write_driver_file(msgspec.structs.replace(reference_driver(), concurrency=1), folder)
    completed = call("driver", "check", str(path))
    assert f"write `concurrency: 4` into {path}" in completed.out


@pytest.mark.parametrize("name", ["reference", "driver:reference"])
def test_the_reference_driver_needs_no_driver_file(name: str, call: Call, folder: Path) -> None:
    completed = call("driver", "init", name)
    assert (completed.code, completed.err) == (
        exits.USAGE,
        f"{name}: is the reference driver, expected a file for your driver\n",
    )
    assert not Path(name).exists()


STOPS = {
    "hidden-registration-socket": ("the driver starts and registers", "a registration socket in $REGISTRY"),
    "ends-at-once": ("the driver starts and registers", "exit code 3"),
    "other-name": (
        "the driver registers as other.dra-conform.example",
        "`name: reference.dra-conform.example`",
    ),
    "unknown-services": (
        "the driver registers with the services v2.DRAPlugin",
        "v1.DRAPlugin or v1beta1.DRAPlugin",
    ),
    "publishes-invalid-names": ("the driver publishes devices", "must be a lowercase RFC 1123 label"),
    "incomplete-pool": (
        "the driver publishes devices",
        "pool node-1 has 2 ResourceSlices of generation 1, resourceSliceCount is 9",
    ),
    "entries-by-name": ("the driver prepares a ResourceClaim", "no entry for the UID"),
    "no-cdi-spec": ("a container runtime finds 1 CDI device", "write a CDI spec"),
    "unprepare-reads-the-claim": ("", ""),
    "empty-answer": ("the driver unprepares the ResourceClaim", "no entry for the UID"),
    "leaves-sockets": (
        "the driver ends after SIGTERM",
        "still there: reference.dra-conform.example-reg.sock",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", STOPS)
def test_check_says_where_a_driver_stops(name: str, call: Call, folder: Path) -> None:
    path = write_driver_file(faulty_driver(name, start_seconds=4), folder)
    completed = call("driver", "check", str(path))
    title, advice = STOPS[name]
    failed = [line for line in completed.out.splitlines() if line.startswith("FAIL")]
    if not title:
        assert (completed.code, failed) == (exits.OK, [])
        return
    assert completed.code == exits.FAILURES
    [line] = failed
    assert title in line
    assert advice in completed.out
    assert "not ready, see the failed check above" in completed.out


def test_check_names_the_line_of_a_problem(call: Call, folder: Path) -> None:
    (folder / "driver.yaml").write_text("name: a.b\ncommand: [x]\nnode: $NODE\n")
    completed = call("driver", "check", "driver.yaml")
    assert completed.code == exits.USAGE
    assert "driver.yaml:3: node: is an unknown field" in completed.err


PROGRAMS = {
    "./missing": "there is no file '{folder}/missing', expected the program of the driver",
    "no-such-program": "'no-such-program' is not on the PATH, expected the program of the driver",
    "./folder": "'./folder' is a folder, expected the program of the driver",
    "./text": "'./text' is not executable, expected a program (chmod +x)",
}


@pytest.mark.parametrize("action", [("driver", "check"), ("run", "-i")])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_that_cannot_be_run_has_its_line(
    program: str, action: tuple[str, str], call: Call, folder: Path
) -> None:
    (folder / "folder").mkdir()
    (folder / "text").write_text("#!/bin/sh\n")
    (folder / "driver.yaml").write_text(f"name: a.b\ncommand:\n- {program}\n")
    file = "driver.yaml" if action[0] == "driver" else "driver:driver.yaml"
    completed = call(*action, file)
    assert completed.code != exits.OK
    assert f"driver.yaml:3: command[0]: {PROGRAMS[program].format(folder=folder)}" in completed.err


def test_check_of_a_driver_that_ends_asks_for_its_options(call: Call, folder: Path) -> None:
    (folder / "driver.yaml").write_text("name: a.b\ncommand: [sh, -c, echo no option --node >&2; exit 3]\n")
    completed = call("driver", "check", "driver.yaml")
    assert completed.code == exits.FAILURES
    assert "must keep running until SIGTERM" in completed.out
    assert "no option --node" in completed.out


def test_check_notes_an_endpoint_in_another_folder(call: Call, folder: Path) -> None:
    reference = reference_driver()
    # The path of a socket has at most 107 characters, and pytest's folders have long names.
    with tempfile.TemporaryDirectory() as elsewhere:
        environment = {**reference.env, "KUBELET_PLUGINS_DIRECTORY_PATH": elsewhere}
        write_driver_file(msgspec.structs.replace(reference, env=environment), folder)
        completed = call("driver", "check", "driver.yaml")
        assert f"its socket {elsewhere}/{reference.name}/dra.sock is outside $PLUGINS" in completed.out
    assert completed.code == exits.OK


def test_check_names_an_endpoint_on_which_nothing_listens(call: Call, folder: Path) -> None:
    write_driver_file(faulty_driver("endpoint-of-nobody"), folder)
    completed = call("driver", "check", "driver.yaml")
    assert completed.code == exits.FAILURES
    assert "GetInfo returns the endpoint /run/nobody.sock, on which nothing listens" in completed.out


SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: node-1-gpu}
spec:
  driver: gpu.example.com
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: COUNT}
  devices: [{name: gpu-0}]
"""


def test_lint_passes_a_complete_pool(call: Call, folder: Path) -> None:
    (folder / "slices.yaml").write_text(SLICE.replace("COUNT", "1"))
    completed = call("driver", "lint", "-f", "slices.yaml")
    assert completed.code == exits.OK
    assert completed.out == "checked 1 pool, 1 device, 0 DeviceClasses: 0 errors, 0 advice\n"


def test_lint_names_file_and_line_of_an_error(call: Call, folder: Path) -> None:
    (folder / "slices.yaml").write_text(SLICE.replace("COUNT", "2"))
    completed = call("driver", "lint", "-f", "slices.yaml")
    assert completed.code == exits.FAILURES
    assert completed.out.startswith("slices.yaml:7: spec.pool.resourceSliceCount: error: pool")


def test_lint_has_a_json_form(call: Call, folder: Path) -> None:
    (folder / "slices.yaml").write_text(SLICE.replace("COUNT", "2"))
    document = json.loads(call("driver", "lint", "-f", "slices.yaml", "-o", "json").out)
    assert (document["errors"], document["pools"], document["devices"]) == (1, 1, 1)
    assert document["findings"][0]["requirement"] == "DRIVER/slices/complete"


@pytest.mark.parametrize("text", ["kind: [", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"])
def test_lint_rejects_files_without_slices(call: Call, folder: Path, text: str) -> None:
    (folder / "slices.yaml").write_text(text)
    completed = call("driver", "lint", "-f", "slices.yaml")
    assert completed.code == exits.USAGE
    assert completed.err.startswith("slices.yaml")
