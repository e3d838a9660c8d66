"""The settings of the reference driver, which are environment variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

DRIVER = "reference.dra-conform.example"
"""The name of the reference driver."""


@dataclass(frozen=True, slots=True)
class DriverSettings:
    """The settings: node, folders and devices of the driver.

    `kubeconfig`, `node`: the API server and the name of the node. `registry`, `plugins`: the folders of the
    kubelet. `cdi`: the CDI folder. `pod_uid`: a UID for the names of the sockets, so that two instances can
    run at the same time during an update. `devices`: the number of devices. `shared`: whether several claims
    can be allocated one device. `groups`: by what devices are grouped that exclude each other, empty if they
    do not. `metadata`: whether containers get a file about their devices. `resync_seconds`: after how long
    the ResourceSlices are compared again.
    """

    kubeconfig: Path
    node: str
    registry: Path
    plugins: Path
    cdi: Path
    pod_uid: str = ""
    devices: int = 8
    shared: bool = False
    groups: str = ""
    metadata: bool = False
    resync_seconds: float = 5.0

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> DriverSettings:
        """Read the settings; raises KeyError for a missing variable and ValueError for a malformed one."""
        return cls(
            Path(environment["KUBECONFIG"]),
            environment["NODE_NAME"],
            Path(environment["KUBELET_REGISTRAR_DIRECTORY_PATH"]),
            Path(environment["KUBELET_PLUGINS_DIRECTORY_PATH"]),
            Path(environment["CDI_ROOT"]),
            environment.get("POD_UID", ""),
            int(environment.get("DEVICES", "8")),
            environment.get("SHARED", "") == "1",
            environment.get("GROUPS", ""),
            environment.get("METADATA", "") == "1",
            float(environment.get("RESYNC_SECONDS", "5")),
        )

    @property
    def data(self) -> Path:
        """The folder for the files of the driver."""
        return self.plugins / DRIVER

    @property
    def service_socket(self) -> Path:
        """The Unix socket on which the driver serves the plugin API."""
        return self.data / (f"dra-{self.pod_uid[:8]}.sock" if self.pod_uid else "dra.sock")

    @property
    def registration_socket(self) -> Path:
        """The Unix socket on which the driver registers with the kubelet."""
        suffix = f"-{self.pod_uid[:8]}" if self.pod_uid else ""
        return self.registry / f"{DRIVER}{suffix}-reg.sock"

    @property
    def checkpoint(self) -> Path:
        """The checkpoint file of prepared ResourceClaims."""
        return self.data / "checkpoint.json"

    def group(self, name: str) -> str:
        """Return the group of a device, which alternates between two; empty if devices have no groups."""
        return f"{self.groups}-{int(name.rpartition('-')[2]) % 2}" if self.groups else ""

    def device_names(self) -> list[str]:
        """Return the names of the devices in a stable order."""
        return [f"gpu-{number}" for number in range(self.devices)]
