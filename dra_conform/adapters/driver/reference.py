"""The driver file of the reference driver."""

from __future__ import annotations

import os
import sys

from dra_conform import __version__
from dra_conform.adapters.driver.driver_file import Configuration, DriverFile, Rolling
from dra_conform.reference_driver.settings import DRIVER


def reference_driver(*, shared: bool = False) -> DriverFile:
    """Return how to start the reference driver; `shared`: several claims can be allocated one device."""
    return DriverFile(
        name=DRIVER,
        version=__version__,
        command=(sys.executable, "-P", "-m", "dra_conform.reference_driver"),
        env={
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "KUBECONFIG": "$KUBECONFIG",
            "NODE_NAME": "$NODE",
            "REGISTRY": "$REGISTRY",
            "PLUGINS": "$PLUGINS",
            "CDI": "$CDI",
            **({"SHARED": "1"} if shared else {}),
        },
        rolling=Rolling({"POD_UID": "$UID"}),
        configuration=Configuration({"mode": "fast"}, {"unknown": True}),
        state=f"$PLUGINS/{DRIVER}/checkpoint.json",
    )
