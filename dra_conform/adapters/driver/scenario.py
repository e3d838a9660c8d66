"""A scenario with a driver: a node, its ResourceClaims, and one observation for each action."""

from __future__ import annotations

import signal
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from typing import Any

from dra_conform.adapters import node_replies
from dra_conform.adapters.driver import plugin_client
from dra_conform.adapters.driver.claims import (
    NAMESPACE,
    ClaimWriter,
    Device,
    Devices,
    device_class,
    excluding_devices,
    groups_of,
)
from dra_conform.adapters.driver.driver_file import DriverFile
from dra_conform.adapters.driver.node import DriverFailed, Instance, Node, Registered
from dra_conform.adapters.driver.plugin_client import CallFailed, TimedReport, notify
from dra_conform.adapters.driver.published_slices import all_complete, is_complete
from dra_conform.adapters.driver.world import World, WorldError
from dra_conform.conformance.driver.actions import (
    Action,
    AwaitSlices,
    CallEmpty,
    ChangeAPIServer,
    ChangeCDI,
    ChangeClaim,
    ChangeSlices,
    CorruptState,
    Prepare,
    Question,
    RebootNode,
    RefuseRegistration,
    Rest,
    RestartAPIServer,
    RestartDriver,
    RestartKubelet,
    StartDriver,
    StartSuccessor,
    StopDriver,
    Unprepare,
    WatchHealth,
)
from dra_conform.conformance.driver.answer import (
    OWN,
    Call,
    ClaimResult,
    DeviceStatus,
    DriverAnswer,
    HealthWatch,
    Observation,
    PreparedDevice,
    PublishedPool,
    Registration,
)
from dra_conform.conformance.steps.driver_claims import ClaimSetup
from dra_conform.kube.plugin_api import HEALTH_SERVICES, PLUGIN_SERVICES, Claim
from dra_conform.kube.plugin_api import Device as PluginDevice

Json = Any

REPAIR_SECONDS = 75.0
"""How long a driver may take to repair its ResourceSlices; client-go's helper waits for 30 seconds first."""
SCENARIO_SECONDS = 600.0
"""The time after which a scenario starts no further action."""
MAX_TEXT = 2000
"""The maximum length of a string from the driver in an observation."""
MAX_DEVICES = 200
"""The maximum number of prepared devices of a ResourceClaim in an observation."""
MAX_REPORTS = 100
"""The maximum number of health reports in an observation."""
MAX_SERVICES = 20
"""The maximum number of services of `GetInfo` in an observation."""
END_SECONDS = 1.0
"""The time to wait for the end of a driver after a call without an answer."""
REST_SECONDS = 5.0
REFUSED_SECONDS = 1.0
HEALTH_SECONDS = 40.0
DEFAULT_HEALTH_TIMEOUT = 30
"""The default time in seconds after which a kubelet takes an unreported device for Unknown."""
HEALTH_REPORTS = 4
"""The number of reports of each device after which a watch of health ends."""
_START_VARIANTS = ("shares", "compatibility-groups", "metadata")
_DECLARED_VARIANTS = ("metadata", "without-devices", "fewer-devices", "other-groups")
_POLL_SECONDS = 0.05
_SIGNALS = {"KILL": signal.SIGKILL, "TERM": signal.SIGTERM}


class Declined(node_replies.Declined):
    """The driver file or the driver does not offer what the scenario needs."""

    def __init__(self, need: str, message: str) -> None:
        super().__init__(f"driver-{need}", message)


