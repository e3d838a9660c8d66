"""What campaigns of these tests on many processes and machines have in common: options, and the same files everywhere."""

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
    """What tells the files of one checkout, those that a campaign depends on, from those of another."""
    digest = hashlib.sha256()
    for folder in _FOLDERS:
        for path in sorted((PACKAGE.parent / folder).rglob("*")):
            if path.suffix in (".py", ".feature", ".yaml", ".json"):
                text = path.read_bytes()
                digest.update(f"{path.relative_to(PACKAGE.parent)} {len(text)}\n".encode() + text)
    return digest.hexdigest()


def refuse_other_files(tree: str) -> None:
    """In a worker: raise CannotStart where its files have another fingerprint."""
    if fingerprint() != tree:
        raise CannotStart("a worker has other files of dra-conform than this machine")


@cache
def suite_of(tree: str) -> LoadedSuite:
    """In a worker: the suite; raises CannotStart as `refuse_other_files`."""
    refuse_other_files(tree)
    return load_suite()


def by_workers(description: str, attempt: Callable[[WorkerPool, Sequence[str]], int]) -> int:
    """The command: what comes of an attempt with workers, and with the words that choose what is tried.

    Returns 2 for bad usage and 3 where it could not be done.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="only those with one of these in their names"
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
