"""`dra-conform permissions`: print the RBAC role that a run on a cluster needs."""

from __future__ import annotations

import argparse
import sys
from importlib import resources

from dra_conform.cli import exits
from dra_conform.cli.parsing import CommandParser


def configure(command: CommandParser) -> None:
    """Describe the command, which has no options."""
    command.description = (
        "Print the RBAC role that `run -i cluster:KUBECONFIG` needs, and a ServiceAccount with this role."
    )
    command.examples = ("dra-conform permissions | kubectl apply -f -",)
    command.set_defaults(command=_command)


def _command(_: argparse.Namespace) -> int:
    manifest = resources.files("dra_conform.adapters") / "live" / "permissions.yaml"
    sys.stdout.write(manifest.read_text(encoding="utf-8"))
    return exits.OK
