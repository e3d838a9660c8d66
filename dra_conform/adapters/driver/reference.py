"""The driver file of the reference driver."""

from __future__ import annotations

import os
import sys

from dra_conform import __version__
from dra_conform.adapters.driver.driver_file import Configuration, DriverFile, Rolling, Variant
from dra_conform.reference_driver.settings import DRIVER


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
            "REGISTRY": "$REGISTRY",
            "PLUGINS": "$PLUGINS",
            "CDI": "$CDI",
        },
        rolling=Rolling({"POD_UID": "$UID"}),
        configuration=Configuration({"mode": "fast"}, {"unknown": True}),
        variants={
            "shares": Variant({"SHARED": "1"}),
            "compatibility-groups": Variant({"GROUPS": "colour"}),
            "other-groups": Variant({"GROUPS": "shape"}),
            "metadata": Variant({"METADATA": "1"}),
            "without-devices": Variant({"DEVICES": "0"}),
            "fewer-devices": Variant({"DEVICES": "3"}),
        },
        state=f"$PLUGINS/{DRIVER}/checkpoint.json",
    )
