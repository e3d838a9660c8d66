"""`python -m tests.faulty.drivers NAME` runs the reference driver with a fault, or a hostile driver."""

from __future__ import annotations

import logging
import os
import sys

from dra_conform.reference_driver import __main__ as process
from dra_conform.reference_driver.settings import DriverSettings
from tests.faulty.drivers.catalogue import FAULTS
from tests.faulty.drivers.hostile import HOSTILE


def main(name: str) -> None:
    """Run a driver by its name."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    settings = DriverSettings.of(os.environ)
    if name in HOSTILE:
        HOSTILE[name].run(settings)
        return
    FAULTS[name].apply()
    process.main(settings)


if __name__ == "__main__":
    main(sys.argv[1])
