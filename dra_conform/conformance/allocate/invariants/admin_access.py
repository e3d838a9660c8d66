"""The invariants of administrative access."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.conformance.allocate.case_objects import DeviceKey
from dra_conform.conformance.allocate.judged_answer import JudgedAnswer


def admin_access_as_asked(answer: JudgedAnswer) -> Iterator[str]:
    """A result has adminAccess exactly if its request asks for it.

    DRA/admin-access/flag-visible-to-driver, DRA/admin-access/per-request.
    """
    for allocated in answer.allocated_devices:
        if allocated.request is not None and allocated.is_admin != bool(allocated.result.admin_access):
            wanted = "expected true" if allocated.is_admin else "expected none"
            yield (
                f"{allocated.label}: adminAccess is "
                f"{str(bool(allocated.result.admin_access)).lower()}, {wanted}"
            )


def admin_once_a_claim(answer: JudgedAnswer) -> Iterator[str]:
    """In Kubernetes releases a ResourceClaim is allocated an exclusive device at most once.

    This also applies to devices allocated with adminAccess.
    """
    if not answer.rules.admin_once_a_claim:
        return
    is_admin_by_device: dict[tuple[str, DeviceKey], bool] = {}
    for allocated in answer.allocated_devices:
        if allocated.published is None or answer.is_shared(allocated):
            continue
        earlier_is_admin = is_admin_by_device.get((allocated.claim, allocated.key))
        if earlier_is_admin is not None and (earlier_is_admin or allocated.is_admin):
            yield (
                f"{allocated.label}: device {'/'.join(allocated.key)} is allocated to the ResourceClaim twice"
                ", expected once even with adminAccess"
            )
        is_admin_by_device.setdefault((allocated.claim, allocated.key), allocated.is_admin)
