"""Times to the minute are what Django writes, whatever zone and language read them before."""

from datetime import UTC, datetime

import pytest
from django.template.defaultfilters import date
from django.utils import timezone, translation

from dashboard.templatetags.calls import moment_words

MOMENT = datetime(2026, 10, 25, 0, 30, 59, 999_999, tzinfo=UTC)


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_a_minute_is_written_as_the_reader_reads_it(language: str) -> None:
    written = set()
    for zone in ("Europe/Madrid", "America/Sao_Paulo", "Asia/Kolkata", "Europe/Madrid"):
        with timezone.override(zone), translation.override(language):
            text = moment_words(MOMENT)
            assert text == date(timezone.localtime(MOMENT), "DATETIME_FORMAT")
        written.add(text)
    assert len(written) == 3
