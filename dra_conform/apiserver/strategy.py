"""The strategy of a kind: how the API server defaults and validates it, and the writes that it reviews."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from dra_conform.apiserver.naming import Check
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.trees import Tree
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.api_server import ApiServerSwitches


class Verb(StrEnum):
    """The verb of a write."""

    CREATE = "create"
    UPDATE = "update"


@dataclass(frozen=True, slots=True)
class User:
    """The user of a write; every user is authorized to write."""

    name: str = "admin"
    groups: tuple[str, ...] = ("system:masters",)

    @property
    def has_all_permissions(self) -> bool:
        """Whether the user has every permission that admission checks; other users have none of them."""
        return "system:masters" in self.groups


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """One request to write an object.

    `object` and `old` are in JSON form and in any served version, and are not changed. `old` is the stored
    object of an update. `subresource` is empty for the object itself.
    """

    verb: Verb
    object: Any
    old: Mapping[str, Any] | None = None
    subresource: str = ""
    user: User = User()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The other input of admission: namespace labels by namespace, and the current time (RFC 3339)."""

    namespaces: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))
    time: str = "2026-01-01T00:00:00Z"

    @staticmethod
    def of(namespaces: Iterable[Mapping[str, Any]], time: str = "2026-01-01T00:00:00Z") -> Surroundings:
        """Return the surroundings of a write: the time, and the labels of Namespaces in JSON form."""
        metadata = [raw["metadata"] for raw in namespaces]
        return Surroundings({each["name"]: each.get("labels") or {} for each in metadata}, time)


_ADMIN = User()


@dataclass(frozen=True, slots=True)
class Review:
    """The state of one write in admission, with the errors and warnings so far."""

    version: str
    """The API version of the write without its group, such as `v1beta1`."""
    profile: Profile
    switches: ApiServerSwitches
    surroundings: Surroundings
    errors: FieldErrors
    warnings: list[str] = field(default_factory=list)
    user: User = _ADMIN


Prepare = Callable[[Tree, Tree | None, Review], None]
"""Changes the new object before validation; gets the stored object, None for a creation."""

Validate = Callable[[Tree, Tree | None, Review], None]
"""Adds the errors of the new object; gets the stored object, None for a creation."""


@dataclass(frozen=True, slots=True)
class Part:
    """An endpoint of a kind: the object itself or one subresource.

    `kept` is the metadata that a write to a subresource does not change.
    """

    prepare: Prepare
    validate: Validate
    kept: tuple[str, ...] = ("labels", "annotations", "finalizers", "ownerReferences")


@dataclass(frozen=True, slots=True)
class Strategy:
    """The create and update strategy of a kind.

    `type` is the struct of the kind, from which its fields are taken. `named` checks names of objects.
    `default` sets defaults in the v1 form of an object. `subresources` are the further endpoints.
    `specs_shared`: specs are cached, since many objects have equal specs, and their defaults depend only on
    the spec.
    """

    type: type
    namespaced: bool
    named: Check
    default: Callable[[Tree, Review], None]
    main: Part
    subresources: dict[str, Part] = field(default_factory=dict)
    specs_shared: bool = False


def no_defaults(tree: Tree, review: Review) -> None:
    """Set no defaults."""


def only_status(tree: Tree, old: Tree | None, review: Review) -> None:
    """Keep the stored spec, as a write to the status does."""
    if old is not None and "spec" in old:
        tree["spec"] = old["spec"]


def all_but_status(tree: Tree, old: Tree | None, review: Review) -> None:
    """Keep the stored status, as a write to the object does; a new object has no status."""
    tree.pop("status", None)
    if old is not None and "status" in old:
        tree["status"] = old["status"]
