"""Two evaluations are compared on pages whose URLs can be sent."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from catalog.models import Catalog
from catalog.roles import Role
from dashboard.eval_differences import measure_lines
from routing.datasets import asking, evaluating
from routing.datasets.asking import Setting
from routing.evaluation.paired import Difference, McNemar
from routing.evaluation.side_by_side import Compared
from routing.models import EvalCase, EvalDataset, EvalRun, Release
from tests.evaluated import evaluated
from tests.members import client_of, member
from tests.samples import published


@pytest.fixture
def refunds(db: None, settings: Any) -> Catalog:
    """Return a catalog with evaluations 1 and 2 of two cases, and 3 and 4 of two cases more.

    The last serves all tools, which is wrong where none is needed.
    """
    settings.ENCODER = "none"
    catalog = published("refunds")
    evaluated(catalog)
    dataset = EvalDataset.objects.get(catalog=catalog)
    EvalCase.objects.filter(dataset=dataset, number__in=[1, 5]).update(state="accepted")
    for strategy in ("keyword", "all"):
        one = asking.ask(
            dataset=dataset,
            subject=Release.objects.get(catalog=catalog),
            setting=Setting(strategy=strategy),
            by=None,
            now=timezone.now(),
        )
        evaluating.carry_out(one, clock=timezone.now, stopping=lambda: False)
    return catalog


@pytest.fixture
def viewer(refunds: Catalog) -> Client:
    return client_of(member(refunds, Role.VIEWER))


def at(name: str, **more: object) -> str:
    return reverse(f"dashboard:{name}", kwargs={"catalog": "refunds", **more})


def test_two_that_are_ticked_are_compared_and_one_alone_with_the_one_before(
    viewer: Client,
) -> None:
    choose = at("choose_evals")
    assert viewer.get(choose, {"run": [3, 1]})["Location"] == at("compare_evals", before=1, after=3)
    assert viewer.get(choose, {"run": 3})["Location"] == at("compare_evals", before=2, after=3)
    assert viewer.get(choose, {"after": 2})["Location"] == at("compare_evals", before=1, after=2)
    page = viewer.get(choose, {"choose": 3}).content.decode()
    assert '<option value="3" selected>' in page
    assert '<option value="2" selected>' in page
    assert viewer.get(choose, {"run": [1, 2, 3]}).status_code == 200
    assert viewer.get(choose, {"after": 99}).status_code == 404


def test_regressions_are_listed_and_filtered(viewer: Client) -> None:
    url = at("compare_evals", before=3, after=4)

    page = viewer.get(url)

    look = page.context["look"]
    counts = {kind: count for kind, _words, count in look.counts}
    assert counts == {
        "differs": 4,
        "regressed": 1,
        "gained": 0,
        "changed": 3,
        "diverted": 4,
        "same": 0,
        "apart": 0,
    }
    assert page.context["first"][0].test == "p = 1.000, exact McNemar, 1 only before, 0 only after"
    assert page.context["rows"][0].pair.number == 5
    assert page.content.decode().index("Deal with 3-dropped") < page.content.decode().index("1-rev")
    assert "There is none." in viewer.get(url, {"show": "gained"}).content.decode()
    (way,) = look.ways
    assert len(viewer.get(url, {"way": way.key}).context["rows"]) == way.count == 4
    older = viewer.get(at("compare_evals", before=1, after=4), {"show": "apart"})
    assert "Only evaluation 4 asked it" in older.content.decode()
    assert len(older.context["apart"]) == 2
    assert viewer.get(url, {"tag": "cross-topic"}).context["look"].pairs
    assert not viewer.get(url, {"language": "xx", "group": "no"}).context["look"].pairs


def test_a_case_is_shown_with_both_selections_and_says_that_it_was_mended(
    viewer: Client,
) -> None:
    url = at("compare_case", before=1, after=4, case=3)
    page = viewer.get(url).content.decode()
    assert page.count('data-covers="') == 2
    assert "everything is served" in page
    assert "mended since" not in page

    EvalCase.objects.filter(number=3).update(expected_tools=["issue_refund"])

    assert "was mended since" in viewer.get(url).content.decode()
    alone = at("eval_case", eval=3, case=3)
    assert "was mended since" in viewer.get(alone).content.decode()
    assert "mended since" in viewer.get(at("eval_run", eval=3)).content.decode()


def test_a_comparison_costs_few_queries(viewer: Client, django_assert_max_num_queries: Any) -> None:
    url = at("compare_evals", before=3, after=4)
    viewer.get(url)
    with django_assert_max_num_queries(14):
        viewer.get(url)


def test_the_cases_that_are_listed_are_exported(viewer: Client) -> None:
    sent: Any = viewer.get(at("export_comparison", before=4, after=3), {"show": "gained"})

    lines = b"".join(sent.streaming_content).decode().splitlines()
    assert lines[0].startswith("case,turn,task,expected_tools")
    assert [line.split(",")[:2] for line in lines[1:]] == [["5", "gained"]]


def test_evaluations_of_two_datasets_are_not_compared(viewer: Client, refunds: Catalog) -> None:
    other = EvalDataset.objects.create(catalog=refunds, name="other", created_at=timezone.now())
    EvalRun.objects.filter(number=2).update(dataset=other)

    page = viewer.get(at("compare_evals", before=1, after=2))
    assert "These two cannot be compared" in page.content.decode()
    assert viewer.get(at("export_comparison", before=1, after=2)).status_code == 404
    assert viewer.get(at("compare_case", before=1, after=2, case=3)).status_code == 404


def test_a_difference_is_told_with_its_test_and_what_is_sure() -> None:
    def compared(
        name: str, value: float, interval: tuple[float, float], p_value: float = 0.021
    ) -> Any:
        difference = Difference(before=0.5, after=0.5 + value, cases=90, interval=interval)
        test = McNemar(lost=9, won=1, p_value=p_value, test="exact")
        return next(
            measure_lines(
                {name: Compared(before=0.5, after=0.5 + value, difference=difference, test=test)}
            )
        )

    worse = compared("coverage", -0.1, (-0.2, -0.01))
    assert (worse.difference, worse.interval, worse.verdict) == (
        "-0.100",
        "-0.200 … -0.010",
        "worse",
    )
    assert worse.test == "p = 0.021, exact McNemar, 9 only before, 1 only after"
    fewer = compared("mean_tools", -0.1, (-0.2, -0.001))
    assert (fewer.difference, fewer.interval) == ("-0.10", "-0.20 … 0.00")
    assert fewer.verdict == "better"
    unsure = compared("coverage", 0.1, (-0.2, 0.3))
    assert (unsure.difference, unsure.verdict) == ("+0.100", "")
    # Five of five lost: the bootstrap leaves out nought, which a fair coin does once in sixteen.
    few = compared("coverage", -0.03, (-0.065, -0.006), p_value=0.0625)
    assert (few.interval, few.verdict) == ("-0.065 … -0.006", "")
    with override("es"):
        assert compared("coverage", 0.1, (0.01, 0.3)).interval == "+0,010 … +0,300"
