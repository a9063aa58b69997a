"""The API knows every name that the catalog and the selection know, and no other."""

import json
from pathlib import Path
from typing import get_args

import catalog.document
from catalog.document import STRATEGIES
from catalog.formats import FORMATS
from routing.api.schemas.common import FormatName
from routing.selection import Strategy


def test_formats_are_those_of_the_catalog() -> None:
    assert get_args(FormatName) == tuple(FORMATS)


def test_strategies_are_those_of_the_document() -> None:
    path = Path(catalog.document.__file__).with_name("document.schema.json")
    settings = json.loads(path.read_text("utf-8"))["properties"]["settings"]

    assert tuple(Strategy) == STRATEGIES
    assert tuple(settings["properties"]["strategy"]["enum"]) == STRATEGIES
