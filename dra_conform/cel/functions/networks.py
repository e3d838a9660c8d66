"""Kubernetes' IP and CIDR libraries.

IP addresses with zones and IPv4-mapped IPv6 addresses are rejected. A CIDR keeps its host bits, such as in
`10.0.0.1/8`.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Interface, IPv6Address, IPv6Interface, ip_address, ip_interface
from typing import ClassVar

from dra_conform.cel.functions import charge
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.types import BOOL, INT, STRING, Type, opaque
from dra_conform.cel.values.value import Value

_IP = opaque("net.IP")


@dataclass(frozen=True, slots=True)
class _Address:
    """The value of `ip`."""

    cel_type: ClassVar[Type] = _IP

    address: IPv4Address | IPv6Address


def _parse_ip(text: str) -> _Address:
    """Parse an address. Raise EvaluationError for an invalid, zoned or IPv4-mapped address."""
    plain, percent, _ = text.partition("%")
    try:
        address = ip_address(plain)
    except ValueError:
        raise EvaluationError(
            f'IP Address "{text}" parse error during conversion from string: '
            f'ParseAddr("{text}"): unable to parse IP'
        ) from None
    if percent:
        raise EvaluationError(f'IP address "{text}" with zone value is not allowed')
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        raise EvaluationError(f'IPv4-mapped IPv6 address "{text}" is not allowed')
    return _Address(address)


def _is_ip(text: str) -> bool:
    try:
        _parse_ip(text)
    except EvaluationError:
        return False
    return True


def _is_loopback(ip: _Address) -> bool:
    return ip.address.is_loopback


def _is_link_local_multicast(ip: _Address) -> bool:
    """Whether the address is in 224.0.0.0/24, or in ff00::/8 with link-local scope."""
    packed = ip.address.packed
    if ip.address.version == 4:
        return packed[:3] == bytes((224, 0, 0))
    return packed[0] == 0xFF and packed[1] & 0x0F == 2


def _is_link_local_unicast(ip: _Address) -> bool:
    return ip.address.is_link_local


def _is_global_unicast(ip: _Address) -> bool:
    """Whether the address is a unicast address beyond the link; private ranges count."""
    a = ip.address
    broadcast = a.version == 4 and a.packed == b"\xff\xff\xff\xff"
    return not (broadcast or a.is_unspecified or a.is_loopback or a.is_multicast or a.is_link_local)


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


def _parse_cidr(text: str) -> Network:
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
        _parse_cidr(text)
    except EvaluationError:
        return False
    return True


def _contains_ip(net: Network, ip: _Address) -> bool:
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
    Overload("ip", False, (STRING,), _IP, _parse_ip, charge.text),
    Overload("isIP", False, (STRING,), BOOL, _is_ip, charge.text),
    Overload(
        "ip.isCanonical", False, (STRING,), BOOL, lambda s: str(_parse_ip(s).address) == s, charge.text_twice
    ),
    Overload("string", False, (_IP,), STRING, lambda ip: str(ip.address)),
    Overload("family", True, (_IP,), INT, lambda ip: ip.address.version),
    Overload("isUnspecified", True, (_IP,), BOOL, lambda ip: ip.address.is_unspecified),
    Overload("isLoopback", True, (_IP,), BOOL, _is_loopback),
    Overload("isLinkLocalMulticast", True, (_IP,), BOOL, _is_link_local_multicast),
    Overload("isLinkLocalUnicast", True, (_IP,), BOOL, _is_link_local_unicast),
    Overload("isGlobalUnicast", True, (_IP,), BOOL, _is_global_unicast),
    Overload("cidr", False, (STRING,), CIDR, _parse_cidr, charge.text),
    Overload("isCIDR", False, (STRING,), BOOL, _is_cidr, charge.text),
    Overload("string", False, (CIDR,), STRING, lambda net: net.interface.with_prefixlen),
    Overload(
        "containsIP", True, (CIDR, STRING), BOOL, lambda net, s: _contains_ip(net, _parse_ip(s)), _inside
    ),
    Overload("containsIP", True, (CIDR, _IP), BOOL, _contains_ip, _inside),
    Overload(
        "containsCIDR",
        True,
        (CIDR, STRING),
        BOOL,
        lambda net, s: _contains_cidr(net, _parse_cidr(s)),
        _inside_net,
    ),
    Overload("containsCIDR", True, (CIDR, CIDR), BOOL, _contains_cidr, _inside_net),
    Overload("ip", True, (CIDR,), _IP, lambda net: _Address(net.interface.ip)),
    Overload("prefixLength", True, (CIDR,), INT, lambda net: net.bits),
    Overload("masked", True, (CIDR,), CIDR, _masked),
)
