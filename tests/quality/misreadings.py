"""All misreadings and misreports, in the order of the catalogue."""

from __future__ import annotations

import sys

from tests.quality.misreadings_of_amounts import OF_AMOUNTS
from tests.quality.misreadings_of_assumptions import OF_ASSUMPTIONS
from tests.quality.misreadings_of_devices import OF_DEVICES
from tests.quality.misreadings_of_expressions import OF_EXPRESSIONS
from tests.quality.misreadings_of_holders import OF_HOLDERS
from tests.quality.misreadings_of_kinds import OF_KINDS
from tests.quality.misreadings_of_limits import OF_LIMITS
from tests.quality.misreadings_of_meetings import OF_MEETINGS
from tests.quality.misreadings_of_places import OF_PLACES
from tests.quality.misreadings_of_reported import OF_REPORTED
from tests.quality.misreadings_of_requests import OF_REQUESTS
from tests.quality.misreadings_of_schedulers import OF_SCHEDULERS
from tests.quality.misreadings_of_sentences import OF_SENTENCES
from tests.quality.misreadings_of_thirds import OF_THIRDS
from tests.quality.misreadings_of_values import OF_VALUES
from tests.quality.misreports import REPORTS
from tests.quality.misreports_of_fields import FIELDS
from tests.quality.misreports_of_meetings import MEETINGS
from tests.quality.misreports_of_results import RESULTS
from tests.quality.ported import PORTED

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
