"""The strategy of a kind: how the API server defaults and validates it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dra_conform.controlplane.apiserver.naming import Check
from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.strictness import Strictness
from dra_conform.controlplane.apiserver.trees import Tree
from dra_conform.controlplane.apiserver.write import Surroundings, User
from dra_conform.kube.profile import Profile

_ADMIN = User()


@dataclass(frozen=True, slots=True)
class Review:
    """One write on its way through a strategy, with what was found so far."""

    version: str
    """The API version written in, such as `v1beta1`."""
    profile: Profile
    strictness: Strictness
    surroundings: Surroundings
    errors: FieldErrors
    warnings: list[str] = field(default_factory=list)
    user: User = _ADMIN


Prepare = Callable[[Tree, Tree | None, Review], None]
"""Bring the new object, beside the stored one if there is one, into the form that may be stored."""

Validate = Callable[[Tree, Tree | None, Review], None]
"""Add what is wrong with the new object, beside the stored one if there is one."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one endpoint writes of an object: all but the status, or only a subresource.

    `kept` is what a subresource does not write of the metadata.
    """

    prepare: Prepare
    validate: Validate
    kept: tuple[str, ...] = ("labels", "annotations", "finalizers", "ownerReferences")


@dataclass(frozen=True, slots=True)
class Strategy:
    """How a kind is written.

    `type` is the kind's struct and the source of its fields, `named` what its names look like. `default`
    writes defaults into the v1 form of an object. `subresources` are the endpoints beside the main one.
    `specs_shared`: many objects have the same spec, and its defaults depend on nothing but itself.
    """

    type: type
    namespaced: bool
    named: Check
    default: Callable[[Tree, Review], None]
    main: Part
    subresources: dict[str, Part] = field(default_factory=dict)
    specs_shared: bool = False


def no_defaults(tree: Tree, review: Review) -> None:
    """For kinds without defaults."""


def only_status(tree: Tree, old: Tree | None, review: Review) -> None:
    """Take all but the status from the stored object, as a write to the status does."""
    if old is not None and "spec" in old:
        tree["spec"] = old["spec"]


def all_but_status(tree: Tree, old: Tree | None, review: Review) -> None:
    """Take the status from the stored object, as a write to the object does; a new object has none."""
    tree.pop("status", None)
    if old is not None and "status" in old:
        tree["status"] = old["status"]
