"""`dra-conform cleanup`: remove the objects that a run has left on a cluster."""

from __future__ import annotations

import argparse
from pathlib import Path

from dra_conform.cli import exits
from dra_conform.cli.parsing import CommandParser
from dra_conform.conformance.implementation import CannotStart
from dra_conform.extras import missing_client_error
from dra_conform.kube.errors import InputError


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = "Remove the objects that earlier runs have left on a cluster."
    command.add_argument("--kubeconfig", metavar="F", required=True, help="the kubeconfig of the cluster")
    command.add_argument(
        "--context", metavar="NAME", default="", help="the context of the kubeconfig (the current context)"
    )
    command.add_argument("--run", metavar="ID", default="", help="only objects of this run (all runs)")
    command.examples = ("dra-conform cleanup --kubeconfig ~/.kube/config",)
    command.exit_codes = {
        0: "no object is left",
        2: "bad usage or input",
        5: "an object could not be removed",
    }
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    problem = missing_client_error()
    if problem:
        raise InputError("cleanup", None, "", problem)
    from dra_conform.adapters.live.cleanup import clean_up  # noqa: PLC0415 - the client is optional

    try:
        removed, left = clean_up(Path(arguments.kubeconfig).expanduser(), arguments.context, arguments.run)
    except CannotStart as error:
        raise InputError("--kubeconfig", None, "", str(error)) from None
    for name in removed:
        print(f"removed {name}")
    for name in left:
        print(f"not removed: {name}")
    if not removed:
        print("there is nothing to remove")
    return exits.INCOMPLETE if left else exits.OK
