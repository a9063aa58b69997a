"""What of an agent's words is kept: decided by the catalog, at the moment of writing."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import re2

from catalog.models import Catalog
from routing.redaction import redactor_of

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Keeping:
    """Everything, what ``redactions`` (of a catalog) leave of it, or ``nothing``; ``days`` long."""

    nothing: bool = False
    redactions: str = ""
    days: int | None = None

    @classmethod
    def of(cls, catalog: Catalog) -> "Keeping":
        """Return what a catalog keeps from now on."""
        return cls(
            nothing=not catalog.keep_text,
            redactions=catalog.redactions if catalog.redact_text else "",
            days=catalog.text_days,
        )

    def value(self, value: Any) -> Any:
        """Return what is written of a JSON value, or of a text, where anything is."""
        return redactor_of(self.redactions).value(value) if self.redactions else value

    def kept(self, words: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the words of a span as they are written; ``None`` where they are not.

        Nor are they where a pattern of before cannot be used any more, by another RE2 say: agents
        are answered all the same, and nothing is written that was to be redacted.
        """
        if self.nothing:
            return None
        try:
            return dict(self.value(words) if self.redactions else words)
        except re2.error:
            _log.exception("Text is not kept, since it cannot be redacted.")
            return None

    def is_past(self, time: datetime, *, now: datetime) -> bool:
        """Tell whether words of a time would be erased for their age."""
        return self.days is not None and time <= now - timedelta(days=self.days)
