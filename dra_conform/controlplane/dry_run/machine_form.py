"""The JSON report of a dry run; `dra-conform schema dry-run` prints its schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dra_conform.controlplane.dry_run.dry_run_result import DryRunResult
from dra_conform.kube.profile import Profile

Json = Any

FORMAT = "dra-conform-dry-run/1"


def machine_form(
    results: Sequence[DryRunResult], passed_over: Mapping[str, int], profile: Profile, implementation: str
) -> dict[str, Json]:
    """Return the report with every result in the order of the manifests.

    `passed_over` has the number of ignored objects by `apiVersion kind`.
    """
    return {
        "format": FORMAT,
        "profile": profile.name,
        "gates": dict(profile.gates),
        "implementation": implementation,
        "objects": [dict(_members(result)) for result in results],
        "passedOver": dict(passed_over),
    }


def _members(result: DryRunResult) -> Iterator[tuple[str, Json]]:
    write = result.write
    yield from (("file", write.manifest.file), ("line", result.line))
    yield from (("apiVersion", write.api_version), ("kind", write.kind))
    yield from (("namespace", write.namespace), ("name", write.name), ("verb", write.verb))
    if write.subresource:
        yield "subresource", write.subresource
    if write.within:
        yield "templateOf", write.manifest.kind
    if result.unanswered:
        yield from (("outcome", "unanswered"), ("message", result.unanswered))
        return
    yield "outcome", "rejected" if result.reason else "admitted"
    if result.reason:
        yield from (("reason", result.reason), ("message", result.message))
        yield (
            "errors",
            [
                {
                    "line": located.line,
                    "path": located.error.path,
                    "type": str(located.error.type),
                    "value": located.error.value,
                    "detail": located.error.detail,
                }
                for located in result.errors
            ],
        )
    else:
        yield "stored", result.stored
    yield "changes", [dict(_change(result, number)) for number in range(len(result.changes))]
    yield "warnings", list(result.warnings)


def _change(result: DryRunResult, number: int) -> Iterator[tuple[str, Json]]:
    change = result.changes[number]
    yield from (("change", str(change.change)), ("path", result.shown(change.path)))
    yield "line", result.line_of(change.path)
    for name in ("written", "stored"):
        if getattr(change, name) is not None:
            yield name, getattr(change, name)
    if change.gates:
        yield "gates", list(change.gates)
    if change.reason:
        yield "reason", change.reason
