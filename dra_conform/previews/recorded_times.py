"""The latest time that objects of a cluster record, which previews take for the present time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from dra_conform.kube.json_values import Json
from dra_conform.kube.meta import ObjectMeta
from dra_conform.simulation.shared_state import START, time_of

_LATEST = datetime(2200, 1, 1, tzinfo=UTC)
"""Later times are not times at which something was recorded."""


def present_time(recorded: Iterable[object]) -> datetime:
    """Return the latest of some times in RFC 3339 format, at least the start of simulated time.

    Malformed values are ignored.
    """
    latest = START
    for text in recorded:
        try:
            time = time_of(text) if isinstance(text, str) else START
            if latest < time < _LATEST:
                latest = time
        except (ValueError, TypeError):  # TypeError: a time without a time zone
            continue
    return latest


def times_in_metadata(metadata: ObjectMeta) -> Iterator[object]:
    """Yield when an object was created, and when its managed fields were written."""
    yield metadata.creation_timestamp
    for entry in metadata.managed_fields:
        if isinstance(entry, dict):
            yield entry.get("time")


def times_in_object(raw: Json) -> Iterator[object]:
    """Yield when a v1 object was created and its managed fields were written, and the times of its taints and
    of its allocation."""
    metadata = raw["metadata"]
    yield metadata.get("creationTimestamp")
    yield from (entry.get("time") for entry in _maps(metadata.get("managedFields")))
    match raw["kind"]:
        case "ResourceSlice":
            for device in _maps(_field(raw, "spec", "devices")):
                yield from (taint.get("timeAdded") for taint in _maps(device.get("taints")))
        case "DeviceTaintRule":
            yield _field(raw, "spec", "taint", "timeAdded")
        case "ResourceClaim":
            yield _field(raw, "status", "allocation", "allocationTimestamp")


def _field(value: Json, *names: str) -> Json:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _maps(value: Json) -> list[dict[str, Json]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list | tuple) else []
