"""What is taken out of texts and JSON, and what is left."""

import json
import random

import pytest

from routing.redaction import READY, Line, Redactions, Redactor, read_lines, redactor_of
from routing.redaction.lines import LONGEST_PATTERN, MOST_PATTERNS

EVERYTHING = Redactions(ready=tuple(READY))


def redactor(*own: tuple[str, str], ready: tuple[str, ...] = ()) -> Redactor:
    """Return what redacts so."""
    lines = tuple(Line(name, pattern) for name, pattern in own)
    return Redactions(ready=ready, own=lines).compiled()


FOUND = [
    ("email", "To ana.li+x@example.co.uk, now", "To [e-mail], now"),
    ("email", "josé.ñu@correo.españa.es", "[e-mail]"),
    ("phone", "+34 600 123 456 or (555) 123-4567", "[phone number] or [phone number]"),
    ("phone", "+1 (212) 555-0187.", "[phone number]."),
    ("phone", "91 123 45 67, 912 345 678", "[phone number], [phone number]"),
    ("phone", "(11) 91234-5678; 06 12 34 56 78", "[phone number]; [phone number]"),
    ("phone", "móvil: 612345678", "móvil: [phone number]"),
    ("card", "4111 1111 1111 1111 12/26", "[card number] 12/26"),
    ("card", "n=5500005555555559.", "n=[card number]."),
    ("card", "1 4111-1111-1111-1111", "1 [card number]"),
    ("iban", "DE89 3704 0044 0532 0130 00 and more", "[IBAN] and more"),
    ("iban", "es9121000418450200051332", "[IBAN]"),
    ("ip", "10.0.0.1, fe80::1ff:fe23:4567:890a.", "[IP address], [IP address]."),
    ("ip", "::ffff:192.0.2.128", "[IP address]"),
    ("secret", "sk-proj-abcdefgh12345678 and x", "[secret] and x"),
    ("secret", "Authorization: Bearer abc.def-ghi_jkl", "Authorization: Bearer [secret]"),
    ("secret", "password=hunter22, ok", "password=[secret], ok"),
    ("secret", "https://u:pass@h.example/", "https://u:[secret]@h.example/"),
    ("secret", "d41d8cd98f00b204e9800998ecf8427e", "[secret]"),
]
LEFT = [
    ("email", "meet @ 5, a@b, @ana"),
    ("phone", "2026-11-30 12:30, 88231, 1,234.56, 2026-11-30T10:00:00+00:00, 0012345678"),
    ("phone", "192.168.100.200 and 550e8400-e29b-41d4-a716-446655440000"),
    ("card", "4111111111111112, 12345678901234567890123"),
    ("iban", "DE89 3704 0044 0532 0130 01 and AB12CDEF"),
    ("ip", "12:30:45, std::string, Abc::Def, 1.2.3.4.5, 300.1.1.1"),
    ("secret", "the secret is out, token of thanks, task-list, risk-averse"),
]


@pytest.mark.parametrize(("kind", "text", "left"), FOUND)
def test_what_a_ready_made_kind_finds(kind: str, text: str, left: str) -> None:
    assert redactor(ready=(kind,)).text(text) == left


@pytest.mark.parametrize(("kind", "text"), LEFT)
def test_what_only_looks_like_it_is_left(kind: str, text: str) -> None:
    assert redactor(ready=(kind,)).text(text) == text


def test_texts_inside_json_are_redacted_and_keys_are_not() -> None:
    value = {
        "ana@example.com": ["ana@example.com", {"n": 4111111111111111, "small": 41111}],
        "API-key": "short",
        "token": 12345,
        "other": [None, True, 1.5, 10**50, "plain"],
    }
    before = json.dumps(value)

    assert EVERYTHING.compiled().value(value) == {
        "ana@example.com": ["[e-mail]", {"n": "[card number]", "small": 41111}],
        "API-key": "[secret]",
        "token": "[secret]",
        "other": [None, True, 1.5, 10**50, "plain"],
    }
    assert json.dumps(value) == before


