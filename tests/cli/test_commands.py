"""`requirements`, `lint`, `schema`, `adapter check`, and behaviour common to all commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from dra_conform import __version__
from dra_conform.cli import COMMANDS, exits, main
from tests.support.cli.calling import Call
from tests.support.conformance.suite.writing import GOLDEN

ROOT = Path(__file__).parents[2]
ADVERSARY = ROOT / "tests" / "support" / "adapters" / "adversaries" / "adversary.py"


def test_requirements(call: Call, folder: Path) -> None:
    completed = call("requirements", "--suite", "suite", "--json", "q.json")
    assert completed.code == exits.OK
    assert "KEP-5075/rounding/step-up" in completed.out
    found = json.loads((folder / "q.json").read_text("utf-8"))
    assert set(found) == {"requirements", "totals"}
    assert found["requirements"] == [
        {
            "id": "KEP-5075/rounding/step-up",
            "document": "KEP-5075",
            "level": "MUST",
            "operation": "consume",
            "covered": True,
            "untestable": False,
            "cases": ["kep-5075/trial/nothing-is-there", "kep-5075/trial/one"],
            "accepts": 1,
            "rejects": 1,
        },
        {
            "id": "KEP-5075/api/stored",
            "document": "KEP-5075",
            "level": "SHOULD",
            "operation": "admit",
            "covered": False,
            "untestable": False,
            "cases": [],
            "accepts": 0,
            "rejects": 0,
        },
    ]
    assert found["totals"] == {
        "total": 2,
        "covered": 1,
        "untestable": 0,
        "documents": {"KEP-5075": {"total": 2, "covered": 1, "untestable": 0}},
        "levels": {
            "MUST": {"total": 1, "covered": 1, "untestable": 0},
            "SHOULD": {"total": 1, "covered": 0, "untestable": 0},
        },
        "operations": {
            "consume": {"total": 1, "covered": 1, "untestable": 0},
            "admit": {"total": 1, "covered": 0, "untestable": 0},
        },
    }


def test_uncovered_requirements(call: Call, folder: Path) -> None:
    completed = call("requirements", "--suite", "suite", "--uncovered")
    assert "KEP-5075/api/stored" in completed.out
    assert "KEP-5075/rounding/step-up" not in completed.out


def test_requirements_that_cannot_be_written(call: Call, folder: Path) -> None:
    completed = call("requirements", "--suite", "suite", "--json", "nowhere/q.json")
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert completed.err.startswith("nowhere/q.json: there is no folder")


def test_lint(call: Call, folder: Path) -> None:
    completed = call("lint", "--suite", "suite")
    assert (completed.code, completed.err) == (exits.OK, "")
    assert completed.out == "2 cases, 2 requirements: no problems found\n"
    golden = folder / "suite" / "golden" / "kep-5075" / "trial.yaml"
    golden.write_text(GOLDEN.replace("rounding/step-up", "rounding/unheard-of"), encoding="utf-8")
    completed = call("lint", "--suite", "suite")
    assert (completed.code, completed.out) == (exits.SUITE_BROKEN, "")
    assert completed.err == (
        "golden/kep-5075/trial.yaml:6: kep-5075/trial/one: names the unknown requirement "
        "KEP-5075/rounding/unheard-of, expected a requirement of the catalogue\n"
    )
    golden.write_text(GOLDEN.replace("rounding/step-up", "rounding/steps-up"), encoding="utf-8")
    completed = call("lint", "--suite", "suite")
    assert completed.err.endswith("KEP-5075/rounding/steps-up, did you mean KEP-5075/rounding/step-up?\n")


def test_lint_reports_all_problems_at_once(call: Call, folder: Path) -> None:
    golden = folder / "suite" / "golden" / "kep-5075" / "trial.yaml"
    head, mark, case = GOLDEN.partition("  - case: one\n")
    assert mark, "the case of the small suite"
    one, two, three = (f"  - case: {name}\n" for name in ("one", "two", "three"))
    twice = case.replace("title: ", "titel: ")
    unknown = case.replace("consumes:", "consums:").replace("title: ", "title: Another ")
    lost = case.replace("rounding/step-up", "rounding/unheard-of").replace("title: ", "title: A third ")
    golden.write_text(f"{head}{one}{unknown}{two}{unknown}{three}{lost}", encoding="utf-8")
    completed = call("lint", "--suite", "suite")
    assert (completed.code, completed.out) == (exits.SUITE_BROKEN, "")
    assert completed.err.count("consums") == 2
    assert completed.err.count("rounding/unheard-of") == 1
    golden.write_text(f"{head}{one}{twice}", encoding="utf-8")
    completed = call("lint", "--suite", "suite")
    assert "titel" in completed.err


@pytest.mark.parametrize(
    "schema", ["https://example.org/golden.schema.json", "/usr/share/golden.schema.json"]
)
def test_lint_takes_the_schema_from_anywhere(call: Call, folder: Path, schema: str) -> None:
    golden = folder / "suite" / "golden" / "kep-5075" / "trial.yaml"
    rest = GOLDEN.partition("\n")[2]
    golden.write_text(f"# yaml-language-server: $schema={schema}\n{rest}", encoding="utf-8")
    assert call("lint", "--suite", "suite").code == exits.OK


@pytest.mark.slow
def test_schemas(call: Call) -> None:
    names = call("schema").out.split()
    assert {"golden", "requirements", "report", "protocol/v1/hello", "protocol/v1/result"} <= set(names)
    for name in names:
        completed = call("schema", name)
        assert completed.code == exits.OK
        jsonschema.Draft202012Validator.check_schema(json.loads(completed.out))
    completed = call("schema", "../golden")
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert completed.err.startswith("schema: ../golden: is not a schema, expected one of dry-run, golden,")


def test_the_report_keeps_its_schema(call: Call, folder: Path) -> None:
    schema = json.loads(call("schema", "report").out)
    call("run", "--suite", "suite", "-i", "python:trial_implementations:never", "--json", "r.json")
    jsonschema.validate(json.loads((folder / "r.json").read_text("utf-8")), schema)


def test_adapter_check(call: Call) -> None:
    completed = call(
        "adapter", "check", f"exec:{sys.executable} {ROOT / 'tools' / 'adapters' / 'first_fit.py'}"
    )
    assert completed.code == exits.OK
    assert "ok    the adapter answers hello, as first-fit 1.0.0" in completed.out
    assert completed.out.splitlines()[-1].endswith(": follows the protocol")


def test_adapter_check_of_the_builtin(call: Call) -> None:
    assert call("adapter", "check", "builtin").code == exits.OK


def test_adapter_check_starts_a_python_object_once(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "counted.py").write_text(
        "from pathlib import Path\n"
        "class Allocator:\n"
        "    def __init__(self):\n"
        "        with Path('starts').open('a') as stream:\n"
        "            stream.write('x')\n"
        "    def allocate(self, objects, ask, profile):\n"
        "        return {'outcome': 'unallocatable'}\n"
    )
    monkeypatch.chdir(tmp_path)
    assert call("adapter", "check", "python:counted:Allocator").code == exits.OK
    assert Path("starts").read_text() == "x"


def test_adapter_check_finds_problems(call: Call) -> None:
    completed = call("adapter", "check", f"exec:{sys.executable} -S -E {ADVERSARY} junk-before-hello")
    assert completed.code == exits.FAILURES
    assert "FAIL  nothing but messages on stdout before hello\n      " in completed.out
    assert "write logs to stderr" in completed.out


def test_adapter_init(call: Call, folder: Path) -> None:
    completed = call("adapter", "init", "--lang", "go", "my adapter")
    assert (completed.code, completed.err) == (exits.OK, "")
    assert "Put your allocator into my adapter/allocator.go. To judge it, run:\n" in completed.out
    assert completed.out.splitlines()[-4:] == [
        "  cd 'my adapter'",
        "  go build -o adapter .",
        "  dra-conform adapter check exec:./adapter",
        "  dra-conform run -i exec:./adapter --html report.html",
    ]
    again = call("adapter", "init", "--lang", "go", "my adapter")
    assert (again.code, again.out) == (exits.USAGE, "")
    assert again.err == "my adapter/allocator.go: exists already, expected a folder without this file\n"


@pytest.mark.parametrize(
    ("spec", "code", "message"),
    [
        ("nothing", exits.USAGE, "adapter check: 'nothing' names no implementation"),
        ("exec:", exits.USAGE, "names no command"),
        ("exec:./no-such-program", exits.NOT_RUNNABLE, "FAIL  the adapter starts"),
        ("python:no_such_module:x", exits.NOT_RUNNABLE, "no module named 'no_such_module'"),
    ],
)
def test_adapter_check_of_nothing(call: Call, spec: str, code: int, message: str) -> None:
    completed = call("adapter", "check", spec)
    assert completed.code == code
    assert message in completed.out + completed.err


@pytest.mark.parametrize(
    "arguments",
    [[], ["no-such-command"], ["adapter"], ["adapter", "check"], ["allocate"], ["schema", "a", "b"]],
)
def test_bad_usage(call: Call, arguments: list[str]) -> None:
    completed = call(*arguments)
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert completed.err.startswith("dra-conform")
    assert " --help)\n" in completed.err
    assert completed.err.count("\n") == 1


def test_the_version(call: Call) -> None:
    completed = call("--version")
    assert (completed.code, completed.out) == (0, f"dra-conform {__version__}\n")


def test_the_version_imports_no_command() -> None:
    """Scripts call `--version`, and the import of a command takes half a second."""
    printed = "import sys; from dra_conform.cli import main; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", printed], capture_output=True, check=True, cwd=ROOT, text=True
    )
    assert not {"dra_conform.conformance.case", "dra_conform.adapters", "polars"} & set(done.stdout.split())


_INTERRUPTS = """
import os, signal, sys
class Interrupting:
    def find_spec(name, *_):
        if name == "dra_conform.conformance":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting)
