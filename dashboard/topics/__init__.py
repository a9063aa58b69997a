"""The topics of the page Metrics: each reads what it shows and no more.

A topic is a function from ``Viewed`` to ``Shown``. ``TOPICS`` has them by the word that its URL
has.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.topics.advice import advice_topic
from dashboard.topics.calls import calls_topic
from dashboard.topics.confidence import confidence_topic
from dashboard.topics.groups import groups_topic
from dashboard.topics.outcomes import outcomes_topic
from dashboard.topics.sizes import sizes_topic
from dashboard.topics.tools import tools_topic
from dashboard.topics.viewed import Shown, Viewed

FIRST = "advice"


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic's name for people, and what shows it."""

    label: Promise
    show: Callable[[Viewed], Shown]


TOPICS: Mapping[str, Topic] = {
    FIRST: Topic(_("Advice"), advice_topic),
    "groups": Topic(_("Groups asked for"), groups_topic),
    "confidence": Topic(_("Confidence"), confidence_topic),
    "sizes": Topic(_("Coverage, size, speed"), sizes_topic),
    "tools": Topic(_("Offered and used"), tools_topic),
    "calls": Topic(_("Calls"), calls_topic),
    "outcomes": Topic(_("Outcomes"), outcomes_topic),
}
