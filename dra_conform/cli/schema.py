"""`dra-conform schema`: print a published JSON Schema."""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from dra_conform.cli import exits
from dra_conform.cli.parsing import CommandParser
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.steps.lookup import given_steps
from dra_conform.conformance.steps.step import Step
from dra_conform.conformance.suite.folders import is_suite, not_a_suite
from dra_conform.conformance.suite.loading import read_catalogue
from dra_conform.kube.errors import InputError


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Print a JSON Schema for an editor or a validator. The schema of golden files lists the requirements "
        "of the suite, so that an editor can complete them. Run `dra-conform schema golden > "
        "golden.schema.json`, and begin a golden file with `# yaml-language-server: $schema=` and the path "
        "of the schema."
    )
    command.add_argument("name", nargs="?", help="the name of the schema; without it, list the names")
    command.add_argument("--suite", metavar="DIR", help="the folder of the suite (the shipped suite)")
    command.examples = ("dra-conform schema golden > golden.schema.json",)
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    root = resources.files("dra_conform") / "schemas"
    schemas = dict(sorted(_schemas(root, "")))
    if arguments.name is None:
        print("\n".join(schemas))
        return exits.OK
    if arguments.name not in schemas:
        raise InputError(
            "schema", None, arguments.name, f"is not a schema, expected one of {', '.join(schemas)}"
        )
    text = schemas[arguments.name].read_text(encoding="utf-8")
    sys.stdout.write(_for_suite(text, arguments.suite) if arguments.name == "golden" else text)
    return exits.OK


def _for_suite(text: str, suite: str | None) -> str:
    """Return the schema of golden files with the ids of requirements that a case can name, and with the steps
    of plugins."""
    if suite is not None and not is_suite(Path(suite)):
        raise InputError("--suite", None, suite, not_a_suite(Path(suite)))
    schema = json.loads(text)
    ids = [
        requirement.id
        for requirement in read_catalogue(None if suite is None else Path(suite))
        if not requirement.untestable
    ]
    for kind in schema["$defs"].values():
        named = kind.get("properties", {}).get("requirements")
        if named is not None:
            named["items"] = {
                "anyOf": [{"enum": ids}, {"type": "string", "pattern": "^<.+>$"}],
                "description": "A requirement of the catalogue, or a column of the table.",
            }
    for keyword, steps in _steps():
        known = schema["$defs"][keyword.capitalize()]["properties"]
        for step in steps:
            known.setdefault(
                step.key, {"description": inspect.getdoc(step.function) or "A step of a plugin."}
            )
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _steps() -> Iterator[tuple[str, list[Step]]]:
    """Yield all steps of each keyword, also those of plugins."""
    all_steps = [*given_steps(), *(step for operation in OPERATIONS.values() for step in operation.steps)]
    for keyword in ("given", "when", "then"):
        yield keyword, [step for step in all_steps if step.keyword == keyword]


def _schemas(folder: resources.abc.Traversable, prefix: str) -> list[tuple[str, resources.abc.Traversable]]:
    found = []
    for item in folder.iterdir():
        if item.is_dir():
            found += _schemas(item, f"{prefix}{item.name}/")
        elif item.name.endswith(".schema.json"):
            found.append((prefix + item.name.removesuffix(".schema.json"), item))
    return found
