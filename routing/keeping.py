"""What of an agent's words is kept: decided by the catalog, at the moment of writing."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from catalog.models import Catalog
from routing.redaction import redactor_of


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
        """Return the words of a span as they are written; ``None`` where they are not."""
        if self.nothing:
            return None
        return dict(self.value(words) if self.redactions else words)

    def is_past(self, time: datetime, *, now: datetime) -> bool:
        """Tell whether words of a time would be erased for their age."""
        return self.days is not None and time <= now - timedelta(days=self.days)
