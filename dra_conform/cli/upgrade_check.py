"""`dra-conform upgrade-check`: show what another release does differently with manifests."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import groupby

from dra_conform.cli import exits
from dra_conform.cli.parsing import CommandParser, add_filename_option, add_wait_option
from dra_conform.cli.printing import ProgressLine, print_notes
from dra_conform.cli.profiles_option import with_gates
from dra_conform.conformance.implementation import CannotStart
from dra_conform.extras import missing_client_error
from dra_conform.kube.errors import InputError
from dra_conform.kube.gates import CHECKED_WITH, locked
from dra_conform.kube.listing import counted, listed
from dra_conform.kube.manifests import load
from dra_conform.kube.printable import one_line
from dra_conform.kube.profile import Profile
from dra_conform.previews.unread_kinds import has_read_kind
from dra_conform.previews.upgrade_check import (
    CauseKind,
    DifferenceCause,
    FoundBy,
    ReleaseClusters,
    UpgradeCheck,
    UpgradeFinding,
    UpgradeSeverity,
    check_upgrade,
)
from dra_conform.previews.upgrade_check.check import machine_form
from dra_conform.simulation import Unsettled

_ALIKE = 3
"""The maximum number of equal findings that are listed one by one."""

_INDEX = re.compile(r"\[\d+\]")
_INDENT = " " * 10


def table(check: UpgradeCheck, profiles: Sequence[Profile], *, live: bool = False) -> Iterator[str]:
    """Yield what every release rejects, each step with its findings, and the totals.

    With `live` the last line says how far simulation and control planes agree.
    """
    if check.rejected:
        yield "rejected by every release"
        yield from (one_line(f"  {UpgradeSeverity.ERROR:<6}  {problem}") for problem in check.rejected)
    for step, findings in groupby(check.findings, lambda finding: finding.step.title):
        yield step
        for group in _groups(findings):
            yield from (one_line(line) for line in _lines(group))
    counts = dict.fromkeys(UpgradeSeverity, 0)
    for finding in check.findings:
        counts[finding.severity] += 1
    figures = ", ".join(
        f"{count} {severity}{'' if count == 1 else 's'}" for severity, count in counts.items()
    )
    releases = " -> ".join(str(profile.release) for profile in profiles)
    number = check.rejected_objects
    verb = "is" if number == 1 else "are"
    rejected = f"; {counted(number, 'object')} {verb} rejected by every release" if number else ""
    yield f"{releases}: {figures if check.findings else 'nothing changes'}{rejected}"
    if live:
        found = Counter(finding.found_by for finding in check.findings)
        yield (
            f"found by both: {found[FoundBy.BOTH]}, only on the control planes: {found[FoundBy.LIVE]}, "
            f"only in the simulation: {found[FoundBy.SIMULATION]}"
        )


def _groups(findings: Iterable[UpgradeFinding]) -> Iterator[Sequence[UpgradeFinding]]:
    """Yield findings one by one, or together if many differ only in list indexes."""
    groups: dict[tuple[object, ...], list[UpgradeFinding]] = {}
    for finding in findings:
        place = finding.kind, finding.name, _INDEX.sub("[*]", finding.path)
        key = finding.severity, finding.scope, *place, finding.causes, finding.found_by
        groups.setdefault(key, []).append(finding)
    for group in groups.values():
        yield from [group] if len(group) > _ALIKE else ([finding] for finding in group)


def _lines(group: Sequence[UpgradeFinding]) -> Iterator[str]:
    first = group[0]
    path = _INDEX.sub("[*]", first.path) if len(group) > 1 else first.path
    where = f"{first.file}:{first.line}: " if first.file else ""
    times = f" ({len(group)} times)" if len(group) > 1 else ""
    head = ": ".join(part for part in (f"{where}{first.kind} {first.name}", path) if part)
    yield f"  {first.severity:<6}  {head}{times}"
    yield f"{_INDENT}{first.aspect}, {first.scope}: {first.before} -> {first.after}"
    for cause in first.causes:
        yield f"{_INDENT}because {_cause(cause)}"
    match first.found_by:
        case FoundBy.LIVE:
            yield f"{_INDENT}found on the control planes, not in the simulation"
        case FoundBy.SIMULATION:
            yield f"{_INDENT}found in the simulation, not on the control planes"
    if first.simulated:
        before, after = first.simulated
        yield f"{_INDENT}simulated: {before} -> {after}"


def _cause(cause: DifferenceCause) -> str:
    requirements = f" ({', '.join(cause.requirements)})" if cause.requirements else ""
    match cause.kind:
        case CauseKind.SWITCH:
            return f"of {cause.kind} {cause.name}: {cause.words}{requirements}"
        case CauseKind.TYPES:
            return f"{cause.name} {cause.words}{requirements}"
        case _:
            return f"{cause.kind} {cause.name} {cause.words}{requirements}"


_RELEASES = tuple(CHECKED_WITH)


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Show what an upgrade or downgrade changes for the objects of manifests or of a cluster dump: what "
        "is stored, rejected, allocated, counted in quotas or evicted differently, in which step, and "
        "because of which feature gate or release switch. Each minor release is one step, in which all "
        "components are replaced at once. Existing objects were written in the first release; new objects "
        "are written in the release after the step."
    )
    command.examples = ("dra-conform upgrade-check --from 1.35 --to 1.37 -f manifests/",)
    command.exit_codes = {
        0: "no errors",
        1: "an object is rejected, a field is lost, or a pod or ResourceClaim loses its devices",
        2: "bad usage, bad input, or a feature that is not simulated",
        3: "with --live: a control plane is not built, cannot be started, or does not reach a steady state",
    }
    add_filename_option(command)
    for side, what in (("from", "before"), ("to", "after")):
        command.add_argument(
            f"--{side}",
            dest=f"{side}_release",
            required=True,
            type=_release,
            choices=_RELEASES,
            metavar="RELEASE",
            help=f"the release {what} the upgrade or downgrade: {', '.join(_RELEASES)}",
        )
        command.add_argument(
            f"--{side}-gates",
            default="",
            metavar="A=true,B=false",
            help=f"feature gates that differ from the defaults of the release of --{side}",
        )
    add_wait_option(command, "let simulated time pass after each step (0)")
    command.add_argument(
        "--live",
        action="store_true",
        help="also upgrade control planes of the releases, with emulated nodes, and compare the findings",
    )
    command.add_argument(
        "-o", "--output", default="text", choices=("text", "json"), help="text is the default"
    )
    command.set_defaults(command=_command)


def _release(text: str) -> str:
    """Return the release of `1.37`, `v1.37` or the profile `kubernetes-1.37`."""
    return text.removeprefix("kubernetes-").removeprefix("v")


def _command(arguments: argparse.Namespace) -> int:
    profiles = _profiles(arguments)
    loaded = load(arguments.filename)
    if not loaded:
        raise InputError(", ".join(arguments.filename), None, "", "has no object, expected at least one")
    if not has_read_kind(loaded):
        kinds = listed(sorted({f"{item.kind} ({item.api_version})" for item in loaded}))
        message = f"has only ignored kinds: {kinds}; expected DRA objects, pods or workloads"
        raise InputError(", ".join(arguments.filename), None, "", message)
    try:
        with closing(ProgressLine()) as progress, _clusters(arguments, profiles) as clusters:
            check = check_upgrade(loaded, profiles, arguments.wait, progress, clusters)
    except Unsettled as error:
        raise InputError(", ".join(arguments.filename), None, "", str(error)) from None
    except CannotStart as error:
        print(f"--live: {error}", file=sys.stderr)
        return exits.NOT_RUNNABLE
    print_notes(check.notes)
    if arguments.output == "json":
        print(json.dumps(machine_form(check, profiles), indent=2))
    else:
        print("\n".join(table(check, profiles, live=arguments.live)))
    errors = any(
        finding.severity is UpgradeSeverity.ERROR and finding.found_by is not FoundBy.SIMULATION
        for finding in check.findings
    )
    return exits.FAILURES if errors or check.rejected else exits.OK


@contextmanager
def _clusters(arguments: argparse.Namespace, profiles: Sequence[Profile]) -> Iterator[ReleaseClusters | None]:
    """Open the control planes of --live; raises CannotStart."""
    if not arguments.live:
        yield None
        return
    if problem := missing_client_error():
        raise CannotStart(problem)
    # Imported here, because the Kubernetes client is optional.
    from dra_conform.adapters.control_plane.release_clusters import ReleaseControlPlanes  # noqa: PLC0415

    planes = ReleaseControlPlanes(str(profile.release) for profile in profiles)
    try:
        yield planes
    finally:
        planes.close()


def _profiles(arguments: argparse.Namespace) -> list[Profile]:
    """Return the profiles from the first release to the last one, in the order of the steps.

    Releases between have the gates of --from-gates, as far as these gates exist and can be changed there.
    Raises InputError if there is no difference.
    """
    first, last = map(_RELEASES.index, (arguments.from_release, arguments.to_release))
    order = range(first, last + 1) if first <= last else range(first, last - 1, -1)
    profiles = [Profile.named(f"kubernetes-{_RELEASES[index]}") for index in order]
    start = with_gates(profiles[0], arguments.from_gates, "--from-gates")
    end = with_gates(profiles[-1], arguments.to_gates, "--to-gates")
    if first == last and start.gates == end.gates:
        message = "is also the release of --from, with equal gates; expected another release or other gates"
        raise InputError("--to", None, arguments.to_release, message)
    changed = {gate: on for gate, on in start.gates.items() if profiles[0].gates[gate] != on}
    between = [
        profile.with_gates({gate: on for gate, on in changed.items() if gate not in locked(profile.release)})
        for profile in profiles[1:-1]
    ]
    return [start, *between, end]
