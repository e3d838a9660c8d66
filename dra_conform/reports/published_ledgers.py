"""The ledgers of a suite: `ledgers/IMPLEMENTATION/VERSION.yaml` has the known failures of a release."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from dra_conform.conformance.implementation import Identity
from dra_conform.reports.ledger import Ledger, read_ledger
from dra_conform.reports.submission import slug

FOLDER = "ledgers"


def published_ledgers(root: Path, present: Callable[[str], str]) -> Callable[[Identity], Ledger | None]:
    """Return a function that returns the ledger of an implementation by its name and version.

    `root` is the folder of the suite, `present` maps a former id of a case to its current id. The function
    raises InputError for an invalid ledger.
    """
    files = {(file.parent.name, file.stem): file for file in (root / FOLDER).glob("*/*.yaml")}

    def ledger_of(identity: Identity) -> Ledger | None:
        file = files.get((slug(identity.name), slug(identity.version)))
        return None if file is None else replace(read_ledger(str(file), present), published=True)

    return ledger_of
