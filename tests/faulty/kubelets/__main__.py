"""`python -m tests.faulty.kubelets NAME` runs the reference kubelet with a fault."""

from __future__ import annotations

import sys

from dra_conform.reference_kubelet import __main__ as process
from tests.faulty.kubelets.catalogue import FAULTS

if __name__ == "__main__":
    FAULTS[sys.argv[1]].apply()
    process.main()
