"""Kubernetes' CIDR library. A CIDR keeps its host bits, such as in `10.0.0.1/8`."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv6Interface, ip_interface
from typing import ClassVar

from dra_conform.cel.functions import charge
from dra_conform.cel.functions.ip import IP, Address
from dra_conform.cel.functions.ip import parse as parse_ip
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.types import BOOL, INT, STRING, Type, opaque
from dra_conform.cel.values.value import Value

CIDR = opaque("net.CIDR")


@dataclass(frozen=True, slots=True)
class Network:
    """The value of `cidr`: an address with the length of its network's prefix."""

    cel_type: ClassVar[Type] = CIDR

    interface: IPv4Interface | IPv6Interface

    @property
    def bits(self) -> int:
        """The length of the prefix."""
        return self.interface.network.prefixlen


def _parse(text: str) -> Network:
    """Parse an address, a slash and a prefix length without leading zeros, or raise EvaluationError."""
    address, slash, bits = text.rpartition("/")
    plain = slash and bits.isascii() and bits.isdigit() and (bits == "0" or bits[0] != "0")
    try:
        if not plain or "%" in address:
            raise ValueError
        interface = ip_interface(text)
    except ValueError:
        raise EvaluationError(
            "network address parse error during conversion from string: "
            f'network address parse error during conversion from string: netip.ParsePrefix("{text}")'
        ) from None
    if isinstance(interface, IPv6Interface) and interface.ip.ipv4_mapped is not None:
        raise EvaluationError(
            "network address parse error during conversion from string: "
            f'IPv4-mapped IPv6 address "{text}" is not allowed'
        )
    return Network(interface)


def _is_cidr(text: str) -> bool:
    try:
        _parse(text)
    except EvaluationError:
        return False
    return True


def _contains_ip(net: Network, ip: Address) -> bool:
    return ip.address in net.interface.network


def _contains_cidr(net: Network, other: Network) -> bool:
    return other.interface.ip in net.interface.network and net.bits <= other.bits


def _masked(net: Network) -> Network:
    return Network(ip_interface(net.interface.network.with_prefixlen))


def _inside(values: tuple[Value, ...], _: Value) -> int:
    """Return the cost of comparing two addresses, and of parsing the second if it is a string."""
    length = len(values[0].interface.packed)
    return charge.tenth(2 * length) + _parse_cost(values[1])


def _inside_net(values: tuple[Value, ...], _: Value) -> int:
    """Return the cost of comparing two addresses and masking the outer network."""
    length = len(values[0].interface.packed)
    return charge.tenth(2 * length) + charge.tenth(length) + 1 + _parse_cost(values[1])


def _parse_cost(value: Value) -> int:
    return charge.tenth(len(value)) if isinstance(value, str) else 0


OVERLOADS = (
    Overload("cidr", False, (STRING,), CIDR, _parse, charge.text),
    Overload("isCIDR", False, (STRING,), BOOL, _is_cidr, charge.text),
    Overload("string", False, (CIDR,), STRING, lambda net: net.interface.with_prefixlen),
    Overload(
        "containsIP", True, (CIDR, STRING), BOOL, lambda net, s: _contains_ip(net, parse_ip(s)), _inside
    ),
    Overload("containsIP", True, (CIDR, IP), BOOL, _contains_ip, _inside),
    Overload(
        "containsCIDR", True, (CIDR, STRING), BOOL, lambda net, s: _contains_cidr(net, _parse(s)), _inside_net
    ),
    Overload("containsCIDR", True, (CIDR, CIDR), BOOL, _contains_cidr, _inside_net),
    Overload("ip", True, (CIDR,), IP, lambda net: Address(net.interface.ip)),
    Overload("prefixLength", True, (CIDR,), INT, lambda net: net.bits),
    Overload("masked", True, (CIDR,), CIDR, _masked),
)
