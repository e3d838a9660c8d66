"""Existing objects of an upgrade: what each release has in its store of an object from the first release."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dra_conform.apiserver.kinds import versions_served
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import from_v1, to_v1
from dra_conform.kube.yaml import Path
from dra_conform.previews.dry_run import DryRunResult, Proposal, ProposedWrite, dry_run
from dra_conform.previews.dry_run.written_fields import value_at
from dra_conform.previews.upgrade_check.findings import UpgradeStep
from dra_conform.previews.upgrade_check.release_servers import ReleaseServers
from dra_conform.simulation.known_fields import known_to


def carried(created: DryRunResult, profiles: Sequence[Profile]) -> Iterator[Json]:
    """Yield an object in v1 as it is stored in each release, None if the first release does not store it.

    `created` is the result of its creation in the first of the `profiles`. A field that one release does not
    know is lost in all later steps.
    """
    stored = None if created.stored is None else to_v1(dict(created.stored))
    yield stored
    for profile in profiles[1:]:
        stored = None if stored is None else known_to(stored, profile)
        yield stored


@dataclass(frozen=True)
class ExistingObject:
    """An object that the first release has stored, before and after one step.

    `stored` is the object before the step in v1, None if the first release does not store it.
    """

    step: UpgradeStep
    proposal: Proposal
    write: ProposedWrite
    stored: Json
    servers: ReleaseServers

    @cached_property
    def served(self) -> tuple[Json, Json]:
        """The object as the API servers serve it before and after the step, in the version of `write`."""
        before, after = self._served_in_v1()
        version = self.write.api_version
        return from_v1(to_v1(dict(before)), version), from_v1(to_v1(dict(after)), version)

    def _served_in_v1(self) -> tuple[Json, Json]:
        if self.servers.read_back is None:
            return self.stored, known_to(self.stored, self.step.after)
        return self.servers.read_back(self.write, self.step) or (self.stored, self.stored)

    def has(self, path: Path) -> bool:
        """Whether the object has a field before the step."""
        return self.stored is not None and value_at(self.served[0], path) is not None

    def loses(self, path: Path) -> bool:
        """Whether the object has a field before the step, and not after the step."""
        return self.has(path) and value_at(self.served[1], path) is None

    @cached_property
    def update(self) -> DryRunResult:
        """The result of writing the manifest again after the step."""
        return self.updated(self.step.after)

    @cached_property
    def update_breaks(self) -> bool:
        """Whether writing the manifest again is admitted before the step, and rejected after the step."""
        return self.stored is not None and bool(
            self.update.reason and not self.updated(self.step.before).reason
        )

    def updated(self, profile: Profile) -> DryRunResult:
        """Return the result of writing the manifest again over the stored object.

        It is written in the version of the manifest, or in the newest served version if that is not served.
        """
        write, served = self.write, versions_served(self.write.kind, profile)
        version = write.api_version if write.api_version in served or not served else served[0]
        written, stored = (from_v1(to_v1(dict(raw)), version) for raw in (write.object, self.stored))
        update = replace(write, object=written, old=stored)
        [result] = dry_run(replace(self.proposal, writes=(update,)), profile, self.servers.admission)
        return result