sys.argv[1:] = ["list"]
from dra_conform.__main__ import main
sys.exit(main())
"""


def test_ctrl_c_while_a_command_is_imported() -> None:
    done = subprocess.run([sys.executable, "-c", _INTERRUPTS], capture_output=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stdout, done.stderr) == (exits.INTERRUPTED, b"", b"")


_READING = {
    "dra_conform.reports.handlers",
    "dra_conform.apiserver",
    "dra_conform.simulation",
    "dra_conform.adapters",
    "jsonschema",
}


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        (["list", "--suite", "suite"], _READING),
        (["show", "kep-5075/trial/one", "--suite", "suite"], _READING),
        (["adapter", "check", "exec:false"], {"dra_conform.simulation", "dra_conform.reports.handlers"}),
    ],
)
def test_quick_commands_import_little(folder: Path, arguments: list[str], unneeded: set[str]) -> None:
    printed = f"import sys; from dra_conform.cli import main; main({arguments}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", printed], capture_output=True, check=True, text=True)
    assert not unneeded & set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_line_and_options(call: Call, command: str) -> None:
    assert COMMANDS[command] in " ".join(call("--help").out.split())
    completed = call(command, "--help")
    assert completed.code == 0
    assert completed.out.startswith(f"usage: dra-conform {command} [-h]")


@pytest.mark.parametrize("command", ["run", "allocate"])
def test_help_names_the_exit_codes(call: Call, command: str) -> None:
    completed = call(command, "--help")
    assert completed.code == 0
    assert "exit codes:\n  0  " in completed.out


def test_a_reader_that_goes_away(folder: Path) -> None:
    """A command whose reader closes the pipe, as with `| head`, does not succeed."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "dra_conform", "requirements", "--suite", "suite"],
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (exits.BROKEN_PIPE, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("command", [["schema", "golden"], ["--help"], ["run", "--help"], ["--version"]])
def test_a_full_disk(folder: Path, command: list[str]) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "dra_conform", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == exits.USAGE
    assert done.stderr == b"dra-conform: cannot write to standard output: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("command", [["schema", "no-such"], ["show", "no-such", "--suite", "suite"]])
def test_messages_that_cannot_be_written_do_not_change_the_exit_code(
    folder: Path, command: list[str]
) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "dra_conform", *command], stdout=subprocess.PIPE, stderr=full, check=False
        )
    assert (done.returncode, done.stdout) == (exits.USAGE, b"")


def test_a_name_the_terminal_cannot_show(folder: Path) -> None:
    """The name is printed escaped."""
    done = subprocess.run(
        [sys.executable, "-m", "dra_conform", "run", "--suite", "gr\u00fcn"],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert done.returncode == exits.USAGE
    assert done.stderr.startswith(b"--suite: gr\\xfcn: is not a suite")


def test_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("dra_conform.cli.lint.read", interrupted)
    assert main(["lint"]) == exits.INTERRUPTED


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (("run",), "--suite"),
        (("run",), "--json"),
        (("list",), "--select"),
        (("sweep", "--rows=1"), "--area"),
        (("driver", "lint", "-f", "-"), "--gates"),
    ],
)
def test_two_dashes_are_no_value(call: Call, command: tuple[str, ...], option: str) -> None:
    completed = call(*command, f"{option}=--")
    assert completed.code == exits.USAGE
    assert f"argument {option}: is '--', expected a value" in completed.err
