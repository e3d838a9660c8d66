"""Consumed and remaining capacity (KEP-5075)."""

from dra_conform.capacity.accounting import Aggregate
from dra_conform.capacity.capacity_table import CapacityTable
from dra_conform.capacity.policy import ERRORS_OF_1_37, NOT_REPRESENTABLE, Consumed, PolicyViolation, consume

__all__ = [
    "ERRORS_OF_1_37",
    "NOT_REPRESENTABLE",
    "Aggregate",
    "CapacityTable",
    "Consumed",
    "PolicyViolation",
    "consume",
]
