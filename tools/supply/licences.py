"""Print the licences of locked packages as Markdown, and fail if a licence is not accepted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import metadata

from locked import DEVELOPMENT, RUNTIME, locked_packages
from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

ACCEPTED = frozenset(
    {"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0", "PSF-2.0"},
)
"""Licences that allow redistribution with this project. MPL-2.0 requires sources of changed files only."""

READ = {
    "colorama": "BSD-3-Clause",
    "google-re2": "BSD-3-Clause",
    "jinja2": "BSD-3-Clause",
    "nodeenv": "BSD-3-Clause",
    "partd": "BSD-3-Clause",
    "zict": "BSD-3-Clause",
}
"""Licences read from the files of packages whose metadata does not name them exactly."""

SPELLINGS = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "PSFL": "PSF-2.0",
}
"""SPDX identifiers by other spellings in metadata."""


def licence_of(package: str) -> str:
    """Return the SPDX expression of an installed package. Raises LookupError if it is unknown."""
    if package in READ:
        return READ[package]
    info = metadata.metadata(package)
    classifiers = [
        classifier.rpartition(" :: ")[2]
        for classifier in info.get_all("Classifier") or ()
        if "License ::" in classifier
    ]
    for text in (info.get("License-Expression"), info.get("License"), *classifiers):
        try:
            return canonicalize_license_expression(SPELLINGS.get(text or "", text or ""))
        except InvalidLicenseExpression:
            continue
    raise LookupError(
        f"{package}: the metadata names no exact licence; read its licence file and add it to READ"
    )


def accepted(expression: str) -> bool:
    """Return whether every licence of an SPDX expression is accepted."""
    words = expression.replace("(", " ").replace(")", " ").split()
    return all(word in ACCEPTED for word in words if word not in ("AND", "OR"))


def page() -> Iterator[str]:
    """Yield the lines of the page. Raises LookupError for a licence that is unknown or not accepted."""
    runtime = {package.name for package in locked_packages(RUNTIME)}
    yield "# Licences"
    yield ""
    yield "Packages that `make lock` pins, with their licences (SPDX). Written by"
    yield "`tools/supply/licences.py`, which accepts these: " + ", ".join(sorted(ACCEPTED)) + "."
    yield ""
    yield "| package | version | licence | comes with |"
    yield "|---|---|---|---|"
    for package in locked_packages(DEVELOPMENT):
        licence = licence_of(package.name)
        if not accepted(licence):
            expected = ", ".join(sorted(ACCEPTED))
            raise LookupError(f"{package.name}: the licence {licence} is not accepted, expected {expected}")
        needed_by = "the package" if package.name in runtime else "an extra, or development"
        yield f"| {package.name} | {package.version} | {licence} | {needed_by} |"


if __name__ == "__main__":
    try:
        print("\n".join(page()))
    except LookupError as error:
        sys.exit(str(error))
