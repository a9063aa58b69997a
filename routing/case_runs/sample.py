"""A dataset of paths for the back office, and scripted agents that have tried it out."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from django.contrib.auth.models import User

from catalog.models import Catalog
from routing.case_runs.driving import ARMS, agents_token, drive, errands
from routing.datasets.changing import Taken, add_cases, make_dataset
from routing.datasets.naming import names_of_draft
from routing.evaluation.cases import parse_cases
from routing.models import EvalCase
from routing.moves import NothingLive
from routing.paths.trail import Arm
from routing.preview import compiled_label

CATALOG, DATASET = "back-office", "office-paths"
_FILE = Path(__file__).with_name("office_paths.jsonl")


def ensure_sample_paths(*, by: User | None, now: datetime, arms: Sequence[Arm] = ARMS) -> int:
    """Make the dataset, let agents try it in each of ``arms``, and return how many runs that made.

    Nothing is done where there is a dataset of its name, or where the catalog has changed too far.
    The agents do what results tell them to, so that there is something to see.
    """
    catalog = Catalog.objects.filter(name=CATALOG, archived=False).first()
    if catalog is None or catalog.eval_datasets.filter(name=DATASET).exists():
        return 0
    names = names_of_draft(catalog)
    cases = parse_cases(_FILE.read_bytes(), source=_FILE.name)
    if names.routes or not all(tool in names.tools for one in cases for tool in one.path.names):
        return 0
    try:
        release = compiled_label(catalog)
    except NothingLive:
        return 0
    dataset = make_dataset(
        catalog=catalog,
        name=DATASET,
        description="What an agent of the back office is to do, and what it must not",
        by=by,
        now=now,
    )
    add_cases(
        dataset,
        [Taken(case) for case in cases],
        origin=EvalCase.Origin.FILE,
        state=EvalCase.State.ACCEPTED,
        by=by,
        now=now,
    )
    token = agents_token(catalog, now=now)
    return drive(errands(dataset, release), token=token, arms=arms, now=now, gullible=True)
