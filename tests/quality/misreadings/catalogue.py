"""All misreadings and misreports, in the order of the catalogue."""

from __future__ import annotations

import sys

from tests.quality.misreadings.amounts import OF_AMOUNTS
from tests.quality.misreadings.assumptions import OF_ASSUMPTIONS
from tests.quality.misreadings.devices import OF_DEVICES
from tests.quality.misreadings.expressions import OF_EXPRESSIONS
from tests.quality.misreadings.holders import OF_HOLDERS
from tests.quality.misreadings.kinds import OF_KINDS
from tests.quality.misreadings.limits import OF_LIMITS
from tests.quality.misreadings.meetings import OF_MEETINGS
from tests.quality.misreadings.misreports import REPORTS
from tests.quality.misreadings.misreports_of_fields import FIELDS
from tests.quality.misreadings.misreports_of_meetings import MEETINGS
from tests.quality.misreadings.misreports_of_results import RESULTS
from tests.quality.misreadings.places import OF_PLACES
from tests.quality.misreadings.ported import PORTED
from tests.quality.misreadings.reported import OF_REPORTED
from tests.quality.misreadings.requests import OF_REQUESTS
from tests.quality.misreadings.schedulers import OF_SCHEDULERS
from tests.quality.misreadings.sentences import OF_SENTENCES
from tests.quality.misreadings.thirds import OF_THIRDS
from tests.quality.misreadings.values import OF_VALUES

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
    from tests.quality.wrong_campaign import main

    sys.exit(main("misreadings"))
