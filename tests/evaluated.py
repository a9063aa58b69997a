"""A dataset with a case of each state and two evaluations that have ended, for walks over pages."""

from django.utils import timezone

from catalog.models import Catalog
from routing.datasets import asking, collecting, evaluating
from routing.datasets.asking import Setting
from routing.datasets.changing import Taken, add_cases, make_dataset
from routing.evaluation.cases import Case
from routing.models import EvalCase, EvalCollection, EvalDataset, EvalRun
from routing.moves import current_move
from tests.walked_paths import path_runs


def evaluated(catalog: Catalog) -> dict[str, object]:
    """Return the values that paths of evals take, of a dataset that is made at the first call."""
    made = EvalDataset.objects.filter(catalog=catalog, name="walked").first()
    if made is None:
        made = _made(catalog)
    runs = EvalRun.objects.filter(dataset=made).order_by("number").values_list("number", flat=True)
    return {
        "dataset": made.name,
        "case": 1,
        "eval": runs[0],
        "before": runs[0],
        "after": runs[1],
        "collection": EvalCollection.objects.get(dataset=made).pk,
    }


def _made(catalog: Catalog) -> EvalDataset:
    now = timezone.now()
    dataset = make_dataset(catalog=catalog, name="walked", by=None, now=now)
    move = current_move(catalog)
    assert move is not None
    document = move.release.version.parsed()
    tool = document["tools"][0]["name"]
    # Of what is live: the draft may have routes that it has not.
    route = next((route["name"] for route in document["routes"]), None)
    for number, state in enumerate(EvalCase.State.values, start=1):
        cases = [
            Case(
                where="",
                task=f"Deal with {word} of them",
                needs=((tool,),) if number < 3 else (),
                history=("It came broken.",),
                route=route,
                tags=("cross-topic",),
                language="en",
                vague=number == 1,
                weight=2.5,
            )
            for word in (f"{number}-{state}", f"more-{state}")
        ]
        add_cases(
            dataset,
            [Taken(case) for case in cases],
            origin=EvalCase.Origin.HAND,
            state=EvalCase.State(state),
            by=None,
            now=now,
        )
    for threshold in (0.5, 0.9):
        run = asking.ask(
            dataset=dataset,
            subject=move.release,
            setting=Setting(strategy="keyword", threshold=threshold),
            by=None,
            now=now,
        )
        evaluating.carry_out(run, clock=timezone.now, stopping=lambda: False)
    path_runs(dataset, release=move.release, now=now)
    one = collecting.ask(dataset=dataset, since=move.at, until=now, most=5, by=None, now=now)
    EvalCollection.objects.filter(pk=one.pk).update(finished_at=now, found={"runs": 3, "new": 2})
    return dataset
