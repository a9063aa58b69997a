"""Numbers that carry a checksum, found inside of what looks like one."""

from collections.abc import Iterator

Spans = Iterator[tuple[int, int]]

_DIGITS = frozenset(b"0123456789")
_LETTERS_OR_DIGITS = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
# ISO/IEC 7812: the shortest and the longest number of a payment card, and how they begin.
_SHORTEST_CARD, _LONGEST_CARD = 13, 19
_CARDS_BEGIN = frozenset(b"23456")
# ISO 13616: Norway has the shortest one, and none may be longer than the last.
_SHORTEST_IBAN, _LONGEST_IBAN = 15, 34


def card_numbers(text: bytes, start: int, end: int) -> Spans:
    """Yield the card numbers (Luhn's check digit) among digits, spaces and hyphens.

    One begins and ends where a group of digits does, so that what stands before or after it, a date
    of expiry say, hides none.
    """
    at = [place for place in range(start, end) if text[place] in _DIGITS]
    first = 0
    while first <= len(at) - _SHORTEST_CARD:
        length = 0
        if text[at[first]] in _CARDS_BEGIN and (first == 0 or at[first - 1] != at[first] - 1):
            length = _length_of_card(text, at, first)
        if length:
            yield at[first], at[first + length - 1] + 1
        first += length or 1


def _length_of_card(text: bytes, at: list[int], first: int) -> int:
    most = min(_LONGEST_CARD, len(at) - first)
    for length in range(most, _SHORTEST_CARD - 1, -1):
        last = first + length - 1
        ends = last == len(at) - 1 or at[last + 1] != at[last] + 1
        if ends and _is_luhn([text[place] - 48 for place in at[first : last + 1]]):
            return length
    return 0


def _is_luhn(digits: list[int]) -> bool:
    doubled = (2 * digit - 9 * (digit > 4) for digit in digits[-2::-2])
    return (sum(digits[::-2]) + sum(doubled)) % 10 == 0


def ibans(text: bytes, start: int, end: int) -> Spans:
    """Yield the account number (ISO 13616: 1 modulo 97) that begins where letters and digits do.

    What follows it, separated by a space, may have been taken for a part of it.
    """
    at = [place for place in range(start, end) if text[place] in _LETTERS_OR_DIGITS]
    for length in range(min(_LONGEST_IBAN, len(at)), _SHORTEST_IBAN - 1, -1):
        last = length - 1
        ends = last == len(at) - 1 or at[last + 1] != at[last] + 1
        if ends and _is_97(bytes(text[place] for place in at[:length]).upper()):
            yield start, at[last] + 1
            return


def _is_97(number: bytes) -> bool:
    turned = (number[4:] + number[:4]).decode("ascii")
    return int("".join(str(int(character, 36)) for character in turned)) % 97 == 1
