"""What went wrong with a message is said in the reader's language, as far as it is known."""

import socket
from collections.abc import Callable

import pytest
from django.utils import timezone
from django.utils.translation import override

from dashboard.alerts.sending import BROKEN_OFF, NO_MAIL, OVERTAKEN
from dashboard.failure_words import failure_told
from routing.outgoing import Allowed, outgoing_client
from routing.signed_posts import NotDelivered, post_signed


def closed_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def nowhere(_host: str, _port: int) -> list[str]:
    raise OSError("Name or service not known")


def error_of(url: str, resolve: Callable[[str, int], list[str]] = nowhere) -> str:
    """Return what is kept of a post that fails."""
    allowed = Allowed.parse(["127.0.0.1"])
    with pytest.raises(NotDelivered) as failed:
        post_signed(
            {"event": "test"},
            url=url,
            secret="s",
            now=timezone.now(),
            client=lambda: outgoing_client(allowed=allowed, resolve=resolve, timeout=1.0),
        )
    return str(failed.value)


def test_what_is_known_is_told_in_every_language() -> None:
    kept = [
        error_of("http://10.0.0.1/"),
        error_of("http://inside.example/", lambda *_: ["10.0.0.1"]),
        error_of("http://gone.example/"),
        error_of(f"http://127.0.0.1:{closed_port()}/"),
        "The address answered 500.",
        "The answer is longer than 65,536 bytes.",
        "The request took longer than it may in all.",
        "timed out",
        "[Errno 104] Connection reset by peer",
        "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed (_ssl.c:1006)",
        OVERTAKEN,
        BROKEN_OFF,
        NO_MAIL,
    ]
    said = {language: [] for language in ("en", "es", "pt")}  # type: dict[str, list[str]]
    for language, told in said.items():
        with override(language):
            told += [failure_told(error) for error in kept]
    for english, spanish, portuguese in zip(*said.values(), strict=True):
        assert len({english, spanish, portuguese}) == 3, english
    assert said["en"][0].startswith("10.0.0.1 is no public address")
    assert said["en"][1].startswith("inside.example is 10.0.0.1, which is no public")
    assert "500" in said["es"][4]
    assert failure_told("Receive buffer too long") == "Receive buffer too long"
