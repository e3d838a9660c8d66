"""The option --profile of previews: one profile, or several whose outcomes are compared."""

from __future__ import annotations

import argparse

from dra_conform.kube.errors import InputError
from dra_conform.kube.profile import KEP, PROFILES


def add_profiles_option(command: argparse.ArgumentParser) -> None:
    """Add the option to a command."""
    command.add_argument(
        "--profile",
        action="extend",
        type=_names,
        choices=PROFILES,
        default=[],
        metavar="PROFILES",
        help=f"the release or specification to follow (kep): {', '.join(PROFILES)}; of several, separated by "
        "commas or given with several --profile, only the differences are shown",
    )


def profile_names(arguments: argparse.Namespace, *single: str) -> tuple[str, ...]:
    """Return the profiles of the option, each once.

    Raises InputError if there are several with one of the `single` options, or with the output of objects.
    """
    names = tuple(dict.fromkeys(arguments.profile)) or (KEP,)
    if len(names) == 1:
        return names
    if arguments.output != "table":
        message = f"prints the objects of one profile, expected one --profile instead of {','.join(names)}"
        raise InputError("-o", None, arguments.output, message)
    for option in single:
        if getattr(arguments, option):
            message = f"shows the devices of one profile, expected one --profile instead of {','.join(names)}"
            raise InputError(f"--{option}", None, "", message)
    return names


def _names(text: str) -> list[str]:
    return text.split(",")