def test_what_overlaps_goes_as_a_whole_and_names_are_not_looked_into() -> None:
    both = redactor(("[one]", "abcd"), ("[two]", "cdef"), ("[name]", "one"))

    assert both.text("xabcdefx one") == "x[one]x [name]"
    assert redactor(("[a]", "b+"), ("[long]", "bbc")).text("bbc") == "[long]"


def test_where_a_pattern_has_a_group_only_what_it_holds_is_meant() -> None:
    customer = redactor(("[customer]", r"customer (?:no\.|number) (\d+)"))

    assert customer.text("CUSTOMER no. 4711 called") == "CUSTOMER no. [customer] called"


def test_anchors_are_of_each_text_by_itself() -> None:
    first = redactor(("[first]", r"^order \d+$"))

    assert first.value(["order 1", "an order 1", "x", "order 2"]) == [
        "[first]",
        "an order 1",
        "x",
        "[first]",
    ]


def made_up(letters: str, *, longest: int, seed: int) -> list[str]:
    """Return some texts."""
    chance = random.Random(seed)
    sizes = [chance.randint(0, longest) for _ in range(chance.randint(0, 5))]
    return ["".join(chance.choices(letters, k=size)) for size in sizes]


def test_redacting_is_done_once_for_all_and_alike_wherever_a_text_stands() -> None:
    everything, changed = redactor_of(EVERYTHING.dumps()), 0
    for seed in range(100):
        texts = made_up("abé@. +-()1234567890:\n", longest=60, seed=seed)
        once = [everything.text(text) for text in texts]

        assert [everything.text(text) for text in once] == once
        assert everything.value([{"x": text} for text in texts]) == [{"x": text} for text in once]
        changed += once != texts
    assert changed > 10


OF_ALL_SORTS = [
    redactor(("[x]", pattern), ("[y]", "bA"))
    for pattern in (r"a\d", "^a", "b.", "[^a]b", r"\Ab", r"\bab", "b$", r"1\Wa", "a|1(b)", r"\x00")
]


def test_patterns_of_ones_own_find_the_same_in_many_texts_as_in_one() -> None:
    for seed in range(100):
        texts = made_up("abA1\0\n.-", longest=8, seed=seed)
        for own in OF_ALL_SORTS:
            assert own.value(texts) == [own.text(text) for text in texts]


def test_a_setting_comes_back_as_it_was_written() -> None:
    setting = Redactions(ready=("email", "ip"), own=(Line("[x]", r"\bx\d"),))

    assert Redactions.parse(setting.dumps()) == setting
    assert Redactions.parse("") == Redactions()
    assert Redactions().dumps() == ""
    assert redactor_of(setting.dumps()) is redactor_of(setting.dumps())


@pytest.mark.parametrize(
    ("line", "code", "params"),
    [
        (r"[x] a(b", "pattern", {"reason": "missing )", "part": "a(b", "at": 1}),
        (r"[x] ok\q", "pattern", {"reason": "invalid escape sequence", "part": r"\q", "at": 3}),
        (r"[x] (?:\pL{900}){900}", "pattern", None),
        (r"[x] (a)\1", "pattern", None),
        ("no brackets", "shape", {}),
        ("[x]", "shape", {}),
        ("[] abc", "name_length", None),
        (f"[x] {'a' * (LONGEST_PATTERN + 1)}", "length", None),
        ("[x] a*", "empty", {}),
        ("[order] order", "itself", {"name": "[order]"}),
    ],
)
def test_a_bad_pattern_is_refused_with_its_place(
    line: str, code: str, params: dict[str, object] | None
) -> None:
    lines, faults = read_lines(f"[fine] x1\n\n{line}\n")

    assert lines == (Line("[fine]", "x1"),)
    [fault] = faults
    assert (fault.line, fault.code) == (3, code)
    assert params is None or fault.params == params


def test_more_patterns_than_there_may_be_are_refused_together() -> None:
    lines, [fault] = read_lines("\n".join(f"[n] x{n}" for n in range(MOST_PATTERNS + 1)))

    assert (lines, fault.line, fault.code) == ((), 0, "too_many")
