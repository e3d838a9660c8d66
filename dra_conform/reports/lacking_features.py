"""Features that an implementation does not decline, although it allocates no ResourceClaim that uses them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from dra_conform.conformance.features import FEATURES
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.verdict import CaseResult, Verdict

_FEWEST = 3
"""The fewest failures that show that a feature is lacking."""


def lacking_features(results: Iterable[CaseResult]) -> Mapping[str, int]:
    """Return each feature without any allocation, with the number of its claims that stay unallocated.

    `results` are all results of a run.
    """
    unallocated: Counter[str] = Counter()
    allocated: set[str] = set()
    for result in results:
        features = result.case.features & frozenset(FEATURES)
        if stays_unallocated(result):
            unallocated.update(features)
        elif not features <= allocated and _is_allocated(result):
            allocated |= features
    return {name: count for name, count in unallocated.items() if count >= _FEWEST and name not in allocated}


def stays_unallocated(result: CaseResult) -> bool:
    """Whether a failing case of `allocate` has no allocation, although it can be allocated."""
    return result.verdict is Verdict.FAIL and (_outcome(result.expected), _outcome(result.actual)) == (
        "allocated",
        "unallocatable",
    )


def _is_allocated(result: CaseResult) -> bool:
    if result.case.operation != "allocate":
        return False
    if result.verdict is Verdict.PASS:
        expected = OPERATIONS["allocate"].expected(result.case.expected(result.profile))
        return _outcome(expected) == "allocated"
    return _outcome(result.actual) == "allocated"


def _outcome(document: object) -> object:
    return document.get("outcome") if isinstance(document, Mapping) else None
