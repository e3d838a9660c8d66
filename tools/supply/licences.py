"""The licences of what the locks pin, as a page in Markdown; an error where one is not among the accepted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import metadata

from locked import DEVELOPMENT, RUNTIME, locked_packages
from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

ACCEPTED = frozenset(
    {"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0", "PSF-2.0"},
)
"""All may be used and passed on with this project. MPL-2.0 asks for the changes of its own files only."""

READ = {
    "colorama": "BSD-3-Clause",
    "google-re2": "BSD-3-Clause",
    "jinja2": "BSD-3-Clause",
    "nodeenv": "BSD-3-Clause",
    "partd": "BSD-3-Clause",
    "zict": "BSD-3-Clause",
}
"""What stands in the licence files of packages whose metadata does not say it exactly."""

SPELLINGS = {
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "PSFL": "PSF-2.0",
}
"""How metadata writes licences that have an SPDX identifier."""


def licence_of(package: str) -> str:
    """The SPDX expression of an installed package; raises LookupError where nothing says it exactly."""
    if package in READ:
        return READ[package]
    told = metadata.metadata(package)
    classifiers = [
        classifier.rpartition(" :: ")[2]
        for classifier in told.get_all("Classifier") or ()
        if "License ::" in classifier
    ]
    for text in (told.get("License-Expression"), told.get("License"), *classifiers):
        try:
            return canonicalize_license_expression(SPELLINGS.get(text or "", text or ""))
        except InvalidLicenseExpression:
            continue
    raise LookupError(f"{package}: its metadata names no licence exactly, expected a line in READ")


def accepted(expression: str) -> bool:
    """Whether every licence that an expression names is accepted."""
    words = expression.replace("(", " ").replace(")", " ").split()
    return all(word in ACCEPTED for word in words if word not in ("AND", "OR"))


def page() -> Iterator[str]:
    """The page; raises LookupError for a licence that is unknown or not accepted."""
    runtime = {locked_package.name for locked_package in locked_packages(RUNTIME)}
    yield "# Licences"
    yield ""
    yield "What `make lock` has pinned, and under which licence it may be used (SPDX). Written by"
    yield "`tools/supply/licences.py`, which accepts these: " + ", ".join(sorted(ACCEPTED)) + "."
    yield ""
    yield "| package | version | licence | comes with |"
    yield "|---|---|---|---|"
    for locked_package in locked_packages(DEVELOPMENT):
        licence = licence_of(locked_package.name)
        if not accepted(licence):
            raise LookupError(f"{locked_package.name}: {licence} is not among the accepted licences")
        place = "the package" if locked_package.name in runtime else "an extra or the development of it"
        yield f"| {locked_package.name} | {locked_package.version} | {licence} | {place} |"


if __name__ == "__main__":
    try:
        print("\n".join(page()))
    except LookupError as error:
        sys.exit(str(error))
