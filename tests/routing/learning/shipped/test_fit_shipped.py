"""``manage.py fit_shipped``, on a folder of tiny sets."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from routing.evaluation.families import family_of
from routing.learning.shipped import combination, head
from routing.management.commands import fit_shipped
from routing.management.commands.fit_shipped import FILES
from routing.selection.weights import Head, read_fitted
from tests.routing.evaluation.conftest import CASES, folder, write_cases

__all__ = ["folder"]  # a fixture of the evaluation's tests

STEPS = 3


@pytest.fixture
def sets(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of every set that a fit reads, all of one small catalog, fitted fast."""
    monkeypatch.setattr(head, "STEPS", STEPS)
    monkeypatch.setattr(combination, "STEPS", STEPS)
    for place, (name, file, _) in enumerate(FILES):
        made = folder.parent / name
        made.mkdir(exist_ok=True)
        shutil.copy(folder / "catalog.json", made / "catalog.json")
        nothing = file == "cases.none.jsonl"
        cases = [case for case in CASES if bool(case["expected_tools"]) != nothing]
        write_cases(made / file, [{**case, "task": f"{case['task']} {place}"} for case in cases])
    shutil.rmtree(folder)
    return folder.parent


def fit(sets: Path, out: Path, *more: str) -> dict[str, bytes]:
    """Return the files that a fit writes, by name."""
    call_command("fit_shipped", sets, "--out", out, "--processes", "1", *more)
    return {path.name: path.read_bytes() for path in out.iterdir()}


def test_a_fit_writes_what_a_selection_reads_and_twice_the_same(
    sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = ["--vectors", str(tmp_path / "vectors")]
    first = fit(sets, tmp_path / "one", *kept)
    assert "fitted on all" in capsys.readouterr().out
    assert set(first) == {"head.npz", "weights.json"}
    assert fit(sets, tmp_path / "two", *kept)["weights.json"] == first["weights.json"]

    one, two = read_fitted(tmp_path / "one"), read_fitted(tmp_path / "two")
    assert set(one.weights) == {"words", "usem3", "usem3+wordllama"}
    matrices = [fitted.heads["usem3"] for fitted in (one, two)]
    assert all(isinstance(matrix, Head) for matrix in matrices)
    assert np.array_equal(matrices[0].task, matrices[1].task)
    assert matrices[0].task.shape == matrices[0].tool.shape == (512, 512)
    # A few small steps from the identity: somewhere, and not far.
    moved = np.abs(matrices[0].task - np.eye(512)).max()
    assert 0 < moved < 0.01


def test_another_seed_is_another_fit_and_folds_leave_a_family_out(
    sets: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = [one for one in FILES if one[0] in {"metatool", "sealtools", "acebench_en"}]
    monkeypatch.setattr(fit_shipped, "FILES", few)
    kept = ["--vectors", str(tmp_path / "vectors")]
    first = fit(sets, tmp_path / "one", *kept)
    folds = tmp_path / "folds"
    other = fit(sets, tmp_path / "two", *kept, "--seed", "1", "--folds", str(folds))
    assert other["weights.json"] != first["weights.json"]
    families = {family_of(name) for name, _, _ in few}
    assert {path.name for path in folds.iterdir()} == families
    for family in families:
        assert set(read_fitted(folds / family).weights) == {"words", "usem3", "usem3+wordllama"}


def test_a_folder_that_lacks_sets_is_refused_by_their_names(sets: Path, tmp_path: Path) -> None:
    shutil.rmtree(sets / "metatool")
    (sets / "bfcl" / "cases.live.jsonl").unlink()
    with pytest.raises(CommandError, match="lacks the sets metatool, bfcl"):
        fit(sets, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_set_without_its_catalog_is_refused(sets: Path, tmp_path: Path) -> None:
    (sets / "sealtools" / "catalog.json").unlink()
    with pytest.raises(CommandError, match="sealtools"):
        fit(sets, tmp_path / "out")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--most", "0"], "--most is at least 1"),
        (["--seed", "-1"], "--seed is at least 0"),
        (["--processes", "0"], "--processes is at least 1"),
        (["--folds", "{file}"], "File exists"),
    ],
)
def test_what_cannot_be_done_is_told_before_the_fit(
    sets: Path, tmp_path: Path, arguments: list[str], said: str
) -> None:
    file = tmp_path / "file"
    file.touch()
    out = tmp_path / "out"
    with pytest.raises(CommandError, match=said):
        fit(sets, out, *(argument.format(file=file) for argument in arguments))
    assert not out.exists() or not list(out.iterdir())
