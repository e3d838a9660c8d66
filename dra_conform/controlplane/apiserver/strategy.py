"""The strategy of a kind: how the API server defaults and validates it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dra_conform.controlplane.apiserver.naming import Check
from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.trees import Tree
from dra_conform.controlplane.apiserver.write import Surroundings, User
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.api_server import ApiServerSwitches

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
