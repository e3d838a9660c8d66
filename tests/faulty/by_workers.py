"""Common parts of campaigns on many processes and machines: options, and the check of equal files everywhere."""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Callable, Sequence
from functools import cache

from dra_conform.cli import exits
from dra_conform.cli.workers_option import configure_workers, workers
from dra_conform.conformance.implementation import CannotStart
from dra_conform.conformance.suite.loading import LoadedSuite, load_suite
from dra_conform.kube.errors import InputError
from dra_conform.workers.pool import WorkerPool
from tests.faulty.mutants.subjects import PACKAGE

_FOLDERS = (
    "dra_conform",
    "features",
    "fixtures",
    "golden",
    "requirements",
    "tests/faulty",
    "tests/reference",
)


def fingerprint() -> str:
    """Return a digest of the files of a checkout on which a campaign depends."""
    digest = hashlib.sha256()
    for folder in _FOLDERS:
        for path in sorted((PACKAGE.parent / folder).rglob("*")):
            if path.suffix in (".py", ".feature", ".yaml", ".json"):
                text = path.read_bytes()
                digest.update(f"{path.relative_to(PACKAGE.parent)} {len(text)}\n".encode() + text)
    return digest.hexdigest()


def refuse_other_files(tree: str) -> None:
    """In a worker: raise CannotStart if its files have a different fingerprint."""
    if fingerprint() != tree:
        raise CannotStart("a worker has other files of dra-conform, expected those of this machine")


@cache
def suite_of(tree: str) -> LoadedSuite:
    """In a worker: return the suite. Raises CannotStart if its files are different."""
    refuse_other_files(tree)
    return load_suite()


def by_workers(description: str, attempt: Callable[[WorkerPool, Sequence[str]], int]) -> int:
    """Run the command: call `attempt` with workers and with the words that select what is tried.

    Return its exit code, 2 for bad usage, or 3 if it cannot run.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="try only those with one of these words in their names"
    )
    configure_workers(parser)
    parser.set_defaults(workers=os.cpu_count())
    arguments = parser.parse_args()
    try:
        with workers(arguments) as pool:
            assert pool is not None
            return attempt(pool, arguments.words)
    except InputError as error:
        print(error)
        return exits.USAGE
    except CannotStart as error:
        print(f"cannot be run: {error}")
        return exits.NOT_RUNNABLE
    except KeyboardInterrupt:
        return exits.INTERRUPTED
