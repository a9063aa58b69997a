"""docs/alerts.md says what the rules are, and what is sent and when."""

import re

import pytest
from django.conf import settings

from dashboard.alerts.rules import DEFAULTS, LONGEST, Rule
from dashboard.alerts.words import level_words
from dashboard.models import AlertDelivery
from routing.signed_posts import PAUSES

PAGE = (settings.BASE_DIR / "docs" / "alerts.md").read_text()
# The table of the rules, not that of the demonstration below it.
CELLS = [
    [cell.strip() for cell in line.split("|")[1:-1]]
    for line in PAGE.partition("## When it fires")[0].splitlines()
    if line.startswith("| `")
]
ROWS = {cells[0].strip("`"): cells for cells in CELLS}


@pytest.mark.parametrize("rule", DEFAULTS, ids=lambda rule: rule.key)
def test_the_table_has_each_rule_as_it_is(rule: Rule) -> None:
    _key, fires, over, window, least = ROWS[rule.key]
    if rule.key != "traffic":
        assert level_words(rule, rule.level) in fires
        assert level_words(rule, rule.clear) == over
    assert window == f"{rule.window} h"
    assert re.findall(r"\d+", least) == [str(rule.minimum)]


def test_the_table_has_no_other() -> None:
    assert list(ROWS) == [rule.key for rule in DEFAULTS]


def test_the_page_tells_what_is_sent() -> None:
    for event in AlertDelivery.Event.values:
        assert f"`{event}`" in PAGE
    assert [pause.total_seconds() for pause in PAUSES] == [10, 60, 300, 1800]
    assert "after 10 seconds, 1, 5 and 30 minutes" in PAGE
    for setting in ("EMAIL_IS_SET_UP", "DEFAULT_FROM_EMAIL", "EMAIL_TIMEOUT"):
        assert hasattr(settings, setting)
    assert LONGEST == 168
