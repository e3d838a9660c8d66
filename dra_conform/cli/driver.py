"""`dra-conform driver`: write a driver file, run a driver once, and check its ResourceSlices."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from pathlib import Path

from dra_conform.adapters.driver.driver_file import FOLDERS, driver_file_text, read_driver_file
from dra_conform.adapters.driver.reference import REFERENCE, driver_of
from dra_conform.cli import exits
from dra_conform.cli.parsing import CommandParser, add_filename_option
from dra_conform.cli.profiles_option import NEWEST, add_gates_option, add_profile_option, with_gates
from dra_conform.extras import missing_grpc_error
from dra_conform.kube.errors import InputError
from dra_conform.kube.listing import counted
from dra_conform.kube.manifests import load
from dra_conform.kube.profile import Profile
from dra_conform.previews.slice_lint import LintResult, lint

DEFAULT_NAME = "gpu.example.com"
DEFAULT_COMMAND = "./dra-kubelet-plugin --kubeconfig $KUBECONFIG"


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    actions = command.add_subparsers(metavar="ACTION", required=True)
    init = actions.add_parser(
        "init",
        help="write a driver file with comments",
        description="Write a driver file, which says how to start a DRA driver. On a terminal, it asks for "
        "missing options.",
        allow_abbrev=False,
    )
    init.add_argument(
        "file", nargs="?", default="driver.yaml", metavar="FILE", help="the file to write (driver.yaml)"
    )
    init.add_argument("--name", help=f"the name of the driver, as in its ResourceSlices ({DEFAULT_NAME})")
    init.add_argument(
        "--command-line", metavar="WORDS", help="the command that starts the driver, in one argument"
    )
    init.add_argument(
        "--folders",
        choices=FOLDERS,
        help="given: options or variables name the folders; built-in: the driver uses those of the kubelet",
    )
    init.examples = (
        "dra-conform driver init --name gpu.example.com --command-line './driver --kubeconfig $KUBECONFIG'",
    )
    init.set_defaults(command=_init)
    checking = actions.add_parser(
        "check",
        help="start a driver, prepare one ResourceClaim, and report the first failed check",
        description="Start a driver, prepare one ResourceClaim, and report the first failed check.",
        allow_abbrev=False,
    )
    checking.add_argument(
        "file",
        metavar="FILE",
        help=f"the driver file, or {REFERENCE} for dra-conform's reference driver; also as driver:FILE",
    )
    checking.examples = ("dra-conform driver check driver.yaml",)
    checking.exit_codes = {
        0: "the driver can be judged",
        1: "a check fails",
        2: "bad usage or input",
    }
    checking.set_defaults(command=_check)
    purpose = "check published ResourceSlices without a cluster"
    _configure_lint(actions.add_parser("lint", help=purpose, allow_abbrev=False))


def _configure_lint(command: CommandParser) -> None:
    command.description = (
        "Check ResourceSlices, and DeviceClasses for their devices, without a cluster: whether the API "
        "server admits them, pools are complete, names are unique, counters suffice, and selectors can be "
        "evaluated."
    )
    command.examples = (
        "dra-conform driver lint -f published.yaml",
        "kubectl get resourceslices,deviceclasses -o yaml | dra-conform driver lint -f -",
    )
    command.exit_codes = {
        0: "no error (advice is not an error)",
        1: "an error",
        2: "bad usage or input",
    }
    add_filename_option(command)
    add_profile_option(command, "the release or specification whose API server stores them", NEWEST)
    add_gates_option(command)
    command.add_argument(
        "-o", "--output", default="text", choices=("text", "json"), help="text is the default"
    )
    command.set_defaults(command=_lint)


def _init(arguments: argparse.Namespace) -> int:
    path = Path(arguments.file)
    if arguments.file.removeprefix("driver:") == REFERENCE:
        raise InputError(arguments.file, None, "", "is the reference driver, expected a file for your driver")
    name = _asked("Name of the driver, as in its ResourceSlices", arguments.name, DEFAULT_NAME)
    line = _asked("Command that starts it on a node", arguments.command_line, DEFAULT_COMMAND)
    folders = _asked(
        "Folders of the driver: given (by options or variables) or built-in", arguments.folders, "given"
    )
    try:
        command = shlex.split(line)
    except ValueError as error:
        raise InputError("--command-line", None, "", f"cannot be split into words: {error}") from None
    text = driver_file_text(name, command, folders)
    try:
        with path.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise InputError(str(path), None, "", "exists already, expected a new file") from None
    except OSError as error:
        raise InputError(str(path), None, "", f"cannot be written: {error.strerror}") from None
    print(f"wrote {path}")
    try:
        read_driver_file(path)
    except InputError as error:
        print(f"to be corrected: {error}")
    file = shlex.quote(str(path))
    print("\nAdapt its variables and options to your driver, then run:\n")
    print(f"  dra-conform driver check {file}")
    print(f"  dra-conform run -i driver:{file} --select 'operation:driver' --html report.html")
    return exits.OK


def _asked(question: str, given: str | None, default: str) -> str:
    """Return the value of an option; if it is missing, ask on a terminal or return the default."""
    if given is not None:
        return given
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return default
    print(f"{question} [{default}]: ", end="", flush=True)
    return sys.stdin.readline().strip() or default


def _check(arguments: argparse.Namespace) -> int:
    problem = missing_grpc_error()
    if problem:
        raise InputError("driver check", None, "", problem)
    from dra_conform.adapters.driver.driver_check import DriverCheck  # noqa: PLC0415 - gRPC is optional

    file = arguments.file.removeprefix("driver:")
    driver = driver_of(file)
    failed = False
    for item in DriverCheck(driver).run():
        failed = failed or not item.ok
        print(f"{'ok' if item.ok else 'FAIL':5} {item.title}", flush=True)
        if not item.ok:
            print("      " + item.advice.strip().replace("\n", "\n      "))
    verdict = "not ready, see the failed check above" if failed else "ready to be judged"
    print(f"\n{driver.name}: {verdict}")
    if not failed:
        run = f"dra-conform run -i driver:{shlex.quote(file)} --html report.html --select"
        print(f"\n  {run} 'requirement:DRIVER/prepare/*'  # half of the cases, for a first report")
        print(f"  {run} 'operation:driver'")
        if driver.concurrency == 1:
            print(
                "\nOne scenario at a time, all cases take up to 20 minutes. If the driver uses no fixed\n"
                f"port and no fixed file, write `concurrency: 4` into {file}: a quarter of the time."
            )
    return exits.FAILURES if failed else exits.OK


def _lint(arguments: argparse.Namespace) -> int:
    result = lint(load(arguments.filename), with_gates(Profile.named(arguments.profile), arguments.gates))
    if not result.pools:
        raise InputError(
            ", ".join(arguments.filename), None, "", "has no ResourceSlice, expected at least one"
        )
    print(_lint_document(result) if arguments.output == "json" else _lint_text(result))
    return exits.FAILURES if result.errors else exits.OK


def _lint_text(result: LintResult) -> str:
    advice = len(result.findings) - result.errors
    checked = ", ".join(
        (
            counted(result.pools, "pool"),
            counted(result.devices, "device"),
            counted(result.classes, "DeviceClass"),
        )
    )
    summary = f"checked {checked}: {counted(result.errors, 'error')}, {advice} advice"
    return "\n".join((*map(str, result.findings), summary))


def _lint_document(result: LintResult) -> str:
    findings = [
        {
            "severity": finding.severity,
            "requirement": finding.requirement,
            "file": finding.place.file,
            "line": finding.place.line,
            "path": finding.place.path,
            "message": finding.place.message,
        }
        for finding in result.findings
    ]
    counts = {"pools": result.pools, "devices": result.devices, "classes": result.classes}
    return json.dumps({**counts, "errors": result.errors, "findings": findings}, indent=2)
