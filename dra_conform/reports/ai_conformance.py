"""A page of evidence for the DRA requirement of CNCF's Kubernetes AI conformance.

A submission names such pages as `evidence` of the requirement `dra_support` in its PRODUCT.yaml. The page
shows the scenarios of a cluster run, grouped by what they show, with versions and commands.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dra_conform import __version__
from dra_conform.conformance.case import Case
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, JUDGED, CaseResult
from dra_conform.kube.errors import InputError
from dra_conform.reports.markdown_text import code, escaped
from dra_conform.reports.recorded_results import verdict_text
from dra_conform.reports.runs import Run

OPERATION = "cluster"
_CLUSTERS = ("cluster:", "kube:")
"""The specs of implementations that are clusters."""

CHECKLISTS = "MUST in the checklists for 1.34 and 1.35, SHOULD for 1.33"
"""The level of `dra_support` in cncf/k8s-ai-conformance; the checklist for 1.36 does not have it."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What the page shows, and the requirements whose scenarios show it."""

    title: str
    words: str
    requirements: tuple[str, ...]


TOPICS = (
    Topic(
        "The API is served",
        "The scenarios write DeviceClasses, ResourceSlices, ResourceClaims and ResourceClaimTemplates in "
        "`resource.k8s.io/v1`, and the control plane generates ResourceClaims from the templates.",
        ("DRA/template/one-claim-per-pod", "DRA/template/spec-copied"),
    ),
    Topic(
        "ResourceClaims are allocated",
        "The scheduler allocates devices to the ResourceClaims of a pod, and chooses a node where all of "
        "them can be used. A pod whose ResourceClaims cannot be allocated stays Pending.",
        (
            "DRA/workflow/all-claims-of-a-pod-together",
            "DRA/workflow/pod-lands-where-device-is",
            "DRA/workflow/unmet-request-waits",
        ),
    ),
    Topic(
        "Requests are more than a count",
        "A request names alternatives in order (`firstAvailable`), and pods can share the device of a "
        "ResourceClaim.",
        ("DRA/prioritized-list/node-choice", "DRA/claim/shared-by-several-pods"),
    ),
    Topic(
        "ResourceClaims are isolated from each other",
        "A device that is allocated to one ResourceClaim is not allocated to another one. A pod can only use "
        "ResourceClaims of its own namespace.",
        (
            "DRA/template/separate-similar-devices",
            "DRA/workflow/filter-criteria",
            "DRA/claim/must-exist-in-pod-namespace",
        ),
    ),
    Topic(
        "Devices are released",
        "The device of a ResourceClaim is available again once no pod uses the ResourceClaim.",
        ("DRA/template/claim-bound-to-pod-lifetime", "DRA/claim/manual-lifecycle"),
    ),
)
"""The topics of the page in order. Their requirements decide which scenarios a run needs."""


def selection() -> str:
    """Return the expression of `run --select` for all scenarios that the page needs."""
    names = (f"requirement:{name}" for topic in TOPICS for name in topic.requirements)
    return f"operation:{OPERATION} and ({' or '.join(names)})"


def passes(run: Run) -> bool:
    """Whether every judged scenario of the page passes."""
    return not any(
        result.verdict in CONFORMANCE_FAILURES
        for topic in TOPICS
        for result in _judged(run, topic.requirements)
    )


def render(path: str, run: Run, cases: Iterable[Case]) -> str:
    """Return the page as Markdown for the run of a report.

    `path` is the file of the report, `cases` are those of its suite and profile: the page counts scenarios
    that the run did not judge. Raises InputError if the run is not that of a cluster, or if it judged no
    scenario of a requirement of the page.
    """
    spec = run.started.implementation.spec
    if not spec.startswith(_CLUSTERS):
        message = f"is {spec!r}, expected a run of cluster:KUBECONFIG or kube:VERSION"
        raise InputError(path, None, "implementation.spec", message)
    if "```" in spec or not spec.isprintable():  # It would end the block of commands.
        raise InputError(path, None, "implementation.spec", f"is {spec!r}, expected one line without ```")
    missing = [name for topic in TOPICS for name in topic.requirements if not _judged(run, (name,))]
    if missing:
        expected = f"expected a run with --select {shlex.quote(selection())}"
        raise InputError(path, None, "results", f"no scenario of {', '.join(missing)} was judged, {expected}")
    return "\n".join(_lines(run, tuple(cases))) + "\n"


