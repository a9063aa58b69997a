"""What docs/approvals.md tells a receiver to do takes what is sent, and nothing else."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings

from routing.signed_posts import PAUSES, make_secret, signature

PAGE = (settings.BASE_DIR / "docs" / "approvals.md").read_text()
BODY = b'{"event":"test"}'


@pytest.fixture
def is_genuine() -> Callable[..., bool]:
    [snippet] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(snippet, "docs/approvals.md", "exec"), names)  # noqa: S102 - our own page
    found: Callable[..., bool] = names["is_genuine"]
    return found


def test_the_snippet_takes_what_is_signed(is_genuine: Callable[..., bool]) -> None:
    secret = make_secret()
    header = signature(secret=secret, seconds=1000, body=BODY)
    assert is_genuine(secret=secret, header=header, body=BODY, now=1200.5)


@pytest.mark.parametrize(
    ("header", "body", "now", "secret"),
    [
        (None, BODY + b" ", 1000, None),
        (None, BODY, 1301, None),
        (None, BODY, 699, None),
        (None, BODY, 1000, "tcw_other"),
        ("", BODY, 1000, None),
        ("t=1000", BODY, 1000, None),
        ("t=x,v1=00", BODY, 1000, None),
    ],
)
def test_the_snippet_refuses_everything_else(
    is_genuine: Callable[..., bool], header: str | None, body: bytes, now: int, secret: str | None
) -> None:
    own = "tcw_own"
    good = signature(secret=own, seconds=1000, body=BODY)
    said = good if header is None else header
    assert not is_genuine(secret=secret or own, header=said, body=body, now=now)


def test_the_page_tells_the_pauses() -> None:
    assert [pause.total_seconds() for pause in PAUSES] == [10, 60, 300, 1800]
    assert "10 seconds, 1, 5 and 30\n  minutes" in PAGE
    for setting in ("APPROVAL_WAITS", "APPROVAL_LASTS", "OUTGOING_ALLOWED", "SITE_URL"):
        assert hasattr(settings, setting)
        assert setting in PAGE
