"""The kinds that the API server serves, in which versions, with the strategies of Node and Namespace."""

from __future__ import annotations

from functools import lru_cache

from dra_conform.apiserver import (
    device_class,
    device_taints,
    naming,
    pod,
    resource_claim,
    resource_claim_template,
    resource_quota,
    resource_slice,
)
from dra_conform.apiserver.strategy import (
    Part,
    Review,
    Strategy,
    all_but_status,
    no_defaults,
    only_status,
)
from dra_conform.apiserver.trees import Tree
from dra_conform.kube import core
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.api_fields import VERSIONS


@lru_cache(maxsize=1024)
def serves(kind: str, api_version: str, profile: Profile) -> bool:
    """Whether objects of a kind can be written in a version; `kep` serves every version."""
    known = VERSIONS[kind].get(api_version)
    return known is not None and known.holds(profile)


@lru_cache(maxsize=256)
def versions_served(kind: str, profile: Profile) -> tuple[str, ...]:
    """Return the API versions in which a kind can be written, the newest first; none for an unknown kind."""
    return tuple(version for version, known in VERSIONS.get(kind, {}).items() if known.holds(profile))


def _prepare_node(tree: Tree, old: Tree | None, review: Review) -> None:
    """Keep the stored status on updates; a new node is stored with its status."""
    if old is not None:
        all_but_status(tree, old, review)


def _valid(tree: Tree, old: Tree | None, review: Review) -> None:
    """Accept every object, because only the metadata of these kinds is validated."""


NODE = Strategy(
    type=core.Node,
    namespaced=False,
    named=naming.dns_subdomain,
    default=no_defaults,
    main=Part(_prepare_node, _valid),
    subresources={"status": Part(only_status, _valid)},
)
NAMESPACE = Strategy(
    type=core.Namespace,
    namespaced=False,
    named=naming.dns_label,
    default=no_defaults,
    main=Part(all_but_status, _valid),
    subresources={"status": Part(only_status, _valid)},
)


STRATEGIES: dict[str, Strategy] = {
    "DeviceClass": device_class.STRATEGY,
    "DeviceTaintRule": device_taints.STRATEGY,
    "Namespace": NAMESPACE,
    "Node": NODE,
    "Pod": pod.STRATEGY,
    "ResourceClaim": resource_claim.STRATEGY,
    "ResourceClaimTemplate": resource_claim_template.STRATEGY,
    "ResourceQuota": resource_quota.STRATEGY,
    "ResourceSlice": resource_slice.STRATEGY,
}
"""The strategies by kind."""
