"""The benchmark of the selection core, on small catalogs; no other library is needed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from routing.management.benchmarking import measuring
from routing.management.benchmarking.catalogs import made_catalog, made_tasks
from routing.management.benchmarking.subjects import (
    NotInstalled,
    Rival,
    Subject,
    answering,
    compiled,
    texts_of,
)
from routing.management.benchmarking.timing import ratio, times
from routing.management.benchmarking.vectors import MadeVectors
from routing.selection import Circumstances, Query, Selection, Strategy, select

QUICK = ("--tasks", "3", "--rounds", "2")


def _nobody(document: object, tasks: object, encoder: object) -> Subject:
    raise NotInstalled("nobody")


def _everything(document: Mapping[str, object], tasks: object, encoder: object) -> Subject:
    return lambda task: texts_of(document)


@pytest.fixture
def rivals(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = (
        Rival(name="all-of-it", beside="vectors", whole="words", build=_everything),
        Rival(name="nobody", beside="vectors", whole="words", build=_nobody),
    )
    monkeypatch.setattr(measuring, "RIVALS", chosen)


@pytest.mark.usefixtures("rivals")
def test_every_size_is_measured_and_who_is_missing_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("bench_selection", "--tools", "12", "--tools", "36", *QUICK, "--json")
    value = json.loads(capsys.readouterr().out)

    assert [size["tools"] for size in value["sizes"]] == [12, 36]
    for size in value["sizes"]:
        assert set(size["median_us"]) == {
            "retrieval",
            "vectors",
            "words",
            "embedding",
            "auto",
            "all-of-it",
        }
        assert all(taken > 0 for taken in size["median_us"].values())
        assert set(size["times_as_long"]) == {"all-of-it"}
        assert set(size["times_as_long_as_a_whole_selection"]) == {"all-of-it"}
        assert size["encoder_calls"] == 1
        assert size["encoder_calls_where_a_rule_decides"] == 0
    assert value["growth"]["tools"] == 3
    assert value["not_installed"] == ["nobody"]


@pytest.mark.usefixtures("rivals")
def test_the_table_has_a_row_for_each_size_and_one_for_the_growth(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("bench_selection", "--tools", "12", "--tools", "36", *QUICK)
    lines = capsys.readouterr().out.splitlines()

    assert lines[0].startswith(
        "| tools | retrieval, us | vectors, us | words, us | embedding, us | auto, us |"
    )
    assert [line.split("|")[1].strip() for line in lines[2:5]] == ["12", "36", "3 x"]
    assert lines[5:] == [
        "Calls of the encoder: at most 1 for a new task, 0 where a rule decides.",
        "nobody is not installed and was left out.",
    ]


@pytest.mark.usefixtures("rivals")
def test_files_are_measured_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = made_catalog(tools=11, seed=3)
    (tmp_path / "catalog.json").write_text(json.dumps({"tools": document["tools"]}))
    case = {"task": "Print the invoice", "expected_tools": [document["tools"][0]["name"]]}
    (tmp_path / "cases.jsonl").write_text(json.dumps(case))
    files = ("--files", str(tmp_path / "catalog.json"), str(tmp_path / "cases.jsonl"))
    call_command("bench_selection", *files, *QUICK, "--json")

    value = json.loads(capsys.readouterr().out)
    assert [size["tools"] for size in value["sizes"]] == [11]


@pytest.mark.usefixtures("rivals")
def test_a_group_without_tools_is_not_what_the_rule_opens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = made_catalog(tools=11, seed=3)
    case = {"task": "Print the invoice", "expected_tools": [document["tools"][0]["name"]]}
    (tmp_path / "cases.jsonl").write_text(json.dumps(case))
    files = ("--files", str(tmp_path / "catalog.json"), str(tmp_path / "cases.jsonl"))
    for home in (None, "full"):
        tools = [{**tool, "group": home} for tool in document["tools"]]
        catalog = {"tools": tools, "groups": [{"name": "empty"}]}
        (tmp_path / "catalog.json").write_text(json.dumps(catalog))
        call_command("bench_selection", *files, *QUICK, "--json")

        [size] = json.loads(capsys.readouterr().out)["sizes"]
        assert size["encoder_calls_where_a_rule_decides"] == 0


def test_numbers_that_are_too_small_are_refused() -> None:
    with pytest.raises(CommandError, match="--seed is at least 0"):
        call_command("bench_selection", "--seed", "-1")


@pytest.mark.parametrize("size", ["0", "1000000"])
def test_a_number_of_tools_that_cannot_be_made_is_refused(size: str) -> None:
    with pytest.raises(CommandError, match="--tools: From 1 to"):
        call_command("bench_selection", "--tools", size)


def test_an_encoder_that_is_called_twice_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    encode = MadeVectors.encode

    def twice(self: MadeVectors, texts: Sequence[str]) -> object:
        encode(self, texts)
        return encode(self, texts)

    monkeypatch.setattr(MadeVectors, "encode", twice)
    with pytest.raises(CommandError, match="2 for a request"):
        call_command("bench_selection", "--tools", "12", *QUICK)


def test_a_strategy_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: MadeVectors, texts: Sequence[str]) -> object:
        if len(texts) < 5:
            raise RuntimeError("out of order")
        return encode(self, texts)

    encode = MadeVectors.encode
    monkeypatch.setattr(MadeVectors, "encode", broken)
    with pytest.raises(CommandError, match="out of order"):
        call_command("bench_selection", "--tools", "12", *QUICK)


def test_a_seed_makes_the_same_catalog_and_the_same_tasks() -> None:
    documents = [made_catalog(tools=25, seed=seed) for seed in (7, 7, 8)]
    assert documents[0] == documents[1] != documents[2]
    assert len({tool["name"] for tool in documents[0]["tools"]}) == 25
    assert [len(group["tools"]) for group in documents[0]["groups"]] == [10, 10, 5]
    assert made_tasks(document=documents[0], count=4, seed=1) == made_tasks(
        document=documents[1], count=4, seed=1
    )


def test_subjects_take_turns_and_only_every_second_call_is_timed() -> None:
    asked: list[str] = []
    ticks = iter(range(100))
    subjects: dict[str, Subject] = {
        "one": lambda task: asked.append(f"one {task}"),
        "two": lambda task: asked.append(f"two {task}"),
    }
    taken = times(subjects, ["a", "b"], rounds=1, clock=lambda: float(next(ticks)))

    assert asked == ["one a"] * 2 + ["two a"] * 2 + ["two b"] * 2 + ["one b"] * 2
    assert taken == {"one": [1.0, 1.0], "two": [1.0, 1.0]}
    assert ratio([4.0, 9.0, 30.0], [2.0, 3.0, 3.0]) == 3.0


def test_the_made_vectors_are_of_unit_length_and_alike_where_words_are() -> None:
    encoder = MadeVectors(seed=1)
    one, same, near, far = encoder.encode(
        ["Print the invoice", "print, the INVOICE", "Print the parcel", "Estimate a route"]
    )
    assert abs(float(one @ one) - 1) < 1e-5
    assert (one == same).all()
    assert float(one @ near) > float(one @ far)


def test_the_core_is_measured_at_what_it_really_does() -> None:
    document = made_catalog(tools=12, seed=1)
    index = compiled(document, MadeVectors(seed=1))
    task = f"Please {document['tools'][4]['description']}"

    selection = answering(index, Strategy.AUTO)(task)
    assert selection == select(Query(task=task, strategy=Strategy.AUTO), index, Circumstances())
    assert isinstance(selection, Selection)
    assert selection.decided_by is Strategy.EMBEDDING
