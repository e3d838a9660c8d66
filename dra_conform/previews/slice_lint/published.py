"""Pools of devices as drivers publish them, the manifest of each ResourceSlice, and findings about both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from dra_conform.kube.errors import InputError
from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.resource import CounterSet, Device, DeviceClass, ResourceSlice
from dra_conform.kube.yaml import Path

Item = TypeVar("Item")
Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Located(Generic[Item]):
    """A part of an object, with its path in the object and the manifest of the object."""

    item: Item
    source: LoadedObject
    path: Path = ()

    def part(self, item: Part, *path: str | int) -> Located[Part]:
        """Return a part below this part."""
        return Located(item, self.source, (*self.path, *path))

    def error(self, requirement: str, message: str) -> LintFinding:
        """Return a finding of severity error about this part."""
        return LintFinding(LintSeverity.ERROR, requirement, self.source.manifest.error(self.path, message))

    def advice(self, requirement: str, message: str) -> LintFinding:
        """Return a finding of severity advice about this part."""
        return LintFinding(LintSeverity.ADVICE, requirement, self.source.manifest.error(self.path, message))


@dataclass(frozen=True, slots=True)
class PublishedPoolSlices:
    """The ResourceSlices of a pool with the newest generation; `older` are the others, oldest first."""

    driver: str
    name: str
    slices: tuple[Located[ResourceSlice], ...]
    older: tuple[Located[ResourceSlice], ...]

    @property
    def label(self) -> str:
        """Return `driver/pool`."""
        return f"{self.driver}/{self.name}"

    @property
    def generation(self) -> int:
        """Return the newest generation."""
        return self.slices[0].item.spec.pool.generation

    def devices(self) -> Iterator[Located[Device]]:
        """Yield the devices in the order of the ResourceSlices."""
        return devices_of(self.slices)

    def counter_sets(self) -> Iterator[Located[CounterSet]]:
        """Yield the counter sets in the order of the ResourceSlices."""
        for found in self.slices:
            for index, counter_set in enumerate(found.item.spec.shared_counters):
                yield found.part(counter_set, "spec", "sharedCounters", index)


@dataclass(frozen=True, slots=True)
class PublishedManifests:
    """All pools in order of driver and name, and all DeviceClasses."""

    pools: tuple[PublishedPoolSlices, ...]
    classes: tuple[Located[DeviceClass], ...]

    @classmethod
    def of(cls, loaded: Sequence[LoadedObject]) -> PublishedManifests:
        """Return what the objects publish; other kinds are ignored."""
        members: dict[tuple[str, str], list[Located[ResourceSlice]]] = {}
        classes = []
        for source in loaded:
            match source.object:
                case ResourceSlice() as item:
                    key = (item.spec.driver, item.spec.pool.name)
                    members.setdefault(key, []).append(Located(item, source))
                case DeviceClass() as item:
                    classes.append(Located(item, source))
        pools = tuple(_pool(*key, slices) for key, slices in sorted(members.items()))
        return cls(pools, tuple(classes))


def devices_of(slices: Iterable[Located[ResourceSlice]]) -> Iterator[Located[Device]]:
    """Yield the devices of ResourceSlices in order."""
    for found in slices:
        for index, device in enumerate(found.item.spec.devices):
            yield found.part(device, "spec", "devices", index)


def _pool(driver: str, name: str, slices: Sequence[Located[ResourceSlice]]) -> PublishedPoolSlices:
    ordered = sorted(slices, key=lambda found: found.item.spec.pool.generation)
    newest = ordered[-1].item.spec.pool.generation
    current = tuple(found for found in ordered if found.item.spec.pool.generation == newest)
    return PublishedPoolSlices(driver, name, current, tuple(ordered[: len(ordered) - len(current)]))


class LintSeverity(StrEnum):
    """An error is rejected by the API server or prevents allocation; advice is a probable mistake."""

    ERROR = "error"
    ADVICE = "advice"


@dataclass(frozen=True, slots=True)
class LintFinding:
    """A finding about a field of a manifest, with the requirement that it violates or an empty string."""

    severity: LintSeverity
    requirement: str
    place: InputError

    def __str__(self) -> str:
        """Return `file:line: path: severity: message (requirement)`."""
        place = self.place
        cited = f" ({self.requirement})" if self.requirement else ""
        return str(InputError(place.file, place.line, place.path, f"{self.severity}: {place.message}{cited}"))
