"""``manage.py measure_groups``: what it compares, and what it prints."""

import json
import os
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from routing.management.grouped_sets import read_grouped
from routing.management.grouping_baselines import best_within, first_words, k_means
from routing.suggesting import suggest
from routing.suggesting.measures import adjusted_rand

FOLDER = Path(os.environ.get("EVALUATION_SETS", "../shared/data"))
TOOLSETS = Path(__file__).parent / "toolsets.json"
THINGS = ("order", "invoice")
VERBS = ("create", "list", "send", "find", "get")


class ByThing:
    """An encoder that knows what a text is about."""

    name = "by-thing"

    def encode(self, texts: Sequence[str]) -> list[list[float]]:
        return [[float(thing in text) for thing in THINGS] for text in texts]


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    tools = [
        {"name": f"{verb}_{thing}", "description": f"{verb} one {thing}.", "group": thing}
        for thing in THINGS
        for verb in VERBS
    ]
    tools.append({"name": "ping", "description": "", "group": "alone"})
    tools.append({"name": "loose", "description": "", "group": ""})
    (tmp_path / "shop").mkdir()
    path = tmp_path / "shop" / "catalog.json"
    path.write_text(json.dumps({"tools": tools}))
    return path


def read(path: Path, **more: Any) -> Any:
    return read_grouped(path, **{"toolsets": {}, "least": 1, "most_groups": 60, **more})


def test_the_groups_of_a_catalog_are_hidden_and_kept_for_later(catalog: Path) -> None:
    one = read(catalog)
    assert one.name == "shop"
    assert one.groups == ("order",) * 5 + ("invoice",) * 5 + ("alone",)
    assert not {"group", "tags", "category"} & one.tools[0].keys()


def test_small_groups_are_left_out_and_only_the_largest_kept(catalog: Path) -> None:
    assert set(read(catalog, least=2).groups) == {"order", "invoice"}
    assert set(read(catalog, most_groups=1).groups) == {"order"}


def test_a_group_is_taken_out_of_the_names_that_it_is_in(tmp_path: Path) -> None:
    path = tmp_path / "music.json"
    tools = [{"name": "Spotify: Search songs", "group": "Spotify", "description": ""}]
    path.write_text(json.dumps({"tools": tools}))
    assert read(path).tools[0]["name"] == "Search_songs"


def test_toolsets_and_tags_are_groups_too(tmp_path: Path, catalog: Path) -> None:
    named = read(catalog, toolsets={"alive": ["ping", "loose"]})
    assert named.groups[-2:] == ("alive", "alive")
    operation = {"operationId": "getUser", "tags": ["users"], "responses": {}}
    api = {
        "openapi": "3.1.0",
        "info": {"title": "", "version": "1"},
        "paths": {"/u": {"get": operation}},
    }
    path = tmp_path / "users.json"
    path.write_text(json.dumps(api))
    one = read(path)
    assert (one.name, one.groups) == ("users", ("users",))


@pytest.mark.parametrize("content", ["", "{}", '{"tools": []}'])
def test_a_file_without_tools_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "none.json"
    path.write_text(content)
    with pytest.raises(CommandError, match=r"none\.json: there is no tool"):
        read(path)
    with pytest.raises(CommandError, match="No such file"):
        read(tmp_path / "missing.json")


def test_k_means_finds_what_lies_apart_and_says_the_same_again() -> None:
    rows = np.eye(3, dtype=np.float32)[[0, 1, 2, 0, 1, 2]]
    found = k_means(rows.copy(), clusters=3, seed=1)
    assert found == k_means(rows.copy(), clusters=3, seed=1)
    assert found[:3] == found[3:]


def test_the_other_baselines_read_names_and_sizes() -> None:
    assert first_words(["billing_get", "billingPay", "_"]) == ["billing", "billing", ""]
    assert best_within("aaab", most=2) == [("a", 0), ("a", 0), ("a", 1), ("b", 0)]


def test_a_table_is_printed(catalog: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = "routing.management.commands.measure_groups"
    monkeypatch.setattr(f"{command}.load_encoder", lambda name, patient: ByThing())
    out = StringIO()
    call_command("measure_groups", catalog, "--least", "2", stdout=out)
    head, _rule, row, means = out.getvalue().strip().splitlines()
    assert head.startswith("| set | tools | true groups | groups | suggested |")
    assert row.startswith("| shop | 10 | 2 | 2 | 1.00 / 1.00 | 1.00 / 1.00 | 1.00 / 1.00 | ")
    assert means.startswith("| mean | | | | 1.00 / 1.00 | ")


def test_without_an_encoder_there_is_nothing_to_compare(catalog: Path, settings: Any) -> None:
    settings.ENCODER = "none"
    with pytest.raises(CommandError, match="ENCODER is none"):
        call_command("measure_groups", catalog, stdout=StringIO())


@pytest.mark.parametrize("content", ["", "[]"])
def test_toolsets_that_are_none_are_told(catalog: Path, tmp_path: Path, content: str) -> None:
    path = tmp_path / "toolsets.json"
    path.write_text(content)
    with pytest.raises(CommandError, match=r"toolsets\.json"):
        call_command("measure_groups", catalog, "--toolsets", path, stdout=StringIO())


@pytest.mark.parametrize(
    ("file", "least"),
    [
        ("mcp_github/tools_list.json", 0.3),
        ("openapi/box_v2025.json", 0.7),
        ("openapi/twilio_api_v2010.json", 0.5),
    ],
)
def test_words_alone_group_what_people_published_as_they_did(file: str, least: float) -> None:
    if not (FOLDER / file).exists():
        pytest.skip(f"{file} is not at hand")
    one = read(FOLDER / file, toolsets=json.loads(TOOLSETS.read_text()))
    found = suggest(tools=one.tools, vectors={})
    homes = {name: group.name for group in found.groups for name in group.tools}
    suggested = [homes[tool["name"]] for tool in one.tools]
    assert adjusted_rand(suggested, one.groups) > least
    names = [tool["name"] for tool in one.tools]
    assert adjusted_rand(first_words(names), one.groups) < 0.1