def _lines(run: Run, cases: Sequence[Case]) -> Iterator[str]:
    started, identity = run.started, run.started.implementation
    yield "# DRA support: conformance evidence"
    yield ""
    yield f"Requirement: `dra_support` ({CHECKLISTS})."
    yield ""
    yield from _table(
        ("", ""),
        {
            "Platform": escaped(f"{identity.name} {identity.version}".strip()),
            **{
                f"Component {escaped(name)}": escaped(version)
                for name, version in identity.components.items()
            },
            "Judged by the rules of": escaped(started.profile),
            "Date": escaped(started.started[:10]),
            "Tool": f"dra-conform {__version__}, suite {code(started.suite.fingerprint)}",
        }.items(),
    )
    yield ""
    yield "## Summary"
    yield ""
    rows: list[tuple[str, ...]] = []
    for topic in TOPICS:
        judged = _judged(run, topic.requirements)
        failed = sum(result.verdict in CONFORMANCE_FAILURES for result in judged)
        others = _not_judged(cases, judged, topic.requirements)
        rows.append((topic.title, str(len(judged) - failed), str(failed), str(len(others))))
    yield from _table(("What is shown", "Scenarios passed", "failed", "not judged"), rows)
    for number, topic in enumerate(TOPICS, 1):
        yield ""
        yield f"## {number}. {topic.title}"
        yield ""
        yield topic.words
        yield ""
        results = _judged(run, topic.requirements)
        others = _not_judged(cases, results, topic.requirements)
        rows = [*map(_scenario, results), *((escaped(c.title), code(c.id), "not judged") for c in others)]
        yield from _table(("Scenario", "Case", "Result"), rows)
    yield ""
    yield "## Commands"
    yield ""
    yield "```"
    words = ("dra-conform", "run", "-i", identity.spec, "--profile", started.profile, "--select", selection())
    yield f"{shlex.join(words)} --json report.json"
    yield "dra-conform submit report.json --ai-conformance dra-support.md"
    yield "```"
    yield ""
    yield "They run all scenarios of the requirements of this page, and write the page again."
    yield "`dra-conform show CASE` prints the steps of a scenario, with the objects that it writes."
    yield ""
    yield "## Limits"
    yield ""
    yield (
        "The scenarios publish their own ResourceSlices for nodes without a machine, and emulate the "
        "kubelet. So this page shows what the API server, the scheduler and the controllers do. It does not "
        "show that a DRA driver and the container runtime give a container only its own devices, as "
        "`secure_accelerator_access` requires."
    )


def _scenario(result: CaseResult) -> tuple[str, str, str]:
    return escaped(result.case.title), code(result.case.id), escaped(verdict_text(result))


def _judged(run: Run, requirements: Sequence[str]) -> list[CaseResult]:
    """Return the judged scenarios of any of the requirements."""
    wanted = set(requirements)
    return [
        result
        for result in run.results
        if result.verdict in JUDGED
        and result.case.operation == OPERATION
        and wanted.intersection(result.case.requirements)
    ]


def _not_judged(
    cases: Iterable[Case], judged: Iterable[CaseResult], requirements: Sequence[str]
) -> list[Case]:
    """Return the scenarios of any of the requirements that have no judged result."""
    known = {result.case.id for result in judged}
    return [
        case
        for case in cases
        if case.operation == OPERATION
        and case.id not in known
        and not {*requirements}.isdisjoint(case.requirements)
    ]


def _table(head: Sequence[str], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
