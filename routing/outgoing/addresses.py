"""Which addresses the public Internet has, and which only this machine's neighbours can reach.

The lists are those of IANA's special-purpose registries. They are written out because those of
``ipaddress`` differ between releases of Python.
"""

import re
from collections.abc import Iterable
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


def _networks(*written: str) -> tuple[Network, ...]:
    return tuple(ip_network(one) for one in written)


# What a name in the allow-list does not open, only the address itself: clouds hand out their
# machines' credentials here.
_DELICATE = _networks(
    "169.254.0.0/16",  # link-local, with the metadata services of most clouds
    "100.100.100.200/32",  # metadata of Alibaba Cloud
    "168.63.129.16/32",  # the host of an Azure machine, a public address
    "192.0.0.192/32",  # metadata of Oracle Cloud
    "fe80::/10",
    "fd00:ec2::/32",  # metadata of AWS
    "fd20:ce::/32",  # metadata of Google Cloud
    "0.0.0.0/8",
    "::/128",
    "224.0.0.0/4",
    "255.255.255.255/32",
    "ff00::/8",
)
_NOT_PUBLIC = _DELICATE + _networks(
    "10.0.0.0/8",
    "100.64.0.0/10",  # carrier-grade NAT
    "127.0.0.0/8",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",  # 6to4 relays
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "240.0.0.0/4",
    "2001::/23",  # Teredo, ORCHID, benchmarking
    "2001:db8::/32",
    "2002::/16",  # 6to4 leads to any IPv4 address
    "2620:4f:8000::/48",
    "3fff::/20",
)
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_ENDS_IN_A_NUMBER = re.compile(r"(?:^|\.)(?:0[xX][0-9a-fA-F]*|[0-9]+)\.?\Z")


def read_address(written: str) -> Address | None:
    """Return the address that a host is written as, or ``None`` for a name.

    Raises ``ValueError`` for the other ways to write an IPv4 address (``127.1``, ``0x7f000001``),
    which programs read differently, and for an address that is bound to a network card.
    """
    if "%" in written:
        raise ValueError("an address with a zone leads to one network card")
    try:
        return ip_address(written)
    except ValueError:
        if _ENDS_IN_A_NUMBER.search(written):
            raise ValueError("an IPv4 address is written as four decimal numbers") from None
        return None


def meant(address: Address) -> Address:
    """Return the IPv4 address that an IPv6 one stands for (mapped, NAT64), else the address."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in _NAT64:
            return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def is_public(address: Address) -> bool:
    """Tell whether an address is one of the public Internet."""
    real = meant(address)
    if isinstance(real, IPv6Address) and real not in _GLOBAL_UNICAST:
        return False
    return real.is_global and not within(real, _NOT_PUBLIC)


def is_delicate(address: Address) -> bool:
    """Tell whether an address must be named itself before anything is sent to it."""
    return within(meant(address), _DELICATE)


def within(address: Address, networks: Iterable[Network]) -> bool:
    """Tell whether an address lies in one of some networks of either family."""
    return any(address in network for network in networks if network.version == address.version)
