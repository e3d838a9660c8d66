"""How a requested amount of a capacity becomes a consumed one (KEP-5075), and what remains of it."""

from dra_conform.capacity.accounting import Aggregate
from dra_conform.capacity.capacity_table import CapacityTable
from dra_conform.capacity.policy import (
    ERRORS_OF_1_37,
    NOT_REPRESENTABLE,
    Arithmetic,
    Consumed,
    Violation,
    consume,
)

__all__ = [
    "ERRORS_OF_1_37",
    "NOT_REPRESENTABLE",
    "Aggregate",
    "Arithmetic",
    "CapacityTable",
    "Consumed",
    "Violation",
    "consume",
]
