"""The ResourceClaims of a scenario in the API server, and the kubelet's references to them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping

import msgspec

from dra_conform.adapters.driver.claims import ClaimWriter, Devices, namespace_and_name
from dra_conform.adapters.driver.driver_file import DriverFile
from dra_conform.adapters.driver.observed_strings import all_shortened, shortened
from dra_conform.adapters.driver.world import World
from dra_conform.conformance.driver.answer import OWN, DeviceStatus, PreparedDevice
from dra_conform.conformance.steps.driver_claims import ClaimSetup, Result
from dra_conform.kube.plugin_api import Claim, PluginDevice


class ScenarioClaims:
    """The ResourceClaims by their name in the case, which can begin with a namespace.

    `devices` are the published devices; without them no ResourceClaim can be created. `uids` are those that
    the kubelet knows, `earlier_uids` those that it knew before a ResourceClaim was recreated.
    """

    def __init__(self, world: World, driver: DriverFile, node: str) -> None:
        self.devices = Devices({})
        self.uids: dict[str, str] = {}
        self.earlier_uids: dict[str, str] = {}
        self._world = world
        self._driver = driver
        self._node = node
        self._shares: dict[int, str] = {}

    def create(self, claim: ClaimSetup) -> None:
        """Create a ResourceClaim with its allocation. The kubelet keeps the UID of an earlier one."""
        writer = ClaimWriter(self._driver, self._node, self.devices, self._shares)
        created = self._world.create(writer.spec(claim))
        self.uids.setdefault(claim.name, created["metadata"]["uid"])
        if claim.results:
            self._world.update({**created, "status": writer.status(claim)}, "status")

    def create_namespace(self, claim: ClaimSetup) -> None:
        """Create the namespace of a ResourceClaim, which admits admin access if the claim needs it."""
        name = namespace_and_name(claim.name)[0]
        namespace = self._world.get("Namespace", name)
        if namespace is None:
            raw = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            namespace = self._world.create(raw)
        if claim.admin_access:
            labels = {
                f"{domain}/admin-access": "true" for domain in ("resource.kubernetes.io", "resource.k8s.io")
            }
            metadata = namespace["metadata"]
            labelled = {**metadata, "labels": {**metadata.get("labels", {}), **labels}}
            self._world.update({**namespace, "metadata": labelled})

    def delete(self, name: str) -> None:
        """Delete a ResourceClaim from the API server; the kubelet keeps its UID."""
        namespace, bare = namespace_and_name(name)
        self._world.delete("ResourceClaim", bare, namespace)

    def replace(self, claim: ClaimSetup) -> None:
        """Delete a ResourceClaim and create one of the same name; the kubelet keeps the old UID."""
        self.delete(claim.name)
        self.create(claim)

    def recreate(self, claim: ClaimSetup, device: int) -> None:
        """Delete a ResourceClaim and create one of the same name with a device; the kubelet uses the new."""
        self.delete(claim.name)
        self.earlier_uids.setdefault(claim.name, self.uids.pop(claim.name))
        self.create(msgspec.structs.replace(claim, results=(Result(device),)))

    def reallocate(self, claim: ClaimSetup, device: int) -> None:
        """Deallocate a ResourceClaim, and allocate it a device."""
        namespace, bare = namespace_and_name(claim.name)
        stored = self._world.get("ResourceClaim", bare, namespace)
        assert stored is not None, "the ResourceClaim was deleted"
        deallocated = self._world.update({**stored, "status": {}}, "status")
        writer = ClaimWriter(self._driver, self._node, self.devices, self._shares)
        status = writer.status(msgspec.structs.replace(claim, results=(Result(device),)))
        self._world.update({**deallocated, "status": status}, "status")

    def references(self, names: tuple[str, ...], *, earlier: bool = False) -> dict[str, Claim]:
        """Return the kubelet's references to ResourceClaims; one that never existed has a UID, too.

        `earlier`: with the UIDs from before they were recreated.
        """
        uids = self.earlier_uids if earlier else self.uids
        return {name: self._reference(name, uids) for name in names}

    def _reference(self, name: str, uids: dict[str, str]) -> Claim:
        namespace, bare = namespace_and_name(name)
        return Claim(namespace, uids.setdefault(name, str(uuid.uuid4())), bare)

    def prepared_device(self, device: PluginDevice) -> PreparedDevice:
        """Return a device of an answer by its number, with the number of its share ID."""
        shares = {share_id: max(number, 0) for number, share_id in self._shares.items()}
        share = shares.get(device.share_id, device.share_id) if device.share_id else 0
        return PreparedDevice(
            self.devices.number(shortened(device.pool_name), shortened(device.device_name)),
            self.devices.pool(shortened(device.pool_name)),
            all_shortened(device.request_names),
            all_shortened(device.cdi_device_ids),
            shortened(share) if isinstance(share, str) else share,
        )

    def cdi_names(self, names: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
        """Return the names of CDI devices that contain the UID of a ResourceClaim."""
        by_claim = {claim: tuple(name for name in names if uid in name) for claim, uid in self.uids.items()}
        return {claim: found for claim, found in by_claim.items() if found}

    def device_status(self) -> dict[str, tuple[DeviceStatus, ...]]:
        """Return `status.devices` of the ResourceClaims that have it."""
        found = ((name, tuple(self._status_entries(name))) for name in self.uids)
        return {name: entries for name, entries in found if entries}

    def _status_entries(self, claim: str) -> Iterator[DeviceStatus]:
        namespace, bare = namespace_and_name(claim)
        raw = self._world.get("ResourceClaim", bare, namespace)
        for entry in ((raw or {}).get("status") or {}).get("devices") or ():
            if entry["driver"] == self._driver.name:
                yield DeviceStatus(OWN, self.devices.number(entry["pool"], entry["device"]))
            else:
                yield DeviceStatus(entry["driver"], entry["device"])
