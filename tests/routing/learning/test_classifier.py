"""A classifier is fitted to labelled cases, and accepted where it does better on others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from routing.learning.classifier import fit
from routing.learning.labels import LabelledCase
from routing.selection import Circumstances, Index, Query, Strategy, compile_index, select
from routing.selection.classifier import Classifier
from routing.selection.classifier_bytes import UnknownFormat, from_bytes, sha256_of, to_bytes
from routing.selection.strategies import classifier as serving
from routing.selection.strategies.classifier import LearnedTools
from routing.selection.uncut import rank_tools
from tests.routing.learning.labelled import ENCODER, cases, catalog, compiled, said
from tests.routing.learning.labelled import case as labelled_case

TOOLS = 20
NOW = Circumstances()


def fit_classifier(index: Index, cases: Sequence[LabelledCase], *, seed: int) -> Classifier | None:
    """Return what is accepted of a fit."""
    fitting = fit(index, cases, seed=seed)
    return fitting.classifier if fitting.accepted else None


@pytest.fixture(scope="module")
def index() -> Index:
    return compiled(catalog(TOOLS))


@pytest.fixture(scope="module")
def classifier(index: Index) -> Classifier:
    fitted = fit_classifier(index, cases(range(TOOLS), 12, seed=1), seed=0)
    assert fitted is not None
    return fitted


def recall(index: Index, strategy: Strategy, tools: range, *, seed: int = 99) -> float:
    """Return recall@1 on cases that nothing was fitted to."""
    fresh = cases(tools, 10, seed=seed)
    found = [rank_tools(Query(task=c.task, strategy=strategy), index, NOW)[0] for c in fresh]
    hits = [index.tools[tool] == c.needs[0][0] for tool, c in zip(found, fresh, strict=True)]
    return sum(hits) / len(hits)


def test_examples_teach_what_descriptions_do_not_say(index: Index, classifier: Classifier) -> None:
    taught = compiled(catalog(TOOLS), classifier)

    before = recall(index, Strategy.EMBEDDING, range(TOOLS))
    after = recall(taught, Strategy.CLASSIFIER, range(TOOLS))

    assert after > before + 0.2
    assert after > 0.9
    assert classifier.held_out.trained_recall > classifier.held_out.untrained_recall
    assert classifier.gate is not None  # a later version may have tools that nobody labelled


def test_the_same_cases_and_seed_give_the_same_classifier(
    index: Index, classifier: Classifier
) -> None:
    again = fit_classifier(index, cases(range(TOOLS), 12, seed=1), seed=0)

    assert again is not None
    assert to_bytes(again) == to_bytes(classifier)
    assert sha256_of(again) == sha256_of(classifier)


def test_bytes_come_back_as_the_same_classifier(classifier: Classifier) -> None:
    back = from_bytes(to_bytes(classifier))

    assert to_bytes(back) == to_bytes(classifier)
    np.testing.assert_array_equal(back.weights, classifier.weights)
    assert back.mixing == classifier.mixing
    assert classifier.words is not None
    assert back.words is not None
    tasks = [case.task for case in cases(range(TOOLS), 2, seed=8)]
    np.testing.assert_array_equal(back.words.pulls(tasks), classifier.words.pulls(tasks))


@pytest.mark.parametrize(
    "content", [b"", b"{}", b'{"format": 2}', b'{"format": 3}', b"[1]", b"\xff"]
)
def test_other_bytes_are_refused(content: bytes) -> None:
    with pytest.raises(UnknownFormat):
        from_bytes(content)


def test_tools_without_examples_keep_their_tasks() -> None:
    source = catalog(40)
    index = compiled(source)
    fitted = fit_classifier(index, cases(range(12), 12, seed=3), seed=0)
    assert fitted is not None
    assert fitted.gate is not None
    taught = compiled(source, fitted)

    unlabelled = range(12, 40)
    before = recall(index, Strategy.EMBEDDING, unlabelled)
    after = recall(taught, Strategy.CLASSIFIER, unlabelled)
    ungated = compiled(source, replace(fitted, gate=None))
    gained = recall(taught, Strategy.CLASSIFIER, range(12)) - recall(
        index, Strategy.EMBEDDING, range(12)
    )

    assert gained > 0.15
    assert after >= before - 0.1
    assert recall(ungated, Strategy.CLASSIFIER, unlabelled) < 0.1 < before


def test_one_example_a_tool_is_not_enough_to_tell(index: Index) -> None:
    fitting = fit(index, cases(range(TOOLS), 1, seed=5), seed=0)

    assert not fitting.accepted
    assert "two examples" in str(fitting.reason)


def test_labels_that_say_nothing_are_not_accepted(index: Index) -> None:
    right = cases(range(TOOLS), 6, seed=7)
    order = np.random.default_rng(0).permutation(len(right))
    wrong = [
        type(c)(where=c.where, task=c.task, needs=right[place].needs)
        for c, place in zip(right, order.tolist(), strict=True)
    ]
    fitting = fit(index, wrong, seed=0)

    assert not fitting.accepted
    assert fit_classifier(index, wrong, seed=0) is None


def test_a_few_cases_are_too_few(index: Index) -> None:
    fitting = fit(index, cases(range(4), 4, seed=1), seed=0)

    assert (fitting.classifier, fitting.accepted) == (None, False)
    assert "16 labelled cases are too few" in str(fitting.reason)


def test_without_an_encoder_there_is_nothing_to_fit() -> None:
    words = compile_index(catalog(TOOLS), encoder=None, vectors={})
    assert fit_classifier(words, cases(range(TOOLS), 5, seed=1), seed=0) is None


def test_cases_of_several_tools_teach_all_of_them(index: Index) -> None:
    chance = np.random.default_rng(4)
    pairs = [labelled_case(n % TOOLS, chance, (n + 7) % TOOLS) for n in range(240)]
    fitted = fit_classifier(index, pairs, seed=0)
    assert fitted is not None
    taught = compiled(catalog(TOOLS), fitted)

    fresh = [labelled_case(n, chance, (n + 7) % TOOLS) for n in range(TOOLS)]
    both = 0
    for pair in fresh:
        query = Query(task=pair.task, strategy=Strategy.CLASSIFIER)
        best = rank_tools(query, taught, NOW)[:3]
        both += {need[0] for need in pair.needs} <= {taught.tools[tool] for tool in best}
    assert both >= 0.8 * len(fresh)


def test_the_strategy_says_what_it_does(classifier: Classifier) -> None:
    taught = compiled(catalog(TOOLS), classifier)
    task = cases([3], 1, seed=11)[0].task

    selection = select(Query(task=task, strategy=Strategy.CLASSIFIER), taught, NOW)

    assert taught.tools[selection.tools[0]] == "tool_3"
    assert selection.decided_by is Strategy.CLASSIFIER
    assert selection.confidence_source == "fitted"
    assert {item.reason.value for item in selection.included} == {"classifier"}
    assert selection.groups[0] == "group-0"
    assert selection.fallback is None


def test_a_classifier_of_another_encoder_is_left_out(classifier: Classifier) -> None:
    class Other(type(ENCODER)):  # type: ignore[misc]
        name = "other"

    source = catalog(TOOLS)
    assert (
        compile_index(source, encoder=Other(), vectors={}, classifier=classifier).classifier is None
    )


def test_a_tool_that_the_release_lacks_is_left_out(classifier: Classifier) -> None:
    smaller = compiled(catalog(TOOLS - 5), classifier)

    assert smaller.classifier is not None
    assert len(smaller.classifier.tools) == TOOLS - 5
    assert recall(smaller, Strategy.CLASSIFIER, range(TOOLS - 5)) > 0.9


def test_of_a_tool_that_says_something_else_now_nothing_was_learned(classifier: Classifier) -> None:
    source = catalog(TOOLS)
    source["tools"][3] = {**source["tools"][3], "description": "Something else altogether"}
    source["tools"][4] = {**source["tools"][4], "name": "renamed", "aliases": ["tool_4"]}
    source["groups"][0]["tools"][4] = "renamed"

    taught = compiled(source, classifier).classifier

    assert taught is not None
    assert {*range(TOOLS)} - set(taught.tools.tolist()) == {3}


def test_in_a_cascade_it_abstains_where_it_is_unsure(
    index: Index, classifier: Classifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    from routing.selection.pipeline import decide

    request = decide(Query(task="word3x0 word3x1"), index, NOW).request
    assert LearnedTools(abstains=True).propose(request) is None
    taught = compiled(catalog(TOOLS), classifier)
    tasks = [case.task for case in cases(range(TOOLS), 3, seed=99)] + ["qz zz"]
    requests = [decide(Query(task=task), taught, NOW).request for task in tasks]
    alone = [LearnedTools().propose(request) for request in requests]
    asked = [LearnedTools(abstains=True).propose(request) for request in requests]
    sure = [proposal.confidence >= taught.settings.threshold for proposal in alone if proposal]
    assert [proposal is not None for proposal in asked] == sure
    assert True in sure
    assert False in sure


def test_what_the_untrained_evidence_needs_as_well_is_served_beside_it(
    classifier: Classifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Examples of one tool each teach that one is enough; a task of two clauses takes two."""
    taught = compiled(catalog(TOOLS), classifier)
    first, second = (" ".join(said(n, place) for place in (0, 1, 1)) for n in (3, 8))
    query = Query(task=f"{first}, {second}", strategy=Strategy.CLASSIFIER)
    served = {taught.tools[tool] for tool in select(query, taught, NOW).tools}
    assert {"tool_3", "tool_8"} <= served

    monkeypatch.setattr(serving, "needed", lambda request, reading: 0 * reading.beliefs.shares)
    alone = {taught.tools[tool] for tool in select(query, taught, NOW).tools}
    assert alone <= served


def test_a_task_that_no_tool_fits_is_less_sure(classifier: Classifier) -> None:
    taught = compiled(catalog(TOOLS), classifier)
    known, foreign = (
        [
            select(Query(task=c.task, strategy=Strategy.CLASSIFIER), taught, NOW).confidence
            for c in cases(tools, 2, seed=31)
        ]
        for tools in (range(TOOLS), range(60, 60 + TOOLS))
    )
    assert np.mean(known) > 0.9
    assert np.median(foreign) < np.quantile(known, 0.1)


def test_what_is_switched_off_is_believed_nothing_of_at_any_weight(
    classifier: Classifier,
) -> None:
    deaf = replace(classifier, mixing=replace(classifier.mixing, untrained=0.0))
    taught = compiled(catalog(TOOLS), deaf)
    [case] = cases([3], 1, seed=11)
    off = Circumstances(switched_off=frozenset({"tool_3"}))

    selection = select(Query(task=case.task, strategy=Strategy.CLASSIFIER), taught, off)

    assert selection.failure is None
    assert "tool_3" not in {taught.tools[tool] for tool in selection.tools}
    assert 0 <= selection.confidence < 0.9
