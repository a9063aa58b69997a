"""The name of an encoder in a release: the model, and which texts of a document it read.

Vectors of different models must never meet. So the name of an endpoint carries the model, the
length of its vectors and a mark of its address, and a release adds the version of the set of texts.
"""

from dataclasses import dataclass
from hashlib import sha256

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from routing.outgoing import fault_of_url
from routing.selection.texts import TEXTS_VERSION

ENDPOINT = "openai:"
NONE = "none"
_TEXTS = " texts-"
MOST_OF_A_MODEL = 60


@dataclass(frozen=True, slots=True)
class ReleaseEncoder:
    """What a release says of its vectors: who made them, and of which set of texts."""

    encoder: str
    texts: int

    @classmethod
    def parse(cls, written: str) -> "ReleaseEncoder":
        """Read the name that a release keeps."""
        encoder, mark, version = written.rpartition(_TEXTS)
        if mark and version.isascii() and version.isdigit():
            return cls(encoder=encoder, texts=int(version))
        # Releases of the first set of texts do not say so.
        return cls(encoder=written, texts=1)

    def __str__(self) -> str:
        if self.texts == 1 or self.encoder == NONE:
            return self.encoder
        return f"{self.encoder}{_TEXTS}{self.texts}"


def wanted() -> str:
    """Return the name of the encoder that the settings ask for.

    Raises ``ImproperlyConfigured`` where ``ENCODER`` names an endpoint that is not described.
    """
    if settings.ENCODER.startswith(ENDPOINT):
        endpoint_key()
        return endpoint_name(
            url=settings.EMBEDDINGS_URL,
            model=settings.ENCODER.removeprefix(ENDPOINT),
            dimensions=settings.EMBEDDINGS_DIMENSIONS,
        )
    return str(settings.ENCODER)


def endpoint_key() -> str:
    """Return the endpoint's key, empty for none; raises ``ImproperlyConfigured``.

    A key that no header can carry would stand in the error of every request, and so in spans.
    """
    key: str = settings.EMBEDDINGS_KEY.strip()
    if not key.isascii() or not key.isprintable():
        raise ImproperlyConfigured("EMBEDDINGS_KEY holds a character that no key has.")
    return key


def current() -> str:
    """Return what releases that are made now keep as the name of their encoder."""
    return str(ReleaseEncoder(encoder=wanted(), texts=TEXTS_VERSION))


def endpoint_name(*, url: str, model: str, dimensions: int) -> str:
    """Return the name of an endpoint's encoder; raises ``ImproperlyConfigured``."""
    if not 0 < len(model) <= MOST_OF_A_MODEL or any(mark in model for mark in " #"):
        raise ImproperlyConfigured(
            f"ENCODER={ENDPOINT}<model> names the model, in at most {MOST_OF_A_MODEL} characters."
        )
    if fault := fault_of_url(url):
        raise ImproperlyConfigured(
            "EMBEDDINGS_URL is the address before /embeddings, such as http://ollama:11434/v1: it "
            f"{fault}."
        )
    if not 0 < dimensions <= 16_384:
        raise ImproperlyConfigured(
            "EMBEDDINGS_DIMENSIONS says how long the model's vectors are: 1536 for "
            "text-embedding-3-small, 768 for nomic-embed-text."
        )
    return f"{ENDPOINT}{model}#{dimensions}#{sha256(url.rstrip('/').encode()).hexdigest()[:8]}"
