"""The answer of an implementation as text lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dra_conform.fuzz.comparison.difference import Side

Json = Any


def answer_lines(side: Side) -> Iterator[str]:
    """Yield the outcome of an answer as a line, then a line for each result, configuration and finding."""
    answer = side.answer
    if answer is None:
        yield " ".join(f"{side.says} {side.reply.detail}".split())
        return
    reasons = "; ".join(dict.fromkeys(reason.message or reason.category for reason in answer.reasons[:3]))
    yield " ".join(f"{side.says}{f' ({reasons})' if reasons else ''}".split())
    for claim, allocation in answer.allocations.items():
        for result in _entries(allocation, "results"):
            yield f"  {claim} {result.get('request')}: {', '.join(_facts(result, side.parts))}"
        for entry in _entries(allocation, "config") if "config" in side.parts else ():
            scope = ", ".join(entry.get("requests") or ()) or "all requests"
            yield f"  {claim} {entry.get('source')} for {scope}: {_short(entry.get('opaque'))}"
        if "nodeSelector" in side.parts:
            yield f"  {claim} on the nodes: {_short(allocation.get('nodeSelector'))}"
    for finding in side.findings:
        yield f"  violates {finding.rule}: {' '.join(finding.message.split())}"


def _facts(result: Json, parts: frozenset[str]) -> Iterator[str]:
    """Yield the device of a result, its consumed capacity, and the fields that differ."""
    yield "/".join(str(result.get(key)) for key in ("driver", "pool", "device"))
    yield from (f"{key} {text}" for key, text in (result.get("consumedCapacity") or {}).items())
    if result.get("shareID"):
        yield "shared allocation"
    if result.get("adminAccess"):
        yield "admin access"
    for name in sorted(parts & result.keys() - {"consumedCapacity", "shareID", "adminAccess"}):
        yield f"{name} {_short(result[name])}"


def _short(value: Json) -> str:
    return msgspec.json.encode(value).decode()


def _entries(allocation: Json, field: str) -> list[Json]:
    devices = allocation.get("devices") if isinstance(allocation, dict) else None
    entries = devices.get(field) if isinstance(devices, dict) else None
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
