"""The choice of language, in a browser."""

import pytest
from playwright.sync_api import Page, expect

LANGUAGES = [
    ("Español", "es", "Idioma", "Claves", "Nueva clave"),
    ("Português", "pt", "Idioma", "Chaves", "Nova chave"),
]


@pytest.mark.parametrize(("name", "code", "menu", "heading", "button"), LANGUAGES)
def test_a_language_is_chosen_and_kept(
    signed_in_page: Page, name: str, code: str, menu: str, heading: str, button: str
) -> None:
    page = signed_in_page
    page.goto("/keys")
    page.get_by_role("button", name="Language").click()
    page.get_by_role("button", name=name).click()
    expect(page.locator("html")).to_have_attribute("lang", code)
    expect(page).to_have_url("/keys")
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    # Kept on the next page, and left again.
    page.get_by_role("link", name=button).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(button)
    page.get_by_role("button", name=menu).click()
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_role("heading", level=1)).to_have_text("New key")


def test_a_wrong_password_is_refused_in_the_language_chosen(clean_page: Page, db: None) -> None:
    page = clean_page
    page.goto("/sign-in")
    page.get_by_role("button", name="Language").click()
    page.get_by_role("button", name="Português").click()
    page.get_by_label("Nome de usuário").fill("ana")
    page.get_by_label("Senha").fill("wrong")
    page.get_by_role("button", name="Entrar").click()
    expect(page.get_by_role("alert")).to_contain_text("senha corretos")
