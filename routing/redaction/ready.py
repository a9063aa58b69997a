"""Patterns that come ready-made. They rather take too much than too little.

Each is looked for in UTF-8 by RE2, and what it means holds no U+0000. It may be narrowed down by
what RE2 cannot tell: a checksum, or what stands beside it.
"""

import ipaddress
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from routing.redaction.checksums import card_numbers, ibans

Narrow = Callable[[bytes, int, int], Iterator[tuple[int, int]]]
_WORD = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")
_FEWEST_DIGITS, _MOST_DIGITS = 7, 15  # ITU-T E.164 has at most 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A kind of thing that is looked for, and the name that stands in its place.

    Where the pattern has groups, only the first that took part is meant. ``narrow`` says which
    parts of what was found it is. Without ``needs`` in a text there is nothing to look for.
    ``keys`` are those of an object whose whole value is of this kind.
    """

    name: str
    pattern: str
    narrow: Narrow | None = None
    needs: bytes = b""
    keys: frozenset[str] = frozenset()


def _apart(text: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield what was found if it is no part of a longer word or number."""
    before = text[start - 1] if start else 0x20
    after = text[end] if end < len(text) else 0x20
    if before not in _WORD and after not in _WORD:
        yield start, end


def _phones(text: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    digits = sum(0x30 <= one <= 0x39 for one in text[start:end])
    if _FEWEST_DIGITS <= digits <= _MOST_DIGITS:
        yield from _apart(text, start, end)


def _addresses(text: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    found = text[start:end]
    # “Abc::Def” is a name of a program, which could be an address.
    if b":" in found and not any(0x30 <= one <= 0x39 for one in found):
        return
    # Nor is a number of five parts one of four.
    if text[start - 1 : start] == b"." or (
        text[end : end + 1] == b"." and text[end + 1 : end + 2].isdigit()
    ):
        return
    try:
        ipaddress.ip_address(found.decode("ascii"))
    except ValueError:
        return
    yield from _apart(text, start, end)


_EMAIL = r"[\pL\pN._%+'-]+@[\pL\pN](?:[\pL\pN-]*[\pL\pN])?(?:\.[\pL\pN](?:[\pL\pN-]*[\pL\pN])?)+"
# Bare digits are no telephone number, unless a word before them says so.
_PHONE = "|".join(
    (
        r"\+\d[\d ().\-]{6,20}\d",
        r"\b00[1-9]\d{0,2}[ .\-][\d ().\-]{5,18}\d",
        r"\(\d{2,5}\)[ ]?\d{2,5}(?:[ .\-]?\d{2,5}){1,3}",
        r"\b\d{3}[ .\-]\d{3}[ .\-]\d{4}\b",
        r"(?:^|[^\w\-/.])(0\d{1,4}[ /.\-]\d{2,8}(?:[ .\-]?\d{2,4}){0,4})\b",
        r"\b[6-9]\d{2}[ \-]\d{3}[ \-]\d{3}\b",
        r"\b[89]\d[ \-]\d{3}[ \-]\d{2}[ \-]\d{2}\b",
        r"(?i:\b(?:tel|phone|mobile|cell|whatsapp|fax|m[óo]vil|tel[ée]fon[oe]|telem[óo]vel|celular)"
        r"[^\d+\n\x00]{0,12})(\+?\d[\d ().\-]{5,18}\d)",
    )
)
_SECRET = "|".join(
    (
        r"\b(?:sk|pk|rk|ak)[-_][A-Za-z0-9_\-]{16,}",
        r"\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}|\bglpat-[A-Za-z0-9_\-]{16,}",
        r"\bxox[abeoprs]-[A-Za-z0-9\-]{10,}",
        r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
        r"\bAIza[0-9A-Za-z_\-]{30,}",
        r"\btcw?_[A-Za-z0-9_\-]{32,}",
        r"\beyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*",
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[^\-\x00]*(?:-----END [A-Z ]*PRIVATE KEY-----)?",
        r"\b[0-9a-fA-F]{32,}\b",
        r"(?i:\b(?:bearer|basic)[ ]+)([A-Za-z0-9._~+/=\-]{12,})",
        r"(?i:(?:password|passwd|pwd|passphrase|contrase(?:ñ|n)a|senha|secret|token|api[ _\-]?key)"
        r"""["']?[ ]*[:=][ ]*["']?)([^\s"',;\x00]{4,})""",
        r"://[^\s/:@\x00]+:([^\s/@\x00]+)@",
    )
)
_SECRET_KEYS = frozenset(
    {"password", "passwd", "pwd", "passphrase", "contraseña", "contrasena", "senha"}
    | {"secret", "clientsecret", "apikey", "privatekey", "authorization", "credentials"}
    | {"token", "accesstoken", "refreshtoken", "idtoken"}
)

READY: Mapping[str, Ready] = {
    "email": Ready(name="[e-mail]", pattern=_EMAIL, needs=b"@"),
    "phone": Ready(name="[phone number]", pattern=_PHONE, narrow=_phones),
    "card": Ready(name="[card number]", pattern=r"\d(?:[ \-]?\d){12,}", narrow=card_numbers),
    "iban": Ready(
        name="[IBAN]", pattern=r"\b[A-Za-z]{2}\d{2}(?:[ \-]?[A-Za-z0-9]){11,40}", narrow=ibans
    ),
    "ip": Ready(
        name="[IP address]",
        pattern=r"\b(?:\d{1,3}\.){3}\d{1,3}\b"
        r"|[0-9A-Fa-f:]*::(?:[0-9A-Fa-f:]*:)?(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9A-Fa-f]{0,4})"
        r"|(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}",
        narrow=_addresses,
    ),
    "secret": Ready(name="[secret]", pattern=_SECRET, keys=_SECRET_KEYS),
}
