"""The control plane builds that exist: one program per release, of `tools/kube-control-plane/build.sh`."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = "DRA_CONFORM_KUBE"
"""The variable of the environment that names another folder with programs."""


class NotBuilt(LookupError):  # noqa: N818 - it reads as what happened
    """There is no such program; the message says which command makes it."""


def folder() -> Path:
    """Where programs are looked for."""
    checkout = Path(__file__).resolve().parents[3]
    return Path(os.environ.get(FOLDER) or checkout / "tools" / "kube-control-plane" / "bin")


def program(version: str) -> Path:
    """The program of a version (`v1.37.1`); raises NotBuilt."""
    path = folder() / f"kube-{version}"
    if not os.access(path, os.X_OK):
        command = f"tools/kube-control-plane/build.sh kube-{version}"
        raise NotBuilt(f"kube-{version} is not in {folder()}: `{command}` builds it (needs Go, ten minutes)")
    return path


def newest_of(release: str) -> str:
    """The newest version of a release (`1.37`) that was built; raises NotBuilt."""
    found = [path.name.removeprefix("kube-") for path in folder().glob(f"kube-v{release}.*")]
    if not found:
        raise NotBuilt(f"there is no control plane of {release} in {folder()}: `make kube-control-plane`")
    return max(found, key=_patch)


def release_of(version: str) -> str:
    """The release (`1.37`) that a version (`v1.37.1`) is of."""
    return version.removeprefix("v").rpartition(".")[0]


def _patch(version: str) -> int:
    patch = version.rpartition(".")[2]
    return int(patch) if patch.isdecimal() else 0
