"""`dra-conform permissions`: print the RBAC role that a run on a cluster needs."""

from __future__ import annotations

import argparse
import sys
from importlib import resources

from dra_conform.cli import exits


def configure(command: argparse.ArgumentParser) -> None:
    """Describe the command, which has no options."""
    command.description = (
        "Print the RBAC role that `run -i cluster:KUBECONFIG` needs, and a ServiceAccount with this role."
    )
    command.set_defaults(command=_command)


def _command(_: argparse.Namespace) -> int:
    manifest = resources.files("dra_conform.adapters") / "live" / "permissions.yaml"
    sys.stdout.write(manifest.read_text(encoding="utf-8"))
    return exits.OK
