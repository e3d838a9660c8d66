"""The API versions of each kind that a release serves."""

from __future__ import annotations

from functools import lru_cache

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
