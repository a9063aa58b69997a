"""The four sample catalogs that the demo loads, as documents without format and revisions."""

import json
from importlib.resources import files
from typing import Any

SAMPLES: tuple[str, ...] = ("dev-agent", "back-office", "contratos", "refunds")


def load_sample(name: str) -> dict[str, Any]:
    """Return one sample catalog in the shape of a frozen document, less "format" and "revision".

    Every call returns a value of its own. Raises KeyError for a name that is not in SAMPLES.
    """
    if name not in SAMPLES:
        raise KeyError(name)
    text = files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    sample: dict[str, Any] = json.loads(text)
    return sample
