"""Rows inserted by a statement that is written once."""

import pytest
from django.db import IntegrityError, transaction

from catalog.models import Catalog
from routing.inserting import insert
from routing.models import Run, Span
from tests.routing.conftest import Agent

pytestmark = pytest.mark.django_db


def test_what_is_inserted_is_what_django_would_insert(agent: Agent, dev_agent: Catalog) -> None:
    agent.select("Run the tests", catalog="dev-agent", history=["a “quoted” é 😀"], run_id="a")
    for model, key in ((Run, "run_id"), (Span, "uid")):
        row = model.objects.get()
        plain = {field.attname: getattr(row, field.attname) for field in model._meta.fields}
        del plain["id"]
        row.delete() if model is Span else None
        plain[key] = "b" if model is Run else plain[key]
        made = model(**plain)
        insert(made)
        assert made.pk is not None
        stored = dict[str, object](model.objects.filter(pk=made.pk).values().get())
        assert {name: stored[name] for name in plain} == plain


def test_constraints_hold(agent: Agent, dev_agent: Catalog) -> None:
    agent.select("Run the tests", catalog="dev-agent", run_id="a")
    run = Run.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(Run(key=run.key, run_id="a", catalog=run.catalog, release=run.release))
