"""The built control planes: one program per version, built by `tools/kube-control-plane/build.sh`."""

from __future__ import annotations

import os
from pathlib import Path

from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.kube.gates import GATES, defaults
from dra_conform.kube.profile import KEP_FUTURE, Profile

FOLDER = "DRA_CONFORM_KUBE"
"""The environment variable with the folder of the programs."""


class NotBuilt(LookupError):  # noqa: N818 - it reads as what happened
    """The control plane of a version is not built; the message has the command that builds it."""


def folder() -> Path:
    """Return the folder of the programs."""
    return Path(os.environ.get(FOLDER) or _tool() / "bin").absolute()


def program(version: str) -> Path:
    """Return the program of a version (`v1.37.1`); raises NotBuilt."""
    path = folder() / f"kube-{version}"
    if not os.access(path, os.X_OK):
        raise NotBuilt(f"kube-{version} is not in {folder()}: {_builds(version)}")
    return path


def newest_of(release: str) -> str:
    """Return the newest built version of a release (`1.37`); raises NotBuilt."""
    versions = [path.name.removeprefix("kube-") for path in folder().glob(f"kube-v{release}.*")]
    if not versions:
        newest = next((known for known in reversed(pinned_versions()) if release_of(known) == release), "")
        raise NotBuilt(f"no control plane of {release} is in {folder()}: {_builds(newest)}")
    return max(versions, key=_patch)


def pinned_versions() -> tuple[str, ...]:
    """Return in order the versions whose control plane the checkout can build; none without a checkout.

    Of pre-releases it has the dependencies of other programs only.
    """
    stems = (path.stem for path in (_tool() / "releases").glob("v*.mod"))
    released = (version for version in stems if "-" not in version)
    return tuple(sorted(released, key=lambda version: (release_of(version), _patch(version))))


def _builds(version: str) -> str:
    """Return which command builds a version, or which versions can be built if it is none of them.

    For a package without the tools, return where the command runs and where the builds are found.
    """
    pinned = pinned_versions()
    if version in pinned:
        return f"`tools/kube-control-plane/build.sh kube-{version}` builds it (needs Go, ten minutes)"
    if pinned:
        others = "`build.sh --pin VERSION` pins another version"
        return f"`tools/kube-control-plane/build.sh` builds {', '.join(pinned)}; {others}"
    command = "in a clone of the repository, `make kube-control-plane` builds control planes"
    return f"{command}; set {FOLDER} to its folder tools/kube-control-plane/bin"


def _tool() -> Path:
    return Path(__file__).resolve().parents[3] / "tools" / "kube-control-plane"


def release_of(version: str) -> str:
    """Return the release (`1.37`) of a version (`v1.37.1`)."""
    return version.removeprefix("v").rpartition(".")[0]


def _patch(version: str) -> int:
    patch = version.rpartition(".")[2]
    return int(patch) if patch.isdecimal() else 0


def check_profile(release: str, profile: Profile) -> None:
    """Raise CannotRun if the control plane has another release than the profile or lacks its gates."""
    if profile.name == KEP_FUTURE:
        raise CannotRun("no release implements profile kep-future, which has rules that are only planned")
    if profile.release is None and not defaults(release).keys() >= set(GATES):
        raise CannotRun(f"Kubernetes {release} lacks feature gates that profile kep needs")
    if profile.release not in (None, release):
        raise CannotRun(f"the control plane runs Kubernetes {release}, expected {profile.release}")
