"""Manifests as an API server stores them, for commands that continue with the stored objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dra_conform.controlplane.apiserver.served import versions_served
from dra_conform.controlplane.apiserver.strictness import Strictness
from dra_conform.controlplane.dry_run.dry_run_result import DryRunResult
from dra_conform.controlplane.dry_run.pod_templates import pod_in
from dra_conform.controlplane.dry_run.proposed_writes import Proposal, ProposedWrite, namespace
from dra_conform.controlplane.dry_run.trial import dry_run
from dra_conform.controlplane.progress import Progress, no_progress
from dra_conform.kube.codec import plain
from dra_conform.kube.errors import InputErrors
from dra_conform.kube.manifests import Loaded, OtherObject
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import from_v1, to_v1


@dataclass(frozen=True, slots=True)
class StoredManifests:
    """Objects as they are stored; `gates` are those that are off and dropped something of them."""

    objects: tuple[Loaded, ...]
    gates: tuple[str, ...]

    def notes(self, profile: Profile) -> Iterator[str]:
        """What a user has to know of what was dropped."""
        if self.gates:
            yield (
                f"note: fields of {', '.join(self.gates)} are dropped, which {profile.name} has off "
                "(dra-conform admit says which fields)"
            )


def as_stored(
    loaded: Sequence[Loaded], profile: Profile, progress: Progress = no_progress
) -> StoredManifests:
    """The objects as the API server of a profile stores them; raises InputErrors with all that it refuses.

    Each is written in the newest version that the release serves, whatever version the manifest has; every
    namespace allows admin access. A status stays as it is written: it says what was before. Workloads stay
    as they are if their pods would be admitted.
    """
    writes = [_write(one, profile) for one in loaded]
    proposed = tuple(write for write in writes if write is not None)
    names = sorted({write.namespace for write in proposed if write.namespace})
    labels = {Strictness.of(profile).admin_label: "true"}
    proposal = Proposal(proposed, tuple(namespace(name, labels) for name in names), {})
    results = []
    for result in dry_run(proposal, profile):
        results.append(result)
        progress("checking manifests", len(results), len(proposed))
    problems = [problem for result in results for problem in result.problems()]
    if problems:
        raise InputErrors(problems)
    left = iter(results)
    objects = tuple(
        one if write is None else _stored(one, next(left)) for one, write in zip(loaded, writes, strict=True)
    )
    off = {gate for result in results for change in result.changes for gate in change.gates}
    return StoredManifests(objects, tuple(sorted(off)))


def _write(item: Loaded, profile: Profile) -> ProposedWrite | None:
    """None for a kind that has nothing to do with DRA."""
    pod = pod_in(item.manifest)
    if pod is not None:
        return ProposedWrite(item.manifest, plain(pod.object), within=pod.within)
    versions = () if isinstance(item.object, OtherObject) else versions_served(item.kind, profile)
    return ProposedWrite(item.manifest, from_v1(plain(item.raw), versions[0])) if versions else None


def _stored(item: Loaded, result: DryRunResult) -> Loaded:
    if result.stored is None or result.write.within:
        return item
    status = {"status": item.raw["status"]} if "status" in item.raw else {}
    v1 = {**to_v1(dict(result.stored)), **status}
    return replace(item, raw=v1, object=decode(v1))
