"""What a catalog has redacted, as it is kept, and compiled once per process."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from routing.redaction.lines import Line
from routing.redaction.ready import READY
from routing.redaction.redactor import Redactor, Sought, sought_own, sought_ready

COMPILED = 64
"""So many settings stay compiled in a process."""


@dataclass(frozen=True, slots=True)
class Redactions:
    """The kinds that are ticked, in the order of ``READY``, and an owner's own patterns."""

    ready: tuple[str, ...] = ()
    own: tuple[Line, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Redactions":
        """Return what ``dumps`` wrote; nothing for nothing."""
        value: dict[str, Any] = json.loads(text) if text else {}
        ready: Sequence[str] = value.get("ready", ())
        return cls(
            ready=tuple(kind for kind in READY if kind in ready),
            own=tuple(Line(**one) for one in value.get("own", ())),
        )

    def dumps(self) -> str:
        """Return this as text; equal ones as equal text, and nothing as an empty one."""
        if not self.ready and not self.own:
            return ""
        own = [{"name": line.name, "pattern": line.pattern} for line in self.own]
        value = {"ready": list(self.ready), "own": own}
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    def compiled(self) -> Redactor:
        """Return what redacts so; raises ``re2.error`` for what ``read_lines`` would refuse."""
        sought: list[Sought] = [_ready(kind) for kind in self.ready]
        sought += [sought_own(name=line.name, pattern=line.pattern) for line in self.own]
        keyed = [READY[kind] for kind in self.ready if READY[kind].keys]
        return Redactor(
            sought,
            keys=keyed[0].keys if keyed else (),
            of_keys=keyed[0].name if keyed else "",
        )


@lru_cache(maxsize=len(READY))
def _ready(kind: str) -> Sought:
    return sought_ready(READY[kind])


@lru_cache(maxsize=COMPILED)
def redactor_of(redactions: str) -> Redactor:
    """Return what redacts as a catalog's setting says, compiled when first asked for."""
    return Redactions.parse(redactions).compiled()
