"""The invariants of administrative access."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.conformance.allocate.judged_answer import Decided
from dra_conform.conformance.allocate.judged_world import DeviceKey


def admin_access_as_asked(decided: Decided) -> Iterator[str]:
    """A result has adminAccess exactly if its request asks for it.

    DRA/admin-access/flag-visible-to-driver, DRA/admin-access/per-request.
    """
    for taken in decided.taken:
        if taken.request is not None and taken.is_admin != bool(taken.result.admin_access):
            wanted = "expected true" if taken.is_admin else "expected none"
            yield f"{taken.label}: adminAccess is {str(bool(taken.result.admin_access)).lower()}, {wanted}"


def admin_once_a_claim(decided: Decided) -> Iterator[str]:
    """In releases, an exclusive device is allocated to a ResourceClaim once, even with adminAccess."""
    if not decided.rules.admin_once_a_claim:
        return
    seen: dict[tuple[str, DeviceKey], bool] = {}
    for taken in decided.taken:
        if taken.placed is None or decided.is_shared(taken):
            continue
        before = seen.get((taken.claim, taken.key))
        if before is not None and (before or taken.is_admin):
            yield f"{taken.label}: device {'/'.join(taken.key)} is allocated to the ResourceClaim twice"
        seen.setdefault((taken.claim, taken.key), taken.is_admin)
