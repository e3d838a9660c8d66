"""All faulty allocators that change requests or answers, in a fixed order."""

from __future__ import annotations

import sys

from tests.faulty.misreadings.amounts import OF_AMOUNTS
from tests.faulty.misreadings.assumptions import OF_ASSUMPTIONS
from tests.faulty.misreadings.devices import OF_DEVICES
from tests.faulty.misreadings.expressions import OF_EXPRESSIONS
from tests.faulty.misreadings.holders import OF_HOLDERS
from tests.faulty.misreadings.kinds import OF_KINDS
from tests.faulty.misreadings.limits import OF_LIMITS
from tests.faulty.misreadings.meetings import OF_MEETINGS
from tests.faulty.misreadings.misreports import REPORTS
from tests.faulty.misreadings.misreports_of_fields import FIELDS
from tests.faulty.misreadings.misreports_of_meetings import MEETINGS
from tests.faulty.misreadings.misreports_of_results import RESULTS
from tests.faulty.misreadings.places import OF_PLACES
from tests.faulty.misreadings.ported import PORTED
from tests.faulty.misreadings.reported import OF_REPORTED
from tests.faulty.misreadings.requests import OF_REQUESTS
from tests.faulty.misreadings.schedulers import OF_SCHEDULERS
from tests.faulty.misreadings.sentences import OF_SENTENCES
from tests.faulty.misreadings.thirds import OF_THIRDS
from tests.faulty.misreadings.values import OF_VALUES

MISREADINGS = (
    *OF_REQUESTS,
    *OF_DEVICES,
    *OF_VALUES,
    *OF_HOLDERS,
    *OF_KINDS,
    *OF_LIMITS,
    *OF_MEETINGS,
    *OF_PLACES,
    *OF_SENTENCES,
    *OF_AMOUNTS,
    *OF_SCHEDULERS,
    *OF_EXPRESSIONS,
    *OF_ASSUMPTIONS,
    *OF_THIRDS,
    *OF_REPORTED,
    *REPORTS,
    *FIELDS,
    *MEETINGS,
    *RESULTS,
    *PORTED,
)

if __name__ == "__main__":
    from tests.faulty.faulty_campaign import main

    sys.exit(main("misreadings"))
