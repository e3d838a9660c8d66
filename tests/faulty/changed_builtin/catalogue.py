"""All faulty allocators that change requests or answers, in a fixed order."""

from __future__ import annotations

import sys

from tests.faulty.changed_builtin.answer_combinations import MEETINGS
from tests.faulty.changed_builtin.answer_fields import FIELDS
from tests.faulty.changed_builtin.answer_results import RESULTS
from tests.faulty.changed_builtin.answers import REPORTS
from tests.faulty.changed_builtin.assumptions import OF_ASSUMPTIONS
from tests.faulty.changed_builtin.devices import OF_DEVICES
from tests.faulty.changed_builtin.existing_allocations import OF_HOLDERS
from tests.faulty.changed_builtin.expressions import OF_EXPRESSIONS
from tests.faulty.changed_builtin.feature_interactions import OF_MEETINGS
from tests.faulty.changed_builtin.limits import OF_LIMITS
from tests.faulty.changed_builtin.lost_precision import OF_AMOUNTS
from tests.faulty.changed_builtin.misinterpretations import OF_SENTENCES
from tests.faulty.changed_builtin.other_schedulers import PORTED
from tests.faulty.changed_builtin.places import OF_PLACES
from tests.faulty.changed_builtin.reported_bugs import OF_REPORTED
from tests.faulty.changed_builtin.reported_scheduler_bugs import OF_SCHEDULERS
from tests.faulty.changed_builtin.requests import OF_REQUESTS
from tests.faulty.changed_builtin.third_elements import OF_THIRDS
from tests.faulty.changed_builtin.values import OF_VALUES
from tests.faulty.changed_builtin.variants import OF_KINDS

FAULTY_ALLOCATORS = (
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
