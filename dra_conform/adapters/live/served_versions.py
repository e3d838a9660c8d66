"""The API versions that an API server serves of each kind."""

from __future__ import annotations

from dra_conform.adapters.live.api import Api
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.kube.versions import GROUP, SERVED


class ServedVersions:
    """The served API versions, read once and again after `forget`."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._plurals: dict[str, frozenset[str]] = {}

    def forget(self) -> None:
        """Read the versions again at the next call, because the API server may run another release."""
        self._plurals = {}

    def has(self, kind: str) -> bool:
        """Whether any version of a kind is served."""
        return self._newest(kind) is not None

    def newest(self, kind: str) -> str:
        """Return the newest served version of a kind, such as `v1`; raises CannotRun if none is served."""
        version = self._newest(kind)
        if version is None:
            raise CannotRun(f"the API server does not serve {kind}")
        return version

    def _newest(self, kind: str) -> str | None:
        resource = RESOURCES[kind]
        if not resource.group:
            return "v1"
        return next((version for version in SERVED[kind] if resource.plural in self._served(version)), None)

    def _served(self, version: str) -> frozenset[str]:
        known = self._plurals  # Another thread may call `forget` at the same time.
        if version not in known:
            answer = self._api.resources(GROUP, version)
            resources = answer.body["resources"] if answer.accepted else ()
            known = {**known, version: frozenset(resource["name"] for resource in resources)}
            self._plurals = known
        return known[version]
