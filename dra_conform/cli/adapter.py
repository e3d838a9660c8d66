"""`dra-conform adapter check`: does an adapter keep the protocol?"""

from __future__ import annotations

import argparse

from dra_conform.adapters import BadSpec
from dra_conform.adapters.check import check
from dra_conform.cli import exits
from dra_conform.conformance.implementation import CannotStart
from dra_conform.kube.errors import InputError


def configure(command: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    actions = command.add_subparsers(metavar="ACTION", required=True)
    what = "tell in plain words whether an adapter keeps the protocol"
    checking = actions.add_parser("check", help=what, description=what, allow_abbrev=False)
    checking.add_argument("spec", help="such as 'exec:./my-adapter --flag'")
    checking.set_defaults(command=_check)


def _check(arguments: argparse.Namespace) -> int:
    try:
        items = check(arguments.spec)
    except BadSpec as error:
        raise InputError("adapter check", None, arguments.spec, str(error)) from None
    except CannotStart as error:
        print(f"FAIL  the adapter starts\n      {error}")
        return exits.NOT_RUNNABLE
    for item in items:
        print(f"{'ok' if item.ok else 'FAIL':5} {item.title}")
        if not item.ok:
            print(f"      {item.advice}")
    failed = sum(not item.ok for item in items)
    verdict = f"{failed} problem(s)" if failed else "keeps the protocol"
    print(f"\n{arguments.spec}: {verdict}")
    return exits.FAILURES if failed else exits.OK
