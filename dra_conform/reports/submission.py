"""A submission: the published result of one implementation, as YAML."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import msgspec
import yaml

from dra_conform import __version__
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.printable import one_line
from dra_conform.reports import figures
from dra_conform.reports.failure_explanation import run_command
from dra_conform.reports.feature_matrix import feature_rows
from dra_conform.reports.figures import RequirementState, StateTally, percent
from dra_conform.reports.headline import headline
from dra_conform.reports.runs import Run

API_VERSION = "dra-conform/v1"
KIND = "ConformanceReport"
SUBJECTS = ("allocator", "api-server", "scheduler", "control-plane", "driver", "kubelet")
"""What an implementation can be."""
SKIPPED_REASONS = 20
"""The most reasons why cases were skipped."""

_PREFIX = "kubernetes-"


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename="camel"):
    """A part of a submission; an unknown field is an error."""


class Submitter(_Part, frozen=True):
    """The implementation under test, with the addresses or accounts that answer questions about it."""

    name: str
    version: str
    subject: str
    contact: tuple[str, ...]
    organization: str = ""
    url: str = ""


class Tool(_Part, frozen=True):
    """The release of dra-conform and the fingerprint of its suite."""

    version: str
    suite: str


class CaseCounts(_Part, frozen=True):
    """The counts of cases, as in `headline.Headline`."""

    right: int
    judged: int
    must_right: int
    must_judged: int
    declined: int
    not_applicable: int

    @property
    def correctness(self) -> str:
        return percent(self.must_right, self.must_judged)

    @property
    def breadth(self) -> str:
        return percent(self.judged, self.judged + self.declined)


class RequirementCounts(_Part, frozen=True):
    """Covered requirements by state."""

    passed: int
    failed: int
    other: int


class FeatureCounts(_Part, frozen=True):
    """Cases of one feature or operation. `declared` is `full`, `partial`, `none` or empty."""

    right: int
    judged: int
    declared: str = ""


class Submission(_Part, frozen=True, kw_only=True):
    """The result of one complete run. `skipped` has reasons, `failed` requirements, with numbers of cases."""

    api_version: str
    kind: str
    date: str
    implementation: Submitter
    tool: Tool
    profile: str
    level: str
    cases: CaseCounts
    levels: dict[str, RequirementCounts]
    documents: dict[str, RequirementCounts]
    features: dict[str, FeatureCounts]
    skipped: dict[str, int] = {}
    failed: dict[str, int] = {}
    reproduce: tuple[str, ...]

    @property
    def release(self) -> str:
        """Return the release of the profile, such as `1.37`, or the name of another profile."""
        return self.profile.removeprefix(_PREFIX)

    @property
    def path(self) -> str:
        """Return the path of its file: RELEASE/IMPLEMENTATION/VERSION.yaml."""
        return f"{self.release}/{slug(self.implementation.name)}/{slug(self.implementation.version)}.yaml"


def submission_of(
    run: Run,
    *,
    subject: str = "",
    contact: Iterable[str],
    organization: str = "",
    url: str = "",
    build: Iterable[str] = (),
) -> Submission:
    """Return the submission of a complete run.

    `build` has the commands before the run. `subject` is one of SUBJECTS, or empty to derive it from the
    operations.
    """
    started, identity = run.started, run.started.implementation
    rows = figures.requirement_results(run)
    known = headline(run, rows)
    declared = {name: str(support) for name, support in identity.features.items()}
    judged = {row.name: FeatureCounts(right=row.cells[0].right, judged=row.cells[0].judged,
                                      declared=declared.get(row.name, ""))
              for row in feature_rows([run])}  # fmt: skip
    others = {
        name: FeatureCounts(right=0, judged=0, declared=support)
        for name, support in sorted(declared.items())
        if name not in judged
    }
    return Submission(
        api_version=API_VERSION,
        kind=KIND,
        date=started.started[:10],
        implementation=Submitter(
            name=identity.name,
            version=identity.version,
            subject=subject or subject_of(identity.operations),
            contact=tuple(contact),
            organization=organization,
            url=url or (identity.homepage if identity.homepage.startswith("https://") else ""),
        ),
        tool=Tool(version=__version__, suite=started.suite.fingerprint),
        profile=started.profile,
        level=started.level,
        cases=CaseCounts(
            right=known.right,
            judged=known.judged,
            must_right=known.must_right,
            must_judged=known.must_judged,
            declined=known.declined,
            not_applicable=known.beyond,
        ),
        levels=_counts(figures.by_level(rows)),
        documents=_counts(figures.state_tallies(figures.by_document(rows))),
        features=judged | others,
        skipped=_skipped(run),
        failed=_failed(rows),
        reproduce=(*build, run_command(started)),
    )


def subject_of(operations: Iterable[str]) -> str:
    """Return what an implementation with these operations is."""
    single = {
        "allocate": "allocator",
        "admit": "api-server",
        "schedule": "scheduler",
        "driver": "driver",
        "kubelet": "kubelet",
    }
    named = list(operations)
    return single.get(named[0], "control-plane") if len(named) == 1 else "control-plane"


def slug(text: str) -> str:
    """Return text as a file name of lower-case letters, digits, dots, underscores and hyphens."""
    return re.sub(r"[^a-z0-9._]+", "-", text.lower()).strip("-.") or "unnamed"


def to_yaml(submission: Submission) -> str:
    """Write a submission as YAML."""
    plain = msgspec.to_builtins(submission)
    return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=110)


def _counts(tallies: Iterable[StateTally]) -> dict[str, RequirementCounts]:
    return {
        tally.name: RequirementCounts(passed=tally.passed, failed=tally.failed, other=tally.other)
        for tally in tallies
    }


def _skipped(run: Run) -> dict[str, int]:
    reasons = Counter(
        one_line(result.detail) or "no reason given"
        for result in run.results
        if result.verdict is Verdict.UNSUPPORTED
    )
    return dict(sorted(reasons.most_common(SKIPPED_REASONS), key=lambda entry: (-entry[1], entry[0])))


def _failed(rows: Iterable[figures.RequirementResults]) -> dict[str, int]:
    return {
        row.requirement.id: len(figures.failures(row.results))
        for row in rows
        if row.state is RequirementState.FAILED
    }
