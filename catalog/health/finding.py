"""What is wrong with a draft or could be better, said so that a person can mend it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from catalog.document import canonical_bytes, sha256_hex


def gettext_noop(message: str) -> str:
    """Mark a message for translation; the page that shows it translates it."""
    return message


class Severity(StrEnum):
    """How grave a finding is: an error stops a publish, a new warning asks for a reason."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


class MendKind(StrEnum):
    """A change of the draft that needs no decision but whether to make it."""

    CLEAR_FLAG = "clear_flag"  # value: "is_default" or "always_on", of the tool at the place
    REQUIRE_APPROVAL = "require_approval"  # of the tool at the place
    SET_DESCRIPTION = "set_description"  # value: the text, of the tool or group at the place
    DELETE_RULE = "delete_rule"  # the rule at the place


@dataclass(frozen=True, slots=True)
class Mend:
    """A mechanical fix, as a value: ``catalog.mending`` makes the change that it names."""

    kind: MendKind
    value: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A marked message with what stands in its places."""

    template: str
    params: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template % self.params


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to mend.

    ``code`` stays the same when the wording changes. ``place`` is where to mend it: the kind of
    thing (``tools``, ``groups``, ``phases``, ``routes``, ``keyword_rules``, ``settings`` …) and its
    name or number; a kind with an empty name is all of that kind. ``reason`` says what is wrong,
    ``fix`` what to do, and ``mend`` is the fix where it is mechanical.
    """

    code: str
    severity: Severity
    place: tuple[str, str]
    reason: Sentence
    fix: Sentence
    mend: Mend | None = None

    @property
    def key(self) -> str:
        """Return a name for this finding that holds while what it says holds: 16 hex digits."""
        said = [self.code, *self.place, str(self.reason), str(self.mend and self.mend.value)]
        return sha256_hex(canonical_bytes(said))[:16]

    def __str__(self) -> str:
        where = " ".join(filter(None, self.place))
        return f"{self.severity}: {where}: {self.reason} {self.fix} [{self.code}]"


def warning(
    code: str,
    place: tuple[str, str],
    reason: str,
    fix: str,
    mend: Mend | None = None,
    **params: object,
) -> Finding:
    """Return a warning whose reason and fix share their parameters."""
    return _finding(Severity.WARNING, code, place, reason, fix, mend, params)


def hint(
    code: str,
    place: tuple[str, str],
    reason: str,
    fix: str,
    mend: Mend | None = None,
    **params: object,
) -> Finding:
    """Return a hint whose reason and fix share their parameters."""
    return _finding(Severity.HINT, code, place, reason, fix, mend, params)


def _finding(
    severity: Severity,
    code: str,
    place: tuple[str, str],
    reason: str,
    fix: str,
    mend: Mend | None,
    params: Mapping[str, object],
) -> Finding:
    return Finding(
        code=code,
        severity=severity,
        place=place,
        reason=Sentence(reason, params),
        fix=Sentence(fix, params),
        mend=mend,
    )
