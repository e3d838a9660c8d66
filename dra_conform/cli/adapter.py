"""`dra-conform adapter`: create an adapter skeleton, and check that an adapter follows the protocol."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from dra_conform.adapters.check import check
from dra_conform.adapters.skeletons import SKELETONS, write
from dra_conform.adapters.specs import BadSpec
from dra_conform.cli import exits
from dra_conform.cli.parsing import CommandParser
from dra_conform.conformance.implementation import CannotStart
from dra_conform.kube.errors import InputError
from dra_conform.kube.listing import counted


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    actions = command.add_subparsers(metavar="ACTION", required=True)
    checking = actions.add_parser(
        "check",
        help="check whether an adapter follows the protocol, and say what is wrong",
        description="Check whether an adapter follows the protocol, and say what is wrong.",
        allow_abbrev=False,
    )
    checking.add_argument("spec", help="the adapter, such as 'exec:./my-adapter --flag'")
    checking.examples = (
        "dra-conform adapter check exec:./adapter",
        "dra-conform adapter check python:allocator:FirstFitAllocator",
    )
    checking.exit_codes = {
        0: "it follows the protocol",
        1: "a check fails",
        2: "bad usage or input",
        3: "the adapter could not be run",
    }
    checking.set_defaults(command=_check)
    init = actions.add_parser(
        "init",
        help="create an adapter skeleton with a small example allocator to replace with yours",
        description="Create an adapter that follows the protocol, with a small example allocator to replace.",
    )
    init.add_argument(
        "folder", nargs="?", default=".", metavar="DIR", help="the folder to write to (the current folder)"
    )
    init.add_argument("--lang", required=True, choices=SKELETONS, help="the language of the adapter")
    init.examples = ("dra-conform adapter init --lang go my-adapter",)
    init.set_defaults(command=_init)


def _init(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.folder)
    for path in write(arguments.lang, folder):
        print(f"wrote {path}")
    skeleton = SKELETONS[arguments.lang]
    print(f"\nPut your allocator into {folder / skeleton.allocator}. To judge it, run:\n")
    entering = f"cd {shlex.quote(arguments.folder)}" if arguments.folder != "." else ""
    spec = shlex.quote(skeleton.spec)
    checking = f"dra-conform adapter check {spec}"
    judging = f"dra-conform run -i {spec} --html report.html"
    for command in filter(None, (entering, skeleton.build, checking, judging)):
        print(f"  {command}")
    return exits.OK


def _check(arguments: argparse.Namespace) -> int:
    try:
        items = check(arguments.spec)
    except BadSpec as error:
        raise InputError("adapter check", None, "", str(error)) from None
    except CannotStart as error:
        print(f"FAIL  the adapter starts\n      {error}")
        return exits.NOT_RUNNABLE
    for item in items:
        print(f"{'FAIL' if not item.ok else 'warn' if item.warning else 'ok':5} {item.title}")
        if item.warning or not item.ok:
            print(f"      {item.advice}")
    failed = sum(not item.ok for item in items)
    verdict = counted(failed, "problem") if failed else "follows the protocol"
    print(f"\n{arguments.spec}: {verdict}")
    return exits.FAILURES if failed else exits.OK
