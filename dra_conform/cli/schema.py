"""`dra-conform schema`: the published JSON Schemas."""

from __future__ import annotations

import argparse
import sys
from importlib import resources

from dra_conform.cli import exits
from dra_conform.kube.errors import InputError


def configure(command: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    command.add_argument("name", nargs="?", help="which one; without it, the names are listed")
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    root = resources.files("dra_conform") / "schemas"
    found = dict(sorted(_schemas(root, "")))
    if arguments.name is None:
        print("\n".join(found))
        return exits.OK
    if arguments.name not in found:
        raise InputError(
            "schema", None, arguments.name, f"is not a schema, expected one of {', '.join(found)}"
        )
    sys.stdout.write(found[arguments.name].read_text(encoding="utf-8"))
    return exits.OK


def _schemas(folder: resources.abc.Traversable, prefix: str) -> list[tuple[str, resources.abc.Traversable]]:
    found = []
    for item in folder.iterdir():
        if item.is_dir():
            found += _schemas(item, f"{prefix}{item.name}/")
        elif item.name.endswith(".schema.json"):
            found.append((prefix + item.name.removesuffix(".schema.json"), item))
    return found
