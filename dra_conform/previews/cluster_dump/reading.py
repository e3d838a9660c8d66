"""Reading of dumps of clusters, and of manifests that change a cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from dra_conform.kube.core import Pod
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.input_files import MAX_BYTES
from dra_conform.kube.manifest_files import contents_in
from dra_conform.kube.manifests import LoadedObject, OtherObject, load_bytes
from dra_conform.kube.profile import Profile
from dra_conform.previews.cluster_dump.cluster_objects import ClusterObjects, is_name, key_of
from dra_conform.previews.cluster_dump.json_lists import NotAccepted, read_json_list
from dra_conform.previews.cluster_dump.new_pods import (
    applied,
    new_objects,
    note_on_extended_resources,
    without_replaced_pods,
)
from dra_conform.previews.cluster_dump.rejected_updates import notes_on_rejected_updates
from dra_conform.previews.cluster_dump.untyped_fields import problems_of
from dra_conform.previews.dry_run import as_stored
from dra_conform.previews.progress import Progress, no_progress
from dra_conform.previews.unread_kinds import notes_on_ignored, notes_on_kinds

MAX_LIST_BYTES = 4 * 2**30
"""The largest size of a file with one JSON list. Other files have at most MAX_BYTES."""


@dataclass(frozen=True, slots=True)
class ClusterDump:
    """The objects of a cluster now, and after changes; `after` is `now` without changes."""

    now: ClusterObjects
    after: ClusterObjects
    notes: tuple[str, ...]


def read_dump(
    dumps: Sequence[str],
    changes: Sequence[str],
    profile: Profile,
    progress: Progress = no_progress,
    *,
    lists: Iterable[tuple[str, bytes]] = (),
) -> ClusterDump:
    """Read files and directories with a cluster, then those with changes; raise InputErrors, InputError.

    `lists` are JSON lists of the cluster that are not in files, each with a name for messages.

    An object with a UID exists in the cluster and is read as it is. Any other object is new: it is stored as
    the API server of the profile stores it. A workload with a UID has its pods in the dump; a new workload
    counts as its pods in place of existing pods of the workload, and each template that a new pod names as a
    claim.
    """
    reader = _Reader(profile, progress)
    now = reader.dump(dumps, lists)
    after = reader.changes(changes, now) if changes else now
    return ClusterDump(now, after, tuple(dict.fromkeys(reader.notes)))


@dataclass(slots=True)
class _FilesRead:
    """The content of files: decoded objects of a cluster, new manifests, ignored kinds and problems."""

    existing: list[Any] = field(default_factory=list)
    new: list[LoadedObject] = field(default_factory=list)
    ignored: Counter[str] = field(default_factory=Counter)
    errors: list[InputError] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether no file has an object or a problem."""
        return not (self.existing or self.new or self.ignored or self.errors)

    def add_dump(self, content: bytes, name: str) -> None:
        """Add the objects of a file with a part of a cluster."""
        if content[:4096].lstrip()[:1] == b"{":
            try:
                listed = read_json_list(content)
            except NotAccepted as reason:
                if len(content) > MAX_BYTES:
                    item = "" if reason.item is None else f"items[{reason.item}]"
                    message = f"{reason.message}, expected a list that kubectl get -o json prints"
                    self.errors.append(InputError(name, reason.line, item, message))
                    return
            else:
                self.existing += listed.objects
                self.ignored += listed.ignored
                return
        for loaded in self._loaded(content, name):
            if not _uid(loaded):
                self.new.append(loaded)
            elif isinstance(loaded.object, OtherObject):
                self.ignored[f"{loaded.kind} ({loaded.api_version})"] += 1
            else:
                self.errors += _wrong_names(loaded)
                self.existing.append(loaded.object)

    def add_changes(self, content: bytes, name: str) -> None:
        """Add the objects of a file with manifests to apply."""
        self.new += self._loaded(content, name)

    def _loaded(self, content: bytes, name: str) -> Sequence[LoadedObject]:
        try:
            loaded = load_bytes(content, name)
        except InputErrors as several:
            self.errors += several.errors
            return ()
        for item in loaded:
            problems = problems_of(item.object) if isinstance(item.object, Pod) else ()
            self.errors += [item.manifest.error(path, message) for path, message in problems]
        return loaded


class _Reader:
    """Reads sets of files; `notes` are for users."""

    def __init__(self, profile: Profile, progress: Progress) -> None:
        self._profile = profile
        self._progress = progress
        self.notes: list[str] = []

    def dump(self, paths: Sequence[str], lists: Iterable[tuple[str, bytes]]) -> ClusterObjects:
        """Return the cluster of files and lists; raise InputErrors."""
        read = _FilesRead()
        for number, path in enumerate(paths):
            self._progress("reading files", number, len(paths))
            for name, content in contents_in(path, read.errors, MAX_LIST_BYTES):
                read.add_dump(content, name)
        if paths and read.empty:  # as kubectl writes for an account without rights
            raise InputError(", ".join(paths), None, "", "has no object, expected at least one")
        for name, content in lists:
            read.add_dump(content, name)
        return self._with(ClusterObjects.of(()), read)

    def changes(self, paths: Sequence[str], cluster: ClusterObjects) -> ClusterObjects:
        """Return the cluster after the changes of files; raise InputErrors."""
        read = _FilesRead()
        for path in paths:
            for name, content in contents_in(path, read.errors):
                read.add_changes(content, name)
        return self._with(cluster, read)

    def _with(self, cluster: ClusterObjects, read: _FilesRead) -> ClusterObjects:
        if read.errors:
            raise InputErrors(read.errors)
        if read.ignored:
            self.notes += notes_on_ignored(read.ignored)
        known = cluster.changed_by(read.existing)
        if not read.new:
            return known
        stored = as_stored(read.new, self._profile, self._progress)
        self.notes += [*notes_on_kinds(stored.objects), *stored.notes(self._profile)]
        self.notes += notes_on_rejected_updates(read.new, known, self._profile)
        known = without_replaced_pods(known, stored.objects)
        new = list(new_objects(applied(stored.objects, known), known, self._profile))
        changed = known.changed_by(new)
        existing = known.by_key(Pod)
        added = [item for item in new if isinstance(item, Pod) and key_of(item) not in existing]
        self.notes += note_on_extended_resources(added, changed)
        return changed


def _wrong_names(loaded: LoadedObject) -> Iterator[InputError]:
    """Yield an error for a name or namespace of an existing object that no API server can have stored."""
    metadata = loaded.object.metadata
    for field_name, name in (("name", metadata.name), ("namespace", metadata.namespace)):
        if name and not is_name(name):
            message = f"is {name!r}, expected a DNS subdomain"
            yield loaded.manifest.error(("metadata", field_name), message)


def _uid(loaded: LoadedObject) -> str:
    metadata = loaded.raw.get("metadata")
    return str(metadata.get("uid") or "") if isinstance(metadata, dict) else ""
