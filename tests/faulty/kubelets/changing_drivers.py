"""Faults of a kubelet about drivers that start again, and about less usual registrations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from dra_conform.reference_driver.api_client import APIClient
from dra_conform.reference_kubelet import plugins
from dra_conform.reference_kubelet.health import HealthReports
from tests.faulty.drivers.fault import around
from tests.faulty.kubelets.faults import fault


def _keep_from_first_registration(field: str) -> None:
    """Let later registrations with a socket of one path have the first value of a field of GetInfo."""
    first: dict[Path, Any] = {}

    @around(plugins, "get_info")
    def changed(original: Any, socket: Path) -> Any:
        info = original(socket)
        return msgspec.structs.replace(info, **{field: first.setdefault(socket, getattr(info, field))})


@fault("registration/first-known")
def services_of_the_first_registration() -> None:
    """A driver that starts again is called by the service of its first registration."""
    _keep_from_first_registration("supported_versions")


@fault("registration/discovers")
def endpoint_of_the_first_registration() -> None:
    """A driver that starts again is called at the endpoint of its first registration."""
    _keep_from_first_registration("endpoint")


@fault("registration/discovers")
def replaced_sockets_are_not_noticed() -> None:
    """A driver that replaces its registration socket is not registered again."""

    @around(plugins.Plugins, "_removed")
    def changed(_: Any, self: Any) -> list[Path]:
        present = self._present()
        return [path for path in self._sockets if path not in present]


@fault("registration/discovers")
def only_usual_names_of_sockets() -> None:
    """A registration socket is found only if its name ends as that of the library for drivers does."""
    around(plugins, "registration_sockets")(
        lambda original, folder: [path for path in original(folder) if path.name.endswith("-reg.sock")]
    )


@fault("registration/retries")
def retries_keep_the_answer_of_get_info() -> None:
    """A registration is tried again with the first answer of GetInfo."""
    answers: dict[tuple[Path, int], Any] = {}

    @around(plugins, "get_info")
    def changed(original: Any, socket: Path) -> Any:
        key = socket, socket.lstat().st_ino
        if key not in answers:
            answers[key] = original(socket)
        return answers[key]


@fault("health/status")
def health_is_watched_once() -> None:
    """The health of the devices of a driver that starts again is not watched."""
    watched: set[str] = set()

    @around(plugins.Plugins, "_watch_health")
    def changed(
        original: Any, self: Any, instance: plugins.Instance, service: str, health: HealthReports
    ) -> None:
        if instance.driver not in watched:
            watched.add(instance.driver)
            original(self, instance, service, health)


@fault("wiping/at-start")
def slices_for_all_nodes_are_deleted_at_start() -> None:
    """A kubelet that starts also deletes the ResourceSlices that belong to no single node."""

    @around(APIClient, "delete_slices")
    def changed(original: Any, self: Any, selector: str) -> None:
        original(self, selector)
        if "spec.driver" not in selector:
            original(self, "spec.nodeName=")
