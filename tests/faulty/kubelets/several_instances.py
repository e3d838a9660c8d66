"""Faults of a kubelet with several instances of a driver, by somebody who knew no case."""

from __future__ import annotations

import time
from typing import Any

from dra_conform.adapters.driver import plugin_client
from dra_conform.reference_kubelet import plugins
from tests.faulty.drivers.fault import around
from tests.faulty.kubelets.faults import fault


@fault("registration/first-known", "registration/falls-back")
def instances_are_called_by_the_service_of_the_first() -> None:
    """All instances of a driver are called by the service that the first of them offers."""
    services: dict[str, str] = {}
    instance = plugins.Instance

    def of_driver(driver: str, endpoint: str, service: str, client: Any) -> Any:
        return instance(driver, endpoint, services.setdefault(driver, service), client)

    setattr(plugins, "Instance", of_driver)  # noqa: B010 - it is a class for the type checker


@fault("wiping/after-30s")
def a_crash_of_one_instance_is_the_end_of_its_driver() -> None:
    """The ResourceSlices of a driver are deleted 30 seconds after a crash of one of its instances."""
    crashed: dict[tuple[str, str], float] = {}

    @around(plugins.Plugins, "_set_connected")
    def changed(original: Any, self: Any, instance: Any, *, connected: bool) -> None:
        original(self, instance, connected=connected)
        if connected or instance not in self._instances:
            crashed.pop((instance.driver, instance.endpoint), None)
        else:
            crashed.setdefault((instance.driver, instance.endpoint), time.monotonic())

    @around(plugins.Plugins, "_delete_slices_of_absent_drivers")
    def deletes(original: Any, self: Any) -> None:
        for (driver, endpoint), since in [*crashed.items()]:
            if time.monotonic() - since >= plugins.WIPE_SECONDS:
                del crashed[driver, endpoint]
                self._away_since[driver] = since
        original(self)


@fault("health/status")
def the_oldest_instance_is_watched() -> None:
    """The health that a newer instance of a driver reports is not read while the older one is registered."""
    watched: list[Any] = []

    @around(plugins.Plugins, "_watch_health")
    def changed(original: Any, self: Any, instance: Any, *arguments: Any) -> None:
        older = [each for each in watched if each.driver == instance.driver]
        watched.append(instance)
        while any(each in self._instances for each in older):
            time.sleep(0.1)
        original(self, instance, *arguments)


@fault("registration/falls-back")
def lost_connections_are_not_made_again() -> None:
    """A driver that crashed and serves again is not connected before the next call, unless it has a stream."""
    around(plugin_client.PluginClient, "_connect")(lambda original, self: None)


@fault("health/status")
def all_instances_are_heard() -> None:
    """The health that an older instance of a driver reports counts, too."""
    around(plugins.Plugins, "_is_newest")(lambda original, self, instance: True)


@fault("health/status")
def the_end_of_any_stream_clears_the_health() -> None:
    """The health of a driver is unknown when the health stream of any of its instances ends."""
    plugins.HEALTH_RETRY_SECONDS = 0.1

    @around(plugins.Plugins, "_watch_health")
    def changed(original: Any, self: Any, instance: Any, service: str, reports: Any) -> None:
        original(self, instance, service, reports)
        reports.forget(instance.driver)
