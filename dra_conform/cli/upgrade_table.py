"""The terminal output of an upgrade check: the findings of each step, and totals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from dra_conform.controlplane.upgrade_check import Cause, CauseKind, Finding, Severity, UpgradeCheck
from dra_conform.kube.printable import one_line
from dra_conform.kube.profile import Profile

_ALIKE = 3
"""The maximum number of equal findings that are listed one by one."""

_INDEX = re.compile(r"\[\d+\]")
_INDENT = " " * 10


def table(check: UpgradeCheck, profiles: Sequence[Profile]) -> Iterator[str]:
    """Yield each step with its findings, and the totals at the end."""
    for step, findings in groupby(check.findings, lambda finding: finding.step.title):
        yield step
        for group in _groups(findings):
            yield from (one_line(line) for line in _lines(group))
    counts = dict.fromkeys(Severity, 0)
    for finding in check.findings:
        counts[finding.severity] += 1
    figures = ", ".join(
        f"{count} {severity}{'' if count == 1 else 's'}" for severity, count in counts.items()
    )
    releases = " -> ".join(str(profile.release) for profile in profiles)
    yield f"{releases}: {figures}" if check.findings else f"{releases}: nothing changes"


def _groups(findings: Iterable[Finding]) -> Iterator[Sequence[Finding]]:
    """Yield findings one by one, or together if many differ only in list indexes."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        place = finding.kind, finding.name, _INDEX.sub("[*]", finding.path)
        key = finding.severity, finding.scope, *place, finding.causes
        groups.setdefault(key, []).append(finding)
    for group in groups.values():
        yield from [group] if len(group) > _ALIKE else ([finding] for finding in group)


def _lines(group: Sequence[Finding]) -> Iterator[str]:
    first = group[0]
    path = _INDEX.sub("[*]", first.path) if len(group) > 1 else first.path
    where = f"{first.file}:{first.line}: " if first.file else ""
    times = f" ({len(group)} times)" if len(group) > 1 else ""
    head = ": ".join(part for part in (f"{where}{first.kind} {first.name}", path) if part)
    yield f"  {first.severity:<6}  {head}{times}"
    yield f"{_INDENT}{first.aspect}, {first.scope}: {first.before} -> {first.after}"
    for cause in first.causes:
        yield f"{_INDENT}because {_cause(cause)}"


def _cause(cause: Cause) -> str:
    requirements = f" ({', '.join(cause.requirements)})" if cause.requirements else ""
    if cause.kind is CauseKind.GATE:
        return f"{cause.kind} {cause.name} {cause.words}{requirements}"
    return f"of {cause.kind} {cause.name}: {cause.words}{requirements}"
