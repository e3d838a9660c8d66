"""The API versions of each kind that an API server serves."""

from __future__ import annotations

from dra_conform.adapters.live.api import Api
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.kube.versions import GROUP, SERVED


class ServedVersions:
    """Asks once, and again after `forget`: another release serves other versions."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._plurals: dict[str, frozenset[str]] = {}

    def forget(self) -> None:
        self._plurals = {}

    def has(self, kind: str) -> bool:
        """Whether any version of a kind is served."""
        return self._newest(kind) is not None

    def newest(self, kind: str) -> str:
        """Such as `v1`; raises CannotRun where none is served."""
        version = self._newest(kind)
        if version is None:
            raise CannotRun(f"the API server does not serve {kind}")
        return version

    def _newest(self, kind: str) -> str | None:
        resource = RESOURCES[kind]
        if not resource.group:
            return "v1"
        return next((one for one in SERVED[kind] if resource.plural in self._of(one)), None)

    def _of(self, version: str) -> frozenset[str]:
        known = self._plurals  # somebody else may forget meanwhile
        if version not in known:
            answer = self._api.resources(GROUP, version)
            found = answer.body["resources"] if answer.taken else ()
            known = {**known, version: frozenset(one["name"] for one in found)}
            self._plurals = known
        return known[version]
