"""References to catalogs."""

import pytest

from routing.references import MalformedReference, Reference, parse_reference


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("back-office", Reference("back-office")),
        ("back-office@4", Reference("back-office", version=4)),
        ("back-office@staging", Reference("back-office", label="staging")),
        ("a@live", Reference("a")),
        ("a" * 63, Reference("a" * 63)),
    ],
)
def test_references_are_read(text: str, reference: Reference) -> None:
    assert parse_reference(text) == reference


@pytest.mark.parametrize(
    "text",
    ["", "A", "a b", "a@", "a@0", "a@01", "a@1.5", "@live", "a@b@c", "a\n", "a" * 64, "1a", "é"],
)
def test_anything_else_is_refused_with_the_text_quoted(text: str) -> None:
    with pytest.raises(MalformedReference, match="no reference"):
        parse_reference(text)
