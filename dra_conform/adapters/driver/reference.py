"""The driver file of the reference driver."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from dra_conform import __version__
from dra_conform.adapters.driver.driver_file import (
    DriverFile,
    OpaqueConfiguration,
    Rolling,
    Variant,
    read_driver_file,
)
from dra_conform.adapters.live.isolation import DEFAULT_CONCURRENCY
from dra_conform.reference_driver.settings import DRIVER

REFERENCE = "reference"
"""The name of the reference driver in place of a driver file."""


def driver_of(path: str) -> DriverFile:
    """Return a driver file to run, or that of the reference driver for `reference`; raises as
    `read_driver_file`.
    """
    if path == REFERENCE:
        return reference_driver()
    return read_driver_file(Path(path).expanduser(), to_run=True)


def reference_driver() -> DriverFile:
    """Return the driver file of the reference driver."""
    return DriverFile(
        name=DRIVER,
        version=__version__,
        command=(sys.executable, "-P", "-m", "dra_conform.reference_driver"),
        env={
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "KUBECONFIG": "$KUBECONFIG",
            "NODE_NAME": "$NODE",
            "KUBELET_REGISTRAR_DIRECTORY_PATH": "$REGISTRY",
            "KUBELET_PLUGINS_DIRECTORY_PATH": "$PLUGINS",
            "CDI_ROOT": "$CDI",
        },
        rolling=Rolling({"POD_UID": "$UID"}),
        configuration=OpaqueConfiguration({"mode": "fast"}, {"unknown": True}),
        variants={
            "shares": Variant({"SHARED": "1"}),
            "compatibility-groups": Variant({"GROUPS": "colour"}),
            "other-groups": Variant({"GROUPS": "shape"}),
            "metadata": Variant({"METADATA": "1"}),
            "without-devices": Variant({"DEVICES": "0"}),
            "fewer-devices": Variant({"DEVICES": "3"}),
        },
        state=f"$PLUGINS/{DRIVER}/checkpoint.json",
        concurrency=DEFAULT_CONCURRENCY,
    )
