"""No way to write an address reaches one that is not public."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routing.outgoing.addresses import is_public, read_address
from routing.outgoing.allowed import Allowed, BadEntry

PUBLIC = [
    "8.8.8.8",
    "1.1.1.1",
    "172.32.0.1",
    "2606:4700::1111",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
]
NOT_PUBLIC = [
    "0.0.0.0",  # noqa: S104
    "10.1.2.3",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::808:808",
    "100::1",
    "2001:0:4136:e378::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:808:808::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]


@pytest.mark.parametrize("written", PUBLIC)
def test_an_address_of_the_internet_is_public(written: str) -> None:
    assert is_public(ip_address(written))


@pytest.mark.parametrize("written", NOT_PUBLIC)
def test_an_address_of_a_neighbourhood_is_not(written: str) -> None:
    assert not is_public(ip_address(written))


@given(st.integers(0, 2**32 - 1))
def test_an_ipv6_spelling_is_as_public_as_the_ipv4_address_that_it_stands_for(number: int) -> None:
    plain = IPv4Address(number)
    for front in (0xFFFF << 32, 0x64_FF9B << 96):
        assert is_public(IPv6Address(front | number)) == is_public(plain)
    assert not is_public(IPv6Address(number))
    assert not is_public(IPv6Address(0x2002 << 112 | number << 80))
    assert not is_public(plain) or plain.is_global


@given(st.integers(0, 2**128 - 1))
def test_what_the_standard_library_calls_private_is_never_public(number: int) -> None:
    address = IPv6Address(number)
    if address.is_private or address.is_multicast or address.is_link_local or address.is_reserved:
        assert not is_public(address) or address.ipv4_mapped or number >> 32 == 0x64_FF9B << 64


@pytest.mark.parametrize(
    "written",
    [
        "2130706433",
        "0x7f000001",
        "017700000001",
        "127.1",
        "0x7f.1",
        "127.0.0.01",
        "1.2.3.4.5",
        "0177.0.0.1",
        "127.0.0.1.",
        "example.0x7f",
        "fe80::1%eth0",
        "127.0.0.256",
        "0x",
    ],
)
def test_an_address_written_in_another_way_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"address"):
        read_address(written)


def test_a_name_is_no_address() -> None:
    assert read_address("models.example") is None
    assert read_address("4models.example") is None
    assert read_address("10.0.0.1") == IPv4Address("10.0.0.1")


@pytest.mark.parametrize(
    ("entry", "host", "port", "address", "opened"),
    [
        ("ollama", "ollama", 11434, "10.0.0.5", True),
        ("Ollama.", "OLLAMA", 11434, "127.0.0.1", True),
        ("ollama", "ollama.example", 11434, "10.0.0.5", False),
        ("ollama:11434", "ollama", 11434, "10.0.0.5", True),
        ("ollama:11434", "ollama", 80, "10.0.0.5", False),
        ("ollama", "ollama", 80, "169.254.169.254", False),
        ("ollama", "ollama", 80, "::ffff:169.254.169.254", False),
        ("ollama", "ollama", 80, "0.0.0.0", False),  # noqa: S104
        ("169.254.169.254", "ollama", 80, "169.254.169.254", True),
        ("10.0.0.0/8", "any", 80, "10.255.0.1", True),
        ("10.0.0.0/8", "any", 80, "::ffff:10.1.1.1", True),
        ("10.0.0.0/8", "any", 80, "11.0.0.1", False),
        ("127.0.0.1:8080", "any", 8080, "127.0.0.1", True),
        ("127.0.0.1:8080", "any", 8081, "127.0.0.1", False),
        ("::1", "any", 80, "::1", True),
        ("[::1]:8080", "any", 8080, "::1", True),
        ("[::1]:8080", "any", 80, "::1", False),
        ("fd00::/8", "any", 80, "fd12::1", True),
    ],
)
def test_the_allow_list_opens_what_it_names(
    entry: str, host: str, port: int, address: str, opened: bool
) -> None:
    allowed = Allowed.parse(["other", f" {entry} ", ""])
    assert allowed.opens(host=host, port=port, address=ip_address(address)) is opened


@pytest.mark.parametrize(
    "entry",
    [
        "http://ollama",
        "a b",
        "10.0.0.0/33",
        "*",
        "127.1",
        "ollama:70000",
        "127.0.0.1:70000",
        "[::1]:70000",
        "ollama:0",
        "a:b",
        "x/8",
        "-a",
    ],
)
def test_an_entry_that_is_no_place_is_an_error(entry: str) -> None:
    with pytest.raises(BadEntry):
        Allowed.parse([entry])
