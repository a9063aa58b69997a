"""The server comes up, whatever one of its releases is like."""

from __future__ import annotations

import logging

import pytest

pytestmark = pytest.mark.django_db


def test_a_release_that_cannot_be_compiled_does_not_keep_the_server_from_coming_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from dashboard.wsgi import warm_up

    def burst() -> int:
        raise ZeroDivisionError

    # The import has set logging up anew.
    logging.getLogger("dashboard.wsgi").addHandler(caplog.handler)
    monkeypatch.setattr("routing.compiled.compile_labelled_releases", burst)
    warm_up()
    logging.getLogger("dashboard.wsgi").removeHandler(caplog.handler)
    assert "Not every labelled release is compiled" in caplog.text
