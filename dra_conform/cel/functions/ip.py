"""Kubernetes' IP library. It rejects zones and IPv4-mapped IPv6 addresses."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import ClassVar

from dra_conform.cel.functions import charge
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.types import BOOL, INT, STRING, Type, opaque

IP = opaque("net.IP")


@dataclass(frozen=True, slots=True)
class Address:
    """The value of `ip`."""

    cel_type: ClassVar[Type] = IP

    address: IPv4Address | IPv6Address


def parse(text: str) -> Address:
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
    return Address(address)


def _is_ip(text: str) -> bool:
    try:
        parse(text)
    except EvaluationError:
        return False
    return True


def _is_loopback(ip: Address) -> bool:
    return ip.address.is_loopback


def _is_link_local_multicast(ip: Address) -> bool:
    """Whether the address is in 224.0.0.0/24, or in ff00::/8 with link-local scope."""
    packed = ip.address.packed
    if ip.address.version == 4:
        return packed[:3] == bytes((224, 0, 0))
    return packed[0] == 0xFF and packed[1] & 0x0F == 2


def _is_link_local_unicast(ip: Address) -> bool:
    return ip.address.is_link_local


def _is_global_unicast(ip: Address) -> bool:
    """Whether the address is a unicast address beyond the link; private ranges count."""
    a = ip.address
    broadcast = a.version == 4 and a.packed == b"\xff\xff\xff\xff"
    return not (broadcast or a.is_unspecified or a.is_loopback or a.is_multicast or a.is_link_local)


OVERLOADS = (
    Overload("ip", False, (STRING,), IP, parse, charge.text),
    Overload("isIP", False, (STRING,), BOOL, _is_ip, charge.text),
    Overload(
        "ip.isCanonical", False, (STRING,), BOOL, lambda s: str(parse(s).address) == s, charge.text_twice
    ),
    Overload("string", False, (IP,), STRING, lambda ip: str(ip.address)),
    Overload("family", True, (IP,), INT, lambda ip: ip.address.version),
    Overload("isUnspecified", True, (IP,), BOOL, lambda ip: ip.address.is_unspecified),
    Overload("isLoopback", True, (IP,), BOOL, _is_loopback),
    Overload("isLinkLocalMulticast", True, (IP,), BOOL, _is_link_local_multicast),
    Overload("isLinkLocalUnicast", True, (IP,), BOOL, _is_link_local_unicast),
    Overload("isGlobalUnicast", True, (IP,), BOOL, _is_global_unicast),
)
