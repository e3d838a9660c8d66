"""`python -m dra_conform`."""

import sys

from dra_conform.cli import main

sys.exit(main())
