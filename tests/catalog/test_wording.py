"""A group's description should say when to use it."""

import pytest

from catalog.samples import SAMPLES, load_sample
from catalog.wording import description_hint


@pytest.mark.parametrize(
    "description",
    [
        "Use to reconcile payments against statements and settle bills.",
        "Reconcile payments.",
        "When a customer asks for their money back.",
        "Para conciliar pagos y cobrar facturas.",
        "Consultar y firmar contratos de la empresa.",
        "Emitir notas fiscais do pedido.",
    ],
)
def test_a_description_that_begins_with_the_task_has_no_hint(description: str) -> None:
    assert description_hint(description) is None


@pytest.mark.parametrize(
    "description",
    ["Tools of the ERP.", "Billing.", "Order handling tools", "Customer records", "Los contratos."],
)
def test_one_that_says_what_the_group_holds_gets_a_hint(description: str) -> None:
    assert "what the group holds" in (description_hint(description) or "")


@pytest.mark.parametrize("description", ["", "   ", "…"])
def test_an_empty_one_is_asked_for(description: str) -> None:
    assert "Say when to use it" in (description_hint(description) or "")


@pytest.mark.parametrize("name", SAMPLES)
def test_the_samples_set_the_example(name: str) -> None:
    hints = [description_hint(group["description"]) for group in load_sample(name)["groups"]]
    assert not any(hints)
