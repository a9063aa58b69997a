"""The pages of failed requests."""

import pytest
from django.template.loader import render_to_string
from django.test import Client


def test_an_unknown_address_is_answered_with_a_page(client: Client) -> None:
    response = client.get("/no/such/page")
    assert response.status_code == 404
    assert "<h1" in response.text
    assert "There is no such page" in response.text


def test_a_form_without_its_token_is_refused_with_a_page(db: None) -> None:
    response = Client(enforce_csrf_checks=True).post("/sign-in", {"username": "ana"})
    assert response.status_code == 403
    assert "This form has grown old" in response.text


@pytest.mark.parametrize("code", ["400", "403", "404", "500", "403_csrf"])
def test_an_error_page_needs_no_context(code: str) -> None:
    html = render_to_string(f"{code}.html")
    assert html.count("<h1") == 1
    assert "hx-headers" not in html