class DriverScenario:
    """One scenario on a new node. Call `run` once, then `close`."""

    def __init__(self, driver: DriverFile, world: World, question: Question) -> None:
        self._driver = driver
        self._world = world
        self._question = question
        self._node = Node(driver, f"node-{uuid.uuid4().hex[:8]}")
        self._devices = Devices({})
        self._uids: dict[str, str] = {}
        self._shares: dict[int, str] = {}
        self._seen_slices: Mapping[str, str] = {}
        self._pool_of_slice: dict[str, str] = {}
        self._cdi_is_writable = True
        self._health: HealthWatch | None = None
        self._node_uid = ""

    def run(self) -> DriverAnswer:
        """Start the driver, do all actions, and return the observations.

        Raises Declined, and DriverFailed if the driver does not start or publish. If it fails later, the
        observation of the action says so and the remaining actions are not done.
        """
        self._decline()
        self._set_up()
        start = self._observe(())
        observations: list[Observation] = []
        end = time.monotonic() + SCENARIO_SECONDS
        for action in self._question.actions:
            try:
                if time.monotonic() > end:
                    raise DriverFailed(f"the scenario takes longer than {SCENARIO_SECONDS:g} s")
                calls = self._do(action)
                self._decline_calls(calls)
                if any(call.error.startswith("UNAVAILABLE") for call in calls):
                    self._wait_for_end()
                observations.append(self._observe(calls))
            except DriverFailed as failed:
                observations.append(Observation(problem=str(failed)))
                break
            if any(map(_timed_out, calls)):
                break
        missing = len(self._question.actions) - len(observations)
        skipped = [Observation(problem="skipped: the driver failed in an earlier action")] * missing
        return DriverAnswer(start, (*observations, *skipped))

    def close(self) -> None:
        """End the driver and remove its folders."""
        self._node.close()

    def _decline(self) -> None:
        offered = {
            "configuration": self._driver.configuration is not None,
            "rolling-update": self._driver.rolling is not None,
            "state-file": bool(self._driver.state),
            **{need: need in self._driver.variants for need in _DECLARED_VARIANTS},
        }
        for need in self._question.needs:
            if not offered.get(need, True):
                raise Declined(need, f"the driver file has no {need.replace('-', ' ')}")
        cannot_block = self._driver.folders == "built-in"
        if cannot_block and any(
            isinstance(action, ChangeCDI) and action.to != "lost" for action in self._question.actions
        ):
            raise Declined("cdi-folder", "the CDI folder of a driver with built-in folders stays writable")

    def _set_up(self) -> None:
        node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": self._node.name}}
        self._node_uid = self._world.create(node)["metadata"]["uid"]
        self._world.create(device_class(self._driver.name))
        self._world.write_kubeconfig(self._node.kubeconfig)
        self._start()
        self._devices = Devices.of(self._published())
        self._order_by_needs()
        self._decline_devices()
        if any(claim.admin_access for claim in self._question.claims):
            self._allow_admin_access()
        for claim in self._question.claims:
            self._create(claim)
        self._seen_slices = self._slice_versions()

    def _decline_calls(self, calls: tuple[Call, ...]) -> None:
        """Decline a scenario that makes the CDI folder unwritable if the driver does not use that folder."""
        prepared = [call for call in calls if call.call == "prepare" and call.claims]
        if not self._cdi_is_writable and any(
            not result.error for call in prepared for result in call.claims.values()
        ):
            raise Declined("cdi-files", "the driver prepares ResourceClaims without files in the CDI folder")

    def _decline_devices(self) -> None:
        needs, count = self._question.needs, self._question.devices
        shared = [*map(_is_shared, self._devices.definitions.values())]
        if len(self._devices) < count:
            raise Declined(
                "devices", f"the driver publishes {len(self._devices)} devices, expected at least {count}"
            )
        if "shares" in needs and not all(shared[:count]):
            raise Declined("shares", "the driver's devices cannot be shared")
        if "exclusive-devices" in needs and any(shared[:count]):
            raise Declined("exclusive-devices", "the driver's devices can be shared")
        services = self._registered().info.supported_versions
        if "older-service" in needs and "v1beta1.DRAPlugin" not in services:
            raise Declined("older-service", "the driver does not offer v1beta1.DRAPlugin")
        if "health" in needs and not any(service in HEALTH_SERVICES for service in services):
            raise Declined("health", "the driver does not report health")

    def _allow_admin_access(self) -> None:
        namespace = self._world.get("Namespace", NAMESPACE) or {}
        labels = {
            f"{domain}/admin-access": "true" for domain in ("resource.kubernetes.io", "resource.k8s.io")
        }
        self._world.update({**namespace, "metadata": {**namespace["metadata"], "labels": labels}})

    def _create(self, claim: ClaimSetup) -> None:
        writer = ClaimWriter(self._driver, self._node.name, self._devices, self._shares)
        created = self._world.create(writer.spec(claim))
        self._uids.setdefault(claim.name, created["metadata"]["uid"])
        if claim.results:
            self._world.update({**created, "status": writer.status(claim)}, "status")

    # Actions

    def _do(self, action: Action) -> tuple[Call, ...]:
        match action:
            case Prepare() | Unprepare():
                return self._call(action)
            case CallEmpty():
                return _until_timeout(
                    self._prepare(self._registered(), service, ())
                    for service in self._registered().info.supported_versions
                    if service in PLUGIN_SERVICES
                )
            case RestartDriver(signal=name, times=times, variant=variant):
                before = _specs(self._slices())
                for _ in range(times):
                    self._node.stop(self._node.newest, _SIGNALS[name])
                    self._start(*filter(None, (variant,)))
                    self._published()
                if variant:
                    self._wait(lambda: self._have_changed(before), REPAIR_SECONDS)
            case StopDriver(signal=name, predecessor=predecessor):
                instance = self._node.predecessor if predecessor else self._node.newest
                self._node.stop(instance, _SIGNALS[name])
            case StartDriver() | StartSuccessor():
                self._start()
            case AwaitSlices(until=until):
                self._wait(lambda: self._are_awaited(until), REPAIR_SECONDS)
            case RestartAPIServer(gate=gate, on=on):
                self._world.restart({gate: on})
            case RebootNode():
                self._node.stop(self._node.newest, signal.SIGKILL)
                self._node.lose_cdi_files()
                self._node.lose_sockets()
                self._start()
            case RestartKubelet():
                self._node.register(self._node.newest)
            case RefuseRegistration():
                self._refuse()
            case ChangeCDI(to="lost"):
                self._node.lose_cdi_files()
            case ChangeCDI(to=to):
                self._cdi_is_writable = to == "writable"
                self._node.set_cdi_writable(writable=self._cdi_is_writable)
            case ChangeSlices(to=to):
                self._change_slices(to)
            case ChangeAPIServer(to="available"):
                self._world.answer_again()
            case ChangeAPIServer():
                self._world.stop_answering()
            case ChangeClaim(claim=name, to=to):
                self._change_claim(name, to)
            case CorruptState():
                path = self._node.state_file()
                if not path.is_file():
                    raise Declined("state-file", f"the driver has no file {path.name}")
                path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
            case Rest():
                time.sleep(REST_SECONDS)
            case WatchHealth():
                self._health = self._watch_health()
        return ()

    def _start(self, *variants: str) -> None:
        needs = self._question.needs
        self._node.start(rolling="rolling-update" in needs, variants=(*self._variants, *variants))

    @property
    def _variants(self) -> tuple[str, ...]:
        """The variants of the driver with which the scenario begins."""
        return tuple(need for need in self._question.needs if need in _START_VARIANTS)

    def _refuse(self) -> None:
        socket = self._registered().socket
        with suppress(CallFailed):  # Drivers may answer a refusal with an error.
            notify(socket, registered=False, error="rejected by the kubelet")
        time.sleep(REFUSED_SECONDS)
        self._node.register(self._node.newest)

    def _change_slices(self, to: str) -> None:
        slices = self._slices()
        with_devices = [raw for raw in slices if raw["spec"].get("devices")]
        if not with_devices:
            raise DriverFailed("the driver publishes no devices, so no ResourceSlice can be changed")
        match to:
            case "deleted":
                for raw in slices:
                    self._world.delete("ResourceSlice", raw["metadata"]["name"])
            case "edited":
                first = with_devices[0]
                self._world.update(
                    {**first, "spec": {**first["spec"], "devices": first["spec"]["devices"][:-1]}}
                )
            case "foreign-added":
                spec = {**slices[0]["spec"], "devices": [{"name": "foreign"}]}
                spec.pop("sharedCounters", None)
                raw = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice"}
                self._world.create({**raw, "metadata": {"name": f"foreign-{self._node.name}"}, "spec": spec})

    def _change_claim(self, name: str, to: str) -> None:
        self._world.delete("ResourceClaim", name, NAMESPACE)
        if to == "replaced":
            self._create(next(claim for claim in self._question.claims if claim.name == name))

    def _watch_health(self) -> HealthWatch:
        registered = self._registered()
        services = [name for name in registered.info.supported_versions if name in HEALTH_SERVICES]
        if not services:
            raise DriverFailed("the driver names no service that reports health")
        service = services[0]
        began = time.monotonic()
        reports, end = registered.client.watch_health(service, HEALTH_SECONDS, self._have_enough)
        pause = self._longest_pause(reports, time.monotonic() - began)
        timeouts = [
            health.health_check_timeout_seconds or DEFAULT_HEALTH_TIMEOUT
            for report in reports
            for health in report.report.devices
        ]
        return HealthWatch(
            service,
            end,
            tuple(
                tuple(
                    sorted(
                        (
                            self._devices.number(
                                _short(health.device.pool_name), _short(health.device.device_name)
                            )
                            for health in report.report.devices[:MAX_DEVICES]
                        ),
                        key=str,
                    )
                )
                for report in reports[:MAX_REPORTS]
            ),
            round(pause, 1),
            min(timeouts, default=DEFAULT_HEALTH_TIMEOUT),
        )

    def _have_enough(self, reports: Sequence[TimedReport]) -> bool:
        """Return whether each published device has enough health reports."""
        return len(reports) >= HEALTH_REPORTS and all(
            len(times) >= HEALTH_REPORTS for times in self._times_of_devices(reports).values()
        )

    def _longest_pause(self, reports: Sequence[TimedReport], seconds: float) -> float:
        """Return the longest time between two reports of a device, or until the end of the watch."""
        return max(
            (
                later - earlier
                for times in self._times_of_devices(reports).values()
                for earlier, later in pairwise([*times, seconds])
            ),
            default=0.0,
        )

    def _times_of_devices(self, reports: Sequence[TimedReport]) -> dict[Device, list[float]]:
        times: dict[Device, list[float]] = {device: [] for device in self._devices.definitions}
        for report in reports:
            for health in report.report.devices:
                known = times.get((health.device.pool_name, health.device.device_name))
                if known is not None:
                    known.append(report.seconds)
        return times

    # Calls

    def _call(self, action: Prepare | Unprepare) -> tuple[Call, ...]:
        instance = self._node.predecessor if action.predecessor else self._node.newest
        registered = self._registered(instance)
        if isinstance(action, Unprepare):
            return _until_timeout(self._unprepare(registered, action.claims) for _ in range(action.times))
        service = action.service or registered.service
        if not action.parallel:
            return _until_timeout(
                self._prepare(registered, service, action.claims) for _ in range(action.times)
            )
        each = [(name,) for name in action.claims] * action.times
        with ThreadPoolExecutor(16) as threads:
            calls = threads.map(lambda names: self._prepare(registered, service, names), each)
            return tuple(sorted(calls, key=lambda call: call.asked))

    def _prepare(self, registered: Registered, service: str, names: tuple[str, ...]) -> Call:
        claims, began = self._references(names), time.monotonic()
        try:
            response = registered.client.prepare(service, tuple(claims.values()))
        except CallFailed as failed:
            return Call("prepare", service, names, _short(str(failed)), seconds=time.monotonic() - began)
        results = {
            name: ClaimResult(_short(result.error), tuple(map(self._device, result.devices[:MAX_DEVICES])))
            for name, claim in claims.items()
            if (result := response.claims.get(claim.uid)) is not None
        }
        return self._answered("prepare", service, claims, results, response.claims, time.monotonic() - began)

    def _unprepare(self, registered: Registered, names: tuple[str, ...]) -> Call:
        claims, began = self._references(names), time.monotonic()
        try:
            response = registered.client.unprepare(registered.service, tuple(claims.values()))
        except CallFailed as failed:
            return Call(
                "unprepare", registered.service, names, _short(str(failed)), seconds=time.monotonic() - began
            )
        results = {
            name: ClaimResult(_short(result.error))
            for name, claim in claims.items()
            if (result := response.claims.get(claim.uid)) is not None
        }
        seconds = time.monotonic() - began
        return self._answered("unprepare", registered.service, claims, results, response.claims, seconds)

    def _answered(
        self,
        call: Any,
        service: str,
        claims: Mapping[str, Claim],
        results: dict[str, ClaimResult],
        answered: Mapping[str, Any],
        seconds: float,
    ) -> Call:
        asked = {claim.uid for claim in claims.values()}
        missing = tuple(name for name in claims if name not in results)
        unasked = tuple(sorted(_short(uid) for uid in answered if uid not in asked)[:MAX_DEVICES])
        return Call(call, service, tuple(claims), "", results, missing, unasked, round(seconds, 3))

    def _references(self, names: tuple[str, ...]) -> dict[str, Claim]:
        """Return the kubelet's references to ResourceClaims; one that never existed has a UID, too."""
        return {
            name: Claim(NAMESPACE, self._uids.setdefault(name, str(uuid.uuid4())), name) for name in names
        }

    def _device(self, device: PluginDevice) -> PreparedDevice:
        shares = {share_id: max(number, 0) for number, share_id in self._shares.items()}
        share = shares.get(device.share_id, device.share_id) if device.share_id else 0
        return PreparedDevice(
            self._devices.number(_short(device.pool_name), _short(device.device_name)),
            self._devices.pool(_short(device.pool_name)),
            _short_texts(device.request_names),
            _short_texts(device.cdi_device_ids),
            _short(share) if isinstance(share, str) else share,
        )

    def _registered(self, instance: Instance | None = None) -> Registered:
        registered = (instance or self._node.newest).registered
        if registered is None or not registered.service:
            raise DriverFailed("the driver advertises no service that a kubelet knows")
        return registered

    # Observations

    def _observe(self, calls: tuple[Call, ...]) -> Observation:
        slices = self._slices()
        versions, seen = self._slice_versions(), self._seen_slices
        self._seen_slices = versions
        changed = {uid for uid, _ in set(versions.items()) ^ set(seen.items())}
        changed_pools = Counter(self._pool_of_slice[uid] for uid in changed)
        cdi = self._node.cdi_devices()
        health, self._health = self._health, None
        registered = self._node.newest.registered
        return Observation(
            calls,
            dict(cdi.digests),
            cdi.unreadable,
            {
                claim: names
                for claim, uid in self._uids.items()
                if (names := tuple(name for name in cdi.digests if uid in name))
            },
            self._pools(slices, changed_pools),
            len(set(versions.items()) ^ set(seen.items())),
            self._node.ended(self._node.newest),
            len(self._node.sockets()),
            len(self._node.service_sockets()),
            self._node.has_other_socket(),
            self._node.mounted_files(cdi.mounts),
            None if registered is None else self._registration(registered),
            health,
            self._device_status(),
        )

    def _registration(self, registered: Registered) -> Registration:
        info = registered.info
        name = OWN if info.name == self._driver.name else info.name
        endpoint = OWN if self._node.is_own(info.endpoint) else info.endpoint
        services = _short_texts(info.supported_versions[:MAX_SERVICES])
        return Registration(
            _short(info.type), _short(name), _short(endpoint), services, round(registered.seconds, 3)
        )

    def _pools(self, slices: list[Json], changed: Mapping[str, int]) -> tuple[PublishedPool, ...]:
        by_pool: dict[str, list[Json]] = {}
        for raw in slices:
            by_pool.setdefault(raw["spec"]["pool"]["name"], []).append(raw)
        return tuple(self._pool(name, by_pool[name], changed.get(name, 0)) for name in sorted(by_pool))

    def _pool(self, name: str, slices: list[Json], changed: int) -> PublishedPool:
        numbers = [
            self._devices.number(name, device["name"])
            for raw in slices
            for device in raw["spec"].get("devices", ())
        ]
        owner = [("Node", self._node.name, self._node_uid)]
        owners = [
            [(own["kind"], own["name"], own["uid"]) for own in raw["metadata"].get("ownerReferences", ())]
            for raw in slices
        ]
        return PublishedPool(
            self._devices.pool(name),
            max(raw["spec"]["pool"]["generation"] for raw in slices),
            len(slices),
            is_complete(slices),
            tuple(sorted(number for number in numbers if isinstance(number, int))),
            tuple(sorted(number for number in numbers if isinstance(number, str))),
            all(raw["spec"].get("nodeName") == self._node.name for raw in slices),
            all(names == owner for names in owners),
            changed,
            self._groups(name, slices),
        )

    def _groups(self, pool: str, slices: list[Json]) -> dict[str, tuple[str, ...]]:
        """Return the compatibilityGroups of devices by number, each with its counter set."""
        return {
            str(self._devices.number(pool, device["name"])): tuple(
                f"{counter_set}: {', '.join(sorted(groups))}"
                for counter_set, groups in sorted(groups_of(device).items())
                if groups
            )
            for raw in slices
            for device in raw["spec"].get("devices", ())
            if any(groups_of(device).values())
        }

    def _device_status(self) -> dict[str, tuple[DeviceStatus, ...]]:
        status: dict[str, tuple[DeviceStatus, ...]] = {}
        for name in self._uids:
            raw = self._world.get("ResourceClaim", name, NAMESPACE)
            entries = ((raw or {}).get("status") or {}).get("devices") or ()
            if entries:
                status[name] = tuple(self._status_entry(entry) for entry in entries)
        return status

    def _status_entry(self, entry: Json) -> DeviceStatus:
        if entry["driver"] != self._driver.name:
            return DeviceStatus(entry["driver"], entry["device"])
        return DeviceStatus(OWN, self._devices.number(entry["pool"], entry["device"]))

    # ResourceSlices

    def _slices(self) -> list[Json]:
        """Return the driver's ResourceSlices for this node, including those for several nodes."""
        return [
            raw
            for raw in self._world.objects("ResourceSlice")
            if raw["spec"]["driver"] == self._driver.name
            and raw["spec"].get("nodeName", self._node.name) == self._node.name
        ]

    def _slice_versions(self) -> dict[str, str]:
        slices = self._slices()
        self._pool_of_slice |= {raw["metadata"]["uid"]: raw["spec"]["pool"]["name"] for raw in slices}
        return {raw["metadata"]["uid"]: raw["metadata"]["resourceVersion"] for raw in slices}

    def _published(self) -> list[Json]:
        """Wait until the driver has published complete pools; raises DriverFailed."""
        published = self._wait(
            lambda: bool(slices := self._slices()) and all_complete(slices), self._driver.start_seconds
        )
        if not published:
            seconds = self._driver.start_seconds
            raise DriverFailed(
                f"the driver has not published a complete pool within {seconds} s{self._node.log_tail()}"
            )
        return self._slices()

    def _have_changed(self, before: list[Json]) -> bool:
        slices = self._slices()
        return all_complete(slices) and _specs(slices) != before

    def _are_awaited(self, until: str) -> bool:
        slices = self._slices()
        grouped = any(pool.groups for pool in self._pools(slices, {}))
        return self._is_as_published(slices) and (until == "devices" or grouped == (until == "groups"))

    def _order_by_needs(self) -> None:
        """Number the devices so that those with the properties that the scenario needs come first."""
        needs = self._question.needs
        if "shares" in needs:
            self._devices = self._devices.with_first(_is_shared)
        if "exclusive-devices" in needs:
            self._devices = self._devices.with_first(lambda raw: not _is_shared(raw))
        if "compatibility-groups" in needs:
            self._order_by_groups()

    def _order_by_groups(self) -> None:
        """Number devices so that 1 and 2 are incompatible, and 3 is compatible with 1."""
        order = excluding_devices(self._devices)
        if order is None:
            raise Declined("compatibility-groups", "no two devices exclude each other by compatibilityGroups")
        self._devices = order

    def _is_as_published(self, slices: list[Json]) -> bool:
        return all_complete(slices) and {*Devices.of(slices).definitions} == {*self._devices.definitions}

    def _wait_for_end(self) -> None:
        """Wait a second for a driver that does not answer to end, so that the observation shows its end."""
        self._wait(lambda: False, END_SECONDS)

    def _wait(self, done: Callable[[], bool], seconds: float) -> bool:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if done():
                return True
            if not self._node.running():
                return False
            time.sleep(_POLL_SECONDS)
        return False


def _until_timeout(calls: Iterable[Call]) -> tuple[Call, ...]:
    """Repeat calls until one of them takes as long as a kubelet waits."""
    made: list[Call] = []
    for call in calls:
        made.append(call)
        if _timed_out(call):
            break
    return tuple(made)


def _timed_out(call: Call) -> bool:
    return bool(call.error) and call.seconds >= plugin_client.CALL_SECONDS


def _short(text: str) -> str:
    """Return a string from the driver, shortened for reports."""
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}… ({len(text)} characters)"


def _short_texts(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(_short, texts[:MAX_DEVICES]))


def _specs(slices: list[Json]) -> list[Json]:
    return [raw["spec"] for raw in slices]


def _is_shared(device: Json) -> bool:
    return bool(device.get("allowMultipleAllocations"))


__all__ = ["Declined", "DriverScenario", "WorldError"]
