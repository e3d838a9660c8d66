"""`dra-conform plugin`: create a plugin for a KEP with a new field of devices and requests."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from dra_conform.adapters.skeletons.plugin import PluginNames, gate_of, problem_of_field, write_plugin
from dra_conform.cli import exits
from dra_conform.cli.parsing import BadUsage, CommandParser
from dra_conform.kube.gates import GATES

PROGRAM = "dra-conform plugin init"


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    actions = command.add_subparsers(metavar="ACTION", required=True)
    init = actions.add_parser(
        "init",
        help="create a plugin with a field, its gate, steps, a rule, requirements and cases",
        description="Create a plugin for a KEP with a new field: the example plugin with your names. It has "
        "a field of devices, requests and results, its feature gate, two steps, a rule of the judge, "
        "requirements, cases, and two allocators in Python: a correct one and one that ignores the field.",
        allow_abbrev=False,
    )
    init.add_argument(
        "folder", nargs="?", default=".", metavar="DIR", help="the folder to write to (the current folder)"
    )
    init.add_argument("--field", required=True, metavar="NAME", help="the field, such as coolingZone")
    init.add_argument("--kep", required=True, metavar="NUMBER", help="the number of the KEP, such as 6042")
    init.add_argument("--gate", metavar="NAME", help="the feature gate (DRADevice and the name of the field)")
    init.examples = ("dra-conform plugin init --kep 6042 --field coolingZone cooling-zone",)
    init.set_defaults(command=_init)


def _init(arguments: argparse.Namespace) -> int:
    problem = problem_of_field(arguments.field)
    if problem:
        raise BadUsage(PROGRAM, f"argument --field: {problem}")
    if not (arguments.kep.isascii() and arguments.kep.isdigit()):
        raise BadUsage(PROGRAM, f"argument --kep: {arguments.kep!r} is not a number, expected digits")
    gate = arguments.gate or gate_of(arguments.field)
    if not (gate.isascii() and gate.isidentifier()) or gate in GATES:
        problem = (
            "a gate already, expected a new one"
            if gate in GATES
            else "not a name, expected letters and digits"
        )
        raise BadUsage(PROGRAM, f"argument --gate: {gate!r} is {problem}")
    names = PluginNames(arguments.field, gate, arguments.kep)
    folder = Path(arguments.folder)
    for path in write_plugin(names, folder):
        print(f"wrote {path}")
    suite = folder / "suite"
    print(f"\nThe values of {names.field} are low and high. To use others, change them in these files:\n")
    print(f"  {folder / names.package / 'plugin.py'}\n  {suite}/")
    print("\nTo install the plugin and run its cases:\n")
    print(f"  pip install --editable {shlex.quote(str(folder))}")
    print(f"  dra-conform schema golden > {shlex.quote(str(suite / 'golden.schema.json'))}  # for editors")
    print(f"  dra-conform run --suite {shlex.quote(str(suite))} -i {names.allocator}")
    return exits.OK
