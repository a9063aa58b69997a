"""Checks of every text that a model reads: what does not show, and what must not be shown."""

import json
import re
from collections.abc import Iterator

from catalog.health.finding import Finding, Mend, MendKind, gettext_noop, warning
from catalog.health.reading import Part, Reading

# Controls, soft hyphens, zero-width spaces, marks of direction, tags: nobody sees them, models read
# them. Joiners (U+200C, U+200D) are left, since Persian, Hindi and emoji are written with them.
INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# The shapes of keys that their makers publish for scanners, and what follows "password:".
SECRET = re.compile(
    r"\b(?:sk-[A-Za-z0-9_-]{20,}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{35}|gh[oprsu]_[A-Za-z0-9]{30,}"
    r"|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{20,}|xox[abprs]-[A-Za-z0-9-]{10,}"
    r"|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}|[rs]k_live_[A-Za-z0-9]{16,})"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|\b[Bb]earer [A-Za-z0-9._~+/-]{20,}"
    r"|\b(?:[Pp]assword|[Ss]ecret|api[_-]?key|token) ?[:=] ?\\?[\"']?(?=[^\s\"']*[0-9])"
    r"[^\s\"'<>{}$]{8,}"
)
# What each alternative above cannot do without; a search for plain text is many times faster.
_SIGNS = (
    *("sk-", "AKIA", "AIza", "gho_", "ghp_", "ghr_", "ghs_", "ghu_", "github_pat_", "glpat-"),
    *("xox", "eyJ", "k_live_", "PRIVATE KEY", "earer ", "assword", "ecret", "key", "oken"),
)


def texts_show_what_they_say(reading: Reading) -> Iterator[Finding]:
    """Find characters in texts that models read and people do not see."""
    for kind in ("tools", "groups"):
        for part in reading.document[kind]:
            description = part["description"]
            if _has_invisible(description):
                yield _invisible(kind, part, mend=True)
            elif any(_has_invisible(text) for text in _other_texts(part)):
                yield _invisible(kind, part, mend=False)


def texts_hold_no_secrets(reading: Reading) -> Iterator[Finding]:
    """Find what looks like a key or a password in a text that every agent is given."""
    for kind in ("tools", "groups"):
        for part in reading.document[kind]:
            text = "\n".join((part["description"], *_other_texts(part), _schema_text(part)))
            if any(sign in text for sign in _SIGNS) and (found := SECRET.search(text)):
                yield warning(
                    "secret_in_text",
                    (kind, part["name"]),
                    gettext_noop("A text holds what looks like a secret: “%(begins)s…”."),
                    gettext_noop("Take it out, and have the secret changed where it is used."),
                    begins=found[0][:4],
                )


def _invisible(kind: str, part: Part, *, mend: bool) -> Finding:
    cleaned = INVISIBLE.sub("", part["description"])
    return warning(
        "invisible_characters",
        (kind, part["name"]),
        gettext_noop("A text holds characters that nobody sees and models read."),
        gettext_noop("Take them out."),
        Mend(MendKind.SET_DESCRIPTION, cleaned) if mend else None,
    )


def _has_invisible(text: str) -> bool:
    # Only controls are ASCII; the long class is slow, and most texts need it not.
    return bool((_CONTROL if text.isascii() else INVISIBLE).search(text))


def _other_texts(part: Part) -> Iterator[str]:
    yield from part["examples"]
    yield part.get("title", "")
    yield from part.get("tags", ())
    yield from part.get("aliases", ())


def _schema_text(part: Part) -> str:
    """Return all texts of a tool's input schema, in which quotes are escaped."""
    return json.dumps(part.get("input_schema"), ensure_ascii=False)
