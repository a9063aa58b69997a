"""The sample of paths fits the sample catalog, and agents have tried it out."""

from typing import Any

import pytest
from django.utils import timezone

from routing.case_runs.reading import checked_runs, runs_of
from routing.case_runs.sample import ensure_sample_paths
from routing.models import EvalDataset
from routing.paths.measures import measure
from routing.paths.trail import Arm
from tests.samples import published


@pytest.mark.django_db
def test_agents_try_the_sample_once(settings: Any) -> None:
    settings.ENCODER = "none"
    assert ensure_sample_paths(by=None, now=timezone.now()) == 0  # no catalog yet
    published("back-office")

    assert ensure_sample_paths(by=None, now=timezone.now(), arms=[Arm.ALL]) == 12
    assert ensure_sample_paths(by=None, now=timezone.now()) == 0

    dataset = EvalDataset.objects.get()
    said = measure(checked_runs(dataset, runs_of(dataset)))
    # They do what results tell them to: once what needs a person, and once what needs none.
    assert (said.followed.hits, said.followed.of) == (2, 2)
    assert (said.prevented.hits, said.prevented.of) == (1, 2)
    assert (said.passed.hits, said.passed.of) == (10, 12)
    reasons = {reason for _, reason in said.results}
    assert reasons >= {"busy", "timed_out", "malformed_result"}
