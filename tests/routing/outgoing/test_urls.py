"""What is wrong with an endpoint's address is told before anything is sent."""

from __future__ import annotations

import pytest

from routing.outgoing import fault_of_url


@pytest.mark.parametrize(
    "url",
    [
        "https://models.example/v1",
        "http://ollama:11434/v1/",
        "http://127.0.0.1:65535",
        "https://[2606:4700::1111]/v1",
    ],
)
def test_an_address_that_can_be_asked_has_no_fault(url: str) -> None:
    assert fault_of_url(url) is None


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("", "begins with"),
        ("http://", "begins with"),
        ("http://:80/v1", "begins with"),
        ("ollama:11434", "begins with"),
        ("ftp://models.example", "begins with"),
        ("http://[::1/v1", "can be read"),
        ("http://models.example:x/", "can be read"),
        ("http://models\0.example/", "can be read"),
        ("http://\udcff/", "can be read"),
        ("http://two words/", "can be read"),
        ("http://2130706433/", "can be read"),
        ("http://127.1/", "can be read"),
        ("http://[fe80::1%25eth0]/", "can be read"),
        (f"http://{'a' * 70_000}.example/", "can be read"),
        ("https://me:secret@models.example/v1", "no user and password"),
        ("https://models.example/v1?version=2", "query"),
        ("https://models.example/v1#top", "fragment"),
        ("https://models.example:99999/v1", "65535"),
        ("https://models.example:0/v1", "65535"),
    ],
)
def test_a_fault_is_told_without_the_address(url: str, fault: str) -> None:
    told = fault_of_url(url) or ""
    assert fault in told
    assert "secret" not in told
