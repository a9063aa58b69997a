"""``manage.py evaluate`` with files, and with a published release."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from catalog.models import Catalog
from routing.evaluation.measures import MEASURES
from routing.management.commands.evaluate import Command
from routing.management.progress import ProgressBar
from routing.management.vector_files import VectorFile
from routing.releases import publish
from tests.drafts import draft_of
from tests.routing.encoding.servers import embeddings
from tests.routing.evaluation.conftest import write_cases
from tests.samples import NOW

ROOT = Path(__file__).parents[3]


def evaluated(folder: Path, *arguments: str) -> dict[str, Any]:
    printed = io.StringIO()
    files = [str(folder / "catalog.json"), str(folder / "cases.jsonl")]
    call_command("evaluate", "--files", *files, "--json", *arguments, stdout=printed)
    value: dict[str, Any] = json.loads(printed.getvalue())
    return value


def without_times(value: dict[str, Any]) -> dict[str, Any]:
    for measures in value["strategies"].values():
        assert measures.pop("ms_per_selection") > 0
    return value


def test_what_is_printed_has_the_shape_of_the_contract(folder: Path) -> None:
    value = evaluated(
        folder, "--encoder", "none", "--processes", "1", "--strategy", "all", "--strategy", "auto"
    )

    assert list(value) == ["cases", "strategies"]
    assert value["cases"] == 5
    assert list(value["strategies"]) == ["all", "auto"]
    everything, auto = value["strategies"].values()
    assert set(everything) == set(auto) == set(MEASURES)
    assert everything["coverage"] == 1
    assert everything["mean_tools"] == 5
    assert everything["mean_groups"] == 2
    assert everything["ece"] is None
    assert everything["failure_rate"] == 0
    assert auto["recall@7"] == auto["coverage@7"] == 1  # of five tools
    assert 0.8 < auto["ndcg@10"] <= 1


def test_it_is_auto_unless_told(folder: Path) -> None:
    assert list(evaluated(folder, "--encoder", "none")["strategies"]) == ["auto"]


def test_the_number_of_processes_changes_nothing(folder: Path) -> None:
    one = evaluated(folder, "--processes", "1", "--intervals", "--curve")
    two = evaluated(folder, "--processes", "2", "--intervals", "--curve")

    assert without_times(one) == without_times(two)
    low, high = one["strategies"]["auto"]["intervals"]["coverage"]
    assert 0 <= low <= one["strategies"]["auto"]["coverage"] <= high <= 1
    assert len(one["strategies"]["auto"]["curve"]["fixed"]) == 10


def test_vectors_are_kept_from_run_to_run(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "vectors"
    first = evaluated(folder, "--processes", "1", "--vectors", str(kept))
    monkeypatch.setattr(
        "routing.evaluation.encoding._encode", lambda *_: pytest.fail("encoded again")
    )
    second = evaluated(folder, "--processes", "1", "--vectors", str(kept))

    assert without_times(first) == without_times(second)
    assert [path.name for path in kept.iterdir()] == ["office.usem3.npz"]


def test_a_broken_file_of_vectors_counts_as_empty(tmp_path: Path) -> None:
    (tmp_path / "office.usem3.npz").write_bytes(b"PK\x03\x04 no archive")

    assert VectorFile(tmp_path, name="office", encoder="usem3").get(["a"]) == {}


def test_without_a_database_and_without_settings(folder: Path, tmp_path: Path) -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")
    }
    files = [str(folder / "catalog.json"), str(folder / "cases.jsonl")]
    done = subprocess.run(  # noqa: S603
        [sys.executable, "manage.py", "evaluate", "--files", *files, "--json", "--limit", "4"],
        cwd=ROOT,
        env=environment | {"TOOLCRIB_VAR": str(tmp_path / "var")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["cases"] == 4
    assert done.stderr == ""
    assert not list((tmp_path / "var").glob("*sqlite*"))


def test_people_read_a_table(folder: Path) -> None:
    printed = io.StringIO()
    files = [folder / "catalog.json", folder / "cases.jsonl"]
    call_command(
        "evaluate", "--files", *files, "--encoder", "none", "--strategy", "all", stdout=printed
    )
    lines = printed.getvalue().splitlines()

    assert lines[0] == "5 cases"
    assert lines[1].split() == ["all"]
    assert ["coverage", "1.000"] in [line.split() for line in lines]
    assert len({len(line) for line in lines[1:]}) == 1
    assert "ece" not in printed.getvalue()  # nothing to say of it


def test_a_strategy_that_cannot_be_served_is_told(folder: Path) -> None:
    printed, told = io.StringIO(), io.StringIO()
    files = [folder / "catalog.json", folder / "cases.jsonl"]
    options = ["--encoder", "none", "--strategy", "llm"]
    call_command("evaluate", "--files", *files, *options, stdout=printed, stderr=told)

    assert "llm: for 100.0% of the cases it could not be served" in told.getvalue()


def test_a_limit_takes_cases_from_all_over_the_file(folder: Path) -> None:
    value = evaluated(folder, "--encoder", "none", "--limit", "2", "--strategy", "all")

    assert value["cases"] == 2
    assert value["strategies"]["all"]["coverage"] == 1


def test_several_files_of_cases_are_measured_as_one(folder: Path) -> None:
    write_cases(folder / "more.jsonl", [{"task": "hello there", "expected_tools": []}])
    printed = io.StringIO()
    files = [folder / name for name in ("catalog.json", "cases.jsonl", "more.jsonl")]
    call_command("evaluate", "--files", *files, "--encoder", "none", "--json", stdout=printed)

    assert json.loads(printed.getvalue())["cases"] == 6


def test_cases_that_no_tool_fits_have_no_curve(folder: Path) -> None:
    write_cases(folder / "none.jsonl", [{"task": "swim", "expected_tools": []}])
    printed = io.StringIO()
    files = [folder / name for name in ("catalog.json", "none.jsonl")]

    call_command("evaluate", "--files", *files, "--encoder", "none", "--curve", stdout=printed)

    assert printed.getvalue().startswith("1 cases")
    assert "coverage at" not in printed.getvalue()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "either a catalog"),
        (["office", "--files", "catalog.json", "cases.jsonl"], "either a catalog"),
        (["--files", "catalog.json"], "at least one file of cases"),
        (["--files", "catalog.json", "cases.jsonl", "--dataset", "cases.jsonl"], "goes with REF"),
        (["--files", "catalog.json", "cases.jsonl", "--limit", "0"], "--limit is at least 1"),
        (["--files", "catalog.json", "cases.jsonl", "--processes", "0"], "--processes is at least"),
        (["--files", "catalog.json", "cases.jsonl", "--seed", "-1"], "--seed is at least 0"),
        (["--files", "catalog.json", "cases.jsonl", "--vectors", "bad.jsonl"], "File exists"),
        (["--files", "catalog.json", "cases.jsonl", "--encoder", "x"], "no encoder named 'x'"),
        (["--files", "nowhere.json", "cases.jsonl"], "nowhere.json: No such file"),
        (["--files", "catalog.json", "nowhere.jsonl"], "nowhere.jsonl: No such file"),
        (["--files", "cases.jsonl", "cases.jsonl"], "cases.jsonl:2: this is not JSON"),
        (["--files", "catalog.json", "bad.jsonl"], "bad.jsonl:2: the catalog has no tool 'swim'"),
    ],
)
def test_bad_input_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(folder)
    write_cases(
        folder / "bad.jsonl",
        [
            {"task": "how many", "expected_tools": ["stock: check"]},
            {"task": "swim", "expected_tools": ["swim"]},
        ],
    )
    printed = io.StringIO()

    with pytest.raises(CommandError, match=said):
        call_command(Command(), *arguments, stdout=printed)

    assert printed.getvalue() == ""


@pytest.mark.django_db
def test_a_release_whose_encoder_is_gone_is_not_measured(settings: Any, tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    write_cases(cases, [{"task": "run the tests", "expected_tools": ["run_tests"]}])
    with embeddings(settings):
        publish(catalog=draft_of("dev-agent"), author=None, now=NOW, note="", base=None)
        settings.EMBEDDINGS_DIMENSIONS += 1

        with pytest.raises(CommandError, match="describe another endpoint"):
            call_command("evaluate", "dev-agent", "--dataset", cases, stdout=io.StringIO())


@pytest.mark.django_db
def test_a_published_release_is_measured_with_its_default_tools(
    back_office: Catalog, tmp_path: Path
) -> None:
    cases = tmp_path / "cases.jsonl"
    write_cases(
        cases,
        [
            {"task": "Find the payment of order 88231", "expected_tools": ["find_payment"]},
            {"task": "hello", "expected_tools": [], "phase": "a catalog without phases"},
        ],
    )
    for ref in ("back-office", "back-office@1", "back-office@live"):
        printed = io.StringIO()
        options = ["--dataset", str(cases), "--processes", "1", "--json"]
        call_command("evaluate", ref, *options, stdout=printed)
        value = json.loads(printed.getvalue())

        assert value["cases"] == 2
        assert list(value["strategies"]) == ["auto"]
        assert value["strategies"]["auto"]["coverage"] == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["back-office"], "--dataset D"),
        (["back-office", "--dataset", "evening"], "neither a file nor a dataset of the catalog"),
        (["back-office@9", "--dataset", "cases.jsonl"], "not published"),
        (["Back", "--dataset", "cases.jsonl"], "no reference"),
        (["elsewhere", "--dataset", "cases.jsonl"], "no catalog"),
        (["back-office", "--dataset", "cases.jsonl"], "cases.jsonl:1: the catalog has no tool"),
        (["back-office", "--dataset", "cases.jsonl", "--encoder", "none"], "has its own"),
    ],
)
def test_bad_input_for_a_release_is_told(
    back_office: Catalog,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(folder)

    with pytest.raises(CommandError, match=said):
        call_command("evaluate", *arguments)


class Terminal(io.StringIO):
    """A stream that somebody watches."""

    def isatty(self) -> bool:
        """Say so."""
        return True


def test_progress_is_drawn_for_people_and_wiped_at_the_end() -> None:
    watched, piped = Terminal(), io.StringIO()
    for stream in (watched, piped):
        bar = ProgressBar(stream, "encoding")
        for done in range(3):
            bar(done, 2)

    assert piped.getvalue() == ""
    drawn = [line for line in watched.getvalue().split("\r") if line]
    assert drawn[0].startswith("encoding ·")
    assert drawn[0].endswith("  0%")
    assert drawn[1].endswith(" 50%")
    assert drawn[-1].strip() == ""


def test_a_classifier_is_fitted_to_training_cases(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks = {
        "stock: check": "anything left of part {}",
        "stock: reserve": "keep {} of it for me until friday",
        "billing: find payment": "did the money of client {} come in",
        "billing: settle": "client {} has paid us, close it",
        "convert currency": "what is {} euros in pesos",
    }
    numbers = ("two", "seven", "ninety", "forty", "eleven", "six", "twelve", "some")
    write_cases(
        folder / "cases.train.jsonl",
        [
            {"task": task.format(number), "expected_tools": [tool]}
            for tool, task in tasks.items()
            for number in numbers
        ],
    )
    trained = [
        {"task": task.format("thirteen"), "expected_tools": [t]} for t, task in tasks.items()
    ]
    write_cases(folder / "cases.jsonl", trained)

    value = evaluated(folder, "--processes", "1", "--train", str(folder / "cases.train.jsonl"))

    assert "classifier: accepted. On 40 held-out cases the ranking" in capsys.readouterr().err
    assert list(value["strategies"]) == ["auto", "classifier"]
    assert value["strategies"]["classifier"]["recall@1"] == 1
    assert value["strategies"]["classifier"]["failure_rate"] == 0


def test_a_classifier_that_is_not_accepted_is_not_used(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value = evaluated(folder, "--processes", "1", "--train", str(folder / "cases.jsonl"))

    assert "classifier: none, 4 labelled cases are too few" in capsys.readouterr().err
    assert value["strategies"]["classifier"]["failure_rate"] == 1
